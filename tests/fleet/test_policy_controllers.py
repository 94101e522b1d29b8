"""A policy as a controller: what a recorded run commands is what the policy computes from the readings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.fleet.policies import commands_of, explorer, world_of
from wbridge.learning.policies.controllers import write_controller
from wbridge.learning.policies.quantized import QuantizedPolicy
from wbridge.main import main


@pytest.mark.parametrize("language", ["python", "c"])
def test_a_run_commands_what_the_policy_computes(tmp_path: Path, language: str):
    policy = explorer()
    write_controller(policy, tmp_path / "controllers" / "explorer", language)
    trace, world = tmp_path / "trace.csv", world_of(tmp_path)
    arguments = ["run", str(world), "--controller", "explorer", "--duration", "1.5", "--record", str(trace)]
    assert main([*arguments, "--quiet"]) == 0
    acts = policy if language == "python" else QuantizedPolicy(policy)
    commands, expected = commands_of(trace, acts, policy.step_ms)
    assert len(np.unique(expected, axis=0)) > 5
    assert np.array_equal(commands, expected)
