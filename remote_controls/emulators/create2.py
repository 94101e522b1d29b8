"""An iRobot Create 2 that speaks the Open Interface.

As in the robot, commands have no checksum and no time-out: an incomplete command waits for its bytes forever.
The robot has four modes; wheels and LEDs work in safe and full mode; a cliff or a dropped wheel ends safe
mode.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Generator

from wbridge.remote_controls.emulators.base import EmulatedRobot, Setting
from wbridge.remote_controls.emulators.drive import Drive
from wbridge.remote_controls.protocols.open_interface import (
    ARGUMENTS,
    GROUPS,
    MAX_SPEED,
    PACKETS,
    RADIANS_PER_TICK,
    RADIUS,
    STREAM_PERIOD,
    TRACK,
    InterfaceMode,
    Opcode,
    stream_frame,
)

STRAIGHT = (0x7FFF, -0x8000)
SONGS, NOTES = 4, 16
"""Number of songs, and maximum notes per song."""
DROPS = ("wheel_drop_left", "wheel_drop_right")
CLIFFS = ("cliff_left", "cliff_front_left", "cliff_front_right", "cliff_right")
LIGHTS = ("left", "front_left", "center_left", "center_right", "front_right", "right")
FULL_PWM = 255
DRIVEN = (InterfaceMode.SAFE, InterfaceMode.FULL)
CLEANING_SPEED = 200
"""In mm/s."""
STREAM_ROOM = int(STREAM_PERIOD * 11520) - 3
"""Bytes that 115200 baud transfer in a period, minus those around the packets."""
BOOT = b"bl-start\r\nSTR730\r\nbootloader id: #x47186549 82ECCFFF\r\n2007-05-14-1715-L   \r"


def _settings() -> dict[str, Setting]:
    switches = ("bumper_left", "bumper_right", *DROPS, *CLIFFS, "wall", "virtual_wall", "home_base")
    settings = {name: Setting(0, 0, 1) for name in switches}
    settings |= {f"{name}_signal": Setting(2800, 0, 4095) for name in CLIFFS}
    settings |= {"wall_signal": Setting(0, 0, 1023)}
    settings |= {f"light_bumper_{name}": Setting(0, 0, 4095) for name in LIGHTS}
    settings |= {"voltage": Setting(15000, 0, 65535), "current": Setting(-250, -32768, 32767)}
    settings |= {"charge": Setting(2000, 0, 65535), "capacity": Setting(2696, 0, 65535)}
    return settings | {
        "temperature": Setting(25, -128, 127),
        "buttons": Setting(0, 0, 255),
        "ir": Setting(0, 0, 255),
    }


class Emulator(EmulatedRobot):
    """A Create 2."""

    BAUD = 115200

    def __init__(self) -> None:
        super().__init__(_settings())
        self.drive = Drive(RADIUS, TRACK)
        self.mode = InterfaceMode.OFF
        self.asked = [0, 0]
        """Requested velocities of the left and the right wheel, in mm/s."""
        self.leds = (0, 0, 0)
        """Bits, color and brightness of the power LED."""
        self.digits = "    "
        self.songs: dict[int, bytes] = {}
        self.played: list[int] = []
        self._velocity, self._radius = 0, 0
        self._stream: tuple[int, ...] = ()
        self._streaming = False
        self._next_frame = 0.0
        self._way = self._turned = 0.0
        self._program = self._main()
        next(self._program)

    def receive(self, data: bytes) -> bytes:
        """Process bytes of any commands."""
        return b"".join(self._program.send(byte) for byte in data)

    def pass_time(self, seconds: float) -> bytes:
        """Move the wheels and send the stream."""
        super().pass_time(seconds)
        self.drive.pass_time(seconds)
        left, right = (1000 * RADIUS * speed * seconds for speed in self.drive.speeds)
        self._way += (left + right) / 2
        self._turned += math.degrees((right - left) / (1000 * TRACK))
        self._watch()
        if not self._streaming or self.mode == InterfaceMode.OFF or self.time < self._next_frame:
            return b""
        self._next_frame = max(self._next_frame + STREAM_PERIOD, self.time)
        return stream_frame(self._stream_body())

    def state(self) -> dict[str, float]:
        """Return wheels, pose, mode and LEDs."""
        bits, color, brightness = self.leds
        lights = {"leds": bits, "color": color, "brightness": brightness}
        return {**self.drive.state(), "mode": float(self.mode), **{k: float(v) for k, v in lights.items()}}

    def set(self, name: str, value: float) -> None:
        """Set the value seen by a sensor; cliffs and dropped wheels end safe mode at once."""
        super().set(name, value)
        self._watch()

    def _watch(self) -> None:
        """End safe mode in unsafe conditions: wheels dropped, or at a cliff and not backing off."""
        forward = sum(self.asked) > 0
        unsafe = any(self.read(sensor) for sensor in DROPS) or (
            forward and any(self.read(sensor) for sensor in CLIFFS)
        )
        if self.mode == InterfaceMode.SAFE and (unsafe or self.read("home_base")):
            self._enter(InterfaceMode.PASSIVE)

    # The state machine: each `yield` returns an answer and waits for the next byte.

    def _main(self) -> Generator[bytes, int, None]:
        answer = b""
        while True:
            opcode = yield answer
            answer = b""
            if opcode in (Opcode.STREAM, Opcode.QUERY):
                count = yield b""
                size = count
            elif opcode == Opcode.SONG:
                number = yield b""
                count = yield b""
                size = 2 * count
            else:
                count, number, size = 0, 0, ARGUMENTS.get(opcode, -1)
            if size < 0:
                continue  # unknown opcodes have no effect
            arguments = bytearray()
            for _ in range(size):
                arguments.append((yield b""))
            if opcode == Opcode.SONG:
                arguments.insert(0, number)
            answer = self._run(opcode, bytes(arguments))

    def _run(self, opcode: int, data: bytes) -> bytes:
        if self.mode == InterfaceMode.OFF and opcode not in (Opcode.START, Opcode.RESET):
            return b""
        if opcode in NEED_CONTROL and self.mode not in (InterfaceMode.SAFE, InterfaceMode.FULL):
            return b""
        act = COMMANDS.get(opcode)
        return (act(self, data) if act is not None else None) or b""

    # Effects of commands.

    def _enter(self, mode: int) -> None:
        """Change the mode; the wheels stop if the computer may no longer drive, or may again."""
        was_driven, self.mode = self.mode in DRIVEN, mode
        if mode not in DRIVEN or not was_driven:
            self.turn(0, 0)
        if mode == InterfaceMode.OFF:
            self._streaming = False

    def turn(self, left: int, right: int) -> None:
        """Turn the wheels, in mm/s."""
        self.asked = [max(-MAX_SPEED, min(MAX_SPEED, speed)) for speed in (left, right)]
        self.drive.speeds = [speed / 1000 / RADIUS for speed in self.asked]
        self._watch()

    def drive_arc(self, velocity: int, radius: int) -> None:
        """Drive along an arc, velocity in mm/s and radius in mm to the left."""
        self._velocity, self._radius = velocity, radius
        if radius in STRAIGHT or radius == 0:
            self.turn(velocity, velocity)
        elif radius in (1, -1):
            self.turn(-radius * velocity, radius * velocity)
        else:
            half = 1000 * TRACK / 2
            self.turn(round(velocity * (radius - half) / radius), round(velocity * (radius + half) / radius))

    def clean(self) -> None:
        """Drive around by itself, in passive mode."""
        self._enter(InterfaceMode.PASSIVE)
        self.drive.speeds = [CLEANING_SPEED / 1000 / RADIUS] * 2

    def stream(self, packets: bytes) -> None:
        """Send these packets from now on."""
        self._stream = tuple(number for number in packets if number in PACKETS or number in GROUPS)
        self._streaming, self._next_frame = bool(self._stream), self.time + STREAM_PERIOD

    def pause(self, on: int) -> None:
        """0 stops the stream; 1 resumes it."""
        self._streaming = bool(on) and bool(self._stream)

    def reset(self) -> bytes:
        """Reset as after removing the battery."""
        self._enter(InterfaceMode.OFF)
        self.leds, self.songs = (0, 0, 0), {}
        return BOOT

    def _stream_body(self) -> bytes:
        """Return the packets of the stream that fit into its period."""
        body = b""
        for packet in self._stream:
            part = bytes([packet]) + self._group(packet)
            body += part if len(body) + len(part) <= STREAM_ROOM else b""
        return body

    # Sensor data.

    def packets(self, numbers: bytes) -> bytes:
        """Return the data of packets or groups."""
        return b"".join(self._group(number) for number in numbers)

    def _group(self, number: int) -> bytes:
        return b"".join(self._packet(group) for group in GROUPS.get(number, [number]) if group in PACKETS)

    def _packet(self, number: int) -> bytes:
        value = SENSORS[number](self) if number in SENSORS else 0
        form = ">" + PACKETS[number].form
        bits = 8 * struct.calcsize(form)
        value &= (1 << bits) - 1
        if form[1].islower() and value >> (bits - 1):
            value -= 1 << bits
        return struct.pack(form, value)

    def bits(self, *names: str) -> int:
        """Return switches as bits, the first one lowest."""
        return sum(self.read(name) << k for k, name in enumerate(names))

    def ticks(self, side: int) -> int:
        """Return the counter of a wheel."""
        return int(self.drive.angles[side] // RADIANS_PER_TICK)

    def take_distance(self) -> int:
        """Return the distance driven since the last call, in mm."""
        whole = int(self._way)
        self._way -= whole
        return whole

    def take_angle(self) -> int:
        """Return the angle turned since the last call, in degrees."""
        whole = int(self._turned)
        self._turned -= whole
        return whole


def _pwm(robot: Emulator, data: bytes) -> None:
    right, left = (speed * MAX_SPEED // FULL_PWM for speed in struct.unpack(">hh", data))
    robot.turn(left, right)


def _set_leds(robot: Emulator, data: bytes) -> None:
    robot.leds = (data[0], data[1], data[2])


def _digits(robot: Emulator, data: bytes) -> None:
    robot.digits = data.decode("latin-1")


def _song(robot: Emulator, data: bytes) -> None:
    robot.songs[data[0] % SONGS] = data[1 : 1 + 2 * NOTES]


def _direct(robot: Emulator, data: bytes) -> None:
    right, left = struct.unpack(">hh", data)
    robot.turn(left, right)


def _mode(mode: int) -> Callable[[Emulator, bytes], None]:
    return lambda robot, _: robot._enter(mode)


COMMANDS: dict[int, Callable[[Emulator, bytes], bytes | None]] = {
    Opcode.RESET: lambda robot, _: robot.reset(),
    Opcode.START: _mode(InterfaceMode.PASSIVE),
    Opcode.CONTROL: _mode(InterfaceMode.SAFE),
    Opcode.SAFE: _mode(InterfaceMode.SAFE),
    Opcode.FULL: _mode(InterfaceMode.FULL),
    Opcode.POWER: _mode(InterfaceMode.PASSIVE),
    **dict.fromkeys((Opcode.SPOT, Opcode.CLEAN, Opcode.MAX, Opcode.DOCK), lambda robot, _: robot.clean()),
    Opcode.STOP: _mode(InterfaceMode.OFF),
    Opcode.DRIVE: lambda robot, data: robot.drive_arc(*struct.unpack(">hh", data)),
    Opcode.DRIVE_DIRECT: _direct,
    Opcode.DRIVE_PWM: _pwm,
    Opcode.LEDS: _set_leds,
    Opcode.DIGITS: _digits,
    Opcode.SONG: _song,
    Opcode.PLAY: lambda robot, data: robot.played.append(data[0]),
    Opcode.SENSORS: lambda robot, data: robot.packets(data),
    Opcode.QUERY: lambda robot, data: robot.packets(data),
    Opcode.STREAM: lambda robot, data: robot.stream(data),
    Opcode.PAUSE: lambda robot, data: robot.pause(data[0]),
}
NEED_CONTROL = (Opcode.DRIVE, Opcode.DRIVE_DIRECT, Opcode.DRIVE_PWM, Opcode.LEDS, Opcode.DIGITS, Opcode.PLAY)
"""Commands that require safe or full mode."""


def _reads(name: str) -> Callable[[Emulator], int]:
    return lambda robot: robot.read(name)


SENSORS: dict[int, Callable[[Emulator], int]] = {
    7: lambda robot: robot.bits("bumper_right", "bumper_left", "wheel_drop_right", "wheel_drop_left"),
    8: _reads("wall"),
    **{9 + k: _reads(name) for k, name in enumerate(CLIFFS)},
    13: _reads("virtual_wall"),
    17: _reads("ir"),
    18: _reads("buttons"),
    19: Emulator.take_distance,
    20: Emulator.take_angle,
    22: _reads("voltage"),
    23: _reads("current"),
    24: _reads("temperature"),
    25: _reads("charge"),
    26: _reads("capacity"),
    27: _reads("wall_signal"),
    **{28 + k: _reads(f"{name}_signal") for k, name in enumerate(CLIFFS)},
    34: lambda robot: robot.read("home_base") << 1,
    35: lambda robot: robot.mode,
    38: lambda robot: len(robot._stream),
    39: lambda robot: robot._velocity,
    40: lambda robot: robot._radius,
    41: lambda robot: robot.asked[1],
    42: lambda robot: robot.asked[0],
    43: lambda robot: robot.ticks(0),
    44: lambda robot: robot.ticks(1),
    45: lambda robot: sum((robot.read(f"light_bumper_{name}") > 100) << k for k, name in enumerate(LIGHTS)),
    **{46 + k: _reads(f"light_bumper_{name}") for k, name in enumerate(LIGHTS)},
    58: lambda robot: int(any(robot.asked)),
}
"""By packet; missing ones are 0."""
