"""Functions that a controller calls but no board has: where the calls are, and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from wbridge.wbfirmware.map.controllers import Controller

_MISSING = re.compile(r"undefined reference to [`'](?:controller_)?(\w+)'")
_TWICE = re.compile(r"multiple definition of [`'](\w+)'")
_NEW = re.compile(r"undefined reference to [`']operator (?:new|delete)")
_OPERATOR = re.compile(r"\b(?:new|delete)\b(?!\s*;|\s*=)")
"""Operators of C++ that use the heap; not deleted functions."""
_CALL = re.compile(r"(?:\b([A-Za-z_]\w*)[ \t]+)?\b([A-Za-z_]\w*)\s*\(")
"""Before a name, a word that is not one of these is the type of a declaration."""
_BEFORE_CALLS = ("return", "else", "do", "case", "sizeof")
_UNREAD = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
"""Comments and strings, which contain no calls."""
HEAP = ("malloc", "calloc", "realloc", "free", "strdup", "strndup")
NO_HEAP = "the board has no heap; set heap = BYTES in hardware.toml, or use variables of a fixed size"
NO_OPERATORS = (
    "the board has no heap for objects of this class; use a variable (static, if it is large), or, for other "
    "data, an array"
)
SYSTEM = (
    *("fopen", "freopen", "fclose", "fread", "fgets", "fgetc", "getc", "getchar", "gets", "getline"),
    *("scanf", "fscanf", "vscanf", "remove", "rename", "tmpfile", "perror", "system", "getenv"),
    *("time", "clock", "gettimeofday", "clock_gettime", "sleep", "usleep", "nanosleep", "signal", "raise"),
    *("mktime", "localtime", "gmtime", "strftime"),
)
"""C library functions that need a computer: files, the keyboard, a clock with the date, processes."""
NO_COMPUTER = (
    "this function of the C library needs a computer, with files, keyboard and date; remove the call"
)
NO_LIBRARY = "the board's C library cannot have this function: it needs an operating system; remove the call"
TWICE = "several files of the controller define this; make it static, or declare it extern in all but one"
NOWHERE = "no file of the controller has this function, and the board has none"


def unlinked(text: str, controller: Controller, unavailable: Iterable[str] = ()) -> str:
    """Return lines with places of missing or duplicate definitions; "" if none is the controller's.

    Args:
        text: output of the linker, in English.
        controller: the user's controller.
        unavailable: functions of the C library that cannot be linked.
    """
    why = dict.fromkeys(unavailable, NO_LIBRARY)
    for name in _MISSING.findall(text):
        why[name] = NO_HEAP if name in HEAP else NOWHERE
    if any(name.startswith("_") for name in why):
        why |= dict.fromkeys(SYSTEM, NO_COMPUTER)
    why |= {name: NO_COMPUTER for name in SYSTEM if name in why}
    lines = []
    for name, source in controller.texts().items():
        plain = _UNREAD.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
        lines += [f"{controller.folder / name}:{line}" for line in _calls(plain, why)]
        for operator in _OPERATOR.finditer(plain) if _NEW.search(text) else ():
            lines.append(
                f"{controller.folder / name}:{_place(plain, operator.start())}: {operator[0]}: {NO_OPERATORS}"
            )
        lines += [f"{controller.folder / name}:{line}" for line in _definitions(plain, _TWICE.findall(text))]
    return "\n".join(lines)


def _calls(plain: str, why: Mapping[str, str]) -> Iterator[str]:
    """Return the calls of missing functions: line, column and reason."""
    for call in _CALL.finditer(plain):
        if call[2] in why and (call[1] is None or call[1] in _BEFORE_CALLS):
            yield f"{_place(plain, call.start(2))}: {call[2]}: {why[call[2]]}"


def _definitions(plain: str, names: Iterable[str]) -> Iterator[str]:
    """Return the definitions of functions and variables that several files define."""
    for name in dict.fromkeys(names):
        operator = re.search(
            rf"^[A-Za-z_][\w \t*]*\b({name})\s*(?:\([^;{{]*\)\s*\{{|[\[=;])", plain, re.MULTILINE
        )
        if operator is not None:
            yield f"{_place(plain, operator.start(1))}: {name}: {TWICE}"


def _place(plain: str, at: int) -> str:
    """Line and column."""
    line, column = plain.count("\n", 0, at) + 1, at - plain.rfind("\n", 0, at)
    return f"{line}:{column}"
