"""A device as its controller knows it: constants, the newest values, commands that wait.

Methods bear the names of the C functions without their prefix (`wb_motor_set_velocity` calls
`Motor.set_velocity`), so the API is made from them. Messages of the simulator arrive at the method
`take_<name of the message>`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

from hal.modes import report
from hal.protocol.codec import ENABLE, Codec
from hal.protocol.configure import RobotInfo
from hal.protocol.devices import key_of
from hal.protocol.dialect import Dialect

__all__ = [
    "CODES",
    "Device",
    "DeviceExchange",
    "LookupSensor",
    "Sensor",
    "VectorSensor",
    "handlers_of",
    "key_of_command",
]

NAN = float("nan")
Table = list[float]
MAX_PERIOD = 65535
CODES = 1 << 16
"""More than any code of a command."""


def key_of_command(tag: int, code: int) -> int:
    """The key of a device's command in `DeviceExchange.numbers`."""
    return tag * CODES + code


def handlers_of(owner: object, codec: Codec) -> dict[int, Callable[..., None]]:
    """The methods of an object that take the messages of a codec, by code."""
    found = {code: getattr(owner, f"take_{one.name}", None) for code, one in codec.messages.items()}
    return {code: handler for code, handler in found.items() if handler is not None}


class DeviceExchange(Protocol):
    """What a device needs of the exchange with its simulator."""

    info: RobotInfo
    dialect: Dialect
    duration: int
    """Of the packet that is being written, in ms."""
    busy: set[int]
    """Tags of devices with something to say in the next packet."""
    numbers: dict[int, float]
    """Commands that have one number, by `key_of_command`, for the next packet."""

    def may_ask(self, function: str) -> bool:
        """False, with a warning that names the function, while a step is under way."""

    def round_trip(self) -> bool:
        """Send all that waits and take the answer, no time passing; False when the simulation has ended."""

    def device(self, tag: int) -> Device | None:
        """The device of the same robot with a tag; None when there is none."""


class Device:
    """What all devices have in common."""

    prefix: ClassVar[str] = ""
    """Of its C functions; by default made from the name of the class."""
    state: ClassVar[tuple[int, ...]] = (ENABLE,)
    """Commands that say how a device shall be; they are said again when the mode changes."""
    former_functions: ClassVar[frozenset[str]] = frozenset()
    """C functions of another kind that are also for this one, as they were in Webots 8."""

    def __init__(
        self, exchange: DeviceExchange, tag: int, node_type: str, name: str, model: str, codec: Codec
    ) -> None:
        self.exchange, self.tag, self.node_type, self.name, self.model = exchange, tag, node_type, name, model
        self.codec = codec
        self.handlers = handlers_of(self, codec)
        self.pending: dict[int, tuple[Any, ...]] = {}
        self.said: dict[int, tuple[Any, ...]] = {}
        self.numbers, self.key = exchange.numbers, key_of_command(tag, 0)
        self.waiting = False
        """There is more to say than the last packet could take."""

    def command(self, code: int, *values: Any) -> None:
        """Send a command with the next packet; it takes the place of an earlier one with the same code."""
        self.pending[code] = values
        self.exchange.busy.add(self.tag)
        if code in self.state:
            self.said[code] = values

    def command_number(self, code: int, number: float) -> None:
        """Send a command that has one number and need not be said again (see `command`), with less work."""
        self.numbers[self.key + code] = number

    def flush(self, out: bytearray) -> None:
        """Append the commands that wait, in the order of their codes."""
        pending, self.pending = self.pending, {}
        for code in sorted(pending):
            self.codec.write_command(out, code, pending[code])

    def say_again(self) -> None:
        """Let all that was commanded to last wait for the next packet."""
        for code, values in self.said.items():
            self.command(code, *values)

    def say_all(self) -> None:
        """Let all that a robot must know to go on like the simulated one wait for the next step."""
        self.say_again()

    def ask(self, function: str, code: int, *values: Any) -> bool:
        """Send a command at once and wait for the answer; False when that is not possible now."""
        if not self.exchange.may_ask(self.function(function)):
            return False
        self.command(code, *values)
        return self.exchange.round_trip()

    def function(self, name: str) -> str:
        """The C function that calls a method."""
        return (self.prefix or f"wb_{key_of(type(self).__name__)}_") + name

    def error(self, method: str, text: str) -> None:
        """Tell that a call of the method was wrong."""
        report.error(self.function(method), text)

    def is_bad_period(self, method: str, period: int) -> bool:
        """Tell that a sampling period is out of range."""
        if 0 <= period <= MAX_PERIOD:
            return False
        what = "negative" if period < 0 else "too long a"
        self.error(
            method, f"called with {what} sampling period ({period}); allowed are 0 to {MAX_PERIOD} ms."
        )
        return True

    def is_nan(self, method: str, name: str, value: float) -> bool:
        """Tell that an argument is not a number."""
        if value == value:
            return False
        self.error(method, f"called with an invalid '{name}' argument (NaN).")
        return True


class Sensor(Device):
    """A device that is sampled."""

    sampling_period = 0

    def enable(self, sampling_period: int) -> None:
        """Start sampling, at the earliest one period from now.

        Args:
            sampling_period: between two samples, in ms; 0 stops sampling. A multiple of the basic time step
                is exact; others are rounded up to the next step.
        """
        period = int(sampling_period)
        if not self.is_bad_period("enable", period):
            self.sampling_period = period
            self.command(ENABLE, period)

    def disable(self) -> None:
        """Stop sampling; the last value stays."""
        self.enable(0)

    def get_sampling_period(self) -> int:
        """The sampling period in ms; 0 when the device is off."""
        return self.sampling_period

    def check_enabled(self, method: str) -> None:
        """Tell, once, that the device is read while it is off."""
        if self.sampling_period <= 0:
            text = f'called for the disabled device "{self.name}"; call {self.function("enable")}() first.'
            report.warning(self.function(method), text)


class LookupSensor(Sensor):
    """A sensor whose readings pass through a lookup table."""

    lookup_table: tuple[tuple[float, float, float], ...] | list[tuple[float, float, float]] = ()

    def get_lookup_table_size(self) -> int:
        """Number of rows of the lookup table."""
        return len(self.lookup_table)

    def get_lookup_table(self) -> list[float]:
        """The lookup table, row after row: measured quantity, returned value, relative noise."""
        return [number for row in self.lookup_table for number in row]


class VectorSensor(LookupSensor):
    """A sensor with a value for each of its axes; a kind says in `get_values` what they are."""

    values = (NAN, NAN, NAN)

    def take_constants(self, lookup_table: list[tuple[float, float, float]]) -> None:
        """The lookup table."""
        self.lookup_table = lookup_table

    def take_values(self, values: tuple[float, float, float]) -> None:
        """A new sample."""
        self.values = values
