"""Servos on a serial line: registers with goals and with what the servo measures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from wbridge.wbfirmware.bench import PinState
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import (
    ActuatorCoupling,
    BoardNumbers,
    Commands,
    SensorCoupling,
    SerialPart,
    Values,
)
from wbridge.wbverify.coupling.recent import Recent
from wbridge.wbverify.serial_parts.bus_servo import Servo, ServoLine

PER_RAD = 4096 / (2 * math.pi)
"""Counts of all these servos."""
LARGEST_BYTE = 255
TURN_MS = 40.0
"""Longest time in which a board asks all servos of a line."""


class Registers(NamedTuple):
    """Where a kind of servo has its numbers, and how they are written."""

    line: Callable[[], ServoLine]
    size: int
    torque: int
    """Address; not 0 if the servo is on."""
    goal: Callable[[Servo], int]
    """The goal in counts."""
    speed: Callable[[Servo], float]
    """The speed with which it moves there (counts per second); of wheels with a sign."""
    wheel_speed: Callable[[Servo], float]
    speed_step: float
    """Counts per second of a unit of speed."""
    show: Callable[[Servo, int], None]
    """Sets the position that the servo measures, in counts."""
    volts: tuple[int, int]
    """Address and bytes of the supply voltage (0.1 V)."""
    celsius: tuple[int, int]
    """Of the temperature (degrees Celsius)."""


class ServoMotor(ActuatorCoupling):
    """A motor: shows the goal of its servo, or the speed of a wheel."""

    pins = ()

    def __init__(self, wiring: Wiring, numbers: BoardNumbers, registers: Registers) -> None:
        values = wiring.values
        self.name, self._kind, self._numbers = wiring.device.name, registers, numbers
        self._line, self.servo = registers.line(), Servo(registers.size)
        self._line.servos[int(values["id"])] = self.servo
        self.is_wheel, self._zero = bool(values["wheel"]), float(values["zero"])
        self._sign = -1 if values["inverted"] else 1
        self.quantity = "velocity" if self.is_wheel else "position"
        self._max_velocity = float(wiring.device.constants["maxVelocity"])
        self._position = math.nan
        self._speed: float | None = None
        """What the speed to a goal should be (counts per second); None: any."""

    @property
    def serial_part(self) -> SerialPart:
        """See `ActuatorCoupling`."""
        return self._line

    def connect_sensors(self, sensors: Mapping[str, SensorCoupling]) -> None:
        """See `ActuatorCoupling`: position sensors measure this servo."""
        for sensor in sensors.values():
            if isinstance(sensor, (ServoPosition, ServoHealth)) and sensor.motor == self.name:
                sensor.connect(self)

    def counts(self, position: float) -> int:
        """Return a position in counts of the servo."""
        return math.floor(self._zero + self._sign * position * PER_RAD + 0.5)

    def position(self, counts: int) -> float:
        """Return the position of a number of counts."""
        return (counts - self._zero) * self._sign / PER_RAD

    def show(self, counts: int) -> None:
        """Let the servo measure a position."""
        self._kind.show(self.servo, counts)

    def show_health(self, is_voltage: bool, counts: int) -> None:
        """Let the servo measure a voltage (0.1 V) or a temperature (degrees)."""
        self.servo.set(*(self._kind.volts if is_voltage else self._kind.celsius), counts)

    def unsupported_command(self, said: Commands) -> tuple[str, float] | None:
        """See `ActuatorCoupling`: a joint has no velocity control, a wheel no position control."""
        position = float(said.get("set_position", (math.inf if self.is_wheel else 0.0,))[0])
        if math.isinf(position) != self.is_wheel:
            return "position", position
        return None

    def wanted(self, said: Commands, seconds: float) -> float:
        """See `ActuatorCoupling`."""
        velocity = float(said.get("set_velocity", (self._max_velocity,))[0])
        if self.is_wheel:
            begun = "set_position" in said or "set_velocity" in said
            backward = float(said.get("set_position", (math.inf,))[0]) < 0
            return (-velocity if backward else velocity) if begun else math.nan
        if velocity == 0:
            self._speed = None  # it stays where it is
            return self._position
        self._speed = abs(velocity) * PER_RAD
        if "set_position" in said:
            self._position = self.position(self.counts(float(said["set_position"][0])))
        return self._position

    def found(self, shown: Mapping[str, PinState]) -> float:
        """See `ActuatorCoupling`; a goal with another speed than the commanded one is none."""
        if not self.servo.get(self._kind.torque, 1):
            return math.nan
        if self.is_wheel:
            return self._sign * self._kind.wheel_speed(self.servo) / PER_RAD
        wrong = self._speed is not None and abs(self._kind.speed(self.servo) - self._speed) > max(
            self._kind.speed_step, 1.0
        )
        return math.nan if wrong else self.position(self._kind.goal(self.servo))

    def bound(self) -> float:
        """A count, or half a unit of speed."""
        if self.is_wheel:
            return max(self._kind.speed_step, 1.0) / 2 / PER_RAD + self._numbers.relative * self._max_velocity
        largest = abs(self._position) + abs(self._zero) / PER_RAD if math.isfinite(self._position) else 0.0
        return 1 / PER_RAD if self._speed is None else self._numbers.relative * max(largest, 1.0) + 1e-9

    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """See `ActuatorCoupling`."""
        self._speed = None
        value = self.found(shown)
        if math.isnan(value):
            return []
        if self.is_wheel:
            return [("set_position", (math.inf,)), ("set_velocity", (value,))]
        speed = self._kind.speed(self.servo) / PER_RAD
        return [("set_velocity", (min(speed, self._max_velocity),)), ("set_position", (value,))]


class ServoPosition(SensorCoupling):
    """A position sensor: what the servo of its motor measures, in whole counts. The board asks when its line
    is free."""

    is_exact = False
    reading = "position"

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self.motor: str = wiring.values["motor"]
        self._servo: ServoMotor | None = None
        self._count, self._recent, self._numbers = 0, Recent(), numbers

    def connect(self, servo: ServoMotor) -> None:
        """Measure a servo."""
        self._servo = servo
        self._count = servo.counts(0.0)

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        assert self._servo is not None, "the hardware map names a motor with a servo"
        self._count = self._servo.counts(values[0])
        return (self._servo.position(self._count),)

    def events(self) -> list[Callable[[], None]]:
        """See `SensorCoupling`."""
        servo, count = self._servo, self._count
        return [lambda: servo.show(count)] if servo is not None else []

    def expected(self, read: float, passed_ms: float) -> tuple[float, float]:
        """See `SensorCoupling`: the nearest of the positions that existed since the board asked last."""
        assert self._servo is not None, "the hardware map names a motor with a servo"
        counts = self._recent.pass_time(self._count, passed_ms, TURN_MS + 2 * passed_ms)
        if math.isnan(read) and self._recent.is_starting:
            return read, 0.0
        positions = map(self._servo.position, counts)
        largest = max(abs(self._servo.position(count)) for count in (0, *counts))
        bound = self._numbers.relative * largest + 1e-9
        return min(positions, key=lambda position: abs(position - read)), bound


class ServoHealth(SensorCoupling):
    """What the servo of a motor says of its temperature, in whole degrees, or of its supply, in 0.1 V."""

    is_exact = False

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self.motor: str = wiring.values["motor"]
        self._is_voltage = bool(wiring.values["voltage"])
        self._servo: ServoMotor | None = None
        self._count, self._recent, self._numbers = 0, Recent(), numbers

    def connect(self, servo: ServoMotor) -> None:
        """Measure a servo."""
        self._servo = servo

    def _value(self, count: float) -> float:
        return count / 10 if self._is_voltage else float(count)

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        self._count = max(0, min(round(values[0] * (10 if self._is_voltage else 1)), LARGEST_BYTE))
        return (self._value(self._count),)

    def events(self) -> list[Callable[[], None]]:
        """See `SensorCoupling`."""
        servo, count = self._servo, self._count
        return [lambda: servo.show_health(self._is_voltage, count)] if servo is not None else []

    def expected(self, read: float, passed_ms: float) -> tuple[float, float]:
        """See `SensorCoupling`: as for positions."""
        counts = self._recent.pass_time(self._count, passed_ms, TURN_MS + 2 * passed_ms)
        if math.isnan(read) and self._recent.is_starting:
            return read, 0.0
        nearest = min(map(self._value, counts), key=lambda count: abs(count - read))
        return nearest, self._numbers.relative * max(nearest, 1.0) + 1e-9
