"""`wbridge.sweep`: the table that `wbridge sweep` writes, from a script."""

from __future__ import annotations

import csv
import math
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import wbridge
from tests.wbridge.api.worlds import BOX
from wbridge.api.tables import Table
from wbridge.main import main
from wbridge.wbcore.physics.errors import WorldError

G = 9.81


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("worlds") / "box.wbt"
    path.write_text("#VRML_SIM R2025a utf8\n" + BOX, encoding="utf-8")
    return path


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither pandas nor pyarrow."""
    for name in ("pandas", "pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.usefixtures("plain")
def test_a_grid_gives_a_table(world: Path, tmp_path: Path):
    """Judge: ODE's step, as in test_simulation; and the command with the same arguments."""
    table = wbridge.sweep(
        world,
        vary={"BOX.translation[2]": [5, 7.5], "WorldInfo.gravity": np.array([G, 3.7])},
        measure={"z": "BOX.translation[2]", "way": "travel(BOX)"},
        duration=0.16,
        jobs=1,
        out=tmp_path / "api.csv",
    )
    assert isinstance(table, Table) and table.rows == 4
    assert list(table)[:3] == ["run", "BOX.translation[2]", "WorldInfo.gravity"]
    assert table["status"].tolist() == [0] * 4 and table["steps"].tolist() == [10] * 4
    fall = table["WorldInfo.gravity"] * 0.016**2 * 10 * 11 / 2
    np.testing.assert_allclose(table["z"], table["BOX.translation[2]"] - fall, atol=1e-9)
    vary = ["--vary", "BOX.translation[2]=5,7.5", "--vary", f"WorldInfo.gravity={G},3.7"]
    metrics = ["--metric", "z=BOX.translation[2]", "--metric", "way=travel(BOX)"]
    files = ["--csv", str(tmp_path / "command.csv"), "--out", str(tmp_path / "command.sweep")]
    arguments = ["sweep", str(world), *vary, *metrics, "--duration", "0.16", "--jobs", "1", *files]
    assert main(arguments) == 0
    texts = [(tmp_path / name).read_text() for name in ("api.csv", "command.csv")]
    tables = [list(csv.DictReader(text.splitlines())) for text in texts]
    for mine, commands in zip(*tables, strict=True):
        assert {name: mine[name] for name in ("run", "status", "hash")} == {
            name: commands[name] for name in ("run", "status", "hash")
        }
        assert float(mine["z"]) == float(commands["z"])


@pytest.mark.usefixtures("plain")
def test_ranges_texts_and_seeds(world: Path, tmp_path: Path):
    options = {"runs": 3, "sampling": "random", "duration": 0.016, "jobs": 1, "out": tmp_path / "kept.sweep"}
    vary = {"BOX.physics.mass": (1, 3), "seed": "1..9", "BOX.translation": ["0 0 1", (0, 0, 2)]}
    table = wbridge.sweep(world, vary, "z=BOX.translation[2]", fields={"WorldInfo.gravity": 0}, **options)
    assert all(1 <= mass <= 3 for mass in table["BOX.physics.mass"])
    assert set(table["seed"]) <= set(range(1, 10)) and set(table["z"]) <= {1, 2}
    again = wbridge.sweep(world, vary, ["z=BOX.translation[2]"], fields={"WorldInfo.gravity": 0}, **options)
    assert again["hash"].tolist() == table["hash"].tolist(), "the file has the results"


@pytest.mark.parametrize(
    ("vary", "measure", "options", "message"),
    [
        ({"BOXX.translation[0]": [1]}, (), {}, "did you mean 'BOX'"),
        ({"BOX.translation[0]": (0, 1)}, (), {}, "give the number of runs"),
        ({"BOX.translation[0]": [1]}, "z", {}, "not NAME=PLACE"),
        (
            {"BOX.translation[0]": [1]},
            (),
            {"form": "excel"},
            "form must be None or one of pandas, arrow, table",
        ),
        ({"BOX.translation[0]": [1]}, (), {"sampling": "grid", "runs": 5}, "the grid has 1 runs"),
    ],
)
def test_wrong_arguments_are_refused(
    world: Path, vary: dict[str, object], measure: str, options: dict[str, object], message: str
):
    with pytest.raises(ValueError, match=message):
        wbridge.sweep(world, vary, measure, **options)


def test_worlds_with_errors_are_refused(tmp_path: Path):
    with pytest.raises(WorldError):
        wbridge.sweep(tmp_path / "no.wbt", {"seed": [1]})


def test_failed_runs_have_no_numbers(world: Path):
    table = wbridge.sweep(
        world,
        {"WorldInfo.gravity": [9.81, 1e16]},
        "z=BOX.translation[2]",
        duration=0.05,
        jobs=1,
        form="table",
    )
    assert table["status"].tolist() == [0, 1] and math.isnan(table["z"][1])
    assert "too fast" in table["reason"][1]


# Tables.


def test_tables_are_those_of_installed_packages(world: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    calls: list[tuple[str, object]] = []
    pandas, pyarrow, parquet = (ModuleType(name) for name in ("pandas", "pyarrow", "pyarrow.parquet"))
    pandas.DataFrame = lambda columns: ("frame", columns)  # type: ignore[attr-defined]
    pyarrow.table = lambda columns: ("arrow", columns)  # type: ignore[attr-defined]
    parquet.write_table = lambda table, path: calls.append((table[0], path))  # type: ignore[attr-defined]
    for module in (pandas, pyarrow, parquet):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    options = {"duration": 0.016, "jobs": 1}
    kind, columns = wbridge.sweep(world, {"seed": [1, 2]}, out=tmp_path / "t.parquet", **options)
    assert kind == "frame" and columns["seed"] == [1, 2]
    assert calls == [("arrow", tmp_path / "t.parquet")]
    assert wbridge.sweep(world, {"seed": [1]}, form="arrow", **options)[0] == "arrow"


@pytest.mark.usefixtures("plain")
def test_missing_packages_are_named(world: Path, tmp_path: Path):
    with pytest.raises(
        ImportError, match=r"Parquet needs pyarrow: .* -m pip install pyarrow; or write a \.csv file"
    ):
        wbridge.sweep(world, {"seed": [1]}, duration=0.016, jobs=1, out=tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=r"ends with \.parquet or \.csv"):
        wbridge.sweep(world, {"seed": [1]}, duration=0.016, jobs=1, out=tmp_path / "t.xls")


def test_the_own_table(tmp_path: Path):
    table = Table({"a": [1, 2], "b": ["<x>", "y"]})
    assert table["a"].tolist() == [1, 2] and len(table) == 2 and table.row(1) == {"a": 2, "b": "y"}
    assert "&lt;x&gt;" in table._repr_html_() and repr(table) == "<Table of 2 rows: a, b>"
    table.to_csv(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text().splitlines() == ["a,b", "1,<x>", "2,y"]
    assert Table({}).rows == 0
