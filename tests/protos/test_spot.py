"""Spot weighs and stands as its maker says, and trots with the sample controller."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.protos.bench import bench
from tests.protos.models import made, parts
from tests.samples.runs import run

# Names in the spot_moving_demo.c that comes with Webots' examples (2_compile_controller).
LEGS = [f"{end} {side}" for end in ("front", "rear") for side in ("left", "right")]
JOINTS = ["shoulder abduction", "shoulder rotation", "elbow"]
CAMERAS = ["left head", "right head", "left flank", "right flank", "rear"]


def test_it_has_the_devices_that_controllers_call():
    robot = made("Spot {\n}\n")
    joints = sorted(f"{leg} {joint}" for leg in LEGS for joint in JOINTS)
    assert sorted(one.get("name") for one in parts(robot, "RotationalMotor")) == [
        f"{one} motor" for one in joints
    ]
    assert sorted(one.get("name") for one in parts(robot, "PositionSensor")) == [
        f"{one} sensor" for one in joints
    ]
    assert {one.get("name") for one in parts(robot, "Camera")} == {f"{name} camera" for name in CAMERAS}
    places = ("top", "middle up", "middle down", "bottom")
    leds = {f"{side} {place} led" for side in ("left", "right") for place in places}
    assert {one.get("name") for one in parts(robot, "LED")} == leds


def test_it_weighs_what_the_data_sheet_says_and_stands_for_a_minute():
    with bench('Spot {\n  controller "<none>"\n}\n') as one:
        assert one.mass == pytest.approx(32.7, rel=0.001)
        one.run(2)
        start = one.place
        # Hips 0.591 m above the middle of the feet (radius 35 mm) at position 0.
        assert start[2] == pytest.approx(0.626, abs=0.01)
        one.run(58)
        assert float(np.abs(one.place - start).max()) < 0.002
        assert one.tilt < math.radians(1)


def test_it_lies_down_stands_up_and_trots():
    done = run("spot", 14)
    assert done.lines[0] == "lies, 0.17 m high"
    assert done.lines[1] == "stands, 0.61 m high"
    assert float(done.lines[2].removeprefix("trotted ").removesuffix(" m")) > 1.8
    assert done.simulation.node("SPOT").pose[2, 2] > 0.99
