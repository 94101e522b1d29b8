"""Files of rows that are written during a run and are readable however it ends.

A CSV file receives whole rows at once, and is rewritten when it needs further columns. A NumPy archive cannot
be appended to, so it is rewritten from time to time as a new file that then replaces the old one. If the disk
is full, or the file cannot be written for another reason, this is reported once; earlier data stays readable,
and the run continues.
"""

from __future__ import annotations

import csv
import io
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import IO, Protocol

import numpy as np

from wbridge.hal.folders import replacement

SUFFIXES = (".csv", ".npz")
SHORTEST_S, SHARE = 0.5, 0.1
"""A file is rewritten after this time (s), using at most this share of the run time."""

_LOG = logging.getLogger(__name__)


class RowFile(Protocol):
    """The common interface of CSV files and archives."""

    problem: str
    """Why the file is incomplete; "" if it is complete."""

    def add(self, row: Sequence[str]) -> None:
        """Add a row; only a CSV file uses the texts."""

    def close(self) -> None:
        """Finish the file."""


class _Turns:
    """When a file may be rewritten: not more often than the limits above allow."""

    def __init__(self, pause_s: float = 0.0) -> None:
        self._pause_s = SHORTEST_S
        self._next = monotonic() + pause_s

    def is_due(self) -> bool:
        """Return True if the pause is over."""
        return monotonic() >= self._next

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Rewrite a file in the block; the longer this takes, the longer is the next pause."""
        start = monotonic()
        try:
            yield
        finally:
            self._pause_s = max(self._pause_s, (monotonic() - start) / SHARE)
            self._next = monotonic() + self._pause_s

    def stop(self) -> None:
        """Let no further turn come."""
        self._pause_s = float("inf")


class CsvFile:
    """A table whose rows are in the file as soon as they are added.

    Further columns need another header and so a new file, which replaces the current one from time to time.
    Until then, rows that have these columns wait.
    """

    def __init__(self, path: Path, columns: Iterable[str]) -> None:
        """Create a file with the names of its columns.

        Raises:
            OSError: the file cannot be written.
        """
        self.problem = ""
        self._path, self._columns = path.resolve(), [*columns]
        self._width = len(self._columns)
        """Columns of the rows in the file."""
        self._waiting: list[Sequence[str]] = []
        self._turns = _Turns()
        self._file: IO[bytes] = path.open("wb", buffering=0)
        self._whole = 0
        """Bytes of whole rows; 0 also for files without positions, such as pipes."""
        self._is_fixed = not self._path.is_file() or not os.access(self._path.parent, os.W_OK)
        """True if no other file can replace this one."""
        try:
            self._write(self._columns)
        except OSError:
            self._file.close()
            raise

    def add_columns(self, names: Sequence[str]) -> None:
        """Add columns, which are empty in the rows before. Pipes do not get any, which is reported once."""
        if names and self._is_fixed and len(self._columns) == self._width:
            _LOG.warning(
                "warning: %s gets no columns for what is added during the run, because its header is written "
                "already; record to a .csv file in a folder that can be written",
                self._path,
            )
        self._columns += names

    def add(self, row: Sequence[str]) -> None:
        """Write a row, which has all columns so far."""
        if self.problem:
            return
        try:
            if self._is_fixed or len(row) == self._width:
                self._write(row[: self._width])
                return
            self._waiting.append(row)
            if self._turns.is_due():
                with self._turns.taken():
                    self._widen()
        except OSError as problem:
            self._shorten()
            self.problem = report_incomplete(self._path, problem)

    def _write(self, row: Sequence[str]) -> None:
        data = memoryview(_line(row))
        size = len(data)
        while data:
            data = data[self._file.write(data) :]
        self._whole += size

    def _widen(self) -> None:
        """Replace the file by one whose rows have all columns."""
        self._file.close()  # Windows replaces only files that nobody has open
        try:
            with replacement(self._path) as draft, self._path.open("rb") as old, draft.open("wb") as file:
                old.seek(len(_line(self._columns[: self._width])))
                self._write_wider(old, file)
        finally:
            self._file = self._path.open("ab", buffering=0)
        self._whole = self._path.stat().st_size
        self._width = len(self._columns)
        self._waiting.clear()

    def _write_wider(self, old: IO[bytes], file: IO[bytes]) -> None:
        file.write(_line(self._columns))
        padding = b"," * (len(self._columns) - self._width) + b"\r\n"
        for line in old:  # rows are numbers, so none contains the end of a line
            file.write(line.rstrip(b"\r\n") + padding)
        for row in self._waiting:
            file.write(_line([*row, *[""] * (len(self._columns) - len(row))]))

    def _shorten(self) -> None:
        """Remove the beginning of a row that did not fit."""
        try:
            self._file.truncate(self._whole)
        except OSError:
            return  # a pipe or a device, which stores nothing

    def close(self) -> None:
        """Finish the file."""
        if self._waiting and not self.problem:
            try:
                self._widen()
            except OSError as problem:
                self.problem = report_incomplete(self._path, problem)
        self._file.close()


def _line(row: Sequence[str]) -> bytes:
    """Return a row as a line of a table."""
    text = io.StringIO(newline="")
    csv.writer(text).writerow(row)
    return text.getvalue().encode()


def _replace(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a new file, which replaces the current one when it is complete."""
    with replacement(path) as draft, draft.open("wb") as file:
        write(file)


class ArchiveFile:
    """A NumPy archive that is always up to date to within a fraction of the run time."""

    def __init__(self, path: Path, arrays: Callable[[], Mapping[str, object]]) -> None:
        """
        Args:
            path: path of the file.
            arrays: returns everything recorded so far, by name.

        Raises:
            OSError: the file cannot be written.
        """
        self.problem = ""
        self._path, self._arrays = path.resolve(), arrays
        self._closed = False
        self._save(np.savez)
        self._turns = _Turns(SHORTEST_S)

    def add(self, row: Sequence[str] = ()) -> None:
        """Write what was recorded so far if it is due."""
        if not self._turns.is_due():
            return
        with self._turns.taken():
            try:
                self._save(np.savez)  # compressing takes ten times as long
            except OSError:
                self._turns.stop()  # compressed at the end, it may fit

    def _save(self, write: Callable[..., None]) -> None:
        """Write everything, to a new file if the current one can be replaced."""
        if self._is_in_place():
            with self._path.open("wb") as file:
                write(file, **self._arrays())
        else:
            _replace(self._path, lambda file: write(file, **self._arrays()))

    def _is_in_place(self) -> bool:
        """Return True if the file cannot be replaced by another: devices, folders of other users."""
        is_device = self._path.exists() and not self._path.is_file()
        return is_device or not os.access(self._path.parent, os.W_OK)

    def close(self) -> None:
        """Write all, compressed."""
        if self._closed:
            return
        self._closed = True
        try:
            self._save(np.savez_compressed)
        except OSError as problem:
            self.problem = report_incomplete(self._path, problem)


def report_incomplete(path: Path, problem: OSError) -> str:
    """Report that a recording could not be written to the end; return why."""
    why = problem.strerror or str(problem)
    _LOG.error("error: the recording %s is incomplete: %s; the data written before is readable", path, why)
    return why
