"""Reading what is not enabled is a warning that names the function which enables it, once, in C and Python.

Judge: Webots' libController (src/controller/c/*.c), whose functions print "called for a disabled device!
Please use: ..." in these cases; segmentation is refused without recognition and without its field.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from tests.c.calling import Implementation, functions
from wbridge.hal.protocol.loopback import Loopback, Peer

LAYER = [0]
READERS: list[tuple[str, list[int], str]] = [
    ("Connector", [], "wb_connector_get_presence wb_connector_enable_presence"),
    ("VacuumGripper", [], "wb_vacuum_gripper_get_presence wb_vacuum_gripper_enable_presence"),
    ("RotationalMotor", [], "wb_motor_get_force_feedback wb_motor_enable_force_feedback"),
    ("RotationalMotor", [], "wb_motor_get_torque_feedback wb_motor_enable_torque_feedback"),
    ("Lidar", LAYER, "wb_lidar_get_layer_range_image wb_lidar_enable"),
    ("Lidar", [], "wb_lidar_get_point_cloud wb_lidar_enable_point_cloud"),
    ("Lidar", LAYER, "wb_lidar_get_layer_point_cloud wb_lidar_enable_point_cloud"),
    ("Camera", [], "wb_camera_recognition_get_number_of_objects wb_camera_recognition_enable"),
    ("Camera", [], "wb_camera_recognition_get_objects wb_camera_recognition_enable"),
    ("Camera", [], "wb_camera_recognition_enable_segmentation wb_camera_recognition_enable"),
    (
        "Camera",
        [],
        "wb_camera_recognition_get_segmentation_image wb_camera_recognition_enable_segmentation",
    ),
    ("", [], "wb_robot_battery_sensor_get_value wb_robot_battery_sensor_enable"),
    ("", [], "wb_keyboard_get_key wb_keyboard_enable"),
    ("", [], "wb_joystick_get_number_of_axes wb_joystick_enable"),
    ("", [], "wb_joystick_get_number_of_povs wb_joystick_enable"),
    ("", [], "wb_joystick_get_pressed_button wb_joystick_enable"),
    ("", LAYER, "wb_joystick_get_axis_value wb_joystick_enable"),
    ("", LAYER, "wb_joystick_get_pov_value wb_joystick_enable"),
    ("", [], "wb_joystick_is_connected wb_joystick_enable"),
]
"""A kind of device, further arguments, and the functions that read and that enable."""
OPTICS = {"width": 4, "height": 2, "fov": 0.8, "near": 0.1, "planar": 1, "recognition": True}
KINDS = sorted({kind for kind, *_ in READERS if kind})
TAGS = {kind: tag for tag, kind in enumerate(KINDS, 1)}


def robot(segmentation: bool = True) -> Loopback:
    """A robot with one device of each kind, none of them enabled."""
    constants: dict[str, Any] = {"Camera": {**OPTICS, "segmentation": segmentation}, "Lidar": {"layers": 2}}
    return Loopback([Peer(kind, kind.lower(), constants.get(kind, {})) for kind in KINDS])


def is_called(implementation: Implementation, name: str) -> bool:
    """The program in C makes no calls that return arrays of unknown length."""
    return implementation.name == "python" or name in functions()


def said(
    implementation: Implementation, folder: Path, calls: list[list[Any]], segmentation: bool = True
) -> tuple[list[Any], list[str]]:
    whole = [
        ["wb_robot_init", ""],
        ["wb_robot_step", "", 16],
        *(one for one in calls if is_called(implementation, one[0])),
    ]
    outcome = implementation.call(whole, folder, partial(robot, segmentation))
    return [result for _, result in outcome.results[2:]], outcome.said


def test_each_reader_of_something_disabled_names_what_enables_it(
    implementation: Implementation, tmp_path: Path
):
    calls = []
    for kind, more, names in READERS:
        reader = names.split()[0]
        calls += [[reader, "", *([TAGS[kind]] if kind else []), *more]] * 2
    _, lines = said(implementation, tmp_path, calls)
    for _, _, names in READERS:
        reader, enable = names.split()
        if not is_called(implementation, reader):
            continue
        mine = [line for line in lines if f" {reader}() " in line and "disabled" in line]
        assert any(line.endswith(f"; call {enable}() first.") for line in mine), (reader, lines)
        assert len(mine) == len(set(mine)), "each of them once"


def test_segmentation_needs_recognition_and_its_field(implementation: Implementation, tmp_path: Path):
    camera = TAGS["Camera"]
    switch = ["wb_camera_recognition_enable_segmentation", "", camera]
    state = ["wb_camera_recognition_is_segmentation_enabled", "", camera]
    recognize = ["wb_camera_recognition_enable", "", camera, 16]
    results, lines = said(implementation, tmp_path, [switch, state, recognize, switch, state])
    assert [results[1], results[4]] == [0, 1]
    assert len(lines) == 1 and lines[0].endswith("call wb_camera_recognition_enable() first.")


def test_segmentation_that_the_node_does_not_allow_is_refused(implementation: Implementation, tmp_path: Path):
    camera = TAGS["Camera"]
    calls: list[list[Any]] = [["wb_camera_recognition_enable", "", camera, 16]]
    calls += [["wb_camera_recognition_enable_segmentation", "", camera]]
    calls += [["wb_camera_recognition_is_segmentation_enabled", "", camera]]
    results, lines = said(implementation, tmp_path, calls, segmentation=False)
    assert results[2] == 0
    assert len(lines) == 1
    assert lines[0].startswith("Error: wb_camera_recognition_enable_segmentation() called on the camera")
    assert lines[0].endswith("set the field segmentation of its Recognition node to TRUE first.")


def test_enabled_readers_say_nothing(implementation: Implementation, tmp_path: Path):
    connector, motor, lidar, camera = (TAGS[k] for k in ("Connector", "RotationalMotor", "Lidar", "Camera"))
    calls: list[list[Any]] = [
        ["wb_connector_enable_presence", "", connector, 16],
        ["wb_motor_enable_torque_feedback", "", motor, 16],
        ["wb_lidar_enable", "", lidar, 16],
        ["wb_lidar_enable_point_cloud", "", lidar],
        ["wb_camera_recognition_enable", "", camera, 16],
        ["wb_robot_battery_sensor_enable", "", 16],
        ["wb_joystick_enable", "", 16],
        ["wb_connector_get_presence", "", connector],
        ["wb_motor_get_force_feedback", "", motor],
        ["wb_motor_get_torque_feedback", "", motor],
        ["wb_lidar_get_layer_range_image", "", lidar, 1],
        ["wb_camera_recognition_get_objects", "", camera],
        ["wb_robot_battery_sensor_get_value", ""],
        ["wb_joystick_get_number_of_axes", ""],
        ["wb_joystick_get_pressed_button", ""],
    ]
    assert said(implementation, tmp_path, calls)[1] == []
