"""Columns of numbers chosen by name."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from wbcore.recordings.recorder import Columns
from wbcore.scene.diagnostics import did_you_mean

__all__ = ["ChosenColumns", "UnknownColumn"]

MOST = 200
"""Columns that are chosen if none is named."""


class UnknownColumn(ValueError):
    """A pattern matches no column; the message says which names there are."""


class ChosenColumns:
    """Some of the columns of others.

    A pattern is the name of a column, "ROBOT.DEVICE.VALUE" (also with "/"), or its beginning up to a ".",
    with `*`, `?` and `[...]` as in file names: "e-puck.ps0", "*.accelerometer".
    """

    def __init__(self, sources: Sequence[Columns], patterns: Sequence[str]) -> None:
        """
        Args:
            sources: the columns to choose from.
            patterns: which ones; without any, all if there are at most `MOST`, else none.

        Raises:
            UnknownColumn: a pattern matches none.
        """
        self._sources = sources
        names = [name for one in sources for name in one.columns]
        matches = [_matching(pattern, names) for pattern in patterns]
        chosen = {place for found in matches for place in found} if patterns else set(range(len(names)))
        if not patterns and len(names) > MOST:
            chosen = set()
        self.total = len(names)
        """The number of columns to choose from."""
        self._places = sorted(chosen)
        self.columns = [names[place] for place in self._places]
        where = {place: index for index, place in enumerate(self._places)}
        self.groups = [[where[place] for place in found] for found in matches]
        """The columns of each pattern, by their places among the chosen ones."""

    @property
    def values(self) -> list[float]:
        """Current values; NaN if not available yet."""
        values = [value for one in self._sources for value in one.values]
        return [values[place] for place in self._places]


def _matching(pattern: str, names: Sequence[str]) -> list[int]:
    wanted = pattern.replace("/", ".")
    plain = [one.replace("/", ".") for one in names]
    found = [
        place
        for place, name in enumerate(plain)
        if fnmatchcase(name, wanted) or fnmatchcase(name, f"{wanted}.*")
    ]
    if not found and not plain:
        raise UnknownColumn(f'"{pattern}" matches no value: there are no devices')
    if not found:
        known = sorted({part for name in plain for part in (name, name.rpartition(".")[0])})
        hint = did_you_mean(wanted, known) or "."
        raise UnknownColumn(
            f'"{pattern}" matches no value{hint} Values are named ROBOT.DEVICE.VALUE, for example {plain[0]}'
        )
    return found
