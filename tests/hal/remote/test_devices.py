"""Every kind of device in remote control: its commands reach the plugin, its values the controller."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from tests.remote.between import Between
from wbridge.hal import api
from wbridge.hal.catalogue import kind
from wbridge.hal.gateway.calls import CALLS
from wbridge.hal.link.values import Packet, RecognizedObject
from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.remote import RemoteControl, RemoteRobot

Attach = Callable[[Loopback], Between]
SIZE = {"width": 2, "height": 1}
LIDAR = {**SIZE, "layers": 1, "horizontal_resolution": 2}
OPTICS = {
    "min_fov": 0.1,
    "max_fov": 2.0,
    "min_focal_distance": 0.1,
    "max_focal_distance": 5.0,
    "segmentation": True,
}
MOTOR = {"max_velocity": 10.0, "max_force": 10.0, "max_position": 0.0}
DEVICES: dict[str, dict[str, Any]] = {
    **dict.fromkeys("Accelerometer Altimeter Brake Compass Connector DistanceSensor GPS Gyro".split(), {}),
    **dict.fromkeys("InertialUnit LED LightSensor Microphone Pen PositionSensor Radar".split(), {}),
    **dict.fromkeys("TouchSensor VacuumGripper".split(), {}),
    "Receiver": {"buffer_size": -1},
    "RangeFinder": SIZE,
    "Lidar": LIDAR | {"max_frequency": 50.0},
    "Camera": SIZE | OPTICS | {"recognition": True},
    "RotationalMotor": MOTOR,
    "LinearMotor": MOTOR,
}
TAGS = {name: k + 1 for k, name in enumerate(DEVICES)}


class Named(RemoteControl):
    """Notes every call."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def start(self, arg: str) -> bool:
        return True

    def stop(self) -> None: ...

    def has_failed(self) -> bool:
        return False

    def stop_actuators(self) -> None: ...

    def robot_step(self, period: int) -> int:
        return 0

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("set_channel", "set_period", "__")):
            raise AttributeError(name)
        return lambda *values: self.calls.append((name, *values))


class General(Named):
    """Knows the general methods only."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    def set_channel(self, *values: Any) -> None:
        self.calls.append(values)

    def set_period(self, *values: Any) -> None:
        self.calls.append(values)


def remote(attach: Attach, plugin: Named) -> Between:
    """A robot with every kind of device, which a plugin drives."""
    robot = attach(Loopback([Peer(name, name.lower(), constants) for name, constants in DEVICES.items()]))
    robot.drive(plugin)
    api.wb_robot_step(32)
    plugin.calls.clear()
    return robot


COMMANDS: list[tuple[str, Callable[[int], Any], list[tuple[Any, ...]], list[tuple[Any, ...]]]] = [
    ("LED", lambda t: api.wb_led_set(t, 3), [("led_set", 3)], [("value", 3)]),
    (
        "RotationalMotor",
        lambda t: api.wb_motor_set_torque(t, 2.0),
        [("motor_set_torque", 2.0)],
        [("force", 2.0)],
    ),
    (
        "LinearMotor",
        lambda t: (api.wb_motor_set_force(t, 2.0), api.wb_motor_set_available_force(t, 4.0)),
        [("motor_set_available_force", 4.0), ("motor_set_force", 2.0)],
        [("availableForce", 4.0), ("force", 2.0)],
    ),
    (
        "RotationalMotor",
        lambda t: (api.wb_motor_set_position(t, math.inf), api.wb_motor_set_velocity(t, -1.0)),
        [("motor_set_position", math.inf), ("motor_set_velocity", -1.0)],
        [("position", math.inf), ("velocity", -1.0)],
    ),
    (
        "RotationalMotor",
        lambda t: (api.wb_motor_set_acceleration(t, 3.0), api.wb_motor_set_control_pid(t, 1.0, 2.0, 3.0)),
        [("motor_set_acceleration", 3.0), ("motor_set_control_pid", 1.0, 2.0, 3.0)],
        [("acceleration", 3.0), ("controlPID", [1.0, 2.0, 3.0])],
    ),
    ("Pen", lambda t: api.wb_pen_write(t, True), [("pen_write", True)], [("write", True)]),
    (
        "Pen",
        lambda t: api.wb_pen_set_ink_color(t, 0x102030, 0.5),
        [("pen_set_ink_color", 0x102030, 0.5)],
        [("inkColor", 0x102030), ("inkDensity", 0.5)],
    ),
    ("Camera", lambda t: api.wb_camera_set_fov(t, 1.0), [("camera_set_fov", 1.0)], [("fieldOfView", 1.0)]),
    (
        "Brake",
        lambda t: api.wb_brake_set_damping_constant(t, 0.5),
        [("brake_set_damping_constant", 0.5)],
        [("dampingConstant", 0.5)],
    ),
    ("Connector", lambda t: api.wb_connector_lock(t), [("connector_lock", True)], [("lock", True)]),
    (
        "VacuumGripper",
        lambda t: api.wb_vacuum_gripper_turn_on(t),
        [("vacuum_gripper_turn_on", True)],
        [("on", True)],
    ),
    (
        "Lidar",
        lambda t: api.wb_lidar_set_frequency(t, 9.0),
        [("lidar_set_frequency", 9.0)],
        [("frequency", 9.0)],
    ),
]


@pytest.mark.parametrize(("name", "do", "named", "general"), COMMANDS)
def test_commands_reach_a_plugin_by_their_names(
    name: str, do: Callable[[int], Any], named: list[Any], general: list[Any], attach: Attach
):
    plugin, tag = Named(), TAGS[name]
    remote(attach, plugin)
    do(tag)
    api.wb_robot_step(32)
    assert plugin.calls == [(call, tag, *values) for call, *values in named]


@pytest.mark.parametrize(("name", "do", "named", "general"), COMMANDS)
def test_commands_reach_a_general_plugin_by_their_channels(
    name: str, do: Callable[[int], Any], named: list[Any], general: list[Any], attach: Attach
):
    plugin, tag = General(), TAGS[name]
    remote(attach, plugin)
    do(tag)
    api.wb_robot_step(32)
    assert plugin.calls == [(tag, *one) for one in general]


def test_every_period_of_the_catalogue_reaches_a_general_plugin(attach: Attach):
    plugin = General()
    robot = remote(attach, plugin)
    wanted = set()
    for name, tag in TAGS.items():
        declared = kind(name)
        assert declared is not None
        for function in {c.enable for c in declared.channels if c.enable} - {"wb_receiver_enable"}:
            getattr(api, function)(tag, 16)
            wanted.add((tag, function, 16))
    robot.controller.battery_sensor_enable(16)
    wanted.add((0, "wb_robot_battery_sensor_enable", 16))
    api.wb_robot_step(32)
    assert set(plugin.calls) == wanted


def test_what_the_calls_name_exists():
    """Commands are those of the protocol, channels and periods those of the catalogue."""
    for name, calls in CALLS.items():
        codec = codec_of(name)
        assert codec is not None
        assert set(calls) <= set(codec.command_codes)
        declared = kind(name)
        assert declared is not None
        known = {one.name for one in declared.channels}
        for command, call in calls.items():
            if call.channels is not None:
                count = len(codec.commands[codec.command_codes[command]].layout.names)
                assert {channel for channel, _ in call.channels(*[0] * count)} <= known


SEEN = RecognizedObject(
    *(3, (1.0, 2.0, 3.0), (0.0, 0.0, 1.0, 0.5), (0.25, 0.5)),
    *((10, 20), (3, 4), ((1.0, 0.0, 0.5),), "tin can"),
)
VALUES: list[tuple[str, str, Any, Callable[[int], Any], Any]] = [
    ("Accelerometer", "acceleration", (1.0, 2.0, 3.0), api.wb_accelerometer_get_values, [1.0, 2.0, 3.0]),
    ("Altimeter", "altitude", 5.0, api.wb_altimeter_get_value, 5.0),
    ("Camera", "image", b"abcdefgh", api.wb_camera_get_image, b"abcdefgh"),
    ("Camera", "objects", [SEEN], lambda t: api.wb_camera_recognition_get_objects(t)[0].model, "tin can"),
    ("Camera", "segmentationImage", b"abcdefgh", None, None),  # type: ignore[list-item]
    ("Compass", "north", (1.0, 0.0, 0.0), api.wb_compass_get_values, [1.0, 0.0, 0.0]),
    ("Connector", "presence", 1, api.wb_connector_get_presence, 1),
    ("DistanceSensor", "value", 7.5, api.wb_distance_sensor_get_value, 7.5),
    ("GPS", "position", (1.0, 2.0, 3.0), api.wb_gps_get_values, [1.0, 2.0, 3.0]),
    ("GPS", "speed", 2.5, api.wb_gps_get_speed, 2.5),
    ("GPS", "velocity", (0.0, 2.5, 0.0), api.wb_gps_get_speed_vector, [0.0, 2.5, 0.0]),
    ("Gyro", "angularVelocity", (0.5, 0.0, 0.0), api.wb_gyro_get_values, [0.5, 0.0, 0.0]),
    (
        "InertialUnit",
        "orientation",
        (0.0, 0.0, 0.0, 1.0),
        api.wb_inertial_unit_get_quaternion,
        [0.0, 0.0, 0.0, 1.0],
    ),
    ("Lidar", "rangeImage", [0.5, 1.5], lambda t: list(api.wb_lidar_get_range_image(t) or ()), [0.5, 1.5]),
    ("LightSensor", "value", 3.5, api.wb_light_sensor_get_value, 3.5),
    ("Microphone", "samples", b"hum", api.wb_microphone_get_sample_data, b"hum"),
    ("RotationalMotor", "torqueFeedback", 1.5, api.wb_motor_get_torque_feedback, 1.5),
    ("LinearMotor", "forceFeedback", 2.5, api.wb_motor_get_force_feedback, 2.5),
    ("PositionSensor", "position", -0.5, api.wb_position_sensor_get_value, -0.5),
    (
        "Radar",
        "targets",
        [(1.0, 2.0, 3.0, 4.0)],
        lambda t: tuple(api.wb_radar_get_targets(t)[0]),
        (1.0, 2.0, 3.0, 4.0),
    ),
    (
        "RangeFinder",
        "rangeImage",
        [0.5, 1.5],
        lambda t: list(api.wb_range_finder_get_range_image(t) or ()),
        [0.5, 1.5],
    ),
    ("Receiver", "packets", [Packet(1, b"hi")], api.wb_receiver_get_data, b"hi"),
    ("TouchSensor", "value", 1.0, api.wb_touch_sensor_get_value, 1.0),
    ("TouchSensor", "force", (1.0, 0.0, 2.0), api.wb_touch_sensor_get_values, [1.0, 0.0, 2.0]),
    ("VacuumGripper", "presence", True, api.wb_vacuum_gripper_get_presence, True),
]
READ = [one for one in VALUES if one[3] is not None]


def test_every_channel_of_a_sensor_can_be_injected():
    missing = {}
    for name in DEVICES:
        declared = kind(name)
        assert declared is not None
        tested = {channel for kind_, channel, *_ in VALUES if kind_ == name}
        sensed = {one.name for one in declared.channels if one.direction == "sense"} - {"rangeImage"}
        missing[name] = sensed - tested
    assert {name: one for name, one in missing.items() if one} == {"Lidar": {"pointCloud"}}, "which is next"


def test_the_battery_and_the_window_of_the_robot(attach: Attach):
    robot = remote(attach, General())
    RemoteRobot(robot.robot).robot_battery_sensor_set_value(12.5)
    RemoteRobot(robot.robot).inject(0, "fromWindow", b"hello\0")
    api.wb_robot_step(32)
    assert api.wb_robot_battery_sensor_get_value() == 12.5
    assert api.wb_robot_wwi_receive_text() == "hello"


@pytest.mark.parametrize(("tag", "channel"), [(99, "value"), (TAGS["LED"], "value"), (0, "keys")])
def test_what_cannot_be_injected_is_an_error(tag: int, channel: str, attach: Attach):
    with pytest.raises(KeyError):
        RemoteRobot(remote(attach, General()).robot).inject(tag, channel, 1.0)


def test_webots_names_inject_what_they_say(attach: Attach):
    robot = remote(attach, General())
    for device in robot.controller.devices:
        if hasattr(device, "enable"):
            device.enable(32)
    seen = RemoteRobot(robot.robot)
    for name, call, read, value in (
        ("Accelerometer", seen.accelerometer_set_values, api.wb_accelerometer_get_values, [1.0, 2.0, 3.0]),
        ("Compass", seen.compass_set_values, api.wb_compass_get_values, [1.0, 2.0, 3.0]),
        ("Gyro", seen.gyro_set_values, api.wb_gyro_get_values, [1.0, 2.0, 3.0]),
        ("GPS", seen.gps_set_values, api.wb_gps_get_values, [1.0, 2.0, 3.0]),
        ("GPS", seen.gps_set_velocity_vector, api.wb_gps_get_speed_vector, [1.0, 2.0, 3.0]),
        ("GPS", seen.gps_set_speed, api.wb_gps_get_speed, 1.0),
        ("TouchSensor", seen.touch_sensor_set_values, api.wb_touch_sensor_get_values, [1.0, 2.0, 3.0]),
        ("TouchSensor", seen.touch_sensor_set_value, api.wb_touch_sensor_get_value, 1.0),
        ("DistanceSensor", seen.distance_sensor_set_value, api.wb_distance_sensor_get_value, 1.0),
        ("LightSensor", seen.light_sensor_set_value, api.wb_light_sensor_get_value, 1.0),
        ("PositionSensor", seen.position_sensor_set_value, api.wb_position_sensor_get_value, 1.0),
        ("LinearMotor", seen.motor_set_force_feedback, api.wb_motor_get_force_feedback, 1.0),
        ("RotationalMotor", seen.motor_set_torque_feedback, api.wb_motor_get_torque_feedback, 1.0),
        ("Camera", seen.camera_set_image, api.wb_camera_get_image, b"abcdefgh"),
        ("Microphone", seen.microphone_set_buffer, api.wb_microphone_get_sample_data, b"hum"),
        (
            "InertialUnit",
            seen.inertial_unit_set_quaternion,
            api.wb_inertial_unit_get_quaternion,
            [0.0, 0.0, 0.0, 1.0],
        ),
    ):
        call(TAGS[name], value)  # type: ignore[operator]
        api.wb_robot_step(32)
        assert read(TAGS[name]) == value


def test_a_plugin_can_look_at_the_robot(attach: Attach):
    robot = RemoteRobot(remote(attach, General()).robot)
    assert (robot.name, robot.basic_time_step, robot.number_of_devices) == ("robot", 32.0, len(DEVICES))
    assert (robot.device_name(TAGS["GPS"]), robot.device_type(TAGS["GPS"])) == ("gps", "GPS")
    assert (robot.device_name(99), robot.device_type(99), robot.find("gps")) == ("", "", TAGS["GPS"])
    assert robot.find("nothing") == 0
