"""Express devices of Webots 8 nodes in terms of current device types.

A Servo is a joint, a motor and a position sensor in one node: the device table lists the motor under its
name, and the sensor "<name> sensor". DifferentialWheels has, after its other devices, two wheels with motors
and position sensors, named like those of the robots that replaced it. In a Robot with wheels of these names
whose motors use other units than radians, the functions of DifferentialWheels use these units. A Camera of
the type "range-finder" is a RangeFinder.
"""

from __future__ import annotations

from wbridge.hal.protocol.wheels import LEFT, RIGHT, encoder_model, motor_name, sensor_name
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.rules import Place
from wbridge.wbcore.scene.version import Version

FIRST_RADIANS = Version.parse("V6.0")
"""In earlier releases, a speed unit of 1 meant 0.1 rad/s."""


def camera_place(camera: Node) -> Place:
    """Return the device of a Camera: a RangeFinder if its type says so."""
    if "type" not in camera.spec.fields or camera.get("type") != "range-finder":
        return Place(camera)
    return Place(camera, of_old="RangeFinder", values=lambda: _range_values(camera))


def _range_values(camera: Node) -> dict[str, object]:
    same = ("name", "model", "width", "height", "fieldOfView", "near", "maxRange", "motionBlur")
    renamed = {"minRange": "near", "noise": "rangeNoise", "resolution": "rangeResolution"}
    return {name: camera.get(name) for name in same} | {new: camera.get(old) for new, old in renamed.items()}


def servo_places(servo: Node) -> list[Place]:
    """Return motor and position sensor of a Servo."""
    kind = "LinearMotor" if servo.get("type") == "linear" else "RotationalMotor"
    made = [
        Place(servo, servo, of_old=kind, values=lambda: _servo_values(servo)),
        Place(
            servo,
            servo,
            of_old="PositionSensor",
            values=lambda: {"name": f"{servo.get('name')} sensor", "resolution": -1.0},
        ),
    ]
    for place in made:
        place.siblings = made
    return made


def _servo_values(servo: Node) -> dict[str, object]:
    force = servo.get("maxForce")
    names = ("name", "minPosition", "maxPosition", "maxVelocity", "acceleration")
    return {name: servo.get(name) for name in names} | {
        "maxTorque": force,
        "maxForce": force,
        "controlPID": (servo.get("controlP"), 0.0, 0.0),
        "multiplier": 1.0,
    }


def wheel_places(robot: Node) -> list[Place]:
    """Return motors and position sensors of the wheels of DifferentialWheels."""
    return [place for side in (LEFT, RIGHT) for place in _wheel(robot, side)]


def _wheel(robot: Node, side: str) -> list[Place]:
    made = [
        Place(
            robot,
            of_old="RotationalMotor",
            model_class="WheelMotor",
            values=lambda: _wheel_values(robot, side),
        ),
        Place(
            robot,
            of_old="PositionSensor",
            model_class="WheelSensor",
            values=lambda: {"name": sensor_name(side), "model": _encoder(robot)},
        ),
    ]
    for place in made:
        place.siblings = made
    return made


def _wheel_values(robot: Node, side: str) -> dict[str, object]:
    return {
        "name": motor_name(side),
        "minPosition": 0.0,
        "maxPosition": 0.0,
        "maxVelocity": robot.get("maxSpeed"),
        "acceleration": -1.0,
        "maxTorque": robot.get("maxForce"),
        "controlPID": (10.0, 0.0, 0.0),
        "multiplier": speed_unit(robot),
    }


def speed_unit(robot: Node) -> float:
    """Return the angular velocity of a speed of 1 (rad/s)."""
    given = float(robot.get("speedUnit"))
    is_old = robot.source is not None and robot.source.version < FIRST_RADIANS
    return 0.1 if is_old and given == 1 else given or 1.0


def _encoder(robot: Node) -> str:
    """Return the encoder parameters for the controller; "" if encoders are not simulated."""
    resolution = float(robot.get("encoderResolution"))
    return encoder_model(resolution) if resolution > 0 and robot.get("encoderNoise") >= 0 else ""


def encoder_of(place: Place) -> str:
    """Return the parameters of an encoder that counts in the units of its wheel's motor, else "".

    Args:
        place: place of any device without a field `model`.
    """
    if place.name not in (sensor_name(LEFT), sensor_name(RIGHT)):
        return ""
    units = [sibling.get("multiplier") for sibling in place.siblings if sibling.is_a("Motor")]
    return encoder_model(1 / units[0]) if units and units[0] not in (0, 1) else ""
