"""The UR5e has the devices that its users call, and reaches where the maker's figures put its flange."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.protos.models import apply, made, parts, pose
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.simulation import Simulation

JOINTS = ["shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3"]
D1, A2, A3, D4, D5, D6 = 0.1625, 0.425, 0.3922, 0.1333, 0.0997, 0.0996
"""Denavit-Hartenberg parameters of the UR5e as the maker publishes them, in m; lengths of links positive."""


@pytest.fixture
def arm():
    return made("UR5e {\n  toolSlot [\n    GPS {\n    }\n  ]\n}\n")


def test_it_has_six_motors_with_sensors(arm):
    motors = [one.get("name") for one in parts(arm, "RotationalMotor")]
    assert motors == [f"{name}_joint" for name in JOINTS]
    sensors = [one.get("name") for one in parts(arm, "PositionSensor")]
    assert sensors == [f"{name}_joint_sensor" for name in JOINTS]
    speeds = [one.get("maxVelocity") for one in parts(arm, "RotationalMotor")]
    assert speeds == [3.14159] * 3 + [6.28] * 3


def test_the_flange_is_where_the_figures_put_it(arm):
    place, turn = pose(parts(arm, "GPS")[0], arm)
    assert place == pytest.approx((A2 + A3, D4 + D6, D1 - D5), abs=0.002)
    assert apply(turn, (0, 1, 0)) == pytest.approx((0, 1, 0), abs=1e-6)


def test_it_holds_itself_up_with_nothing_but_its_motors(tmp_path: Path):
    path = Path(__file__).parents[2] / "protos" / "robots" / "universal_robots" / "UR5e.proto"
    world = tmp_path / "arm.wbt"
    world.write_text(
        f'#VRML_SIM R2025a utf8\nEXTERNPROTO "{path.as_posix()}"\nWorldInfo {{\n  basicTimeStep 16\n}}\n'
        'UR5e {\n  controller "<none>"\n  toolSlot [\n    DEF TOOL Pose {\n    }\n  ]\n}\n'
    )
    with Simulation(load_world(world)) as simulation:
        simulation.run(1.0)
        angles = [one.position for one in simulation.physics.handles.axes.values()]
    assert any(angles), "they give a little"
    assert max(abs(angle) for angle in angles) < math.radians(0.5)
