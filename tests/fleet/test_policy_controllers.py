"""A policy as a controller: what a recorded run commands is what the policy computes from the readings."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import CHECKOUT
from tests.fleet.policies import explorer
from wbridge.learning.policies.controllers import write_controller
from wbridge.learning.policies.quantized import QuantizedPolicy
from wbridge.main import main

WORLD = CHECKOUT / "worlds" / "two_wheels.wbt"
MOTORS = [f"two wheels/{side} wheel motor.set_velocity" for side in ("left", "right")]


@pytest.mark.parametrize("language", ["python", "c"])
def test_a_run_commands_what_the_policy_computes(tmp_path: Path, language: str):
    policy = explorer()
    write_controller(policy, tmp_path / "controllers" / "explorer", language)
    trace, world = tmp_path / "trace.csv", tmp_path / "worlds" / "world.wbt"
    world.parent.mkdir()
    near = WORLD.read_text().replace("translation 0.88 0.05 0.1", "translation 0.43 0.05 0.1")
    world.write_text(near.replace("../protos", f"{CHECKOUT}/protos"))
    arguments = ["run", str(world), "--controller", "explorer", "--duration", "1.5", "--record", str(trace)]
    assert main([*arguments, "--quiet"]) == 0
    with trace.open(newline="") as file:
        rows = list(csv.DictReader(file))
    steps = [row for row in rows if round(float(row["time"]) * 1000) % policy.step_ms == 0 and row[MOTORS[0]]]
    acts = policy if language == "python" else QuantizedPolicy(policy)
    seen = np.array([[float(row["two wheels/front.value"] or "nan")] for row in steps[:-1]])
    expected = np.stack([acts.act(row) for row in np.nan_to_num(seen).astype(np.float32)])
    commands = np.array([[float(row[motor]) for motor in MOTORS] for row in steps[1:]], np.float32)
    measured = ~np.isnan(seen[:, 0])
    assert measured.sum() > 20 and len(np.unique(seen[measured])) > 5
    assert np.array_equal(commands[measured], expected[measured])
