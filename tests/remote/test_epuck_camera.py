"""The camera of the e-puck: SerCom's pictures byte by byte, and a controller that sees them."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from tests.remote.emulated import REMOTE, Serving, controlled, serving, tags, until
from tests.remote.test_epuck import STEP, drive, peers
from wbridge.hal import api
from wbridge.hal.protocol.loopback import Peer
from wbridge.remote_controls.common.damage import DamageCount
from wbridge.remote_controls.emulators.epuck import Emulator
from wbridge.remote_controls.protocols.sercom import binary
from wbridge.remote_controls.protocols.sercom_camera import bgra, setups
from wbridge.remote_controls.protocols.sercom_line import SercomLine

BARS = (0xFFFF, 0xFFE0, 0x07FF, 0x07E0, 0xF81F, 0xF800, 0x001F, 0x0000)
"""White, yellow, cyan, green, magenta, red, blue and black with 5, 6 and 5 bits."""
GCTRONIC_ROOM = 48 * 36 * 2
"""Bytes for pictures in GCtronic's firmware of the first e-puck (`memory.h`)."""
ASK = binary("I") + bytes(1)


def eye(width: int = 52, height: int = 39) -> Peer:
    """The camera of Webots' model, which has 52 x 39 pixels."""
    return Peer("Camera", "camera", {"width": width, "height": height})


def shown(tag: int, width: int, height: int) -> np.ndarray:
    """The controller's picture, shape (height, width, 4): blue, green, red, alpha."""
    pixels = api.wb_camera_get_image(tag) or bytes(4 * width * height)
    return np.frombuffer(pixels, np.uint8).reshape(height, width, 4)


@pytest.mark.parametrize(
    ("command", "state", "header"),
    [
        (b"", b"i,1,40,40,8,3200\r\n", b"\x01\x28\x28"),
        (b"J,1,8,1,1,0,0\r", b"i,1,8,1,1,16\r\n", b"\x01\x08\x01"),
        (b"J,0,60,60,4\r", b"i,0,60,60,4,3600\r\n", b"\x00\x3c\x3c"),
        (b"J,1,52,39,8,-1,-1\r", b"i,1,52,39,8,4056\r\n", b"\x01\x34\x27"),
        (b"J,1,80,60,8,-1,-1\r", b"i,1,40,40,8,3200\r\n", b"\x01\x28\x28"),  # too large
        (b"J,1,-5,60,8\r", b"i,1,40,40,8,3200\r\n", b"\x01\x28\x28"),
        (b"J,1,52\r", b"i,1,40,40,8,3200\r\n", b"\x01\x28\x28"),
    ],
)
def test_the_emulator_answers_as_the_firmware(command: bytes, state: bytes, header: bytes):
    robot = Emulator()
    assert robot.receive(command) == (b"j\r\n" if command else b"")
    assert robot.receive(b"I\r") == state
    answer = robot.receive(ASK)
    assert answer.startswith(header)
    assert len(answer) == 3 + int(state.split(b",")[-1])


def test_pixels_are_16_bits_with_the_high_byte_first():
    robot = Emulator()
    robot.receive(b"J,1,8,1,4,0,0\r")  # 8 pixels from the left: the first bar has 80
    assert robot.receive(ASK)[3:] == struct.pack(">8H", *[0xFFFF] * 8)
    first = Emulator(1)
    first.receive(b"J,1,40,1,16,0,0\r")  # only the first robots zoom by 16
    assert first.receive(ASK)[3:] == b"".join(struct.pack(">5H", *[bar] * 5) for bar in BARS)


def test_a_picture_comes_between_the_other_answers():
    robot = Emulator()
    robot.receive(b"J,1,1,1,1\rD,5,6\r")
    assert robot.receive(binary("E") + binary("I") + binary("b") + bytes(1)) == (
        struct.pack("<hh", 5, 6) + b"\x01\x01\x01" + struct.pack(">H", BARS[3]) + struct.pack("<H", 3300)
    )


@pytest.mark.parametrize(
    ("size", "first", "second"),
    [
        ((52, 39), (52, 39, 8), (47, 35, 8)),
        ((40, 30), (40, 30, 8), (40, 40, 8)),
        ((640, 480), (52, 39, 8), (47, 35, 8)),
        ((60, 1), (60, 1, 8), (40, 40, 8)),
        ((1000, 10), (127, 1, 2), (40, 40, 8)),
    ],
)
def test_a_size_that_the_robot_can_send_is_found(size, first, second):
    assert [tuple(one) for one in setups(*size)[:2]] == [first, second]
    assert all(one.size <= 4056 + 3 for one in setups(*size))


def test_colors_use_the_whole_range():
    setup = setups(2, 2)[0]
    pixels = bgra(setup, setup.header + struct.pack(">4H", 0xF800, 0x07E0, 0x001F, 0xFFFF), 2, 2)
    assert pixels == bytes([0, 0, 255, 255, 0, 255, 0, 255, 255, 0, 0, 255, 255, 255, 255, 255])


@pytest.mark.parametrize("url", ["pty://", "tcp://127.0.0.1:0"])
@pytest.mark.parametrize("room", [52 * 39 * 2, GCTRONIC_ROOM])
def test_a_controller_sees_what_the_robot_sees(url: str, room: int, tmp_path: Path, capfd):
    """Left half red, right half blue; with the smaller buffer the robot sends 47 x 35 pixels."""
    picture = PIL.Image.new("RGB", (640, 480), (255, 0, 0))
    picture.paste((0, 0, 255), (320, 0, 640, 480))
    picture.save(tmp_path / "a.png")
    emulator = Emulator()
    emulator.room = room
    emulator.show(tmp_path)
    with serving(emulator, url) as robot, controlled([*peers(), eye()], "epuck"):
        tag = tags()
        api.wb_camera_enable(tag["camera"], 4 * STEP)
        api.wb_distance_sensor_enable(tag["ps0"], STEP)
        emulator.set("ps0", 123)
        api.wb_robot_set_mode(REMOTE, robot.url)
        drive(1.0, 1.0)
        until(lambda: shown(tag["camera"], 52, 39)[:, :, 2].any(), STEP)
        seen = shown(tag["camera"], 52, 39)
        assert (seen[:, :25] == [0, 0, 255, 255]).all()
        assert (seen[:, 27:] == [255, 0, 0, 255]).all()
        until(lambda: api.wb_distance_sensor_get_value(tag["ps0"]) == 123.0, STEP)
        assert emulator.speeds == [159, 159]
        api.wb_camera_disable(tag["camera"])
        until(lambda: binary("I") not in heard_in_a_step(robot), STEP)
    resized = 'the robot sends pictures of 47 x 35 pixels; "camera" shows them as 52 x 39'
    assert (resized in capfd.readouterr().err) == (room == GCTRONIC_ROOM)


def heard_in_a_step(robot: Serving) -> bytes:
    """What the robot hears during a step."""
    before = len(robot.heard)
    api.wb_robot_step(STEP)
    return bytes(robot.heard[before:])


def test_a_damaged_line_shows_right_pictures_or_none():
    """Lost bytes are noticed by the length, and the header by its numbers."""
    emulator = Emulator()
    with serving(emulator) as robot, controlled([*peers(), eye(8, 8)], "epuck"):
        tag = tags()["camera"]
        api.wb_camera_enable(tag, STEP)
        api.wb_robot_set_mode(REMOTE, f"fault+{robot.url}?seed=3&lose=0.05")
        until(lambda: shown(tag, 8, 8).any(), STEP)
        for _ in range(20):
            api.wb_robot_step(STEP)
            seen = shown(tag, 8, 8)[:, :, 2::-1].reshape(-1, 3)
            assert (seen == seen[:1]).reshape(8, 8, 3)[:, 0].all()  # bars: rows do not differ


class SlowWire:
    """A line with a clock; what the robot sends takes its time."""

    def __init__(self) -> None:
        self.now, self.sent = 0.0, b""

    def clock(self) -> float:
        """Time in s."""
        return self.now

    def send(self, data: bytes) -> None:
        """Note what is sent."""
        self.sent += data


def test_pictures_have_the_time_that_they_need_at_115200_bits_per_second():
    setup = setups(52, 39)[0]
    line, wire, robot = SercomLine(5, DamageCount(print), setup), SlowWire(), Emulator()
    robot.receive(setup.command)
    line.begin(wire)  # type: ignore[arg-type]
    line.take(wire, robot.receive(wire.sent))  # type: ignore[arg-type]
    wire.sent = b""
    line.ask(wire, b"", ["camera", "proximity"])  # type: ignore[arg-type]
    answer = robot.receive(wire.sent)
    assert len(answer) == 3 + 2 * 52 * 39 + 2 * 16 + 4
    wire.now, found = 0.2, None  # capturing
    for at in range(0, len(answer), 64):
        wire.now += 64 / 11520
        found = line.take(wire, answer[at : at + 64]) or found  # type: ignore[arg-type]
    assert found is not None
    assert found.picture == answer[: setup.size]
    assert found.numbers == {"proximity": (0,) * 8}


def test_pictures_of_another_size_are_dropped():
    line, wire, robot = SercomLine(5, DamageCount(print), setups(4, 2)[0]), SlowWire(), Emulator()
    robot.receive(b"J,1,2,4,1\r")  # as many bytes
    line.begin(wire)  # type: ignore[arg-type]
    line.take(wire, robot.receive(wire.sent))  # type: ignore[arg-type]
    wire.sent = b""
    line.ask(wire, b"", ["camera"])  # type: ignore[arg-type]
    assert line.take(wire, robot.receive(wire.sent)) is None  # type: ignore[arg-type]
    assert not line.open  # both ends synchronize again
