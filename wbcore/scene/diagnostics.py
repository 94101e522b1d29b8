"""What is wrong in a user's file: one line each, with place, finding and advice."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .source import SourceFile

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
        """file:line:column, as editors and terminals understand it."""
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message}"

    def as_dict(self) -> dict[str, str | int]:
        """For JSON output."""
        return {
            "severity": self.severity,
            "code": self.code,
            "file": self.path,
            "line": self.line,
            "column": self.column,
            "message": self.message,
        }


class Report:
    """All findings of one pass, in the order found, each told once."""

    def __init__(self, limit: int = 1000) -> None:
        self._found: dict[Diagnostic, None] = {}
        self._limit = limit
        self.dropped = 0
        self.notes: list[str] = []

    def error(self, code: str, message: str, source: SourceFile | None = None, offset: int = -1) -> None:
        """Record something that makes the file unusable at that place."""
        self._add(ERROR, code, message, source, offset)

    def warning(self, code: str, message: str, source: SourceFile | None = None, offset: int = -1) -> None:
        """Record something that is ignored, replaced or probably not meant."""
        self._add(WARNING, code, message, source, offset)

    def note(self, text: str) -> None:
        """Keep a line for the user that is no finding, such as what a template printed."""
        if len(self.notes) < self._limit:
            self.notes.append(text)

    def _add(self, severity: str, code: str, message: str, source: SourceFile | None, offset: int) -> None:
        line, column = source.place(offset) if source is not None else (0, 0)
        path = source.path if source is not None else ""
        self.add(Diagnostic(severity, code, path, line, column, message))

    def add(self, found: Diagnostic) -> None:
        """Record a finding; beyond the limit only errors are kept, and the rest is counted."""
        if found in self._found:
            return
        if len(self._found) >= self._limit and (found.severity != ERROR or self.error_count >= self._limit):
            self.dropped += 1
            return
        self._found[found] = None

    def extend(self, found: Iterable[Diagnostic]) -> None:
        """Take over the findings of another pass."""
        for one in found:
            self.add(one)

    @property
    def errors(self) -> list[Diagnostic]:
        """The findings that make the file unusable."""
        return [one for one in self._found if one.severity == ERROR]

    @property
    def warnings(self) -> list[Diagnostic]:
        """The other findings."""
        return [one for one in self._found if one.severity == WARNING]

    @property
    def error_count(self) -> int:
        """Number of errors."""
        return sum(one.severity == ERROR for one in self._found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def did_you_mean(name: str, known: Iterable[str], nearness: float = 0.6) -> str:
    """ "; did you mean 'x'?" for the nearest known name, or nothing when none is near (0 to 1)."""
    known = list(known)
    near = difflib.get_close_matches(name[:80], known, n=1, cutoff=nearness)
    if not near:
        lower = {one.lower(): one for one in known}
        near = [lower[name.lower()]] if name.lower() in lower else []
    return f"; did you mean '{near[0]}'?" if near else ""


def shown(text: str, limit: int = 40) -> str:
    """A user's text as it may stand in a message: quoted, one line, cut."""
    cut = text if len(text) <= limit else text[: limit - 3] + "..."
    return "'" + cut.encode("unicode_escape").decode("ascii").replace("\\\\", "\\") + "'"
