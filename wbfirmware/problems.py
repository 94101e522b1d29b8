"""Problems of a hardware map with their places, and the line numbers of its keys."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from wbridge.wbfirmware.template_folders import read_toml

_HEADER = re.compile(r"\s*\[(?!\[)(.+)\]\s*(#.*)?$")
_NAME = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_KEY = re.compile(rf"\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*=")
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class Problem(NamedTuple):
    """One problem."""

    line: int
    text: str


class HardwareError(ValueError):
    """Raised for an invalid hardware map; `problems` lists everything that is wrong."""

    def __init__(self, path: Path, problems: list[Problem]) -> None:
        self.path, self.problems = path, sorted(set(problems))
        super().__init__("\n".join(f"{path}:{problem.line}: {problem.text}" for problem in self.problems))


class Source:
    """The text of a hardware map: its content and the lines of its keys."""

    def __init__(self, path: Path, text: str) -> None:
        """
        Raises:
            HardwareError: the text is not valid TOML.
        """
        self.path = path
        self.problems: list[Problem] = []
        try:
            self.data: dict[str, Any] = read_toml(text)
        except ValueError as error:
            raise HardwareError(path, [_syntax_problem(str(error), text)]) from None
        self._lines = _lines(text)

    def line(self, *keys: str) -> int:
        """Return the line of a key, or of the table around it; 1 if unknown."""
        while keys and keys not in self._lines:
            keys = keys[:-1]
        return self._lines.get(keys, 1)

    def has_line(self, *keys: str) -> bool:
        """Return True if a key or table is at the beginning of a line."""
        return keys in self._lines

    def wrong(self, keys: Iterable[str], text: str) -> None:
        """Record a problem of a key."""
        self.problems.append(Problem(self.line(*keys), text))


def read_source(path: Path) -> Source:
    """Read the text of a file.

    Raises:
        HardwareError: the text is not valid TOML.
        OSError: the file cannot be read.
    """
    data = path.read_bytes()
    try:
        return Source(path, data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise HardwareError(path, [Problem(line, "not a UTF-8 text; save the file as UTF-8")]) from None


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the end of a message that suggests the nearest known name, or ""."""
    same = {name.casefold(): name for name in known}
    text = str(name).casefold()
    # A part of a longer name, such as "uno" for "arduino-uno", is nearer than a name of similar letters.
    whole = [name for name in same if len(text) > 2 and text in re.split(r"[-_ .]", name)]
    names = whole or difflib.get_close_matches(text, list(same), 1)
    return f'; did you mean "{same[names[0]]}"?' if names else ""


def _syntax_problem(message: str, text: str) -> Problem:
    """Convert a TOML error to a problem with its line; the end of the document is the last line."""
    place = _PLACE.search(message)
    if place is None:
        return Problem(1, f"not valid TOML: {message}")
    column = f"column {place[2]}: " if place[2] else ""
    line = int(place[1]) if place[1] else max(1, len(text.splitlines()))
    return Problem(line, f"{column}not valid TOML: {message[: place.start()]}")


def _lines(text: str) -> dict[tuple[str, ...], int]:
    """Return the line of each table and of each key at the beginning of a line."""
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _path(f"[{header[1]}]")
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            path = _path(f"[{key[1]}]")
            for depth in range(1, len(path) + 1):
                lines.setdefault((*table, *path[:depth]), number)
    return lines


def _path(header: str) -> tuple[str, ...]:
    """Return the keys of a table header; empty if it is not one."""
    try:
        data = read_toml(header)
    except ValueError:
        return ()
    keys = []
    while data:
        key, data = next(iter(data.items()))
        keys.append(key)
    return tuple(keys)
