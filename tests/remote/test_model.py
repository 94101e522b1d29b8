"""The model beside a real robot: it gets the same commands, or follows the encoders."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from tests.bridge.conftest import HEAD, ROVER
from wbridge.wbcore.remote.gap_record import GapRecord
from wbridge.wbcore.remote.model import Model
from wbridge.wbcore.remote.real_step import RealStep
from wbridge.wbcore.scene.load import World, load_text

MOTOR, ENCODER, LED = 1, 2, 3
ENABLE = (ENCODER, "wb_position_sensor_enable", 8)


@pytest.fixture
def world() -> World:
    return load_text(HEAD + ROVER)


def test_beside_it_gets_the_same_commands(world: World):
    model = Model(world, world.nodes[1], follows=False)
    start = RealStep(80, [ENABLE], [(MOTOR, "position", math.inf), (MOTOR, "velocity", 2.0)], [])
    readings = model.step(start)
    assert [(channel.label, value) for channel, value in readings] == [
        ("encoder.position", pytest.approx(0.16, abs=1e-4))
    ]
    assert model.simulation.time_ms == 80


def test_it_follows_encoders_from_where_they_stand(world: World):
    model = Model(world, world.nodes[1], follows=True)
    for k in range(400):
        commands = [(MOTOR, "velocity", -9.0), (MOTOR, "position", math.inf), (LED, "value", 1)]
        model.step(RealStep(8, [ENABLE], commands, [(ENCODER, "position", 5.0 + min(k, 300) / 100)]))
    motor = model.side.robot.devices[MOTOR - 1]
    assert motor.engine.position == pytest.approx(3.0, abs=0.01)  # type: ignore[attr-defined]


def test_late_steps_take_the_model_along(world: World):
    model = Model(world, world.nodes[1], follows=False)
    for _ in range(4):
        model.step(RealStep(10, [], [], []))
    assert model.simulation.time_ms == 40


def test_what_the_world_does_not_have_is_left_out(world: World):
    model = Model(world, world.nodes[1], follows=True)
    assert model.step(RealStep(8, [(99, "wb_x", 8)], [(99, "x", 1)], [(99, "position", 1)])) == []


@pytest.mark.parametrize("suffix", [".csv", ".npz"])
def test_a_recording_has_a_row_per_step(suffix: str, world: World, tmp_path: Path):
    model = Model(world, world.nodes[1], follows=False)
    path = tmp_path / f"gap{suffix}"
    record = GapRecord(path, model.numbering, has_model=True)
    encoder = model.numbering.channel(ENCODER, "position")
    record.take(0.5, model.pose)
    record.note("command", model.numbering.channel(MOTOR, "velocity"), 3.0)
    record.note("real", encoder, 1.0)
    record.note("model", encoder, 2.0)
    record.note("real", None, 7.0)
    record.take(1.0, model.pose)
    record.close()
    if suffix == ".csv":
        header, first, second = csv.reader(path.read_text().splitlines())
        rows = [dict(zip(header, row, strict=True)) for row in (first, second)]
        assert rows[0]["command motor.velocity"] == ""
    else:
        with np.load(path) as archive:
            rows = [dict(zip(archive["columns"], row, strict=True)) for row in archive["values"]]
        assert math.isnan(rows[0]["command motor.velocity"])
    last = {name: float(value) for name, value in rows[1].items() if value != ""}
    assert last["time"] == 1.0
    assert last["command motor.velocity"] == 3.0
    assert (last["real encoder.position"], last["model encoder.position"]) == (1.0, 2.0)
    assert last["model pose.qw"] == 1.0
    assert "real gps.position.x" in rows[1]


def test_a_recording_of_another_kind_is_refused(world: World, tmp_path: Path):
    model = Model(world, world.nodes[1], follows=False)
    with pytest.raises(ValueError, match=r"a \.csv or \.npz file"):
        GapRecord(tmp_path / "gap.txt", model.numbering, has_model=False)
