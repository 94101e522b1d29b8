"""Training reaches the returns that docs/learning.md states; ONNX files are judged by other programs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.fleet.policies import mixed, readings
from wbridge.learning.policies.onnx_file import write_policy
from wbridge.learning.policies.onnx_reader import read_policy
from wbridge.learning.policies.policy import Policy
from wbridge.main import main

ROOT = Path(__file__).resolve().parents[2]
STATED = re.compile(r"\| `([\w-]+)` \| [\d-]+ \| (-?\d+) or more \|")


@pytest.mark.training
def test_the_arm_learns_to_hold_a_posture() -> None:
    page = (ROOT / "docs" / "learning.md").read_text()
    (program,) = (one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "PPO" in one)
    stated = re.search(r"a return of (-[0-9.]+) or more", page)
    assert stated is not None
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert float(done.stdout.split()[-1]) >= float(stated[1])


@pytest.mark.training
def test_ppo_in_a_single_file_reaches_the_stated_return() -> None:
    page = (ROOT / "docs" / "learning.md").read_text()
    stated = re.search(r"return of (\d+) or more in `EpuckArena-v0`", page)
    assert stated is not None
    program = ROOT / "docs" / "programs" / "ppo_one_file.py"
    done = subprocess.run([sys.executable, program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split()[-1]) >= float(stated[1])


@pytest.mark.training
@pytest.mark.parametrize("task", ["EpuckArena-v0", "TwoWheelsExplore-v0"])
def test_the_command_reaches_the_stated_returns(
    task: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    stated = dict(STATED.findall((ROOT / "docs" / "learning.md").read_text()))
    path = tmp_path / "policy.onnx"
    assert main(["train", task, "--threads", "2", "--out", str(path), "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["return"] >= float(stated[task])
    agree(read_policy(path), path)


@pytest.mark.training
def test_stable_baselines_trains_a_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Random actions get about -19, two updates by this seed -15."""
    path = tmp_path / "policy.onnx"
    words = [
        "train",
        "ArmReach-v0",
        "--with",
        "sb3",
        "--steps",
        "4000",
        "--out",
        str(path),
        "--json",
        "--quiet",
    ]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["return"] >= -17
    agree(read_policy(path), path)


@pytest.mark.training
@pytest.mark.parametrize("hidden", ["tanh", "relu", "clip"])
def test_onnx_runtime_computes_the_same_actions(tmp_path: Path, hidden: str):
    path = tmp_path / "policy.onnx"
    write_policy(mixed(hidden), path)
    agree(mixed(hidden), path)


def agree(policy: Policy, path: Path) -> None:
    """Check the file by the package onnx, and the actions by ONNX Runtime."""
    onnx, runtime = pytest.importorskip("onnx"), pytest.importorskip("onnxruntime")
    onnx.checker.check_model(onnx.load(path), full_check=True)
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    seen = readings(policy, 100)
    (actions,) = session.run(["action"], {"observation": seen})
    assert np.allclose(actions, policy.act(seen), rtol=1e-5, atol=1e-5)
