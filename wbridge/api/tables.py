"""A small table of results, for environments without pandas and pyarrow; and files of tables."""

from __future__ import annotations

import csv
import html
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wbridge.hal.installation import package_command

Columns: TypeAlias = Mapping[str, Sequence[object]]
"""Values by name of the column."""
AnyTable: TypeAlias = object
"""A pandas.DataFrame, a pyarrow.Table, or a `Table`."""
FORMS = ("pandas", "arrow", "table")
"""Names of the forms of a table."""
MOST_SHOWN = 20
"""Rows of a table that a notebook shows."""


class Table(Mapping[str, "NDArray[Any]"]):
    """Named columns of equal length: `table["way"]` is an array, `len(table)` the number of columns,
    `table.rows` that of rows."""

    def __init__(self, columns: Columns) -> None:
        """
        Args:
            columns: values by name.
        """
        self._columns = {name: np.array(values) for name, values in columns.items()}
        self.rows = len(next(iter(self._columns.values()), ()))
        """Number of rows."""

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def row(self, index: int) -> dict[str, Any]:
        """Return the values of a row by name."""
        return {name: values[index].item() for name, values in self._columns.items()}

    def to_csv(self, path: str | Path) -> None:
        """Write the table as CSV.

        Raises:
            OSError: the file cannot be written.
        """
        with Path(path).open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(self._columns)
            writer.writerows(zip(*(column.tolist() for column in self._columns.values()), strict=True))

    def __repr__(self) -> str:
        return f"<Table of {self.rows} rows: {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._columns)
        shown = (self.row(i) for i in range(min(self.rows, MOST_SHOWN)))
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(value))}</td>" for value in row.values()) + "</tr>"
            for row in shown
        )
        more = f"<p>{self.rows} rows</p>" if self.rows > MOST_SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def table_of(columns: Columns, form: str | None = None) -> AnyTable:
    """Return a table in a form; None: of pandas or pyarrow, whichever is installed, otherwise a `Table`.

    Raises:
        ImportError: the package of the form is not installed.
    """
    for name, make in (("pandas", _pandas), ("arrow", _arrow), ("table", Table)):
        if form == name:
            return make(columns)
        if form is None:
            try:
                return make(columns)
            except ImportError:
                continue
    raise ValueError(f"form must be None or one of {', '.join(FORMS)}, not {form!r}")


def _pandas(columns: Columns) -> AnyTable:
    return _package("pandas").DataFrame(dict(columns))


def _arrow(columns: Columns) -> AnyTable:
    return _package("pyarrow").table(dict(columns))


def _package(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as problem:
        raise ImportError(f"this table needs {name} ({problem}): {package_command(name)}") from None


def write(columns: Columns, path: Path) -> None:
    """Write a table as a file: .parquet or .csv.

    Raises:
        ImportError: pyarrow is missing, which writes Parquet.
        ValueError: the file has another suffix.
        OSError: the file cannot be written.
    """
    if path.suffix == ".csv":
        Table(columns).to_csv(path)
        return
    if path.suffix != ".parquet":
        raise ValueError(f"{path}: expected a name that ends with .parquet or .csv")
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        raise ImportError(
            f"{path}: Parquet needs pyarrow: {package_command('pyarrow')}; or write a .csv file"
        ) from None
    parquet.write_table(_arrow(columns), path)
