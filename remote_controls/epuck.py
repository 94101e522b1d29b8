"""Drive an e-puck or e-puck2 that uses SerCom, over Bluetooth's serial port, USB or TCP.

    wb_robot_set_mode(WB_MODE_REMOTE_CONTROL, "serial:///dev/rfcomm0")

Devices have the names of Webots' models. Each step sends one packet with the speeds, changes, and queries for
the sensors that are due (see `wbridge.remote_controls.protocols.sercom_line`).
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from typing import Any

from wbridge.hal.link.errors import ConnectionLost, Refused
from wbridge.remote_controls.common.byte_stream_plugin import ByteStreamPlugin
from wbridge.remote_controls.common.sampling import SamplingSchedule, WrappingCounter
from wbridge.remote_controls.common.wire import Wire
from wbridge.remote_controls.protocols.sercom import (
    BODY_LED,
    CAMERA,
    FRONT_LED,
    RADIANS_PER_STEP,
    VERSIONS,
    binary,
)
from wbridge.remote_controls.protocols.sercom_camera import CameraSetup, bgra, setups
from wbridge.remote_controls.protocols.sercom_line import FENCE, Answer, SercomLine, fenced_speeds

MOTORS = ("left wheel motor", "right wheel motor")
SENSORS: dict[str, tuple[str, int]] = {
    **{f"ps{k}": ("proximity", k) for k in range(8)},
    **{f"ls{k}": ("light", k) for k in range(8)},
    **{f"gs{k}": ("ground", k) for k in range(3)},
    **{f"mic{k}": ("microphones", k) for k in range(3)},
    "mic3": ("microphones4", 3),
    "left wheel sensor": ("steps", 0),
    "right wheel sensor": ("steps", 1),
    "accelerometer": ("acceleration", 0),
    "gyro": ("gyro", 0),
    "tof": ("distance", 0),
}
"""The reading and the index in it, by device name."""
LEDS = {**{f"led{k}": k for k in range(8)}, "led8": BODY_LED, "led9": FRONT_LED}
COLORED = (1, 3, 5, 7)
"""LEDs of the e-puck2 with settable color."""
FULL = 100
"""Brightness of a colored LED, in percent."""
ONLY_EXTRAS = ("microphones4", "distance", "battery")
GRAVITY = 9.81
LOWEST, HIGHEST = 3.4, 4.2
"""Voltages of an empty and of a full battery."""
COUNTS_PER_VOLT = 4096 * 0.6 / 3.0
"""ADC counts per volt of the e-puck2's battery."""
LIGHTS_AGAIN = 1.0
"""Interval at which all LEDs are set again, in s: nothing tells whether they were set as they should."""
FASTER = 1.5
"""Counters that have grown this many times faster than the wheels can turn were set by somebody."""
SLACK = 0.05
"""Time by which a reading may be older or newer than it seems, in s."""
INFINITY = float("inf")


class Plugin(ByteStreamPlugin):
    """The SerCom protocol as a remote-control plugin."""

    NAME = "epuck"

    def prepare(self) -> None:
        """Classify the robot's devices."""
        self._sensors: dict[int, tuple[str, int]] = {}
        self._leds: dict[int, int] = {}
        self._motors: dict[int, int] = {}
        self._camera, self._setup = 0, CameraSetup(1, 1, 1)
        unknown = []
        for tag in range(1, self.robot.number_of_devices + 1):
            name = self.robot.device_name(tag)
            if name in SENSORS:
                self._sensors[tag] = SENSORS[name]
            elif name in LEDS:
                self._leds[tag] = LEDS[name]
            elif name in MOTORS:
                self._motors[tag] = MOTORS.index(name)
            elif self.robot.device_type(tag) == "Camera" and not self._camera:
                self._camera, self._sensors[tag] = tag, (CAMERA, 0)
            else:
                unknown.append(name)
        if not self._motors:
            raise Refused(f'the robot "{self.robot.name}" has no motor named "{MOTORS[0]}" or "{MOTORS[1]}"')
        self._unknown = unknown
        self._schedule = SamplingSchedule()
        self._battery_on = False
        self._turning = [False, False]
        self._velocities = [0.0, 0.0]
        self._lights: dict[int, int] = {}
        self._counters = (WrappingCounter(), WrappingCounter())
        self._version = next(iter(VERSIONS.values()))
        self._wanted: set[str] = set()
        self._forget()

    def _forget(self) -> None:
        """Clear the knowledge about the robot's state."""
        self._sent_lights: dict[int, int] = {}
        self._lights_at = 0.0

    # Commands of the controller.

    def set_sampling_period(self, tag: int, period: int) -> None:
        """Sample a sensor every `period` ms; 0 stops sampling."""
        if tag in self._sensors:
            self._schedule.sample(tag, period)

    def robot_battery_set_sampling_period(self, period: int) -> None:
        """Sample the battery every `period` ms; 0 stops sampling."""
        self._schedule.sample(0, period)

    def motor_set_position(self, tag: int, position: float) -> None:
        """Turn with the velocity if the position is infinite. Other positions are not supported: the wheel
        stops."""
        if tag in self._motors:
            self._turning[self._motors[tag]] = position in (INFINITY, -INFINITY)
            if not self._turning[self._motors[tag]]:
                self.say(
                    "the wheels support velocity control only: call setPosition(float('inf')) first", True
                )

    def motor_set_velocity(self, tag: int, velocity: float) -> None:
        """Turn a wheel at a velocity in rad/s."""
        if tag in self._motors:
            self._velocities[self._motors[tag]] = velocity

    def led_set(self, tag: int, value: int) -> None:
        """Set an LED: 0 off, 1 on; colors (0xRRGGBB) on an e-puck2's LEDs 1, 3, 5 and 7."""
        if tag in self._leds:
            self._lights[self._leds[tag]] = value

    def custom_function(self, arg: object) -> Any:
        """Return the type of the robot: "e-puck" or "e-puck2"."""
        return self._version.name

    # Commands to the robot.

    def speeds(self) -> tuple[int, int]:
        """Return the target speeds of the wheels, in steps per second."""
        if self.is_latched:
            return 0, 0
        most = self._version.max_speed
        left, right = (
            round(velocity / RADIANS_PER_STEP) if turning else 0
            for velocity, turning in zip(self._velocities, self._turning, strict=True)
        )
        if max(abs(left), abs(right)) > most:
            limit = most * RADIANS_PER_STEP
            self.say(f"the maximum wheel speed of the {self._version.name} is {limit:.2f} rad/s", True)
        return max(-most, min(most, left)), max(-most, min(most, right))

    def halt(self) -> bytes:
        """Both wheels stop. Sent twice, in case that a byte is damaged."""
        self._forget()
        return 2 * fenced_speeds((0, 0))

    def _changes(self, now: float) -> bytes:
        """Return commands for the LEDs that differ from the target, or for all if that is due."""
        out = b""
        if now >= self._lights_at:
            self._lights_at = now + LIGHTS_AGAIN
            self._sent_lights = {}
        lights = {led: self._lights.get(led, 0) for led in self._leds.values()} if self._lights else {}
        changed = {led: value for led, value in lights.items() if value != self._sent_lights.get(led)}
        self._sent_lights.update(changed)
        colored = COLORED if self._version.extras else ()
        out += b"".join(
            binary("L") + bytes([led, value != 0]) for led, value in changed.items() if led not in colored
        )
        if any(led in colored for led in changed):
            out += binary(0x0A) + self._colors()
        return out

    def _colors(self) -> bytes:
        """Return the colors of all colored LEDs."""
        return bytes(level for led in COLORED for level in _color(self._lights.get(led, 0)))

    # The serial line.

    def greet(self, wire: Wire, end: float) -> None:
        """Stop the robot and query its version."""
        wire.send(FENCE + b"S\r")
        known = b"|".join(re.escape(start.encode()) for start in VERSIONS)
        try:
            answer = wire.ask(FENCE + b"V\r", _line(rb"v,(" + known + rb")[^\r]*\r\n"), end)
        except ConnectionLost:
            raise ConnectionLost(
                "no e-puck with SerCom 1 or 2 answers: is it switched on, its selector at 3 (Bluetooth) "
                "or 8 (USB), and does its firmware support SerCom?"
            ) from None
        wire.ask(FENCE + b"S\r", _line(rb"s\r\n"), end)
        grounds = wire.ask(FENCE + b"M\r", _line(rb"m,([-\d,]+)\r\n"), end).count(b",") + 1
        if self._camera:
            self._setup = self._set_up_camera(wire, end)
        self._version, self._wanted = VERSIONS[answer.decode()], set()
        self._line = SercomLine(grounds, self.damage, self._setup if self._camera else None)
        self._line.begin(wire)
        for counter in self._counters:
            counter.break_off()
        self._counted_at = wire.clock()
        self._forget()
        self._tell_what_is_missing()

    def _set_up_camera(self, wire: Wire, end: float) -> CameraSetup:
        """Set the camera's size; return what the robot has made of it."""
        width, height = self.robot.camera_size(self._camera)
        for setup in setups(width, height):
            wire.ask(FENCE + setup.command, _line(rb"j\r\n"), end)
            if wire.ask(FENCE + b"I\r", _line(rb"i,([-\d,]+)\r\n"), end).startswith(setup.state):
                break
        return setup

    def _tell_what_is_missing(self) -> None:
        missing = [*self._unknown]
        if not self._version.extras:
            missing += [
                self.robot.device_name(tag) for tag, (name, _) in self._sensors.items() if name in ONLY_EXTRAS
            ]
        if missing:
            self.say(
                f"on the {self._version.name} the following devices have no effect: {', '.join(missing)}",
                True,
            )

    def exchange(self, wire: Wire, period: int, end: float) -> None:
        """Send one packet, or two with a picture, and receive the answers."""
        due = self._schedule.pass_time(period)
        self._wanted |= {self._sensors[tag][0] if tag else "battery" for tag in due}
        self._wanted -= set() if self._version.extras else set(ONLY_EXTRAS)
        self._line.speeds = self.speeds()
        if not self._line.idle:
            self._line.insist(wire)  # a late or damaged answer must not delay a command
        # Two packets: the robot's buffer has no room for a picture and twice the other readings.
        packets = [sorted(self._wanted - {CAMERA})] + [[CAMERA]] * (CAMERA in self._wanted)
        while wire.clock() < end:
            if self._line.idle and not packets:
                return
            if self._line.idle:
                self._line.ask(wire, self._changes(wire.clock()), packets.pop(0))
            self._take(wire, wire.read(min(end, self._line.until)))

    def _take(self, wire: Wire, data: bytes) -> None:
        was_open = self._line.open
        answer = self._line.take(wire, data)
        if not self._line.open:
            self._forget()
        if answer is not None or self._line.open and not was_open:
            self.heard()
        if answer is not None:
            self._wanted -= {*answer.numbers, *([CAMERA] if answer.picture else [])}
            self._inject(answer, wire.clock())

    def _inject(self, answer: Answer, now: float) -> None:
        """Inject the received readings for the controller."""
        numbers = answer.numbers
        if "steps" in numbers:
            self._count(numbers["steps"], now)
        for tag, (reading, place) in self._sensors.items():
            if reading in numbers and tag in self._schedule:
                channel, convert = CHANNELS.get(reading, ("value", Plugin._number))
                self.robot.inject(tag, channel, convert(self, numbers[reading], place))
        if "battery" in numbers:
            self._inject_battery(numbers["battery"][0])
        if answer.picture and self._camera in self._schedule:
            self._show(answer.picture)

    def _show(self, answer: bytes) -> None:
        """Show a picture in the size of the controller's camera."""
        sent, size = self._setup[:2], self.robot.camera_size(self._camera)
        self.robot.camera_set_image(self._camera, bgra(self._setup, answer, *size))
        if sent != size:
            name, sizes = (
                self.robot.device_name(self._camera),
                [" x ".join(map(str, shape)) for shape in (sent, size)],
            )
            self.say(
                f'the robot sends pictures of {sizes[0]} pixels; "{name}" shows them as {sizes[1]}', True
            )

    def _number(self, numbers: tuple[int, ...], place: int) -> float:
        return float(numbers[place])

    def _acceleration(self, numbers: tuple[int, ...], place: int) -> tuple[float, ...]:
        """Return the acceleration in m/s^2; the model's x axis points the other way."""
        zero, scale = self._version.acceleration_zero, self._version.acceleration_scale
        x, y, z = ((count - zero) * GRAVITY / scale for count in numbers)
        return -x, y, z

    def _turn_rate(self, numbers: tuple[int, ...], place: int) -> tuple[float, ...]:
        """In rad/s."""
        return tuple(math.radians(count / self._version.gyro_scale) for count in numbers)

    def _count(self, steps: tuple[int, ...], now: float) -> None:
        """Let the counters follow those of the robot, unless these cannot have grown so fast."""
        most = FASTER * self._version.max_speed * (now - self._counted_at + SLACK)
        self._counted_at = now
        for counter, count in zip(self._counters, steps, strict=True):
            if not counter.take(count, most):
                self.damage.drop()

    def _angle(self, numbers: tuple[int, ...], place: int) -> float:
        """Return the angle of a wheel, in rad since the start."""
        return self._counters[place].total * RADIANS_PER_STEP

    def _samples(self, numbers: tuple[int, ...], place: int) -> bytes:
        """Return the loudness as one 16-bit sample."""
        return struct.pack("<h", numbers[place])

    def _inject_battery(self, count: int) -> None:
        """Inject the remaining energy, as a share of the maximum in the field `battery`."""
        table = self.robot.table
        battery = table.robot.constants.get("battery") if table is not None else None
        if isinstance(battery, list) and len(battery) > 1:
            part = (count / COUNTS_PER_VOLT - LOWEST) / (HIGHEST - LOWEST)
            self.robot.robot_battery_sensor_set_value(max(0.0, min(1.0, part)) * float(battery[1]))

    def leave(self, wire: Wire) -> None:
        """Switch off the LEDs."""
        wire.send(FENCE + b"S\r")


CHANNELS: dict[str, tuple[str, Callable[[Plugin, tuple[int, ...], int], object]]] = {
    "acceleration": ("acceleration", Plugin._acceleration),
    "gyro": ("angularVelocity", Plugin._turn_rate),
    "steps": ("position", Plugin._angle),
    "microphones": ("samples", Plugin._samples),
    "microphones4": ("samples", Plugin._samples),
}
"""Channel of the device table and conversion, by reading; others are plain numbers."""


def _line(pattern: bytes) -> Callable[[bytes], bytes | None]:
    """Return a function that finds a line of ASCII and returns its group, else all of it."""
    compiled = re.compile(pattern)

    def find(heard: bytes) -> bytes | None:
        answer = compiled.search(heard)
        return answer[answer.lastindex or 0] if answer else None

    return find


def _color(value: int) -> tuple[int, int, int]:
    """Return red, green and blue in percent; 1 is full red, as on robots with LEDs of one color."""
    if value <= 1:
        return (FULL * max(value, 0), 0, 0)
    red, green, blue = (round((value >> shift & 0xFF) * FULL / 255) for shift in (16, 8, 0))
    return red, green, blue
