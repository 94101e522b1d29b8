"""The mesh and texture files of a PROTO: referenced where they are, or copied beside it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from pathlib import Path

import numpy as np

from wbridge.wbcore.importers.robot_model import Geometry
from wbridge.wbcore.physics.meshes import Mesh
from wbridge.wbcore.physics.pose import ONE, Vec3

_LIBRARY = re.compile(rb"^\s*mtllib\s+(.+?)\s*$", re.MULTILINE)
_MAP = re.compile(rb"^\s*map_\w+\s+(?:-\S+\s+\S+\s+)*(.+?)\s*$", re.MULTILINE)
_IMAGE = re.compile(rb"<init_from>\s*(?:<ref>)?\s*([^<>]+?\.(?:png|jpe?g|tga|bmp))\s*<", re.IGNORECASE)
_RINGS, _SEGMENTS = 8, 16
"""Of an ellipsoid's mesh."""


class MeshFiles:
    """Collects the files that a PROTO needs; `write` creates them."""

    def __init__(self, proto: Path, copy: bool) -> None:
        self._home = proto.parent.absolute()
        self._folder = self._home / f"{proto.stem}_files"
        self._copy = copy
        self._copies: dict[Path, Path] = {}
        self._made: dict[Path, Mesh] = {}

    def url(self, file: Path) -> str:
        """Return the name of a file relative to the PROTO."""
        source = file.absolute()
        target = self._place_of(source) if self._copy and source not in self._made else source
        return Path(os.path.relpath(target, self._home)).as_posix()

    def _place_of(self, source: Path) -> Path:
        """Return where a file is copied to: names that several files have get a number."""
        if source not in self._copies:
            taken = set(self._copies.values())
            target, number = self._folder / source.name, 2
            while target in taken:
                target, number = self._folder / f"{source.stem}_{number}{source.suffix}", number + 1
            self._copies[source] = target
            for name in _companions(source):
                # Materials and textures are named relative to the mesh and must keep these names.
                inside = (target.parent / name).resolve()
                if (source.parent / name).is_file() and inside.is_relative_to(self._folder.resolve()):
                    self._copies.setdefault(source.parent / name, inside)
        return self._copies[source]

    def unscaled(self, geometry: Geometry) -> Geometry:
        """Return a mesh without a scale: itself, or one whose file has the scaled triangles."""
        assert geometry.file is not None and geometry.mesh is not None, "meshes come from files"
        if geometry.scale == ONE:
            return geometry
        mesh = geometry.mesh if np.prod(geometry.scale) > 0 else geometry.mesh.flipped()
        mark = hashlib.sha256(repr((str(geometry.file), geometry.scale)).encode()).hexdigest()[:8]
        return self._new(f"{geometry.file.stem}_{mark}.obj", mesh)

    def ellipsoid(self, radii: Vec3) -> Geometry:
        """Return a mesh with the form of an ellipsoid."""
        mark = hashlib.sha256(repr(radii).encode()).hexdigest()[:8]
        return self._new(f"ellipsoid_{mark}.obj", _ball().scaled(radii))

    def mesh(self, name: str, mesh: Mesh) -> Path:
        """Return the file of a mesh that exists in no file yet."""
        file = self._new(f"{re.sub(r'[^A-Za-z0-9_-]', '_', name)[:60]}.obj", mesh).file
        assert file is not None
        return file

    def _new(self, name: str, mesh: Mesh) -> Geometry:
        path = self._folder / name
        self._made[path] = mesh
        return Geometry("mesh", file=path, mesh=mesh)

    def write(self) -> list[Path]:
        """Copy and create the files; return them.

        Raises:
            OSError: a file cannot be read or written.
        """
        if self._copies or self._made:
            self._folder.mkdir(parents=True, exist_ok=True)
        for source, target in self._copies.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.resolve() != target.resolve():
                shutil.copyfile(source, target)
        for path, mesh in self._made.items():
            path.write_text(_obj_text(mesh), encoding="ascii", newline="\n")
        return [*self._copies.values(), *self._made]


def _companions(mesh: Path) -> list[str]:
    """Return the names of the materials and textures of a mesh, relative to it."""
    suffix = mesh.suffix.lower()
    if suffix == ".dae":
        return [_name(name) for name in _IMAGE.findall(mesh.read_bytes())]
    if suffix != ".obj":
        return []
    libraries = [_name(name) for name in _LIBRARY.findall(mesh.read_bytes())]
    left = list(libraries)
    for library in libraries:
        path = mesh.parent / library
        if path.is_file():
            left += [
                (Path(library).parent / _name(name)).as_posix() for name in _MAP.findall(path.read_bytes())
            ]
    return left


def _name(quoted: bytes) -> str:
    return quoted.decode("utf-8", "replace").replace("\\", "/").replace("\0", "")


def _obj_text(mesh: Mesh) -> str:
    rows = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in mesh.vertices.tolist()]
    rows += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.triangles.tolist()]
    return "\n".join(rows) + "\n"


def _ball() -> Mesh:
    """Return a ball with a radius of 1, from rings between two poles."""
    polar = np.linspace(0, np.pi, _RINGS + 1)[1:-1]
    around = np.arange(_SEGMENTS) * (2 * np.pi / _SEGMENTS)
    ring = [(np.sin(p) * np.cos(a), np.sin(p) * np.sin(a), np.cos(p)) for p in polar for a in around]
    last = len(ring) + 1
    faces = [(0, 1 + i, 1 + (i + 1) % _SEGMENTS) for i in range(_SEGMENTS)]
    faces += [(last, last - 1 - i, last - 1 - (i + 1) % _SEGMENTS) for i in range(_SEGMENTS)]
    for row in range(_RINGS - 2):
        for i in range(_SEGMENTS):
            a, b = 1 + row * _SEGMENTS + i, 1 + row * _SEGMENTS + (i + 1) % _SEGMENTS
            faces += [(a, a + _SEGMENTS, b + _SEGMENTS), (a, b + _SEGMENTS, b)]
    vertices = np.array([(0.0, 0.0, 1.0), *ring, (0.0, 0.0, -1.0)])
    return Mesh(vertices, np.array(faces, dtype=np.uint32))
