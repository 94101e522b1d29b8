"""Drive an iRobot Create 2, or a Roomba of the 600 series, over its serial port.

    wb_robot_set_mode(WB_MODE_REMOTE_CONTROL, "serial:///dev/ttyUSB0")

Devices have the names of Webots' model. The robot streams its sensors every 15 ms, with a checksum. Commands
have no checksum. Therefore each step sends the speeds again, after bytes that end an incomplete command, and
the stream returns the requested speeds and the mode: if they are wrong, they are set at once.
Option `full=1` drives without the robot's own safety functions; by default (mode `safe`) the robot stops by
itself at a cliff, on a charger and with a dropped wheel.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any

from wbridge.hal.link.errors import AddressError, ConnectionLost, Refused
from wbridge.remote_controls.common.byte_stream_plugin import ByteStreamPlugin
from wbridge.remote_controls.common.sampling import SamplingSchedule, WrappingCounter
from wbridge.remote_controls.common.wire import Wire
from wbridge.remote_controls.protocols.open_interface import (
    MAX_SPEED,
    RADIANS_PER_TICK,
    RADIUS,
    InterfaceMode,
    Opcode,
    StreamReader,
)

MOTORS = ("left wheel motor", "right wheel motor")
COUNTERS = {"left wheel sensor": 43, "right wheel sensor": 44}
BITS = {
    "bumper_right": (7, 0),
    "bumper_left": (7, 1),
    "wheel_drop_right": (7, 2),
    "wheel_drop_left": (7, 3),
}
"""Packet and bit, by the name of the TouchSensor."""
CLIFFS = {"cliff_left": 9, "cliff_front_left": 10, "cliff_front_right": 11, "cliff_right": 12}
"""Packet with the robot's decision; the signal's number is higher by 19."""
SIGNAL = 19
GROUND = 100.0
"""Minimum signal of a sensor that sees ground: Webots' controllers treat lower values as a cliff."""
LIGHTS = ("left", "front_left", "center_left", "center_right", "front_right", "right")
NUMBERS = {"wall_sensor": 27, **{f"light_bumper_{name}": 46 + k for k, name in enumerate(LIGHTS)}}
LEDS = {"led_debris": 1, "led_play": 2, "led_dock": 4, "led_step": 8}
"""Bits; the Create 2 has Play at Spot, and Step (Advance) at Check Robot."""
POWER_LED = "led_on"
BRIGHT = 255
BUMPS, VOLTAGE, CHARGE, CHARGERS, MODE, RIGHT, LEFT = 7, 22, 25, 34, 35, 41, 42
WHEELS_DROPPED = 0b1100
STREAMED = (7, 9, 10, 11, 12, 18, 22, 25, 27, 28, 29, 30, 31, 34, 35, 41, 42, 43, 44, 46, 47, 48, 49, 50, 51)
END = bytes(4)
"""Ends an incomplete command with up to four arguments; zeros are not opcodes."""
PADDING = bytes(514)
"""Ends any incomplete command of the robot, also a song of 255 notes."""
LATE = 0.02
"""Time (s) beyond the line's delay after which a robot that has not applied speeds waits for other bytes."""
LONGEST_DELAY = 0.3
"""Longest delay of a line, in s."""
FASTER = 1.5
"""Counters that grow this many times faster than the wheels can turn were set by somebody."""
SLACK = 0.05
"""Time (s) by which a frame may be older or newer than it seems."""
RECENT = 0.1
"""Time (s) after which a cliff or a dropped wheel in a frame no longer explains why the robot has stopped."""
SILENCE = 0.1
"""Time (s) without a frame after which the stream is requested again."""
INFINITY = float("inf")


class Plugin(ByteStreamPlugin):
    """The Open Interface as a remote-control plugin."""

    NAME = "create2"
    MORE_OPTIONS: Mapping[str, Callable[[str], object]] = {"full": int}

    def prepare(self) -> None:
        """Classify the robot's devices."""
        known = {*MOTORS, *COUNTERS, *BITS, *CLIFFS, *NUMBERS, *LEDS, POWER_LED}
        every = {tag: self.robot.device_name(tag) for tag in range(1, self.robot.number_of_devices + 1)}
        self._names = {tag: name for tag, name in every.items() if name in known}
        self._unknown = [name for name in every.values() if name not in known]
        if not set(MOTORS) & set(self._names.values()):
            raise Refused(f'the robot "{self.robot.name}" has no motor named "{MOTORS[0]}" or "{MOTORS[1]}"')
        self._schedule = SamplingSchedule()
        self._turning = dict.fromkeys(MOTORS, False)
        self._velocities = dict.fromkeys(MOTORS, 0.0)
        self._lights: dict[str, int] = {}
        self._counters = {name: WrappingCounter() for name in COUNTERS}
        self._frame: dict[int, int] = {}
        self._owed: set[int] = set()
        self._full = False
        self._sent_speeds: tuple[int, int] | None = None
        self._recent: list[tuple[int, int] | None] = []
        """Speeds that frames may still return: those sent since the last ones that a frame has confirmed."""
        self._delay, self._unsafe_at, self._counted_at = 0.0, 0.0, 0.0
        self._forget()

    def configure(self, options: Mapping[str, object]) -> None:
        """Take the mode."""
        full = options.get("full", 0)
        if full not in (0, 1):
            raise AddressError(f"full={full}: expected 0 or 1")
        self._full = bool(full)

    def _forget(self) -> None:
        """Clear the knowledge about the robot's state."""
        self._recent = [*self._recent, self._sent_speeds, (0, 0)]
        self._sent_speeds = None
        self._sent_lights: bytes | None = None
        self._sent_at = 0.0
        """When the speeds were sent first, or with `PADDING`."""
        self._unsafe_speeds: tuple[int, int] | None = None

    # Commands of the controller.

    def set_sampling_period(self, tag: int, period: int) -> None:
        """Sample a sensor every `period` ms; 0 stops sampling."""
        if tag in self._names:
            self._schedule.sample(tag, period)

    def robot_battery_set_sampling_period(self, period: int) -> None:
        """Sample the battery every `period` ms; 0 stops sampling."""
        self._schedule.sample(0, period)

    def motor_set_position(self, tag: int, position: float) -> None:
        """Turn with the velocity if the position is infinite. Other positions are not supported: the wheel
        stops."""
        name = self._names.get(tag)
        if name in MOTORS:
            self._turning[name] = position in (INFINITY, -INFINITY)
            if not self._turning[name]:
                self.say(
                    "the wheels support velocity control only: call setPosition(float('inf')) first", True
                )

    def motor_set_velocity(self, tag: int, velocity: float) -> None:
        """Turn a wheel at a velocity in rad/s."""
        name = self._names.get(tag)
        if name in MOTORS:
            self._velocities[name] = velocity

    def led_set(self, tag: int, value: int) -> None:
        """Set an LED: 0 off; the power LED ("led_on") is green for 1 to red for 255."""
        if tag in self._names:
            self._lights[self._names[tag]] = value

    def custom_function(self, arg: object) -> Any:
        """Return the latest frame of the stream: numbers by packet, as in the specification."""
        return dict(self._frame)

    # Commands to the robot.

    def speeds(self) -> tuple[int, int]:
        """Return the target speeds of the left and the right wheel, in mm/s."""
        if self.is_latched:
            return 0, 0
        wanted = [round(1000 * RADIUS * self._velocities[motor]) * self._turning[motor] for motor in MOTORS]
        if max(map(abs, wanted)) > MAX_SPEED:
            self.say(f"the maximum wheel speed of the robot is {MAX_SPEED / 1000 / RADIUS:.2f} rad/s", True)
        left, right = (max(-MAX_SPEED, min(MAX_SPEED, speed)) for speed in wanted)
        return left, right

    def halt(self) -> bytes:
        """Both wheels stop; sent again behind the end of any incomplete command."""
        self._forget()
        return END + _direct((0, 0)) + PADDING + _direct((0, 0))

    def _leds(self) -> bytes:
        bits = sum(bit for name, bit in LEDS.items() if self._lights.get(name))
        power = self._lights.get(POWER_LED, 0)
        color = max(0, min(BRIGHT, power - 1))
        return bytes([Opcode.LEDS, bits, color, BRIGHT if power else 0])

    def _changes(self, now: float) -> bytes:
        """Return commands for everything that differs from the target."""
        out = b""
        if (lights := self._leds()) != self._sent_lights:
            out += lights
            self._sent_lights = lights
        speeds = self.speeds()
        if speeds != self._sent_speeds:
            self._recent.append(self._sent_speeds)
            self._sent_speeds, self._sent_at = speeds, now
        return END + out + END + _direct(speeds)

    # The serial line.

    def greet(self, wire: Wire, end: float) -> None:
        """Take control, stop the robot, and start the stream."""
        self._reader = StreamReader(STREAMED)
        stream = bytes([Opcode.STREAM, len(STREAMED), *STREAMED])
        hello = PADDING + self._take_control() + _direct((0, 0)) + stream
        frames: list[dict[int, int]] = []

        def find(heard: bytes) -> bytes | None:
            frames[:] = StreamReader(STREAMED).feed(heard)
            return b"" if any(frame[MODE] >= InterfaceMode.SAFE for frame in frames) else None

        try:
            wire.ask(hello, find, end)
        except ConnectionLost:
            raise ConnectionLost(
                "the robot cannot be driven: it is on its charger, lifted or at a cliff"
                if frames
                else "no robot answers: is it switched on (press CLEAN) and the cable connected?"
            ) from None
        self._heard_at = wire.clock()
        self._delay, self._counted_at = 0.0, wire.clock()
        for counter in self._counters.values():
            counter.break_off()
        self._forget()
        if self._unknown:
            self.say(
                f"on the Create 2 the following devices have no effect: {', '.join(self._unknown)}", True
            )

    def _take_control(self) -> bytes:
        return bytes([Opcode.START, Opcode.FULL if self._full else Opcode.SAFE])

    def exchange(self, wire: Wire, period: int, end: float) -> None:
        """Send changes, receive the stream until the end of the step, inject the newest frame."""
        wire.send(self._changes(wire.clock()))
        fresh = False
        while (now := wire.clock()) < end:
            damaged = self._reader.damaged
            for frame in self._reader.feed(wire.read(end)):
                now = wire.clock()
                self._frame, self._heard_at, fresh = frame, now, True
                self.heard()
                self._count(frame, now)
                wire.send(self._mend(frame, now))
            if self._reader.damaged > damaged:
                self.damage.drop(self._reader.damaged - damaged)
            if now - self._heard_at > SILENCE:
                self._heard_at = now
                wire.send(PADDING + self._take_control() + bytes([Opcode.STREAM, len(STREAMED), *STREAMED]))
                self._forget()
        self._owed |= self._schedule.pass_time(period)
        if fresh:
            self._inject(self._owed)
            self._owed.clear()

    def _mend(self, frame: dict[int, int], now: float) -> bytes:
        """Return commands that correct the robot's state."""
        at_cliff = any(frame[packet] for packet in CLIFFS.values())
        if at_cliff or frame[BUMPS] & WHEELS_DROPPED or frame[CHARGERS]:
            self._unsafe_at = now
        if frame[MODE] < InterfaceMode.SAFE:
            return self._get_back_control(frame, now)
        self._unsafe_speeds = None
        if frame[MODE] == InterfaceMode.FULL and not self._full:
            self.damage.repair()
            return self._repair(self._take_control(), now)
        speeds = frame[LEFT], frame[RIGHT]
        if self._sent_speeds is None or speeds == self._sent_speeds:
            if self._recent:
                self._delay = min(LONGEST_DELAY, max(now - self._sent_at, 0.9 * self._delay))
            self._recent.clear()
            return b""
        if speeds not in self._recent:
            self.damage.repair()
            return self._repair(b"", now)
        return b"" if now - self._sent_at < LATE + self._delay else self._repair(b"", now)

    def _repair(self, commands: bytes, now: float) -> bytes:
        """Return commands and the speeds, behind the end of any incomplete command."""
        is_late = now - self._sent_at >= LATE
        self._sent_at = now if is_late else self._sent_at
        return (PADDING if is_late else END) + commands + _direct(self._sent_speeds or (0, 0))

    def _get_back_control(self, frame: dict[int, int], now: float) -> bytes:
        """Take control again after the robot has stopped by itself: when all wheels are on the ground and the
        controller has reacted, that is, has sent another command. Without a reason for a stop, the mode was
        changed by a damaged command, perhaps to cleaning: take control at once."""
        speeds = self.speeds()
        if self._unsafe_speeds is None and now - self._unsafe_at > RECENT:
            self.damage.repair()
            return self._repair(self._take_control(), now)
        if self._unsafe_speeds is None:
            self._unsafe_speeds = speeds
            self.say("the robot has stopped by itself: a cliff, a dropped wheel or a charger")
        if frame[BUMPS] & WHEELS_DROPPED or speeds == self._unsafe_speeds != (0, 0):
            return b""
        self._forget()
        self._unsafe_speeds = speeds
        return END + self._take_control()

    def _count(self, frame: dict[int, int], now: float) -> None:
        """Let the counters follow those of the robot, unless these cannot have grown so fast."""
        most = FASTER * MAX_SPEED / 1000 / RADIUS / RADIANS_PER_TICK * (now - self._counted_at + SLACK)
        self._counted_at = now
        for name, counter in self._counters.items():
            if not counter.take(frame[COUNTERS[name]], most):
                self.damage.drop()

    def leave(self, wire: Wire) -> None:
        """Switch off the LEDs, the stream and control."""
        wire.send(END + bytes([Opcode.LEDS, 0, 0, 0, Opcode.PAUSE, 0, Opcode.START]))

    # Readings for the controller.

    def _inject(self, due: set[int]) -> None:
        frame = self._frame
        for tag in due:
            name = self._names.get(tag, "")
            if name in BITS:
                packet, bit = BITS[name]
                self.robot.touch_sensor_set_value(tag, float(frame[packet] >> bit & 1))
            elif name in CLIFFS:
                self.robot.distance_sensor_set_value(tag, _ground(frame, CLIFFS[name]))
            elif name in NUMBERS:
                self.robot.distance_sensor_set_value(tag, float(frame[NUMBERS[name]]))
            elif name in COUNTERS:
                turned = self._counters[name].total * RADIANS_PER_TICK
                self.robot.position_sensor_set_value(tag, turned)
            elif tag == 0:
                coulombs = 3.6 * frame[CHARGE]
                self.robot.robot_battery_sensor_set_value(coulombs * frame[VOLTAGE] / 1000)


def _direct(speeds: tuple[int, int]) -> bytes:
    """Return the command that turns the left and the right wheel; the robot expects the right one first."""
    return struct.pack(">Bhh", Opcode.DRIVE_DIRECT, speeds[1], speeds[0])


def _ground(frame: dict[int, int], packet: int) -> float:
    """Return the signal of a cliff sensor; 0 if the robot itself detects a cliff."""
    return 0.0 if frame[packet] else max(float(frame[packet + SIGNAL]), GROUND)
