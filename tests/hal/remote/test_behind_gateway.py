"""A controller behind a gateway, packet by packet: values of a robot, and commands that are said again."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from scripts.api_methods import api_class
from tests.hal.remote.test_devices import DEVICES, READ, TAGS, General
from tests.remote.between import Between
from wbridge.hal import api
from wbridge.hal.catalogue import kind
from wbridge.hal.client import session
from wbridge.hal.gateway.calls import CALLS
from wbridge.hal.gateway.device import GatewayDevice
from wbridge.hal.protocol.codec import Command
from wbridge.hal.protocol.configure import Entry
from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.remote import RemoteRobot

STEP = 32
MODULES = """
import pkgutil, sys
from wbridge.hal import gateway
from wbridge.hal.remote_plugins import find_plugin
for module in pkgutil.iter_modules(gateway.__path__, "wbridge.hal.gateway."):
    __import__(module.name)
for name in ("wblink", "epuck", "create2", "firmata", "camera"):
    find_plugin(name)
import wbridge.hal.manual_guard, wbridge.hal.native_remote
OF_CLIENT = ("wbridge.hal.api", "wbridge.hal.client", "wbridge.hal.controller")
print([name for name in sys.modules if name.startswith(OF_CLIENT)])
"""


def peers() -> list[Peer]:
    """Every kind of device."""
    return [Peer(name, name.lower(), constants) for name, constants in DEVICES.items()]


@pytest.fixture
def between() -> Iterator[Between]:
    """A controller whose robot a plugin drives through a gateway."""
    connection = Between(Loopback(peers()))
    connection.drive(General())
    api.wb_robot_step(STEP)
    yield connection
    session.cleanup()


def test_remote_control_needs_no_objects_of_a_client():
    ran = subprocess.run([sys.executable, "-c", MODULES], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize(("name", "channel", "value", "read", "seen"), READ)
def test_an_injected_value_passes_to_the_controller(
    name: str, channel: str, value: Any, read: Callable[[int], Any], seen: Any, between: Between
):
    device = session.current().devices[TAGS[name]]
    if hasattr(device, "enable"):
        device.enable(STEP)
    RemoteRobot(between.robot).inject(TAGS[name], channel, value)
    api.wb_robot_step(STEP)
    assert read(TAGS[name]) == seen


def test_parts_of_a_message_stay(between: Between):
    """A GPS has one message for position, speed and velocity."""
    seen, tag = RemoteRobot(between.robot), TAGS["GPS"]
    seen.gps_set_values(tag, (1.0, 2.0, 3.0))
    seen.gps_set_speed(tag, 0.5)
    api.wb_robot_step(STEP)
    assert api.wb_gps_get_values(tag) == [1.0, 2.0, 3.0]
    assert api.wb_gps_get_speed(tag) == 0.5
    assert all(math.isnan(number) for number in api.wb_gps_get_speed_vector(tag))


def test_points_stand_behind_distances(between: Between):
    seen, tag = RemoteRobot(between.robot), TAGS["Lidar"]
    api.wb_lidar_enable(tag, STEP)
    api.wb_lidar_enable_point_cloud(tag)
    points = [(1.0, 2.0, 3.0, 0, 0.5), (4.0, 5.0, 6.0, 0, 0.75)]
    for channel, value in (("rangeImage", [0.5, 1.5]), ("pointCloud", points), ("rangeImage", [2.5, 3.5])):
        seen.inject(tag, channel, value)
    api.wb_robot_step(STEP)
    assert list(api.wb_lidar_get_range_image(tag) or ()) == [2.5, 3.5]
    assert [tuple(point) for point in api.wb_lidar_get_point_cloud(tag) or ()] == points


@pytest.mark.parametrize(
    ("name", "blank"),
    [
        ("Camera", b"\0\0\0\xff" * 2),
        ("RangeFinder", b"\0\0\x80\x7f" * 2),
        ("Lidar", b"\0\0\x80\x7f" * 2),
    ],
)
def test_pictures_are_blank_before_the_first(name: str, blank: bytes, between: Between):
    device: Any = session.current().devices[TAGS[name]]
    device.enable(STEP)
    api.wb_robot_step(STEP)
    picture = device.get_image() if name == "Camera" else device.get_range_image()
    assert bytes(memoryview(picture).cast("B")) == blank


def test_what_the_simulator_changes_is_what_plugins_see(between: Between):
    motor: Any = between.robot.devices[TAGS["LinearMotor"]]
    assert motor.max_velocity == 10.0
    constants = dict(zip(motor.codec.messages[0].layout.names, motor.newest["constants"], strict=True))
    between.world["linearmotor"].send("constants", *(constants | {"max_velocity": 4.0}).values())
    api.wb_robot_step(STEP)
    assert motor.max_velocity == 4.0


@pytest.mark.parametrize("node_type", DEVICES)
def test_commands_that_last_are_those_of_the_client(node_type: str):
    """The client says them again after a change of the mode, and so does a gateway."""
    codec = codec_of(node_type)
    assert codec is not None
    declared = kind(node_type)
    assert declared is not None
    lasting = api_class(declared.class_name).lasting or [] if node_type in CALLS else []
    repeated = set()
    for command in codec.commands.values():
        device = GatewayDevice(1, Entry(node_type, "device", ""), codec)
        values, _ = command.layout.read(bytes(command.layout.least))
        device.keep(Command(command.code, command.name, values))
        repeated |= {code for code, *_ in device.repeated(is_lasting=True)}
    assert repeated == {code for code in lasting if code in codec.commands}


def test_a_robot_that_has_stopped_gets_its_targets_again(between: Between):
    """Positions among them, and the newer one of position and force only."""
    plugin = between.plugin
    assert isinstance(plugin, General)
    motor = TAGS["LinearMotor"]
    api.wb_motor_set_force(motor, 2.0)
    api.wb_robot_step(STEP)
    api.wb_motor_set_position(motor, 0.5)
    api.wb_robot_step(STEP)
    plugin.calls.clear()
    between.robot.resend_all()
    api.wb_robot_step(STEP)
    assert [call for call in plugin.calls if call[0] == motor] == [(motor, "position", 0.5)]


def test_back_in_simulation_it_gets_what_lasts(between: Between):
    tag = TAGS["Pen"]
    api.wb_pen_write(tag, True)
    api.wb_pen_write(tag, False)
    api.wb_led_set(TAGS["LED"], 3)
    api.wb_robot_step(STEP)
    assert between.world["led"].last("set") is None
    between.robot.set_mode(0, "")
    api.wb_robot_step(STEP)
    assert between.world["led"].last("set") == (3,)
    commands = [command.name for command in between.world["pen"].commands]
    assert len(commands) == 1


def test_in_simulation_commands_pass_as_they_are(between: Between):
    between.robot.set_mode(0, "")
    api.wb_robot_step(STEP)
    between.world.requests.clear()
    api.wb_motor_set_velocity(TAGS["LinearMotor"], 1.5)
    api.wb_brake_set_damping_constant(TAGS["Brake"], 0.25)
    api.wb_robot_step(STEP)
    assert between.world.requests == between.requests[-1:]
    assert len(between.requests[-1].blocks) == 2
