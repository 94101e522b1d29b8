"""Tables of sweeps in the forms of pandas and Apache Arrow, with the packages themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

import wbridge
from tests.fleet.learning_worlds import rail

pytestmark = pytest.mark.training
PLACE = "ROBOT.translation[1]"


def sweep(folder: Path, form: str | None, out: Path | None = None) -> object:
    return wbridge.sweep(
        rail(folder),
        vary={PLACE: [0.5, 1.5]},
        measure={"y": PLACE, "density": "ROBOT.CART.physics.density"},
        duration=0.1,
        jobs=1,
        form=form,
        out=out,
        progress=False,
    )


def test_a_table_of_pandas(tmp_path: Path):
    pandas = pytest.importorskip("pandas")
    table = sweep(tmp_path, None)
    assert isinstance(table, pandas.DataFrame)
    assert table["y"].tolist() == table[PLACE].tolist() == [0.5, 1.5]
    assert table["density"].dtype == "float64" and table["run"].tolist() == [0, 1]


def test_a_table_of_arrow_is_written_as_parquet(tmp_path: Path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "runs.parquet"
    table = sweep(tmp_path, "arrow", path)
    assert isinstance(table, arrow.Table)
    again = parquet.read_table(path)
    assert again.equals(table)
    assert again.column("y").to_pylist() == [0.5, 1.5]
    assert str(again.schema.field("y").type) == "double"
