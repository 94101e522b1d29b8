"""Every call of Webots' plugin interface is there by its name, displays and pictures among them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CHECKOUT
from tests.hal.remote.test_devices import General, Named
from tests.image_files import read_image_file
from tests.remote.between import Between
from wbridge.hal import api
from wbridge.hal.gateway import drawing
from wbridge.hal.gateway.calls import BATTERY, CALLS
from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.remote import RemoteControl, RemoteRobot
from wbridge.hal.table import DeviceEntry, DeviceTable

HEADER = (CHECKOUT / "libcontroller" / "include" / "webots" / "remote_control.h").read_text()
WITHOUT_FUNCTION = {"speaker_emit_sample"}
"""No function of the API leads to it."""
WITHOUT_MEANING = {"init", "cleanup", "inertial_unit_set_value"}
"""The first two are the plugin's own; an orientation is not one number (`inertial_unit_set_quaternion`)."""
SCREEN, CAMERA, MOTOR, ENCODER = 1, 2, 3, 4
FORMAT = 3  # RGB

Attach = Callable[[Loopback], Between]


def attached(attach: Attach, plugin: RemoteControl, table: DeviceTable | None = None) -> RemoteRobot:
    """A robot with a display, a camera and a motor with an encoder, driven by a plugin."""
    sized = {"width": 4, "height": 2}
    peers = [Peer("Display", "screen", sized), Peer("Camera", "eye", sized)]
    peers += [Peer("RotationalMotor", "motor"), Peer("PositionSensor", "encoder")]
    robot = attach(Loopback(peers))
    view = RemoteRobot(robot.robot, table)
    robot.drive(plugin, view)
    api.wb_robot_step(32)
    return view


def test_every_call_to_a_plugin_has_its_name():
    wanted = set(re.findall(r"\(\*wbr_(\w+)\)", HEADER))
    made = {BATTERY} | {
        call.name.format(force=force)
        for calls in CALLS.values()
        for call in calls.values()
        for force in ("force", "torque")
    }
    codec = codec_of("Display")
    assert codec is not None
    for message in codec.commands.values():
        count, shaped = len(message.layout.names), "x" in message.layout.names[:1]
        for fill in (False, True):
            values = [(1, 2), (3, 4), fill][:count] if shaped else [0] * count
            made.add("display_" + drawing._call(message.name, tuple(values))[0])
    own = {name for name in dir(RemoteControl) if not name.startswith("_")}
    assert wanted - made - own == WITHOUT_FUNCTION


def test_every_injecting_function_has_its_name():
    wanted = set(re.findall(r"^(?:void|bool|unsigned char \*) ?wbr_(\w+)\(", HEADER, re.MULTILINE))
    assert {"camera_get_image_buffer", "display_save_image"} <= wanted
    assert {name for name in wanted if not hasattr(RemoteRobot, name)} == WITHOUT_MEANING


def draw() -> None:
    """Everything that a display can do."""
    api.wb_display_set_color(SCREEN, 0x102030)
    api.wb_display_set_alpha(SCREEN, 1.0)
    api.wb_display_set_opacity(SCREEN, 0.2)
    api.wb_display_set_font(SCREEN, "Arial", 8, True)
    api.wb_display_draw_pixel(SCREEN, 1, 2)
    api.wb_display_draw_line(SCREEN, 1, 2, 3, 4)
    api.wb_display_draw_rectangle(SCREEN, 1, 2, 3, 4)
    api.wb_display_fill_oval(SCREEN, 1, 2, 3, 4)
    api.wb_display_draw_polygon(SCREEN, [1, 2, 3], [4, 5, 6], 3)
    api.wb_display_draw_text(SCREEN, "hi", 1, 2)
    image = api.wb_display_image_new(SCREEN, 1, 2, b"abcdef", FORMAT)
    assert image is not None
    api.wb_display_image_paste(SCREEN, image, 5, 6, False)
    copy = api.wb_display_image_copy(SCREEN, 1, 2, 3, 4)
    api.wb_display_image_delete(SCREEN, copy)


DRAWN: list[tuple[Any, ...]] = [
    *(("set_color", 0x102030), ("set_alpha", 1.0), ("set_opacity", 0.2), ("set_font", "Arial", 8, True)),
    *(("draw_pixel", 1, 2), ("draw_line", 1, 2, 3, 4), ("draw_rectangle", 1, 2, 3, 4)),
    *(("fill_oval", 1, 2, 3, 4), ("draw_polygon", [1, 2, 3], [4, 5, 6], 3), ("draw_text", "hi", 1, 2)),
    *(("image_new", 1, 1, 2, b"abcdef", FORMAT), ("image_paste", 1, 5, 6), ("image_copy", 2, 1, 2, 3, 4)),
    ("image_delete", 2),
]


def test_drawings_reach_the_plugin_and_the_simulator(attach: Attach):
    plugin = Named()
    attached(attach, plugin)
    plugin.calls.clear()
    draw()
    api.wb_robot_step(32)
    assert plugin.calls == [(f"display_{name}", SCREEN, *values) for name, *values in DRAWN]


def test_drawings_reach_a_general_plugin_as_in_the_protocol(attach: Attach):
    plugin = General()
    attached(attach, plugin)
    plugin.calls.clear()
    draw()
    api.wb_robot_step(32)
    ((tag, channel, orders),) = plugin.calls
    assert (tag, channel) == (SCREEN, "drawing")
    codec = codec_of("Display")
    assert codec is not None
    names = [codec.commands[code].name for code, _ in orders]
    assert names == [name.replace("fill_", "draw_") for name, *_ in DRAWN]
    assert dict(orders)[16] == (0x102030).to_bytes(4, "little")


def test_a_plugin_can_tell_what_a_display_shows(attach: Attach, tmp_path: Path):
    class Showing(Named):
        def display_image_save(self, tag: int, id: int) -> None:
            view.display_save_image(tag, id, 1, 1, bytes([3, 2, 1, 255]))

    view = attached(attach, Showing())
    target = tmp_path / "screen.png"
    api.wb_display_image_save(SCREEN, None, str(target))
    assert read_image_file(str(target)) == (1, 1, bytes([1, 2, 3, 255]))


def test_a_display_that_cannot_be_read_is_told(
    attach: Attach, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    attached(attach, Named())
    api.wb_display_image_save(SCREEN, None, str(tmp_path / "screen.png"))
    assert "received no image" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_plugin_may_write_pictures_in_place(attach: Attach):
    view = attached(attach, Named())
    api.wb_camera_enable(CAMERA, 32)
    buffer = view.camera_get_image_buffer(CAMERA)
    for k in (1, 2):
        buffer[:] = bytes([k]) * len(buffer)
        api.wb_robot_step(32)
        assert api.wb_camera_get_image(CAMERA) == bytes([k]) * 4 * 4 * 2
    with pytest.raises(KeyError, match="is not a camera"):
        view.camera_get_image_buffer(MOTOR)


def test_the_position_of_a_motor_is_what_its_sensor_reads(attach: Attach):
    devices = (
        *(
            DeviceEntry(SCREEN, "screen", "Display", "", {}, ()),
            DeviceEntry(CAMERA, "eye", "Camera", "", {}, ()),
        ),
        DeviceEntry(MOTOR, "motor", "RotationalMotor", "", {"positionSensor": ENCODER}, ()),
        DeviceEntry(ENCODER, "encoder", "PositionSensor", "", {}, ()),
    )
    view = attached(attach, Named(), DeviceTable(DeviceEntry(0, "robot", "Robot", "", {}, ()), devices))
    api.wb_position_sensor_enable(ENCODER, 32)
    view.motor_set_position_feedback(MOTOR, 0.75)
    api.wb_robot_step(32)
    assert api.wb_position_sensor_get_value(ENCODER) == 0.75
    view.motor_set_position_feedback(ENCODER, 0.5)  # at no motor's joint: nothing to tell
    api.wb_robot_step(32)
    assert api.wb_position_sensor_get_value(ENCODER) == 0.75
