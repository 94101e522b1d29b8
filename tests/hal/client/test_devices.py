"""Devices as a controller sees them, against the simulator inside the program."""

from __future__ import annotations

import math
import struct
from array import array
from collections.abc import Callable

import pytest

from tests.image_files import read_image_file
from wbridge.hal import api
from wbridge.hal.client.native import NativeRobot
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.protocol.packet import Image

INF = math.inf
MOTOR = {"max_velocity": 10.0, "max_force": 5.0, "multiplier": 1.0, "velocity": 10.0, "acceleration": -1.0}
Attach = Callable[[Loopback], NativeRobot]


def test_a_sensor_is_sampled_when_it_is_enabled(attach: Attach):
    world = Loopback([Peer("DistanceSensor", "ds", {"max_value": 9.0, "lookup_table": [(0.0, 1.0, 0.0)]})])
    attach(world)
    tag = api.wb_robot_get_device("ds")
    assert math.isnan(api.wb_distance_sensor_get_value(tag))
    api.wb_distance_sensor_enable(tag, 32)
    world["ds"].send("value", 4.5)
    assert api.wb_robot_step(32) == 0
    assert world["ds"].last("enable") == (32,)
    assert (api.wb_distance_sensor_get_value(tag), api.wb_distance_sensor_get_sampling_period(tag)) == (
        4.5,
        32,
    )
    assert (api.wb_distance_sensor_get_max_value(tag), api.wb_robot_get_time()) == (9.0, 0.032)
    assert api.wb_distance_sensor_get_lookup_table(tag) == [0.0, 1.0, 0.0]
    assert api.wb_distance_sensor_get_lookup_table_size(tag) == 1


@pytest.mark.parametrize("period", [-1, 65536])
def test_a_period_out_of_range_is_told_and_not_sent(
    attach: Attach, period: int, capsys: pytest.CaptureFixture[str]
):
    world = Loopback([Peer("GPS", "gps")])
    attach(world)
    api.wb_gps_enable(1, period)
    api.wb_robot_step(32)
    assert world["gps"].commands == []
    assert "wb_gps_enable()" in capsys.readouterr().err


def test_the_last_command_of_a_kind_wins_and_codes_ascend(attach: Attach):
    world = Loopback([Peer("RotationalMotor", "m", MOTOR)])
    attach(world)
    api.wb_motor_set_velocity(1, 1.0)
    api.wb_motor_set_velocity(1, 2.0)
    api.wb_motor_set_position(1, INF)
    api.wb_motor_set_velocity(1, -3.0)
    api.wb_robot_step(32)
    assert [(one.name, one.values) for one in world["m"].commands] == [
        ("set_position", (INF,)),
        ("set_velocity", (-3.0,)),
    ]
    assert api.wb_motor_get_velocity(1) == -3.0


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("wb_motor_set_position", (math.nan,)),
        ("wb_motor_set_velocity", (-1.0,)),
        ("wb_motor_set_acceleration", (-2.0,)),
        ("wb_motor_set_available_force", (-1.0,)),
        ("wb_motor_set_control_pid", (0.0, 0.0, 0.0)),
        ("wb_motor_set_force", (math.nan,)),
    ],
)
def test_impossible_commands_of_a_motor_are_told_and_not_sent(
    attach: Attach, function: str, arguments: tuple, capsys: pytest.CaptureFixture[str]
):
    world = Loopback([Peer("LinearMotor", "m", MOTOR)])
    attach(world)
    getattr(api, function)(1, *arguments)
    api.wb_robot_step(32)
    assert world["m"].commands == []
    assert f"Error: {function}()" in capsys.readouterr().err


def test_coupled_motors_follow_in_what_they_tell(attach: Attach):
    coupled = {**MOTOR, "multiplier": -0.5, "couplings": [1]}
    attach(
        Loopback(
            [Peer("RotationalMotor", "a", {**MOTOR, "couplings": [2]}), Peer("RotationalMotor", "b", coupled)]
        )
    )
    api.wb_motor_set_position(1, 2.0)
    api.wb_motor_set_velocity(1, 4.0)
    assert (api.wb_motor_get_target_position(2), api.wb_motor_get_velocity(2)) == (-1.0, -2.0)


def test_a_function_for_another_device_is_told(attach: Attach, capsys: pytest.CaptureFixture[str]):
    attach(Loopback([Peer("LED", "led")]))
    assert math.isnan(api.wb_motor_get_velocity(1))
    assert api.wb_led_get(7) == 0
    errors = capsys.readouterr().err
    assert '1 is "led", of type LED' in errors
    assert "7 is not a device" in errors


def test_a_missing_device_is_told_with_the_nearest_name(attach: Attach, capsys: pytest.CaptureFixture[str]):
    attach(Loopback([Peer("LED", "left led")]))
    assert api.wb_robot_get_device("left lde") == 0
    assert 'did you mean "left led"?' in capsys.readouterr().err


def test_packets_leave_with_channel_and_range_of_their_call(attach: Attach):
    world = Loopback(
        [
            Peer(
                "Emitter",
                "e",
                {"buffer_size": 4, "channel": 1, "range": -1.0, "max_range": -1.0, "bytes_per_ms": -1.0},
            )
        ]
    )
    attach(world)
    assert api.wb_emitter_send(1, b"ab") == 1
    api.wb_emitter_set_channel(1, 2)
    assert (api.wb_emitter_send(1, b"cd"), api.wb_emitter_send(1, b"e")) == (1, 0)
    api.wb_robot_step(32)
    assert [one.values for one in world["e"].commands] == [(1, -1.0, b"ab"), (2, -1.0, b"cd"), (2,)]
    assert api.wb_emitter_send(1, b"e") == 1


def test_a_slow_emitter_sends_when_its_time_has_come(attach: Attach):
    slow = {"buffer_size": -1, "channel": 1, "range": -1.0, "max_range": -1.0, "bytes_per_ms": 0.1}
    world = Loopback([Peer("Emitter", "e", slow)])
    attach(world)
    api.wb_emitter_send(1, b"12345")
    for sent in (0, 1):
        api.wb_robot_step(32)
        assert len(world["e"].commands) == sent


def test_received_packets_queue_up(attach: Attach):
    world = Loopback([Peer("Receiver", "r", {"buffer_size": 5, "channel": 1})])
    attach(world)
    api.wb_receiver_enable(1, 32)
    for data in (b"one", b"xx", b"lost"):
        world["r"].send("packet", 1, (1.0, 0.0, 0.0), 0.25, data)
    api.wb_robot_step(32)
    assert api.wb_receiver_get_queue_length(1) == 2
    assert (api.wb_receiver_get_data(1), api.wb_receiver_get_data_size(1)) == (b"one", 3)
    assert api.wb_receiver_get_emitter_direction(1) == [1.0, 0.0, 0.0]
    api.wb_receiver_next_packet(1)
    assert api.wb_receiver_get_data(1) == b"xx"


def quaternion(axis: tuple[float, float, float], angle: float) -> tuple[float, ...]:
    return (*(math.sin(angle / 2) * one for one in axis), math.cos(angle / 2))


@pytest.mark.parametrize(
    ("system", "axis", "place"),
    [
        *(("ENU", (1, 0, 0), 0), ("ENU", (0, 1, 0), 1), ("ENU", (0, 0, 1), 2)),
        *(("NUE", (1, 0, 0), 0), ("NUE", (0, 0, 1), 1), ("NUE", (0, 1, 0), 2)),
    ],
)
def test_roll_pitch_and_yaw_are_turns_about_the_axes(attach: Attach, system: str, axis: tuple, place: int):
    world = Loopback([Peer("InertialUnit", "imu", {"coordinate_system": system})])
    attach(world)
    api.wb_inertial_unit_enable(1, 32)
    world["imu"].send("quaternion", quaternion(axis, 0.3))
    api.wb_robot_step(32)
    expected = [0.0, 0.0, 0.0]
    expected[place] = 0.3
    assert api.wb_inertial_unit_get_roll_pitch_yaw(1) == pytest.approx(expected)


def test_what_the_display_shall_draw_comes_in_order(attach: Attach):
    world = Loopback([Peer("Display", "d", {"width": 8, "height": 4}), Peer("Camera", "c")])
    attach(world)
    api.wb_display_set_color(1, 0xFF0000)
    api.wb_display_draw_line(1, 0, 1, 2, 3)
    image = api.wb_display_image_new(1, 1, 1, b"abc", 3)
    api.wb_display_image_paste(1, image, 2, 2)
    api.wb_display_attach_camera(1, 2)
    api.wb_robot_step(32)
    names = [one.name for one in world["d"].commands]
    assert names == ["attach_camera", "set_color", "draw_line", "image_new", "image_paste"]
    assert world["d"].last("draw_line") == ([0, 2], [1, 3])


def test_no_camera_can_be_attached_to_a_display(attach: Attach, capsys: pytest.CaptureFixture[str]):
    world = Loopback([Peer("Display", "d", {"width": 8, "height": 4})])
    attach(world)
    api.wb_display_attach_camera(1, 0)
    api.wb_robot_step(32)
    assert world["d"].commands == []
    said = capsys.readouterr().err
    assert "wb_display_attach_camera() called for a camera that does not exist" in said


def test_a_picture_over_tcp(attach: Attach, tmp_path):
    size = {"width": 2, "height": 1}
    world = Loopback([Peer("Camera", "c", size), Peer("RangeFinder", "r", size)], tcp=True)
    attach(world)
    api.wb_camera_enable(1, 32)
    assert api.wb_camera_get_image(1) is None
    world.images = [Image(1, 0, bytes(range(8))), Image(2, 0, array("f", [1.0, INF]).tobytes())]
    api.wb_robot_step(32)
    image = api.wb_camera_get_image(1)
    assert api.wb_camera_image_get_red(image, 2, 1, 0) == 6
    assert list(api.wb_range_finder_get_range_image(2)) == [1.0, INF]
    assert api.wb_camera_save_image(1, str(tmp_path / "x.png"), 100) == 0
    assert read_image_file(str(tmp_path / "x.png")) == (2, 1, bytes([2, 1, 0, 3, 6, 5, 4, 7]))


def test_inputs(attach: Attach):
    world = Loopback()
    attach(world)
    for enable in (api.wb_keyboard_enable, api.wb_mouse_enable, api.wb_joystick_enable):
        enable(32)
    world.tell("keys", [65, 315])
    world.tell("joystick", 2, 4, 1, "pad")
    world.tell("joystick_state", [3], [100, -100], [1])
    world.tell("mouse", True, False, False, 0.25, 0.5, 1.0, 2.0, 3.0)
    world.tell("battery", 12.0)
    api.wb_robot_step(32)
    assert [api.wb_keyboard_get_key() for _ in range(3)] == [65, 315, -1]
    assert api.wb_robot_keyboard_get_key() == 0
    assert (api.wb_joystick_get_model(), api.wb_joystick_get_axis_value(1)) == ("pad", -100)
    assert [api.wb_joystick_get_pressed_button() for _ in range(2)] == [3, -1]
    state = api.wb_mouse_get_state()
    assert (state.left, state.u, state.z) == (True, 0.25, 3.0)
    assert api.wb_robot_battery_sensor_get_value() == 12.0


def test_single_elements_of_lists(attach: Attach):
    """Judge: the functions for whole lists; manual: None beyond their ends."""
    lidar = {"width": 2, "height": 1, "layers": 1, "horizontal_resolution": 2.0}
    camera = {"width": 2, "height": 1, "recognition": True}
    world = Loopback([Peer("Camera", "c", camera), Peer("Radar", "r"), Peer("Lidar", "l", lidar)], tcp=True)
    attach(world)
    api.wb_camera_recognition_enable(1, 32)
    api.wb_radar_enable(2, 32)
    api.wb_lidar_enable(3, 32)
    api.wb_lidar_enable_point_cloud(3)
    points = [(1.0, 2.0, 3.0, 0, 0.5), (4.0, 5.0, 6.0, 0, 0.75)]
    pixels = struct.pack("<2f", 0.5, 1.5) + b"".join(struct.pack("<3fif", *point) for point in points)
    world.images = [Image(3, 0, pixels)]
    api.wb_mouse_enable(32)
    world.tell("mouse", True, False, False, 0.25, 0.5, 1.0, 2.0, 3.0)
    world["r"].send("targets", [(1.0, 2.0, 3.0, 4.0)])
    seen = (7, (1, 2, 3), (0, 0, 1, 0), (4, 5), (6, 8), (9, 10), [(1.0, 0.0, 0.0)], "box")
    world["c"].send("objects", [seen])
    api.wb_robot_step(32)
    assert [api.wb_lidar_get_point(3, index) for index in (0, 1, 2, -1)] == [*points, None, None]
    assert api.wb_radar_get_target(2, 0) == api.wb_radar_get_targets(2)[0]
    assert api.wb_radar_get_target(2, 1) is None
    found = api.wb_camera_recognition_get_object(1, 0)
    assert (found, found.model) == (api.wb_camera_recognition_get_objects(1)[0], "box")
    assert api.wb_camera_recognition_get_object(1, 1) is None
    assert api.wb_range_finder_image_get_depth([0.5, 1.5, 2.5, 3.5], 2, 1, 1) == 3.5
    assert api.wb_mouse_get_state_pointer() == api.wb_mouse_get_state()
    api.wb_robot_battery_sensor_enable(64)
    assert api.wb_robot_get_battery_sampling_period() == 64
