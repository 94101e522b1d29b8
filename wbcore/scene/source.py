"""A source text: its path, text and version, and the line and column of an offset."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path

from wbcore.scene.dialect import Dialect, dialect
from wbcore.scene.version import NEWEST, Version


class SourceFile:
    """The text of a world or PROTO file, or a generated text.

    `line_of` maps a line of a generated text to the line of the file that it was generated from, so that
    messages refer to a place that the user can edit.
    """

    __slots__ = ("path", "text", "version", "_starts", "_line_of")

    def __init__(
        self,
        path: str | Path,
        text: str,
        version: Version = NEWEST,
        line_of: Callable[[int], int] | None = None,
    ) -> None:
        self.path = str(path)
        self.text = text
        self.version = version
        self._starts: array[int] | None = None
        self._line_of = line_of

    @property
    def dialect(self) -> Dialect:
        """The conventions of this file's version."""
        return dialect(self.version)

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column (from 1) of an offset into the text; (0, 0) for negative offsets."""
        if offset < 0:
            return 0, 0
        if self._starts is None:
            self._starts = _line_starts(self.text)
        line = bisect_right(self._starts, offset)
        column = offset - self._starts[line - 1] + 1
        if self._line_of is not None:
            return self._line_of(line), 1
        return line, column

    def __repr__(self) -> str:
        return f"SourceFile({self.path!r}, {self.version})"


def _line_starts(text: str) -> array[int]:
    starts = array("q", [0])
    find = text.find
    at = find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = find("\n", at + 1)
    return starts
