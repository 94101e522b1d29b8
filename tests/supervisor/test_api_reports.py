"""What users reported as wrong about the classes for Python, each with a value from outside.

The names and comments name public reports (owner/repository#number).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from tests.devices.rig import STEP_MS
from tests.supervisor.bench import FLOOR, Bench

Maker = Callable[..., Bench]
DT = STEP_MS / 1000
WHEEL = (
    'HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device [ RotationalMotor { name "m" '
    'maxTorque 10 maxVelocity 100 } PositionSensor { name "p" } ] endPoint Solid { name "w" boundingObject '
    "Box { size 0.1 0.1 0.1 } physics Physics { density -1 mass 1 } } }"
)


def with_device(bench: Maker, text: str, around: str = "", gravity: float = 0) -> tuple[Bench, Any]:
    """A supervisor with one more device; returns its API object by the name in the text."""
    b = bench(around, info=f"gravity {gravity}")
    b.api.getSelf().getField("children").importMFNodeFromString(-1, text)
    b.tick()
    return b, b.api.getDevice(text.split('name "')[1].split('"')[0])


def test_webots_6036_an_acceleration_limits_the_speed(bench: Maker):
    """cyberbotics/webots#6036: setAcceleration(a): after n steps the speed is n a dt."""
    b, motor = with_device(bench, WHEEL)
    sensor = b.api.getDevice("p")
    sensor.enable(STEP_MS)
    motor.setAcceleration(2.0)
    assert motor.getAcceleration() == 2.0
    motor.setPosition(math.inf)
    motor.setVelocity(50)
    values = []
    for _ in range(20):
        b.tick()
        values.append(sensor.getValue())
    assert (values[-1] - values[-2]) / DT == pytest.approx(2.0 * 20 * DT, rel=0.06)


@pytest.mark.parametrize("name", ["Force", "Torque"])
def test_webots_5797_feedback_takes_a_period(bench: Maker, name: str):
    """cyberbotics/webots#5797: the period is kept, and the value is m g L of the weight that the motor
    holds; the base stands on a floor."""
    arm = WHEEL.replace("axis 0 0 1", "axis 0 1 0 anchor 0 0 0.5").replace(
        'name "w"', 'name "w" translation 0.2 0 0.5'
    )
    base = (
        f'Solid {{ translation 5 0 0.1 name "base" children [ {arm} ] boundingObject Box {{ size 1 1 0.2 }} '
        "physics Physics { density -1 mass 100 } }"
    )
    b, _ = with_device(bench, base, FLOOR, gravity=9.81)
    motor = b.api.getDevice("m")
    getattr(motor, f"enable{name}Feedback")(2 * STEP_MS)
    assert getattr(motor, f"get{name}FeedbackSamplingPeriod")() == 2 * STEP_MS
    b.tick(40)
    assert abs(getattr(motor, f"get{name}Feedback")()) == pytest.approx(9.81 * 0.2, rel=0.02)
    getattr(motor, f"disable{name}Feedback")()
    assert getattr(motor, f"get{name}FeedbackSamplingPeriod")() == 0


def test_webots_479_a_range_image_array_has_values_after_the_first_step(bench: Maker):
    """cyberbotics/webots#479, #6080: rows of numbers, here 3 x 2 of a wall at 1 m; the same as the flat
    image.
    """
    wall = "Solid { translation 1.5 0 0 children [ Shape { geometry Box { size 1 9 9 } } ] }"
    b, finder = with_device(bench, 'RangeFinder { name "r" width 3 height 2 maxRange 5 }', wall)
    finder.enable(STEP_MS)
    b.tick()
    rows = finder.getRangeImageArray()
    assert [len(row) for row in rows] == [3, 3]
    assert sum(rows, []) == pytest.approx([1.0] * 6, abs=1e-5)
    assert list(finder.getRangeImage()) == sum(rows, [])


def test_webots_2922_the_size_of_a_recognized_object_is_a_number_of_metres(bench: Maker):
    """cyberbotics/webots#2922, #2923: metres, not whole numbers; WbCamera.cpp sends the sizes
    along x and y. Pixels are whole numbers."""
    token = (
        'Solid { translation 2 0 0 name "t" recognitionColors [ 1 0 0 ] boundingObject Box { size '
        "0.3 0.2 0.4 } }"
    )
    b, camera = with_device(
        bench, 'Camera { name "c" width 64 height 64 recognition Recognition { } }', token
    )
    camera.recognitionEnable(STEP_MS)
    b.tick()
    (seen,) = camera.getRecognitionObjects()
    assert list(seen.getSize()) == pytest.approx([0.3, 0.2])
    assert all(isinstance(number, int) for number in [*seen.getSizeOnImage(), *seen.getPositionOnImage()])
    assert list(seen.getColors()) == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "kind", ["accelerometer", "gyro", "compass", "distance sensor", "light sensor", "touch"]
)
def test_webots_1632_lookup_tables_are_lists_of_rows(bench: Maker, kind: str):
    """cyberbotics/webots#1632: three numbers per row, as they stand in the world."""
    nodes = {
        "accelerometer": "Accelerometer", "gyro": "Gyro", "compass": "Compass",
        "distance sensor": "DistanceSensor", "light sensor": "LightSensor", "touch": "TouchSensor",
    }  # fmt: skip
    text = f'{nodes[kind]} {{ name "d" lookupTable [ 0 0 0.1, 1 20 0.2, 2 50 0.3 ] }}'
    _, device = with_device(bench, text)
    assert list(device.getLookupTable()) == [0, 0, 0.1, 1, 20, 0.2, 2, 50, 0.3]


def test_webots_5297_getters_of_motors_return_what_fields_say(bench: Maker):
    """cyberbotics/webots#5297: none of them returns None."""
    text = WHEEL.replace(
        "maxTorque 10 maxVelocity 100", "maxTorque 10 maxVelocity 100 acceleration 7 multiplier 2"
    )
    _, motor = with_device(bench, text)
    found = [
        motor.getMaxVelocity(),
        motor.getAcceleration(),
        motor.getAvailableTorque(),
        motor.getMaxTorque(),
        motor.getMultiplier(),
        motor.getMinPosition(),
        motor.getType(),
    ]
    assert found == [100, 7, 10, 10, 2, 0, motor.ROTATIONAL]


@pytest.mark.parametrize("target", [2.0, -2.0])
def test_webots_3160_a_joint_position_beyond_a_stop_is_set_and_pushed_back(bench: Maker, target: float):
    """cyberbotics/webots#3160: setJointPosition ignores stops, and the joint returns to its range."""
    b, _ = with_device(bench, WHEEL.replace("axis 0 0 1", "axis 0 0 1 minStop -1 maxStop 1"))
    joint = b.api.getFromDevice(b.api.getDevice("m")).getParentNode()
    joint.setJointPosition(target)
    b.tick(60)
    sensor = b.api.getDevice("p")
    sensor.enable(STEP_MS)
    b.tick()
    assert -1.02 <= sensor.getValue() <= 1.02
