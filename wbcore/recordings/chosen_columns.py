"""Columns of numbers chosen by name."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from fnmatch import fnmatchcase

from wbridge.wbcore.recordings.columns import Columns, JoinedColumns
from wbridge.wbcore.scene.diagnostics import did_you_mean

_LOG = logging.getLogger(__name__)
MOST = 200
"""Columns that are chosen if none is named."""


class UnknownColumn(ValueError):
    """A pattern matches no column; the message says which names there are."""


class ChosenColumns:
    """Some of the columns of others.

    A pattern is the name of a column, "ROBOT.DEVICE.VALUE" (also with "/"), or its beginning up to a ".",
    with `*`, `?` and `[...]` as in file names: "e-puck.ps0", "*.accelerometer". Columns that are added later
    and match come last; without patterns, all do as long as there are at most `MOST`.
    """

    def __init__(self, sources: Sequence[Columns], patterns: Sequence[str], may_grow: bool = False) -> None:
        """
        Args:
            sources: the columns to choose from.
            patterns: which ones; without any, all if there are at most `MOST`, else none.
            may_grow: whether columns may be added later, so that a pattern need not match any now.

        Raises:
            UnknownColumn: a pattern matches none.
        """
        self._joined = JoinedColumns(sources)
        self._patterns = [pattern.replace("/", ".") for pattern in patterns]
        self.columns: list[str] = []
        self.groups: list[list[int]] = [[] for _ in patterns]
        """The columns of each pattern, by their places among the chosen ones."""
        self._places: list[int] = []
        self.total = 0
        """The number of columns to choose from."""
        self._add_new()
        for pattern, group in zip(patterns, self.groups, strict=True):
            if not group:
                _report_unknown(pattern, self._joined.columns, may_grow)

    def _add_new(self) -> None:
        names = self._joined.columns
        new, self.total = range(self.total, len(names)), len(names)
        for place in new:
            matches = [
                number for number, pattern in enumerate(self._patterns) if _matches(names[place], pattern)
            ]
            if matches or (not self._patterns and len(names) <= MOST):
                for number in matches:
                    self.groups[number].append(len(self.columns))
                self.columns.append(names[place])
                self._places.append(place)

    @property
    def values(self) -> list[float]:
        """Current values; NaN if not available. Their columns are complete after this call."""
        values = self._joined.values
        if self.total < len(values):
            self._add_new()
        return [values[place] for place in self._places]


def _matches(name: str, pattern: str) -> bool:
    plain = name.replace("/", ".")
    return fnmatchcase(plain, pattern) or fnmatchcase(plain, f"{pattern}.*")


def _report_unknown(pattern: str, names: Sequence[str], may_grow: bool) -> None:
    """Report a pattern that matches none of the columns: as a warning if some may be added later."""
    wanted, plain = pattern.replace("/", "."), [name.replace("/", ".") for name in names]
    text = f'"{pattern}" matches no value'
    if may_grow:
        _LOG.warning("warning: --plot: %s yet; it is plotted if a supervisor adds such a robot", text)
        return
    if not plain:
        raise UnknownColumn(f"{text}: there are no devices")
    known = sorted({part for name in plain for part in (name, name.rpartition(".")[0])})
    hint = did_you_mean(wanted, known) or "."
    raise UnknownColumn(f"{text}{hint} Values are named ROBOT.DEVICE.VALUE, for example {plain[0]}")
