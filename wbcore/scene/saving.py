"""Saves a world to a file: completely or not at all, with the smallest difference from its former file."""

from __future__ import annotations

from pathlib import Path

from wbridge.hal.folders import replacement
from wbridge.wbcore.scene import files, lexer
from wbridge.wbcore.scene.patching import patched_text
from wbridge.wbcore.scene.world import World

MARK = "\ufeff"


def save_world(world: World, path: str | Path) -> None:
    """Write a world to a file; an existing file is replaced only by a complete one.

    What has not changed keeps its bytes, also line ends as of Windows.

    Raises:
        OSError: the file cannot be written.
    """
    path = Path(path)
    with replacement(path) as draft:
        draft.write_bytes(_as_in_file(world, patched_text(world, path.parent)).encode())


def _as_in_file(world: World, text: str) -> str:
    """Return a text with the line ends, the mark and the end of the world's own file."""
    try:
        raw = _raw(Path(world.path))
    except (OSError, UnicodeDecodeError):
        return text
    if lexer.normalized(raw) != world.source.text:
        return text  # it was changed meanwhile, or is not UTF-8
    if not raw.endswith(("\n", "\r")):
        text = text.removesuffix("\n")
    ends = raw.count("\r\n")
    if ends and ends == raw.count("\n"):
        text = text.replace("\n", "\r\n")
    return MARK + text if raw.startswith(MARK) else text


def _raw(path: Path) -> str:
    """Return the text of a file as it is. Its size was checked when it was loaded."""
    if not path.is_file() or path.stat().st_size > files.MAX_BYTES:
        raise OSError
    return path.read_bytes().decode()
