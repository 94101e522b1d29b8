"""An e-puck2 (or, with `Emulator(1)`, an e-puck) that speaks SerCom.

As in the robot's firmware, there is no checksum, no time-out and no resynchronization: an incomplete command
waits for its bytes forever, and line ends are skipped only before ASCII commands.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Generator
from pathlib import Path

from wbridge.remote_controls.cameras.sensor_array import SensorArray, rgb565
from wbridge.remote_controls.emulators.base import EmulatedRobot, Setting
from wbridge.remote_controls.emulators.drive import Drive
from wbridge.remote_controls.protocols.sercom import CAMERA_CODE, RADIANS_PER_STEP
from wbridge.remote_controls.protocols.sercom_camera import SENSOR_HEIGHT, SENSOR_WIDTH

RADIUS, TRACK = 0.0205, 0.053
"""Radius of the wheels and distance between them, in m."""
VERSIONS = {1: "Version 1.5.3 November 2016 (Webots)", 2: "Version 2.0 January 2018 GCtronic"}
FASTEST = {1: 1000, 2: 1200}
"""Maximum speed in steps per second."""
WELCOME = '\f\aWELCOME to the SerCom protocol on e-Puck\r\nthe EPFL education robot type "H" for help\r\n'
LEDS = 10
TOGGLE = 2
ALL_LEDS = 8
"""The ASCII number for all LEDs of the ring."""
LONGEST_LINE = 256
GREY, COLOR = 0, 1
"""Modes of the camera, with one and two bytes per pixel."""
ROOM = 52 * 39 * 2 + 80
"""Bytes for pixels."""
LEAST = (COLOR, 40, 40)
"""Mode, width and height, if there is no room for the ones that were set."""
FIRST_ZOOM = 8
MOST_ZOOM = {1: 16, 2: 4}

Bytes = Generator[bytes, int, None]
"""Yields answers, receives the next byte."""


def _settings() -> dict[str, Setting]:
    settings = {f"ps{k}": Setting(0, 0, 4095) for k in range(8)}
    settings |= {f"ls{k}": Setting(3500, 0, 4095) for k in range(8)}
    settings |= {f"gs{k}": Setting(800, 0, 1023) for k in range(5)}
    settings |= {f"mic{k}": Setting(100, 0, 4095) for k in range(4)}
    settings |= {f"accelerometer.{axis}": Setting(0 if axis != "z" else 1, -2, 2) for axis in "xyz"}
    settings |= {f"gyro.{axis}": Setting(0, -32768, 32767) for axis in "xyz"}
    settings |= {"tof": Setting(2000, 0, 8190), "battery": Setting(3300, 0, 4095)}
    return settings | {
        "selector": Setting(3, 0, 15),
        "button": Setting(0, 0, 1),
        "temperature": Setting(25, -40, 85),
    }


class Emulator(EmulatedRobot):
    """An e-puck."""

    def __init__(self, version: int = 2, cliffs: bool = True) -> None:
        """
        Args:
            version: version of SerCom: 1 or 2.
            cliffs: it has ground sensors with two additional cliff sensors.
        """
        super().__init__(_settings())
        self.version, self.cliffs = version, cliffs
        self.drive = Drive(RADIUS, TRACK)
        self.speeds = [0, 0]
        """Speeds as set, in steps per second."""
        self._offsets = [0, 0]
        self.leds = [0] * LEDS
        self.colors = [(0, 0, 0)] * 4
        """Colors of LEDs 1, 3, 5 and 7, in percent."""
        self.room = ROOM
        """Bytes for the pixels of a picture."""
        self.array = SensorArray(SENSOR_WIDTH, SENSOR_HEIGHT)
        """What the camera sees."""
        self.set_camera(*LEAST, FIRST_ZOOM)
        self._program = self._main()
        next(self._program)

    def show(self, pictures: Path) -> None:
        """Let the camera see a picture, or those of a folder one after the other."""
        self.array.show(pictures)

    def greeting(self) -> bytes:
        """Return the welcome message of the firmware."""
        return WELCOME.encode()

    def receive(self, data: bytes) -> bytes:
        """Process bytes of any commands."""
        return b"".join(self._program.send(byte) for byte in data)

    def pass_time(self, seconds: float) -> bytes:
        """The wheels turn."""
        super().pass_time(seconds)
        self.drive.pass_time(seconds)
        return b""

    def state(self) -> dict[str, float]:
        """Return wheels, pose and LEDs."""
        return {**self.drive.state(), **{f"led{k}": float(led) for k, led in enumerate(self.leds)}}

    # The state machine: each `yield` returns an answer and waits for the next byte.

    def _main(self) -> Bytes:
        answer = b""
        while True:
            byte = yield answer
            answer = b""
            if byte >= 0x80:
                answer = yield from self._binary_list(byte)
            elif byte > 0:
                answer = yield from self._line(byte)

    def _binary_list(self, byte: int) -> Generator[bytes, int, bytes]:
        answer = b""
        while byte:
            code = 256 - byte
            command = BINARY.get(code)
            if command is not None:
                size, act = command
                arguments = bytearray()
                for _ in range(size):
                    arguments.append((yield b""))
                answer += act(self, bytes(arguments))
            byte = yield b""
        return answer

    def _line(self, byte: int) -> Generator[bytes, int, bytes]:
        while byte in b"\r\n":
            byte = yield b""
        line = bytearray()
        while byte not in b"\r\n":
            if len(line) < LONGEST_LINE:
                line.append(byte)
            byte = yield b""
        return self._run_line(line.decode("latin-1"))

    def _run_line(self, line: str) -> bytes:
        letter = line[0] if line[0] in "bg" else line[0].upper()
        numbers = [int(number) for number in re.findall(r",(-?\d{1,6})", line)]
        command = ASCII.get(letter)
        return (command(self, numbers) if command else "z,Command not found\r\n").encode()

    # Effects of commands.

    def set_speeds(self, left: int, right: int) -> None:
        """Turn the wheels, in steps per second."""
        self.speeds = [left, right]
        most = FASTEST[self.version]
        self.drive.speeds = [max(-most, min(most, speed)) * RADIANS_PER_STEP for speed in (left, right)]

    def set_led(self, led: int, state: int) -> None:
        """Set an LED: 0 off, 1 on, 2 toggle."""
        if 0 <= led < LEDS:
            self.leds[led] = 1 - self.leds[led] if state == TOGGLE else int(state != 0)

    def steps(self) -> list[int]:
        """Return the 16-bit counters of the wheels."""
        turned = [round(angle / RADIANS_PER_STEP) for angle in self.drive.angles]
        return [_short(a + b) for a, b in zip(turned, self._offsets, strict=True)]

    def set_steps(self, left: int, right: int) -> None:
        """Set the counters."""
        self._offsets = [0, 0]
        now = self.steps()
        self._offsets = [left - now[0], right - now[1]]

    def acceleration(self) -> list[int]:
        """Raw numbers."""
        zero, scale = (2000, 800) if self.version == 1 else (2048, 768)
        return [round(zero + scale * self.values[f"accelerometer.{axis}"]) for axis in "xyz"]

    def set_camera(
        self, mode: int, width: int, height: int, zoom: int, left: int = -1, top: int = -1
    ) -> None:
        """Set what the camera sends; -1 for `left` and `top` means the middle of the sensor."""
        if not 0 < width * height * (1 if mode == GREY else 2) <= self.room or width < 0:
            mode, width, height = LEAST
        self.camera = (mode, width, height, zoom)
        zoom = max(1, min(zoom, MOST_ZOOM[self.version]))
        middle = ((SENSOR_WIDTH - width * zoom) // 2, (SENSOR_HEIGHT - height * zoom) // 2)
        corner = tuple(
            own if offset == -1 else offset for offset, own in zip((left, top), middle, strict=True)
        )
        self._region = (corner[0], corner[1], width, height, zoom)

    def picture(self) -> bytes:
        """Return mode, width, height and pixels."""
        mode, width, height, _ = self.camera
        seen = self.array.take(self.time, *self._region)
        pixels = seen.convert("L").tobytes() if mode == GREY else rgb565(seen)
        return bytes([mode & 0xFF, width & 0xFF, height & 0xFF]) + pixels

    def many(self, name: str, count: int) -> list[int]:
        """Return values of numbered sensors."""
        return [self.read(f"{name}{k}") for k in range(count)]


def _short(value: int) -> int:
    return (value + 0x8000) % 0x10000 - 0x8000


def _shorts(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}H", *(number & 0xFFFF for number in values))


def _answer(values: Callable[[Emulator], list[int]]) -> tuple[int, Callable[[Emulator, bytes], bytes]]:
    """A binary question."""
    return 0, lambda robot, _: _shorts(values(robot))


def _do(size: int, act: Callable[[Emulator, bytes], None]) -> tuple[int, Callable[[Emulator, bytes], bytes]]:
    """Return a binary command without an answer."""

    def run(robot: Emulator, arguments: bytes) -> bytes:
        act(robot, arguments)
        return b""

    return size, run


def _all_actuators(robot: Emulator, data: bytes) -> None:
    """Flags, speeds, LEDs, colors, sound."""
    flags, left, right, bits = struct.unpack("<BhhB", data[:6])
    if flags & 4:
        robot.set_steps(left, right)
    else:
        robot.set_speeds(left, right)
    order = (0, 2, 4, 6, 8, 9)
    for k, led in enumerate(order):
        robot.set_led(led, bits >> k & 1)
    _colors(robot, data[6:18])


def _colors(robot: Emulator, data: bytes) -> None:
    robot.colors = [(data[k], data[k + 1], data[k + 2]) for k in range(0, 12, 3)]


def _gyro(robot: Emulator) -> list[int]:
    return [robot.read(f"gyro.{axis}") for axis in "xyz"]


BINARY: dict[int, tuple[int, Callable[[Emulator, bytes], bytes]]] = {
    ord("a"): _answer(Emulator.acceleration),
    ord("b"): _answer(lambda robot: [robot.read("battery")]),
    ord("D"): _do(4, lambda robot, data: robot.set_speeds(*struct.unpack("<hh", data))),
    ord("E"): _answer(lambda robot: robot.speeds),
    ord("g"): _answer(_gyro),
    ord(CAMERA_CODE): (0, lambda robot, _: robot.picture()),
    ord("L"): _do(2, lambda robot, data: robot.set_led(*data)),
    ord("M"): _answer(lambda robot: robot.many("gs", 4 if robot.cliffs else 3)),
    ord("N"): _answer(lambda robot: robot.many("ps", 8)),
    ord("O"): _answer(lambda robot: robot.many("ls", 8)),
    ord("P"): _do(4, lambda robot, data: robot.set_steps(*struct.unpack("<hh", data))),
    ord("Q"): _answer(Emulator.steps),
    ord("t"): (0, lambda robot, _: bytes([robot.read("temperature") & 0xFF])),
    ord("u"): _answer(lambda robot: robot.many("mic", 3)),
    ord("W"): _do(3, lambda robot, data: None),  # a register of a sensor
    ord("w"): _do(35, lambda robot, data: None),  # the panel of LEDs, which this robot does not have
    0x09: _do(19, _all_actuators),
    0x0A: _do(12, _colors),
    0x0B: (0, lambda robot, _: bytes([robot.read("button")])),
    0x0C: _answer(lambda robot: robot.many("mic", 4)),
    0x0D: _answer(lambda robot: [robot.read("tof")]),
    0x0E: (0, lambda robot, _: bytes(1)),
}
"""Bytes that follow, and the function, by letter. Others are ignored, as in the firmware."""


def _joined(letter: str, values: list[int]) -> str:
    return ",".join([letter, *map(str, values)]) + "\r\n"


def _told(letter: str, values: Callable[[Emulator], list[int]]) -> Callable[[Emulator, list[int]], str]:
    """A question in ASCII."""
    return lambda robot, _: _joined(letter, values(robot))


def _done(letter: str, size: int, act: Callable[..., None]) -> Callable[[Emulator, list[int]], str]:
    """Return an ASCII command; with too few arguments it has no effect, but the same answer."""

    def run(robot: Emulator, numbers: list[int]) -> str:
        if len(numbers) >= size:
            act(robot, *numbers[:size])
        return f"{letter}\r\n"

    return run


def _led(robot: Emulator, led: int, state: int) -> None:
    for index in range(ALL_LEDS) if led == ALL_LEDS else (led,):
        robot.set_led(index, state)


def _stop(robot: Emulator) -> None:
    robot.set_speeds(0, 0)
    robot.leds = [0] * LEDS
    robot.colors = [(0, 0, 0)] * 4


def _camera(robot: Emulator) -> str:
    """Mode, width, height, zoom, and bytes of the pixels."""
    mode, width, height, _ = robot.camera
    return _joined("i", [*robot.camera, width * height * (1 if mode == GREY else 2)])


def _set_camera(robot: Emulator, numbers: list[int]) -> str:
    """Mode, width, height, zoom, and the first column and row of the sensor, which may be missing."""
    if len(numbers) >= len(robot.camera):
        robot.set_camera(*numbers[:6])
    return "j\r\n"


def _battery(robot: Emulator, _: list[int]) -> str:
    count = robot.read("battery")
    percent = 100 * (count / 819.2 - 3.4) / 0.8
    return f"b,{count} ({max(0, min(100, round(percent)))}%)\r\n"


ASCII: dict[str, Callable[[Emulator, list[int]], str]] = {
    "A": _told("a", Emulator.acceleration),
    "b": _battery,
    "B": _done("b", 1, lambda robot, state: robot.set_led(8, state)),
    "C": _told("c", lambda robot: [robot.read("selector")]),
    "D": _done("d", 2, Emulator.set_speeds),
    "E": _told("e", lambda robot: robot.speeds),
    "F": _done("f", 1, lambda robot, state: robot.set_led(9, state)),
    "g": _told("g", _gyro),
    "H": lambda robot, _: "".join(f'"{letter}"\r\n' for letter in ASCII),
    "I": lambda robot, _: _camera(robot),
    "J": lambda robot, numbers: _set_camera(robot, numbers),
    "L": _done("l", 2, _led),
    "M": _told("m", lambda robot: robot.many("gs", 5 if robot.cliffs else 3)),
    "N": _told("n", lambda robot: robot.many("ps", 8)),
    "O": _told("o", lambda robot: robot.many("ls", 8)),
    "P": _done("p", 2, Emulator.set_steps),
    "Q": _told("q", Emulator.steps),
    "S": _done("s", 0, _stop),
    "T": _done("t", 1, lambda robot, sound: None),
    "U": _told("u", lambda robot: robot.many("mic", 3)),
    "V": lambda robot, _: f"v,{VERSIONS[robot.version]}\r\nHW version: 0\r\n",
}
