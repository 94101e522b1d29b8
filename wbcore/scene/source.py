"""A source text: its path, text and version, and the line and column of an offset."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from weakref import WeakValueDictionary

from wbridge.wbcore.scene.dialect import Dialect, dialect
from wbridge.wbcore.scene.version import NEWEST, Version


class _Text:
    """A text that all worlds of a process share."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def starts(self) -> array[int]:
        """The offsets at which lines start."""
        return _line_starts(self.text)


_TEXTS: WeakValueDictionary[str, _Text] = WeakValueDictionary()
"""The texts in use, by their content."""


def _shared(text: str) -> _Text:
    return _TEXTS.setdefault(text, _Text(text))


class SourceFile:
    """The text of a world or PROTO file, or a generated text.

    `line_of` maps a line of a generated text to the line of the file that it was generated from, so that
    messages refer to a place that the user can edit.
    """

    __slots__ = ("path", "text", "version", "_shared", "_line_of")

    def __init__(
        self,
        path: str | Path,
        text: str,
        version: Version = NEWEST,
        line_of: Callable[[int], int] | None = None,
    ) -> None:
        self.path = str(path)
        self._shared = _shared(text)
        self.text = self._shared.text
        self.version = version
        self._line_of = line_of

    @property
    def dialect(self) -> Dialect:
        """The conventions of this file's version."""
        return dialect(self.version)

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column (from 1) of an offset into the text; (0, 0) for negative offsets."""
        if offset < 0:
            return 0, 0
        starts = self._shared.starts
        line = bisect_right(starts, offset)
        column = offset - starts[line - 1] + 1
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
