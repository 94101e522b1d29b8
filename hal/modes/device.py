"""The controller's view of a device: constants, latest values, and pending commands.

Methods are named after the C functions without their prefix (`wb_motor_set_velocity` calls
`Motor.set_velocity`); the API is generated from them. A message from the simulator calls the method
`take_<name of the message>`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

from wbridge.hal.protocol.codec import ENABLE, Codec
from wbridge.hal.protocol.configure import RobotInfo
from wbridge.hal.protocol.devices import key_of
from wbridge.hal.protocol.dialect import Dialect
from wbridge.hal.reports import messages, report

__all__ = [
    "DeviceHandle",
    "DeviceExchange",
    "LookupSensor",
    "NumberSensor",
    "Sensor",
    "VectorSensor",
    "handlers_of",
]

NAN = float("nan")
Table = list[float]
MAX_PERIOD = 65535


def handlers_of(owner: object, codec: Codec) -> dict[int, Callable[..., None]]:
    """The methods of an object that handle the messages of a codec, by code."""
    found = {code: getattr(owner, f"take_{one.name}", None) for code, one in codec.messages.items()}
    return {code: handler for code, handler in found.items() if handler is not None}


class DeviceExchange(Protocol):
    """The part of the exchange with the simulator that devices use."""

    info: RobotInfo
    dialect: Dialect
    duration: int
    """Duration of the step in the current packet, in ms."""
    busy: set[int]
    """Tags of devices with commands for the next packet."""

    def may_ask(self, function: str) -> bool:
        """Return False, and print a warning that names the function, during a step."""

    def round_trip(self) -> bool:
        """Send the pending commands and handle the answer, without a step; False after the end."""

    def device(self, tag: int) -> DeviceHandle | None:
        """The device of the same robot with a tag, or None."""


class DeviceHandle:
    """Base class of all devices."""

    prefix: ClassVar[str] = ""
    """Prefix of the device's C functions; derived from the class name by default."""
    state: ClassVar[tuple[int, ...]] = (ENABLE,)
    """Codes of commands that set a lasting state; they are sent again when the mode changes."""
    former_functions: ClassVar[frozenset[str]] = frozenset()
    """C functions of another device type that also accept this one, as in Webots 8."""

    def __init__(
        self, exchange: DeviceExchange, tag: int, node_type: str, name: str, model: str, codec: Codec
    ) -> None:
        self.exchange, self.tag, self.node_type, self.name, self.model = exchange, tag, node_type, name, model
        self.codec = codec
        self.handlers = handlers_of(self, codec)
        self.pending: dict[int, tuple[Any, ...]] = {}
        self.lasting: dict[int, tuple[Any, ...]] = {}
        self.waiting = False
        """True if commands did not fit into the last packet."""

    def command(self, code: int, *values: Any) -> None:
        """Add a command to the next packet, replacing an earlier one with the same code."""
        self.pending[code] = values
        self.exchange.busy.add(self.tag)
        if code in self.state:
            self.lasting[code] = values

    def flush(self, out: bytearray) -> None:
        """Append the pending commands to a packet, in the order of their codes."""
        pending, self.pending = self.pending, {}
        for code in sorted(pending):
            self.codec.write_command(out, code, pending[code])

    def hold_pictures(self) -> bool:
        """Keep pictures during a step in which the controller computes; True if there are any."""
        return False

    def follow_pictures(self) -> None:
        """Show the pictures of the step that has ended."""

    def drop_packets(self) -> None:
        """Drop packets that were queued before the simulation was reset; only some devices have any."""

    def resend_lasting(self) -> None:
        """Add all commands that set a lasting state to the next packet."""
        for code, values in self.lasting.items():
            self.command(code, *values)

    def resend_all(self) -> None:
        """Add all commands that another robot needs to continue in the current state to the next packet."""
        self.resend_lasting()

    def ask(self, function: str, code: int, *values: Any) -> bool:
        """Send a command and wait for the answer; False if that is not possible now."""
        if not self.exchange.may_ask(self.function(function)):
            return False
        self.command(code, *values)
        return self.exchange.round_trip()

    def function(self, name: str) -> str:
        """The name of the C function that calls a method."""
        return (self.prefix or f"wb_{key_of(type(self).__name__)}_") + name

    def error(self, method: str, text: str) -> None:
        """Report an invalid call of a method on stderr."""
        report.error(self.function(method), text)

    def is_bad_period(self, method: str, period: int) -> bool:
        """True, after reporting an error, if a sampling period is out of range."""
        if 0 <= period <= MAX_PERIOD:
            return False
        text = messages.negative_period if period < 0 else messages.long_period
        self.error(method, text(period, MAX_PERIOD))
        return True

    def is_nan(self, method: str, name: str, value: float) -> bool:
        """True, after reporting an error, if an argument is NaN."""
        if value == value:
            return False
        self.error(method, messages.invalid_argument(name, "NaN"))
        return True


class Sensor(DeviceHandle):
    """A device with a sampling period."""

    sampling_period = 0

    def enable(self, sampling_period: int) -> None:
        """Enable the sensor; the first sample arrives after one sampling period.

        Args:
            sampling_period: in ms; 0 disables the sensor. A period that is not a multiple of the basic time
                step is rounded up to the next multiple.
        """
        period = int(sampling_period)
        if not self.is_bad_period("enable", period):
            self.sampling_period = period
            self.command(ENABLE, period)

    def disable(self) -> None:
        """Disable the sensor; it keeps its last value."""
        self.enable(0)

    def get_sampling_period(self) -> int:
        """The sampling period in ms, or 0 if the device is disabled."""
        return self.sampling_period

    def check_enabled(self, method: str) -> None:
        """Warn once if the device is read while it is disabled."""
        if self.sampling_period <= 0:
            text = messages.disabled_device(self.name, self.function("enable"))
            report.warning(self.function(method), text)


class NumberSensor(Sensor):
    """A sensor with one number; subclasses document it in `get_value`, which warns only if it is disabled."""

    value = NAN

    def get_value(self) -> float:
        """The newest value; NaN before the first sample."""
        self.check_enabled("get_value")
        return self.value

    def take_value(self, value: float) -> None:
        """Store a new sample."""
        self.value = value


class LookupSensor(Sensor):
    """A sensor with a lookup table."""

    lookup_table: tuple[tuple[float, float, float], ...] | list[tuple[float, float, float]] = ()

    def get_lookup_table_size(self) -> int:
        """The number of rows of the lookup table."""
        return len(self.lookup_table)

    def get_lookup_table(self) -> list[float]:
        """The lookup table, row by row: measured quantity, returned value, relative noise."""
        return [number for row in self.lookup_table for number in row]


class VectorSensor(LookupSensor):
    """A sensor with one value per axis; subclasses document the values in `get_values`."""

    values = (NAN, NAN, NAN)

    def take_constants(self, lookup_table: list[tuple[float, float, float]]) -> None:
        """Store the lookup table."""
        self.lookup_table = lookup_table

    def take_values(self, values: tuple[float, float, float]) -> None:
        """Store a new sample."""
        self.values = values
