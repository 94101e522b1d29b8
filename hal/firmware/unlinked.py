"""Functions that a controller calls and no board has: where the calls are, and what helps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hal.firmware.controllers import Controller

__all__ = ["unlinked"]

_MISSING = re.compile(r"undefined reference to [`'](\w+)'")
_CALL = re.compile(r"(?:\b([A-Za-z_]\w*)[ \t]+)?\b([A-Za-z_]\w*)\s*\(")
"""A word before a name is the type in a declaration, if it is none of these."""
_BEFORE_CALLS = ("return", "else", "do", "case", "sizeof")
_UNREAD = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
"""Comments and texts: no calls are in there."""
HEAP = ("malloc", "calloc", "realloc", "free", "strdup", "strndup")
GROWS = "_sbrk"
"""What a C library asks for memory with."""
SYSTEM = (
    *("fopen", "freopen", "fclose", "fread", "fgets", "fgetc", "getc", "getchar", "gets", "getline"),
    *("scanf", "fscanf", "vscanf", "remove", "rename", "tmpfile", "perror", "system", "getenv"),
    *("time", "clock", "gettimeofday", "clock_gettime", "sleep", "usleep", "nanosleep", "signal", "raise"),
)
"""Functions of C libraries that need a computer: files, the keyboard, a clock with the date, processes."""


def unlinked(text: str, controller: Controller) -> str:
    """The calls for which a linker has found nothing, a line for each; "" when none is the controller's.

    Args:
        text: what the linker has said, in English.
        controller: of the user.
    """
    missing = set(_MISSING.findall(text))
    lines = []
    for name, source in controller.texts().items():
        plain = _UNREAD.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
        for call in _CALL.finditer(plain):
            why, at = _why(call[2], missing), call.start(2)
            if why and (call[1] is None or call[1] in _BEFORE_CALLS):
                line, column = plain.count("\n", 0, at) + 1, at - plain.rfind("\n", 0, at)
                lines.append(f"{controller.folder / name}:{line}:{column}: {call[2]}: {why}")
    return "\n".join(lines)


def _why(name: str, missing: set[str]) -> str:
    """What is wrong with a call; "" when nothing is."""
    if name in HEAP and missing & {name, GROWS}:
        return "the board has no heap; take variables of a fixed size"
    if name in SYSTEM and (name in missing or any(one.startswith("_") for one in missing)):
        return "this function of the C library needs a computer, with files, keyboard and date; take it out"
    return "no file of the controller has this function, and the board has none" if name in missing else ""
