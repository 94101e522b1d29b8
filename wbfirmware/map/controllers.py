"""The user's controller in a firmware: where its sources are, and which headers they include."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from wbridge.wbfirmware.problems import Source, nearest

KEY = ("controller",)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)
_PLAIN = re.compile(r"[\w.-]+")
CXX_SUFFIXES = (".cpp", ".cc", ".cxx")
SUFFIXES = (".c", *CXX_SUFFIXES)
LISTED = ", ".join(SUFFIXES)


class Controller(NamedTuple):
    """The sources of a controller in C or C++."""

    folder: Path
    sources: list[Path]
    """Files to compile, sorted."""
    headers: list[Path]
    """Included headers from its folder and subfolders, sorted."""

    @property
    def cxx_sources(self) -> list[Path]:
        """The sources in C++."""
        return [source for source in self.sources if source.suffix in CXX_SUFFIXES]

    def texts(self) -> dict[str, str]:
        """Return the files by their path in the folder; bytes that are not UTF-8 are preserved."""
        files = (*self.sources, *self.headers)
        return {
            file.relative_to(self.folder).as_posix(): file.read_text("utf-8", "surrogateescape")
            for file in files
        }

    def included(self) -> list[str]:
        """Return the names in its #include directives, sorted."""
        return sorted({name for text in self.texts().values() for name in _INCLUDE.findall(text)})


def find_controller(source: Source, default: Path | None) -> Controller | None:
    """Return the controller of a hardware map; record problems.

    Args:
        source: the hardware map.
        default: folder of the robot's controller in the world, if any.

    Returns:
        None if there is none.
    """
    absent = (
        "flavor: hil and standalone need a controller, and the robot has none in the world; "
        'name a .c or .cpp file or a folder, for example controller = "controllers/rover"'
    )
    place = named_controller(source, default, f"a file ({LISTED})", absent)
    return None if place is None else _at(source, *place)


def named_controller(source: Source, world: Path | None, files: str, absent: str) -> tuple[str, Path] | None:
    """Return the controller that the map or else the world names, as written and as a path; record problems:
    that it must be one of `files`, or `absent`."""
    named = source.data.get("controller", "")
    if not isinstance(named, str):
        source.wrong(KEY, f"controller: found {named!r}; expected the path of {files} or a folder")
        return None
    path = source.path.parent / named if named else world
    if path is None:
        source.wrong(("flavor",), absent)
        return None
    return named or str(path), path


def _able(path: Path) -> bool:
    return path.suffix in SUFFIXES or (path.is_dir() and bool(_sources(path)))


def _sources(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix in SUFFIXES)


def _at(source: Source, named: str, path: Path) -> Controller | None:
    if not path.exists():
        known = (
            sorted(file.name for file in path.parent.iterdir() if _able(file)) if path.parent.is_dir() else []
        )
        listed = f"; there are {', '.join(known)}" if known else ""
        source.wrong(KEY, f'controller: "{named}" does not exist{listed}{nearest(path.name, known)}')
        return None
    if path.is_file() and path.suffix not in SUFFIXES:
        source.wrong(KEY, f'controller: "{named}" is no C or C++ file ({LISTED}), which this board takes')
        return None
    path = Path(os.path.abspath(path))
    folder = path.parent if path.is_file() else path
    sources = [path] if path.is_file() else _sources(folder)
    if not sources:
        others = sorted(file.name for file in folder.iterdir() if file.is_file())
        hint = f"; it has {', '.join(others[:5])}" if others else ""
        source.wrong(
            KEY,
            f'controller: "{named}" has no C or C++ file ({LISTED}), which this board takes{hint}',
        )
        return None
    return _checked(source, folder, sources)


def _checked(source: Source, folder: Path, sources: list[Path]) -> Controller | None:
    """Return the controller if a firmware can include all of its files."""
    noted = len(source.problems)
    unique = dict.fromkeys(sources)
    waiting = list(sources)
    while waiting:
        path = waiting.pop()
        try:
            text = path.read_text("utf-8", "surrogateescape")
        except OSError as problem:
            source.wrong(KEY, f"controller: {problem}")
            continue
        for name in _INCLUDE.findall(text):
            header = Path(os.path.normpath(path.parent / name))
            if header in unique or not header.is_file():
                continue  # one of the system, or the compiler will tell
            if folder not in header.parents:
                source.wrong(
                    KEY,
                    f'controller: {path.name} includes "{name}", which is outside of the folder '
                    f"{folder.name}",
                )
            unique[header] = None
            waiting.append(header)
    for path in unique:
        name = os.path.relpath(path, folder)
        if not all(_PLAIN.fullmatch(part) for part in name.split(os.sep)):
            source.wrong(
                KEY, f'controller: "{name}": names of files have letters, digits, ".", "_" and "-" only'
            )
    if len(source.problems) > noted:
        return None
    return Controller(folder, sources, sorted(source for source in unique if source not in sources))
