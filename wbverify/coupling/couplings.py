"""What all wires are made of: levels and voltages of pins, and numbers as wide as those of the board."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from wbfirmware.template_folders import templates_path

if TYPE_CHECKING:
    from typing import TypeAlias

    from wbfirmware.bench import PinState
    from wbfirmware.hardware import Hardware, Wiring

    Values: TypeAlias = tuple[Any, ...]
    Commands: TypeAlias = Mapping[str, Values]
    """The newest values of a device's commands, by name."""

__all__ = [
    "SAMPLING_SHARE",
    "ActuatorCoupling",
    "BoardNumbers",
    "PinEvent",
    "SerialBytes",
    "CouplingModule",
    "PacketOutput",
    "SensorCoupling",
    "positions_before",
    "sampling_share",
]

_DEFINE = re.compile(r"^#define (BOARD_\w+) (?:REAL\()?([\d.]+)", re.MULTILINE)
ROUNDINGS = 64
"""So many roundings, each by half a unit in the last place, are granted to what a controller computes."""
SAMPLING_SHARE = 1 / 6
"""Share of a step, at its beginning, in which a board samples and its inputs do not change: boards begin
their first step slightly late or, by the bench's clock, early. See `sampling_share`. The inputs then change
evenly until the same share of the step is left, when the pins are read."""
BEGIN_MS, MOST_SAMPLING = 0.5, 1 / 2
"""When a board has begun its step at the latest; and the largest share of a step that sampling may take."""
TIMER_STEPS = 256
"""Of a timer of 8 bits: with the number n it is high for n + 1 of them."""
EXACT = 1e-4
"""Shares of the time are shown with some digits only."""


class PinEvent(NamedTuple):
    """Something that happens to a pin, or to a part at a bus, from outside."""

    pin: str
    """Or a register, as the bench calls it."""
    value: float
    """A level, 0 or 1; volts at an analog input; what a register holds."""


class SerialBytes(NamedTuple):
    """Bytes that come to the board's second serial port."""

    data: bytes


class BoardNumbers(NamedTuple):
    """Numbers of a board that decide what its pins can tell."""

    real: type[np.floating[Any]]
    """The type in which drivers compute."""
    supply: float
    """V."""
    adc_top: int
    """The largest result of a conversion."""
    duty_full: int
    """The steps of PWM from never to always."""

    @staticmethod
    def of(hardware: Hardware) -> BoardNumbers:
        """As the board's own headers tell them."""
        texts = [one.read_text(encoding="utf-8") for one in hardware.board.files if one.suffix == ".h"]
        texts.append((templates_path() / "project" / "board.h").read_text(encoding="utf-8"))
        found = dict(_DEFINE.findall("\n".join(texts)))
        return BoardNumbers(
            np.float32 if hardware.link.real == 4 else np.float64,
            hardware.board.supply,
            int(found["BOARD_ADC_TOP"]),
            int(found["BOARD_DUTY_FULL"]),
        )

    def volts(self, code: int) -> float:
        """A voltage that the converter reads as a code; in the lower half of its step, so that emulators that
        round and those that cut off find the same."""
        return (code + 0.25) / self.adc_top * self.supply

    def code(self, volts: float) -> int:
        """What the converter reads, to the nearest step."""
        return min(max(round(volts / self.supply * self.adc_top), 0), self.adc_top)

    def duty(self, pwm: PinState) -> float:
        """The duty that the driver has asked for, 0 to `duty_full`; NaN: the pin does something else.

        Timers have a way of their own to count it.
        """
        if pwm.use == "output":
            return pwm.value * self.duty_full
        if pwm.use != "pwm":
            return math.nan
        steps = pwm.value * self.duty_full
        if abs(steps - round(steps)) > EXACT:
            steps = pwm.value * TIMER_STEPS - 1
        return float(round(steps))

    @property
    def relative(self) -> float:
        """How far a computed number may be off, in relation to the largest one: see ROUNDINGS."""
        return ROUNDINGS * float(np.finfo(self.real).eps) / 2


class SensorCoupling(ABC):
    """The wire of a sensor."""

    is_gradual = False
    """On its way from one value to another it shows all between."""
    is_exact = True
    """It is known bit for bit what the controller reads; of others it is asked, see `expected`."""
    reading_ms = 0.0
    """How long a board is busy with reading it, set-up included."""
    emulators: tuple[str, ...] = ()
    """That have such a part; empty: it needs none."""

    def start(self) -> Sequence[PinEvent]:
        """How its pins are when the board is switched on; all at once."""
        return ()

    @abstractmethod
    def transmit(self, values: Values) -> Values:
        """Take what the sensor measures (as the controller reads it in simulation).

        Returns:
            what the controller on the board reads, bit for bit.
        """

    @abstractmethod
    def events(self) -> Sequence[PinEvent | SerialBytes]:
        """What happens to the pins since the last call, in this order."""

    def expected(self, read: float, passed_ms: float) -> tuple[float, float]:
        """Of a wire that is not exact: what the controller on the board should have read instead of what it
        has read (NaN: nothing yet), and how far the two may be apart.

        Args:
            read: at the end of a step, what the controller has.
            passed_ms: since the last call, or the start.
        """
        raise NotImplementedError


class PacketOutput(ABC):
    """The wire of something that sends packets at the second serial port."""

    @abstractmethod
    def decode(self, data: bytes) -> list[tuple[int, bytes]]:
        """Channels and contents of the packets that are complete with these bytes."""

    @abstractmethod
    def busy_ms(self, data: bytes) -> float:
        """How long the line needs for the frame of a packet with this content."""


class ActuatorCoupling(ABC):
    """The wire of something that the controller commands."""

    pins: tuple[str, ...]
    """Where to look."""
    quantity: str
    """What the pins tell, for tables: velocity, position, level."""

    def connect_sensors(self, sensors: Mapping[str, SensorCoupling]) -> None:
        """Get to know the wires of the board's sensors, by the names of their devices."""
        del sensors  # most need none

    def unsupported_command(self, said: Commands) -> tuple[str, float] | None:
        """A command in force that the board has no means to carry out: its name and value."""
        return None

    def feedback_sensor(self, said: Commands) -> SensorCoupling | None:
        """The wire of the sensor that the driver looks at to do what is commanded; None: it needs none."""
        return None

    @abstractmethod
    def wanted(self, said: Commands, seconds: float) -> float:
        """What the pins should tell when the controller has said something; NaN: nothing.

        Args:
            said: by the controller on the desktop.
            seconds: since the last call.
        """

    @abstractmethod
    def found(self, shown: Mapping[str, PinState]) -> float:
        """What the pins tell, as a velocity, position or level. NaN: nothing that makes sense."""

    @abstractmethod
    def bound(self) -> float:
        """How far `found` may be from `wanted`: what the pins cannot tell any finer."""

    @abstractmethod
    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """Commands to the simulated device that do what the pins tell."""


class CouplingModule(Protocol):
    """What a module here offers."""

    def make(self, wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling | ActuatorCoupling | PacketOutput:
        """The wire of a device."""


def sampling_share(sensors: Iterable[SensorCoupling], step_ms: float) -> float:
    """Share of a step, from its beginning, in which a board samples: as long as it needs for its sensors."""
    needed = BEGIN_MS + sum(one.reading_ms for one in sensors)
    return min(max(SAMPLING_SHARE, needed / step_ms), MOST_SAMPLING)


def positions_before(
    course: Sequence[tuple[float, float]], step_s: float, begin: float, back_s: float
) -> Iterator[float]:
    """Where something has been within some time before the pins are looked at: the ends of its ways.

    Args:
        course: where it was before a step, and where it went in it; the last step first.
        step_s: duration of a step.
        begin: share of the step at which it begins to move, see `sampling_share`.
        back_s: the time.
    """
    left, moving = back_s, (1 - SAMPLING_SHARE - begin) * step_s
    for before, after in course:
        yield after
        if left < moving:
            yield after + (before - after) * left / moving
            return
        yield before
        left -= step_s
        if left < 0:
            return
