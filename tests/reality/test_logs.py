"""Recordings as logs for `wbridge compare`, and how a comparison says what it lacks."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from scripts.reality import __main__ as reality
from scripts.reality import arms, logs, swings
from wbridge.main import main


def recorded(folder: Path, steps: int) -> Path:
    """Write what the engine's pendulum of `arms` does under alternating torques, as DFKI's files have it."""
    times = np.arange(steps) * swings.STEP
    torques = np.stack([0.8 * np.sin(9 * times), 0.3 * np.cos(7 * times)], axis=1)
    window = swings.Window(np.zeros((steps, 2)), np.zeros(2), torques)
    arm = arms.WbridgeArm()
    arm.set(arms.DOUBLE.links, (0.09, 0.09), 0.001)
    file = folder / "trajectory.csv"
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["time", "tau_meas1", "tau_meas2", "pos_meas1", "pos_meas2"])
        writer.writerows(zip(times, *torques.T, *arm.swing(window).T, strict=True))
    return file


def test_a_log_of_the_model_itself_is_replayed_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The world of the logs describes the links, joints and frictions that the comparison builds itself."""
    pytest.importorskip("mcap")
    world = tmp_path / "pendulum.wbt"
    world.write_text(logs.world_text(), encoding="utf-8")
    logs.write_log(recorded(tmp_path, 300), world, tmp_path / "half_1.mcap")
    capsys.readouterr()
    assert main(["compare", str(tmp_path / "half_1.mcap"), "--json"]) == 0
    sensors = json.loads(capsys.readouterr().out)["sensors"]
    assert [one["name"] for one in sensors] == ["angle 1.position", "angle 2.position"]
    for one in sensors:
        assert one["readings"] >= 298
        assert one["range"] > 0.05
        assert one["max"] < 1e-3


def test_a_recording_that_cannot_be_had_is_skipped_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    assert reality.main(["--folder", str(tmp_path / "all"), "--mirror", str(mirror)]) == 1
    said = capsys.readouterr().err
    for repository, _ in reality.COMPARISONS:
        name = repository.replace("/", "+")
        assert f"skipped: {repository}: {mirror} has no clone named {name}" in said
