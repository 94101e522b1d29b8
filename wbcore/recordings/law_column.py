"""The law of contact of a run in tables, which have room for numbers only."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.wbcore.recordings.columns import Columns
from wbridge.wbcore.scene.contact_law import LAWS, PLACE


class LawColumn:
    """A column that is named after a law and is 1 in all rows."""

    def __init__(self, law: str) -> None:
        self.columns = [f"{PLACE}.{law}"]

    @property
    def values(self) -> list[float]:
        """1, for the only column."""
        return [1.0]


def law_columns(law: str) -> Sequence[Columns]:
    """Return what a table says of a law: a column such as "contacts.precise", nothing for the default."""
    return [] if law == LAWS[0] else [LawColumn(law)]
