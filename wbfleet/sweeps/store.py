"""The results of a sweep in an SQLite file: each is durable as soon as it is stored, and stored once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from wbridge.hal.closing import Closing

__all__ = ["Row", "Store", "StoreError"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS sweep (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS runs (number INTEGER PRIMARY KEY, fields TEXT NOT NULL, result TEXT NOT NULL);
"""


class StoreError(Exception):
    """The file cannot be used; the message says what to do."""


class Row(NamedTuple):
    """A run that is done."""

    number: int
    fields: dict[str, str]
    result: dict[str, Any]


class Store(Closing):
    """An open file of results."""

    def __init__(self, path: Path) -> None:
        """Open or create the file.

        Raises:
            StoreError: it is not a file of results, or cannot be written.
        """
        self.path = path
        try:
            self._base = sqlite3.connect(path, timeout=10)
            # A result must survive a power cut, not only the end of this process.
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=FULL")
            self._base.executescript(_SCHEMA)
        except sqlite3.Error as problem:
            raise StoreError(f"{path} cannot be used for results: {problem}; use another file") from None

    def claim(self, plan: Mapping[str, object]) -> None:
        """Note what the results belong to.

        Args:
            plan: data that determines all results.

        Raises:
            StoreError: the file has the results of another sweep.
        """
        known = dict(self._base.execute("SELECT name, value FROM sweep"))
        wanted = {name: json.dumps(value, sort_keys=True) for name, value in plan.items()}
        other = next((name for name in wanted if known and known.get(name) != wanted[name]), None)
        if other is not None:
            was, now = known.get(other, "nothing"), wanted[other]
            raise StoreError(
                f"{self.path} has results of another sweep ({other}: {_cut(was)} there, {_cut(now)} now); "
                "choose another file with --out, or delete it"
            )
        with self._writing():
            self._base.executemany("INSERT OR IGNORE INTO sweep VALUES (?, ?)", wanted.items())

    def plan(self) -> dict[str, Any]:
        """Return the data that `claim` has stored; empty for a new file."""
        return {
            name: json.loads(value) for name, value in self._base.execute("SELECT name, value FROM sweep")
        }

    def done(self) -> set[int]:
        """Return the numbers of runs with a result."""
        return {number for (number,) in self._base.execute("SELECT number FROM runs")}

    def add(self, rows: Iterable[Row]) -> None:
        """Store results durably; a second result of a run is dropped.

        Raises:
            StoreError: they cannot be written, for example because the disk is full; the file stays valid.
        """
        lines = [(row.number, json.dumps(row.fields), json.dumps(row.result)) for row in rows]
        with self._writing():
            self._base.executemany("INSERT OR IGNORE INTO runs VALUES (?, ?, ?)", lines)

    def rows(self) -> Iterator[Row]:
        """Yield all results in the order of their runs."""
        for number, fields, result in self._base.execute("SELECT * FROM runs ORDER BY number"):
            yield Row(number, json.loads(fields), json.loads(result))

    def limit_pages(self, count: int) -> None:
        """Limit the size of the file; more is refused as by a full disk."""
        self._base.execute(f"PRAGMA max_page_count={count:d}")

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def _writing(self) -> _Transaction:
        return _Transaction(self._base, self.path)


class _Transaction:
    """Everything within is stored, or nothing."""

    def __init__(self, base: sqlite3.Connection, path: Path) -> None:
        self._base, self._path = base, path

    def __enter__(self) -> None:
        self._base.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._base.__exit__(kind, error, trace)
        except sqlite3.Error as problem:
            error = problem
        if isinstance(error, sqlite3.Error):
            raise StoreError(
                f"cannot write results to {self._path}: {error}; those stored before are kept, "
                "and the same command continues"
            ) from None


def _cut(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else text[: limit - 3] + "..."
