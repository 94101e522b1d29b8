"""Findings about a user's file: one line each, with place, problem and advice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wbridge.wbcore.scene.source import SourceFile

_PARTS = re.compile(r"[-_ .]")
"""What separates the parts of names."""
ERROR = "error"
WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `line` and `column` count from 1; 0 means the whole file."""

    severity: str
    code: str
    path: str
    line: int
    column: int
    message: str

    @property
    def place(self) -> str:
        """file:line:column, as editors and terminals recognize it."""
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message}"

    def as_dict(self) -> dict[str, str | int]:
        """Return the finding for JSON output."""
        return {
            "severity": self.severity,
            "code": self.code,
            "file": self.path,
            "line": self.line,
            "column": self.column,
            "message": self.message,
        }


class Report:
    """All findings of one pass in order, without repetitions."""

    def __init__(self, limit: int = 1000) -> None:
        self._found: dict[Diagnostic, None] = {}
        self._limit = limit
        self._counts = {ERROR: 0, WARNING: 0}
        self.dropped = 0
        self.notes: list[str] = []

    def error(self, code: str, message: str, source: SourceFile | None = None, offset: int = -1) -> None:
        """Record a finding that makes the file unusable at that place."""
        self._add(ERROR, code, message, source, offset)

    def warning(self, code: str, message: str, source: SourceFile | None = None, offset: int = -1) -> None:
        """Record a finding about something that is ignored, replaced or probably a mistake."""
        self._add(WARNING, code, message, source, offset)

    def note(self, text: str) -> None:
        """Record a line for the user that is not a finding, such as a template's output."""
        if len(self.notes) < self._limit:
            self.notes.append(text)

    def _add(self, severity: str, code: str, message: str, source: SourceFile | None, offset: int) -> None:
        line, column = source.place(offset) if source is not None else (0, 0)
        path = source.path if source is not None else ""
        self.add(Diagnostic(severity, code, path, line, column, printable(message)))

    def add(self, found: Diagnostic) -> None:
        """Record a finding; beyond the limit of errors or of warnings, further ones are only counted."""
        if found in self._found:
            return
        if self._counts[found.severity] >= self._limit:
            self.dropped += 1
            return
        self._counts[found.severity] += 1
        self._found[found] = None

    @property
    def is_full(self) -> bool:
        """True if there are so many errors that continuing is of no use."""
        return self._counts[ERROR] >= self._limit

    def hint(self, name: str, known: Iterable[str]) -> str:
        """Return `did_you_mean`, but only for the first hundred findings, because the search is slow."""
        return did_you_mean(name, known) if len(self._found) < 100 else ""

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors: findings that make the file unusable."""
        return [finding for finding in self._found if finding.severity == ERROR]

    @property
    def warnings(self) -> list[Diagnostic]:
        """The warnings: all other findings."""
        return [finding for finding in self._found if finding.severity == WARNING]

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_LONG_WORD = re.compile(r"(\S{240})\S{20,}")


def printable(text: str) -> str:
    """Return a text that is safe to print: one line, no control characters, limited word length."""
    cut = _LONG_WORD.sub(r"\1...", text)
    return _CONTROL.sub(lambda match: f"\\x{ord(match.group()):02x}", cut)


def did_you_mean(name: str, known: Iterable[str], nearness: float = 0.6) -> str:
    """Return "; did you mean 'x'?" for the nearest known name, or "" if no name is similar (0 to 1)."""
    near = nearest_name(name, known, nearness)
    return f"; did you mean '{near}'?" if near else ""


def nearest_name(name: str, known: Iterable[str], nearness: float = 0.6) -> str:
    """Return the nearest known name, whatever their order; "" if no name is similar (0 to 1)."""
    from difflib import get_close_matches  # start-up: 1 ms, only for messages

    lower = name.lower()
    # Sets have another order in each process. Of many names, those of nearly the same length are compared.
    names = sorted(known, key=lambda each: (abs(len(each) - len(name)), each))
    able = [known for known in names if abs(len(known) - len(name)) <= 4]
    same = next((name for name in able if name.lower() == lower), None)
    # A part of a longer name, such as "uno" of "arduino-uno", is nearer than a name of similar letters.
    part = next((known for known in names if len(name) > 2 and lower in _PARTS.split(known.lower())), None)
    return same or part or next(iter(get_close_matches(name, able[:400], n=1, cutoff=nearness)), "")


def shown(text: str, limit: int = 40) -> str:
    """Return a user's text for a message: quoted and truncated."""
    return "'" + (text if len(text) <= limit else text[: limit - 3] + "...") + "'"
