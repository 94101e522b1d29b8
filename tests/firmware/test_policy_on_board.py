"""A policy in whole numbers on an emulated board, whose commands are those that Python computes.

The last test goes the whole way: it trains the policy, runs it as a controller, and verifies it on a Pico.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import CHECKOUT
from tests.firmware.conftest import require_board
from tests.fleet.policies import commands_of, explorer, world_of
from wbridge.learning.policies.controllers import write_controller
from wbridge.learning.policies.onnx_reader import read_policy
from wbridge.learning.policies.policy import Policy
from wbridge.learning.policies.quantized import QuantizedPolicy
from wbridge.main import main

WORLDS = CHECKOUT / "worlds"
BASIC_STEPS = 100


def map_of(folder: Path, short: str, policy: Policy) -> Path:
    """Write a project whose robot is driven by a policy on a board; `short`: in the name of its sample."""
    write_controller(policy, folder / "controllers" / "explorer", "c")
    text = (WORLDS / f"two_wheels_{short}.toml").read_text()
    path = world_of(folder).parent / "map.toml"
    text = text.replace("two_wheels_avoider_python", "explorer").replace("two_wheels_avoider", "explorer")
    path.write_text(text.replace('"pico-micropython"', '"pico"').replace('"GP25"', '"GP15"'))
    return path


def verified(policy: Policy, board: str, short: str, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Compare a policy on a board with the desktop; return what the board read, and what it commanded.

    The table of the comparison has what the board read and commanded over the link. On its pins, the
    duty of the motors has 8 bits.
    """
    require_board(board)
    table = folder / "table.csv"
    words = ["verify", str(map_of(folder, short, policy)), "--steps", str(BASIC_STEPS), "--table", str(table)]
    assert main(["firmware", *words]) == 0
    with table.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["place"] == "hil"]
    reading, readings, commands = np.nan, [], []
    for row in rows:
        if (row["device"], row["value"]) == ("front", "value"):
            reading = float(row["board"])
        elif row["value"] == "set_velocity" and not np.isnan(reading):
            readings.append(reading)
            commands.append(float(row["board"]))
    return np.array(readings[::2], np.float32), np.array(commands, np.float32).reshape(-1, 2)


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
    readings, commands = verified(explorer(), board, short, tmp_path)
    assert f"standalone {title}: agrees" in capsys.readouterr().out
    assert len(readings) > 20 and len(np.unique(readings)) > 5
    assert np.array_equal(commands, QuantizedPolicy(explorer()).act(readings[:, None]))


@pytest.mark.boards
def test_a_policy_goes_from_training_to_a_pico(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Random actions get about 30; docs/learning.md states 70 for a trained policy."""
    onnx, trace = tmp_path / "policy.onnx", tmp_path / "trace.csv"
    words = ["train", "TwoWheelsExplore-v0", "--steps", "4", "--out", str(onnx), "--json", "--quiet"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["return"] >= 70
    policy = read_policy(onnx)

    # As a controller of the simulated robot, in the numbers of training.
    world = world_of(tmp_path)
    words = ["policy", str(onnx), "--controller", str(tmp_path / "controllers" / "driver")]
    assert main(words) == 0
    words = [
        "run",
        str(world),
        "--controller",
        "driver",
        "--duration",
        "2",
        "--record",
        str(trace),
        "--quiet",
    ]
    assert main(words) == 0
    commands, expected = commands_of(trace, policy, policy.step_ms)
    assert len(commands) > 20 and np.array_equal(commands, expected)

    # In whole numbers on the emulated board, step by step.
    readings, commands = verified(policy, "pico", "pico", tmp_path)
    out = capsys.readouterr().out
    assert "hil        Raspberry Pi Pico: agrees" in out and "standalone Raspberry Pi Pico: agrees" in out
    assert len(readings) > 20 and len(np.unique(readings)) > 5
    assert np.array_equal(commands, QuantizedPolicy(policy).act(readings[:, None]))
