"""A policy in whole numbers on an emulated board, whose commands are those that Python computes."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import CHECKOUT
from tests.firmware.conftest import require_board
from tests.fleet.policies import explorer
from wbridge.learning.policies.controllers import write_controller
from wbridge.learning.policies.quantized import QuantizedPolicy
from wbridge.main import main

WORLDS = CHECKOUT / "worlds"
BASIC_STEPS = 100
BOX, NEARER = "translation 0.88 0.05 0.1", "translation 0.43 0.05 0.1"


def map_of(folder: Path, short: str) -> Path:
    """Write a project whose robot is driven by the policy on a board; `short`: in the name of its sample."""
    write_controller(explorer(), folder / "controllers" / "explorer", "c")
    (folder / "worlds").mkdir()
    world = (WORLDS / "two_wheels.wbt").read_text().replace(BOX, NEARER)
    (folder / "worlds" / "two_wheels.wbt").write_text(world.replace("../protos", f"{CHECKOUT}/protos"))
    text = (WORLDS / f"two_wheels_{short}.toml").read_text()
    path = folder / "worlds" / "map.toml"
    text = text.replace("two_wheels_avoider_python", "explorer").replace("two_wheels_avoider", "explorer")
    path.write_text(text.replace('"pico-micropython"', '"pico"').replace('"GP25"', '"GP15"'))
    return path


@pytest.mark.parametrize(
    ("board", "short", "title"),
    [
        ("arduino-uno", "uno", "Arduino Uno"),
        pytest.param("pico", "pico", "Raspberry Pi Pico", marks=pytest.mark.boards),
    ],
)
def test_a_board_computes_what_python_computes(
    board: str, short: str, title: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """The table of the comparison has what the board read and commanded over the link. On its pins, the
    duty of the motors has 8 bits."""
    require_board(board)
    table = tmp_path / "table.csv"
    words = ["verify", str(map_of(tmp_path, short)), "--steps", str(BASIC_STEPS), "--table", str(table)]
    assert main(["firmware", *words]) == 0
    assert f"standalone {title}: agrees" in capsys.readouterr().out
    with table.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["place"] == "hil"]
    reading, readings, commands = np.nan, [], []
    for row in rows:
        if (row["device"], row["value"]) == ("front", "value"):
            reading = float(row["board"])
        elif row["value"] == "set_velocity" and not np.isnan(reading):
            readings.append(reading)
            commands.append(float(row["board"]))
    expected = QuantizedPolicy(explorer()).act(np.array(readings[::2], np.float32)[:, None])
    assert len(expected) > 20 and len(np.unique(readings)) > 5
    assert np.array_equal(np.array(commands, np.float32).reshape(-1, 2), expected)
