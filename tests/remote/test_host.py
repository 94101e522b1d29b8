"""The robot without a simulation tells its controller the same devices as a simulated one."""

from __future__ import annotations

import pytest

from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.protocol.table_constants import UNSIMULATED
from wbridge.wbcore.devices import device_class
from wbridge.wbcore.remote.controller_host import HostSimulation
from wbridge.wbcore.scene.load import World, load_text
from wbridge.wbcore.simulation import Simulation

HEAD = "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 16 }\n"
PLAIN = (
    "Accelerometer Altimeter Camera Compass Connector Display DistanceSensor Emitter GPS Gyro InertialUnit "
    "LED Lidar LightSensor Microphone Pen Radar Radio RangeFinder Receiver Speaker TouchSensor VacuumGripper"
).split()
SET = """
DistanceSensor { type "sonar" name "sonar" } TouchSensor { type "force-3d" name "force" }
Emitter { name "slow" baudRate 9600 byteSize 9 channel 3 maxRange 4 range 2 allowedChannels [ 3 4 ] }
GPS { name "globe" type "satellite" }
Camera { name "zoom" zoom CameraZoom { minFieldOfView 0.2 } focus CameraFocus { } }
Lidar { name "flat" projection "planar" fieldOfView 1 verticalFieldOfView 0.1 defaultFrequency 12 }
Connector { name "locked" isLocked TRUE } Radar { name "radar2" horizontalFieldOfView 1 maxRange 30 }
"""
JOINTS = """
HingeJoint { device [
  RotationalMotor { name "hinge" maxTorque 3 controlPID 2 1 0.5 minPosition -1 maxPosition 2 }
  PositionSensor { name "angle" } Brake { name "brake" } ] endPoint Solid { physics Physics { } } }
SliderJoint { device [
  LinearMotor { name "slide, left" maxForce 7 acceleration 4 } PositionSensor { name "way" } ]
  endPoint Solid { name "cart" physics Physics { } } }
SliderJoint { device [ LinearMotor { name "slide, right" multiplier 2 } ]
  endPoint Solid { name "other cart" physics Physics { } } }
"""


def make_world() -> World:
    devices = "\n".join(f'{kind} {{ name "my {kind}" }}' for kind in PLAIN)
    return load_text(
        f'{HEAD}Robot {{ name "all" children [ {devices} {SET} {JOINTS} ] physics Physics {{ }} }}'
    )


@pytest.fixture(scope="module")
def world() -> World:
    return make_world()


def test_constants_are_those_of_the_simulated_robot(world: World):
    simulated = next(iter(Simulation(world).robots))
    hosted = HostSimulation(world, simulated.node, "wblink").robot
    assert len(hosted.devices) == len(simulated.devices) > 30
    for one, other in zip(simulated.devices, hosted.devices, strict=True):
        values, own = one._constant_values(), other._constant_values()
        if values is not None and one.entry.type in ("Camera", "RangeFinder", "Lidar"):
            values = (0, *values[1:])  # the number of a node, which only supervisors use
        assert own == values, one.name


def test_each_kind_with_constants_is_tried(world: World):
    types = {one.entry.type for one in HostSimulation(world, world.nodes[1], "wblink").robot.devices}
    assert types >= set(UNSIMULATED)
    assert all(codec_of(type_) is not None and device_class(type_) for type_ in UNSIMULATED)


def test_a_supervisor_has_no_world(caplog: pytest.LogCaptureFixture):
    world = load_text(f"{HEAD}Robot {{ supervisor TRUE }}")
    assert not HostSimulation(world, world.nodes[1], "wblink").robot.is_supervisor
    assert "supervisor functions need a simulation" in caplog.text


def test_devices_of_a_joint_know_each_other(world: World):
    robot = HostSimulation(world, world.nodes[1], "wblink").robot
    motor, sensor = (robot.device(name) for name in ("hinge", "angle"))
    assert motor is not None
    assert sensor is not None
    motor.on_get_sibling(robot.dialect.numbers["PositionSensor"])  # type: ignore[attr-defined]
    assert motor.outbox[0][1] == (sensor.tag,)
