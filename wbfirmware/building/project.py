"""Write the files of a firmware's project without losing edits.

A file beside them lists the written files with a hash of each. A file whose hash differs was edited.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from wbridge.wbfirmware.map.api import STANDARD

MARK = ".wbridge-firmware"
"""A folder with this file may be overwritten: lines of a hash, a space, and a file name."""
HASH_DIGITS = 64
MOST_NAMED = 5
COMMENTS = {
    ".ino": "/* {} */\n",
    ".cpp": "/* {} */\n",
    ".hpp": "/* {} */\n",
    ".ini": "; {}\n",
    ".py": "# {}\n",
    ".c": "/* {} */\n",
    ".h": "/* {} */\n",
    ".ld": "/* {} */\n",
    "": "# {}\n",
}
"""Comment formats by file suffix."""


class FirmwareError(RuntimeError):
    """Raised when firmware cannot be generated; the message says what to do."""


def headed(files: Mapping[str, str], about: str) -> dict[str, str]:
    """Return the files with a comment line at the top."""
    return {name: COMMENTS.get(_kind(name), "").format(about) + text for name, text in files.items()}


def _kind(name: str) -> str:
    """Return the suffix of a file; headers of the C++ library have none."""
    path = PurePosixPath(name)
    return ".hpp" if path.parent.name == STANDARD else path.suffix


def write_project(
    files: Mapping[str, str], folder: Path, sources: Mapping[str, Path], overwrite: bool = False
) -> None:
    """Write files; remove those that only an earlier run has written.

    Args:
        files: texts by path in the folder.
        folder: the folder.
        sources: for copied files, the originals to edit instead.
        overwrite: also replace edited files.

    Raises:
        FirmwareError: the folder has other files, or edited ones.
        OSError: the folder cannot be written.
    """
    written = _written(folder)
    data = {name: text.encode("utf-8", "surrogateescape") for name, text in files.items()}
    if not overwrite:
        _refuse_edited(folder, written, data, sources)
    folder.mkdir(parents=True, exist_ok=True)
    for name in written.keys() - files.keys():
        (folder / name).unlink(missing_ok=True)
    hashes = {name: {_hash(content)} for name, content in data.items()}
    _note(
        folder, {name: written.get(name, set()) | hashes.get(name, set()) for name in {**written, **hashes}}
    )
    for name, content in data.items():
        place = folder / name
        if not place.is_file() or place.read_bytes() != content:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
    _note(folder, hashes)


def _note(folder: Path, hashes: Mapping[str, set[str]]) -> None:
    """Record what is written; before writing, also the previous hashes, in case this run is killed."""
    lines = (f"{hash_} {name}\n" for name in sorted(hashes) for hash_ in sorted(hashes[name]))
    (folder / MARK).write_text("".join(lines), encoding="utf-8")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _written(folder: Path) -> dict[str, set[str]]:
    """Return the files of an earlier run with the hashes that each may have.

    Raises:
        FirmwareError: the folder has files but no record of them.
    """
    mark = folder / MARK
    if not mark.is_file():
        if folder.is_dir() and any(folder.iterdir()):
            raise FirmwareError(f"{folder} contains other files; use an empty or new folder")
        return {}
    rows = (line.partition(" ") for line in mark.read_text(encoding="utf-8").splitlines())
    names: dict[str, set[str]] = {}
    for hash_, _, name in rows:
        if len(hash_) == HASH_DIGITS and _is_inside(name):
            names.setdefault(name, set()).add(hash_)
    return names


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts


def _refuse_edited(
    folder: Path, written: Mapping[str, set[str]], data: Mapping[str, bytes], sources: Mapping[str, Path]
) -> None:
    """
    Raises:
        FirmwareError: edited files would be replaced.
    """
    edited = [name for name in sorted(written) if _is_edited(folder / name, written[name], data.get(name))]
    if not edited:
        return
    lines = [
        f"{folder / name}: was edited after wbridge wrote it{_instead(name, sources)}" for name in edited
    ]
    more = len(lines) - MOST_NAMED
    lines[MOST_NAMED:] = [f"and {more} more"] if more > 0 else []
    lines.append(
        "nothing was written; to compile the project as it is, run make in its folder; to replace the "
        "edited files, build with --overwrite"
    )
    raise FirmwareError("\n".join(lines))


def _is_edited(place: Path, hashes: set[str], content: bytes | None) -> bool:
    if not place.is_file():
        return False
    found = place.read_bytes()
    return found != content and _hash(found) not in hashes


def _instead(name: str, sources: Mapping[str, Path]) -> str:
    return f"; edit {sources[name]}" if name in sources else ""
