"""Tables of a dataset, as Arrow."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from wbridge.learning.datasets.layout import parquet


def fixed_rows(columns: Mapping[str, NDArray[np.generic]]) -> object:
    """Return a table of columns with a row for each frame: a number, or several."""
    arrow = import_module("pyarrow")
    return arrow.table({name: _column(arrow, values) for name, values in columns.items()})


def _column(arrow: ModuleType, values: NDArray[np.generic]) -> object:
    flat = arrow.array(values.reshape(-1))
    if values.ndim == 1 or values.shape[1] == 1:
        return flat
    return arrow.FixedSizeListArray.from_arrays(flat, values.shape[1])


def arrays_in(path: Path, episode: int) -> dict[str, NDArray[np.generic]]:
    """Return the columns of an episode in a file, with a row for each frame."""
    table = parquet().read_table(path, filters=[("episode_index", "==", episode)])
    arrays: dict[str, NDArray[np.generic]] = {}
    for name in table.column_names:
        values = table.column(name).combine_chunks()
        is_list = hasattr(values.type, "value_type") and hasattr(values, "flatten")
        flat = np.asarray((values.flatten() if is_list else values).to_numpy(zero_copy_only=False))
        arrays[name] = flat.reshape(len(values), -1) if is_list else flat
    return arrays


def episodes_in(rows: Sequence[Mapping[str, object]]) -> object:
    """Return a table of descriptions of episodes."""
    return import_module("pyarrow").Table.from_pylist([dict(row) for row in rows])


def task_table(tasks: Sequence[str]) -> object:
    """Return the table of tasks, which pandas reads with the tasks as index."""
    arrow = import_module("pyarrow")
    table = arrow.table({"task_index": arrow.array(range(len(tasks)), arrow.int64()), "task": list(tasks)})
    about = {
        "index_columns": ["task"],
        "column_indexes": [],
        "columns": [_about("task_index", "int64", "int64"), _about("task", "unicode", "object")],
        "creator": {"library": "pyarrow", "version": arrow.__version__},
        "pandas_version": "2.0.0",
    }
    return table.replace_schema_metadata({"pandas": json.dumps(about)})


def _about(name: str, kind: str, numbers: str) -> dict[str, object]:
    return {
        "name": name,
        "field_name": name,
        "pandas_type": kind,
        "numpy_type": numbers,
        "metadata": None,
    }
