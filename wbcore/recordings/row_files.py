"""Files of rows that are written during a run and are readable however it ends.

A CSV file receives whole rows at once. A NumPy archive cannot be appended to, so it is rewritten from time to
time as a new file that then replaces the old one. If the disk is full, or the file cannot be written for
another reason, this is reported once; earlier data stays readable, and the run continues.
"""

from __future__ import annotations

import csv
import io
import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

import numpy as np

__all__ = ["SUFFIXES", "ArchiveFile", "CsvFile", "RowFile", "report_incomplete"]

SUFFIXES = (".csv", ".npz")
SHORTEST_S, SHARE = 0.5, 0.1
"""An archive is rewritten after this time (s), using at most this share of the run time."""

_LOG = logging.getLogger(__name__)


class RowFile(Protocol):
    """The common interface of CSV files and archives."""

    problem: str
    """Why the file is incomplete; "" if it is complete."""

    def add(self, row: Sequence[str]) -> None:
        """Add a row; only a CSV file uses the texts."""

    def close(self) -> None:
        """Finish the file."""


class CsvFile:
    """A table whose rows are in the file as soon as they are added."""

    def __init__(self, path: Path, columns: Iterable[str]) -> None:
        """Create a file with the names of its columns.

        Raises:
            OSError: the file cannot be written.
        """
        self.problem = ""
        self._path = path
        self._file = path.open("wb", buffering=0)
        self._text = io.StringIO(newline="")
        self._writer = csv.writer(self._text)
        self._whole = 0
        """Bytes of whole rows; 0 also for files without positions, such as pipes."""
        try:
            self._write([*columns])
        except OSError:
            self._file.close()
            raise

    def add(self, row: Sequence[str]) -> None:
        """Write a row."""
        if self.problem:
            return
        try:
            self._write(row)
        except OSError as problem:
            self._shorten()
            self.problem = report_incomplete(self._path, problem)

    def _write(self, row: Sequence[str]) -> None:
        self._text.seek(0)
        self._text.truncate()
        self._writer.writerow(row)
        data = memoryview(self._text.getvalue().encode())
        size = len(data)
        while data:
            data = data[self._file.write(data) :]
        self._whole += size

    def _shorten(self) -> None:
        """Remove the beginning of a row that did not fit."""
        try:
            self._file.truncate(self._whole)
        except OSError:
            return  # a pipe or a device, which stores nothing

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


class ArchiveFile:
    """A NumPy archive that is always up to date to within a fraction of the run time."""

    def __init__(self, path: Path, arrays: Callable[[], Mapping[str, Any]]) -> None:
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
        self._pause_s = SHORTEST_S
        self._save(np.savez)
        self._next = monotonic() + self._pause_s

    def add(self, row: Sequence[str] = ()) -> None:
        """Write what was recorded so far if it is due."""
        start = monotonic()
        if start < self._next:
            return
        try:
            self._save(np.savez)  # compressing takes ten times as long
        except OSError:
            self._pause_s = float("inf")  # compressed at the end, it may fit
        spent = monotonic() - start
        self._pause_s = max(self._pause_s, spent / SHARE)
        self._next = monotonic() + self._pause_s

    def _save(self, write: Callable[..., None]) -> None:
        """Write a new file, which replaces the current one when it is complete."""
        if self._is_in_place():
            with self._path.open("wb") as file:
                write(file, **self._arrays())
            return
        part = self._path.with_name(f".{self._path.name}.{os.getpid()}.part")
        try:
            with part.open("wb") as file:
                write(file, **self._arrays())
            os.replace(part, self._path)
        finally:
            part.unlink(missing_ok=True)

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
