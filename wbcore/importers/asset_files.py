"""Files that a robot description names: search for them, read meshes."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote

from wbridge.wbcore.importers.options import ConvertOptions
from wbridge.wbcore.importers.reading import Reader
from wbridge.wbcore.importers.robot_model import Geometry
from wbridge.wbcore.importers.xml_tree import Element
from wbridge.wbcore.physics.meshes import Mesh, MeshError, read_mesh, suffixes
from wbridge.wbcore.physics.pose import ONE, Vec3
from wbridge.wbcore.scene.cache import is_file
from wbridge.wbcore.scene.diagnostics import shown

_PACKAGE_PATHS = ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH")
_MOST_PARENTS = 40


class Assets:
    """Finds the files of a description.

    "package://NAME/rest" is searched for in the given folders, in the folders above the description, and in
    those of ROS_PACKAGE_PATH and AMENT_PREFIX_PATH; "model://" likewise. Other names are relative to the
    description's folder.
    """

    def __init__(self, folder: Path, options: ConvertOptions, reader: Reader) -> None:
        self._allow_missing, self._packages = options.allow_missing, options.packages
        self._confined = options.confined.resolve() if options.confined is not None else None
        self._folder = folder
        self._reader = reader
        self._found: dict[str, Path | None] = {}

    def find(self, element: Element, name: str, needed: bool = True) -> Path | None:
        """Return the file with this name; report an error (or a warning, if it is not needed) if it does not
        exist."""
        if name not in self._found:
            self._found[name] = self._search(element, name, needed)
        return self._found[name]

    def _search(self, element: Element, name: str, needed: bool) -> Path | None:
        report = self._reader.error if needed and not self._allow_missing else self._reader.warn
        scheme, mark, rest = name.partition("://")
        if not mark:
            candidates = [self._folder / name]
        elif scheme == "file":
            candidates = [Path(unquote(rest))]
        elif scheme in ("package", "model"):
            candidates = self._in_packages(unquote(rest))
        else:
            text = f"{shown(name)}: only files, package:// and model:// are supported"
            report(element, "file", text)
            return None
        file = next((candidate for candidate in self._allowed(candidates) if is_file(candidate)), None)
        if file is None and self._confined is not None:
            report(element, "missing-file", f"file {shown(name, 80)} is missing")
        elif file is None:
            report(element, "missing-file", _missing(name, candidates))
        return file

    def _allowed(self, candidates: list[Path]) -> list[Path]:
        """Return candidates for a file; of confined descriptions only those inside of their folder, and the
        files there with the same name."""
        if self._confined is None:
            return candidates
        inside = [candidate for candidate in candidates if _is_inside(candidate, self._confined)]
        names = {candidate.name for candidate in candidates}
        return inside + [file for file in sorted(self._confined.rglob("*")) if file.name in names]

    def included(self, name: str, above: Path) -> Path:
        """Return the file of an include.

        Args:
            name: relative to the description, or to the file that includes it.
            above: the file that includes it.
        """
        candidates = [self._folder / name, above.parent / name]
        missing = candidates[-1] if self._confined is None else self._confined / Path(name).name
        return next(filter(is_file, self._allowed(candidates)), missing)

    def _in_packages(self, rest: str) -> list[Path]:
        """Return where a file of a package can be."""
        package, _, inner = rest.partition("/")
        above = [self._folder, *self._folder.parents][:_MOST_PARENTS]
        packages = [folder / inner for folder in (*self._packages, *above) if folder.name == package]
        packages += [folder / rest for folder in (*self._packages, *above)]
        for variable in _PACKAGE_PATHS:
            for word in filter(None, os.environ.get(variable, "").split(os.pathsep)):
                packages += [Path(word) / rest, Path(word) / "share" / rest]
        return packages

    def mesh(self, element: Element, name: str, scale: Vec3) -> Geometry | None:
        """Return the geometry of a mesh file; report an error if it cannot be used."""
        path = self.find(element, name)
        if path is None:
            return None
        if path.suffix.lower().lstrip(".") not in suffixes():
            known = ", ".join(f".{suffix}" for suffix in suffixes())
            text = f"{shown(name)}: meshes must be {known}; convert this file with a modeling program"
            self._reader.error(element, "mesh-format", text)
            return None
        try:
            mesh = load_mesh(path, scale)
        except MeshError as problem:
            self._reader.error(element, "mesh", f"mesh {problem}")
            return None
        return Geometry("mesh", file=path, mesh=mesh, scale=scale)


def load_mesh(path: Path, scale: Vec3 = ONE) -> Mesh:
    """Return the triangles of a file as Webots shows them: with z up and in m, scaled.

    Raises:
        MeshError: the file cannot be used.
    """
    return read_mesh(path).upright().scaled(scale)


def _is_inside(path: Path, folder: Path) -> bool:
    """Return True for what a folder has in it; links are followed."""
    try:
        return path.resolve().is_relative_to(folder)
    except (OSError, ValueError, RuntimeError):
        return False


def _missing(name: str, candidates: list[Path]) -> str:
    if "://" not in name:
        text = f"file {shown(name, 80)} not found; searched: {candidates[0]}"
        return f"{text}; leave such files out with --allow-missing"
    folders = ", ".join(dict.fromkeys(str(candidate.parent) for candidate in candidates[:4]))
    advice = "name the folder of its package with --package, or leave such files out with --allow-missing"
    return f"file {shown(name, 80)} not found; {advice}; searched: {folders}"
