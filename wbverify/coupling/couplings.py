"""Base classes of couplings: levels and voltages of pins, and numbers in the board's precision."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wbridge.wbfirmware.bench import PinState
from wbridge.wbfirmware.map.edges import tick_rate
from wbridge.wbfirmware.map.hardware import Hardware, Wiring
from wbridge.wbfirmware.template_folders import templates_path
from wbridge.wbverify.part_settings import PartSetting

Values: TypeAlias = tuple[Any, ...]
Commands: TypeAlias = Mapping[str, Values]
"""The latest values of a device's commands, by name."""
Coupling: TypeAlias = "SensorCoupling | ActuatorCoupling | PacketOutput | PictureOutput"

_DEFINE = re.compile(r"^#define BOARD_(\w+) (?:REAL\()?([\d.]+)", re.MULTILINE)
_PYTHON = re.compile(r"^([A-Z_]+) = ([\d.]+)$", re.MULTILINE)
ROUNDINGS = 64
"""Allowed roundings of a computed value, each by half a unit in the last place."""
SAMPLING_SHARE = 1 / 6
"""Share of a step, at its beginning, in which a board samples and its inputs do not change: boards begin
their first step slightly late or, by the bench's clock, early. See `sampling_share`. Then the inputs change
linearly until the same share of the step is left, when the pins are read."""
BEGIN_MS, MOST_SAMPLING = 0.5, 1 / 2
"""Latest start of a board's step (ms), and maximum share of a step for sampling."""
TIMER_STEPS = 256
"""Steps of an 8-bit timer: with a compare value of n, its output is high for n + 1 of them."""
LOCKED_US = {"ws2812": 30}
"""Longest time (us) for which drivers disable interrupts; others do it for a few us."""
QEMU = "qemu"
READ_ON = 0x80
AVR = "simavr"
"""The emulator of timers that are on for one tick more than their compare value."""
AVR_TICK_MS = 1.024
"""Between two ticks of an AVR's clock: 256 counts of timer 0 at 16 MHz / 64."""
PIN_PARTS = ("program", "simavr", "rp2040", "micropython")
"""Emulators with parts at pins that see each edge."""
PIXELS, WHOLE_PICTURES = "pixels that differ", "whole pictures"
"""What is compared of a display."""
EXACT = 1e-4
"""Emulators print duty cycles with a limited number of digits."""


class PinEvent(NamedTuple):
    """An external change of a pin or of a part on a bus."""

    pin: str
    """Or a register, by its name on the bench."""
    value: float
    """A level, 0 or 1; volts at an analog input; the content of a register."""


class SerialBytes(NamedTuple):
    """Bytes that arrive at the board's second serial port."""

    data: bytes


class BoardNumbers(NamedTuple):
    """Properties of a board that set the resolution of its pins."""

    real: type[np.floating[Any]]
    """The type in which drivers compute."""
    supply: float
    """V."""
    adc_top: int
    """The maximum ADC code."""
    duty_full: int
    """The number of PWM steps from off to on."""
    control_delay: float = 0.0
    """See `Board.control_delay`."""
    locked_us: int = 0
    """Longest time for which the drivers of the board disable interrupts, see LOCKED_US."""
    emulator: str = ""
    """The emulator of the board; "": unknown."""
    steps_per_s: float = 1000.0
    """The most steps of a stepper motor per second."""
    is_sketch: bool = False
    """Its PWM is that of an Arduino core, some of whose timers count up and down (analogWrite)."""

    @staticmethod
    def of(hardware: Hardware) -> BoardNumbers:
        """Read the values from the headers of the board."""
        texts = [file.read_text(encoding="utf-8") for file in hardware.board.files if file.suffix == ".h"]
        texts.append((templates_path() / "project" / "board.h").read_text(encoding="utf-8"))
        constants = dict(_DEFINE.findall("\n".join(texts)))
        python = [file.read_text(encoding="utf-8") for file in hardware.board.files if file.suffix == ".py"]
        constants |= dict(_PYTHON.findall("\n".join(python)))
        return BoardNumbers(
            np.float32 if hardware.link.real == 4 else np.float64,
            hardware.board.supply,
            int(constants["ADC_TOP"]),
            int(constants["DUTY_FULL"]),
            hardware.board.timing.control_delay,
            max((LOCKED_US.get(wiring.driver.name, 0) for wiring in hardware.wirings), default=0),
            hardware.board.emulator,
            tick_rate(hardware) / 2,
            hardware.board.project.sketch,
        )

    def volts(self, code: int) -> float:
        """Return a voltage that the converter reads as a code. It is in the lower half of the code's
        interval, so that rounding and truncating emulators read the same."""
        return (code + 0.25) / self.adc_top * self.supply

    def code(self, volts: float) -> int:
        """Return the code that the converter reads, to the nearest step."""
        return min(max(round(volts / self.supply * self.adc_top), 0), self.adc_top)

    def sequence(self, register: int) -> int:
        """Return where the bench has a register that is read with those that follow it, for parts in which
        bit 7 asks for this: the tables of firmware under QEMU have 7 bits."""
        return register if self.emulator == QEMU else register | READ_ON

    def duty(self, pwm: PinState) -> float:
        """Return the duty cycle set by the driver, 0 to `duty_full`; NaN if the pin has another use.

        Timers count it in different ways.
        """
        if pwm.use == "output":
            return pwm.value * self.duty_full
        if pwm.use != "pwm":
            return math.nan
        steps = pwm.value * self.duty_full
        counts_up = self.emulator == AVR
        if not self.emulator or (counts_up and self.is_sketch):
            counts_up = abs(steps - round(steps)) > EXACT
        if counts_up:
            steps = max(pwm.value * TIMER_STEPS - 1, 1.0)  # the shortest pulse is not off
        return float(round(steps))

    @property
    def tick_ms(self) -> float:
        """Time between two ticks of the clock that drivers read in whole ms (ms)."""
        return AVR_TICK_MS if self.emulator == AVR else 1.0

    @property
    def relative(self) -> float:
        """The relative tolerance of computed numbers: see ROUNDINGS."""
        return ROUNDINGS * float(np.finfo(self.real).eps) / 2


class SensorCoupling(ABC):
    """The coupling of a sensor."""

    is_gradual = False
    """True if the value passes through all values between two readings."""
    is_exact = True
    """True if the controller's reading is known bit for bit; otherwise it is read from the board, see
    `expected`."""
    reading = "value"
    """The channel that is read from the board if it is not exact."""
    reading_ms = 0.0
    """Time that a board takes to read it, including set-up (ms)."""
    emulators: tuple[str, ...] = ()
    """The emulators that have such a part; empty if it needs none."""

    @property
    def serial_part(self) -> SerialPart | None:
        """The part at the second serial line that measures for it, if any; several devices may share it."""
        return None

    def start(self) -> Sequence[PinEvent]:
        """The state of its pins when the board is switched on."""
        return ()

    @abstractmethod
    def transmit(self, values: Values) -> Values:
        """Convert a value measured by the sensor (as the controller reads it in simulation).

        Returns:
            the value that the controller on the board reads, bit for bit.
        """

    @abstractmethod
    def events(self) -> Sequence[PinEvent | SerialBytes | Callable[[], None]]:
        """The changes at the pins since the last call, in order; a function changes a part that it knows."""

    def settings(self) -> Sequence[PartSetting]:
        """What the board must have written to the registers of the part, once it has read it."""
        return ()

    def power_up(self) -> Sequence[PinEvent]:
        """The settings of the part after its power has failed, if it then needs to be set up again."""
        return ()

    def connect_sensors(self, sensors: Mapping[str, SensorCoupling]) -> None:
        """Receive the couplings of all sensors by device name."""
        del sensors  # most need none

    def expected(self, read: float, passed_ms: float) -> tuple[float, float]:
        """For a coupling that is not exact: return the expected reading of the controller on the board, and
        the allowed difference of its actual one (NaN: none yet).

        Args:
            read: the actual reading at the end of a step.
            passed_ms: time since the last call, or since the start.
        """
        raise NotImplementedError


class SerialPart(Protocol):
    """A part at the board's second serial line."""

    def exchange(self, data: bytes, now_us: int) -> bytes:
        """Take what the board has sent in the last millisecond; return what the part sends meanwhile.

        Args:
            data: bytes of the board.
            now_us: time since the board was switched on.
        """


class PacketOutput(ABC):
    """The coupling of a device that sends packets at the second serial port."""

    @abstractmethod
    def decode(self, data: bytes) -> list[tuple[int, bytes]]:
        """Return channels and contents of the packets that these bytes complete."""

    @abstractmethod
    def busy_ms(self, data: bytes) -> float:
        """Return the time that the line takes for a packet with this content (ms)."""


class PictureOutput(ABC):
    """The coupling of a display, whose picture the board transfers to it over some time."""

    name: str
    """Its name on the bench."""
    current: str
    """The variable of the firmware that is true while the whole picture is shown."""
    emulators: tuple[str, ...] = ()
    """The emulators that have such a part."""

    @abstractmethod
    def wanted(self, picture: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Return the pixels that should be lit, from those of the simulated display (0xAARRGGBB)."""

    @abstractmethod
    def found(self, data: bytes) -> NDArray[np.bool_]:
        """Return the pixels that are lit, from the bench's picture."""


class ActuatorCoupling(ABC):
    """The coupling of an actuator."""

    pins: tuple[str, ...]
    """The pins that show its state."""
    quantity: str
    """The quantity that the pins show, for tables: velocity, position, level."""
    emulators: tuple[str, ...] = ()
    """See `SensorCoupling`."""

    def start(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        return ()

    @property
    def serial_part(self) -> SerialPart | None:
        """See `SensorCoupling`."""
        return None

    def connect_sensors(self, sensors: Mapping[str, SensorCoupling]) -> None:
        """Receive the couplings of the board's sensors, by device name."""
        del sensors  # most need none

    def unsupported_command(self, said: Commands) -> tuple[str, float] | None:
        """A command in effect that the board cannot execute: its name and value."""
        return None

    def feedback_sensor(self, said: Commands) -> SensorCoupling | None:
        """Return the coupling of the sensor that the driver reads for its control loop; None if it needs
        none."""
        return None

    @property
    def watched(self) -> tuple[str, ...]:
        """The pins and parts that it looks at every millisecond, see `react`."""
        return ()

    def react(self, shown: Mapping[str, PinState]) -> Sequence[PinEvent]:
        """Look at the states of what is `watched`; return the changes of inputs that follow from them."""
        del shown
        return ()

    def is_steady(self, said: Commands) -> bool:
        """True if the pins show these commands at once, and then do not change by themselves."""
        return False

    def drives(self, shown: Mapping[str, PinState]) -> bool:
        """True if the pins move a motor, or hold it against its load, although nothing was commanded yet."""
        return False

    @abstractmethod
    def wanted(self, said: Commands, seconds: float) -> float:
        """Return the quantity that the pins should show for the commands; NaN: none.

        Args:
            said: the commands of the controller on the desktop.
            seconds: time since the last call.
        """

    @abstractmethod
    def found(self, shown: Mapping[str, PinState]) -> float:
        """Return the quantity that the pins show, as a velocity, position or level; NaN if they are
        invalid."""

    @abstractmethod
    def bound(self) -> float:
        """Return the allowed difference of `found` and `wanted`: the resolution of the pins."""

    @abstractmethod
    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """Return commands that make the simulated device do what the pins show."""


class CouplingModule(Protocol):
    """The interface of a coupling's module."""

    def make(self, wiring: Wiring, numbers: BoardNumbers) -> Coupling:
        """Return the coupling of a device."""


def sampling_share(sensors: Iterable[SensorCoupling], step_ms: float) -> float:
    """Return the share of a step, from its beginning, that a board needs to read its sensors."""
    needed = BEGIN_MS + sum(sensor.reading_ms for sensor in sensors)
    return min(max(SAMPLING_SHARE, needed / step_ms), MOST_SAMPLING)


def positions_before(
    course: Sequence[tuple[float, float]], step_s: float, begin: float, back_s: float
) -> Iterator[float]:
    """Return the end points of an object's movements within some time before the pins are read.

    Args:
        course: positions before and after each step, the last step first.
        step_s: duration of a step.
        begin: share of the step at which the motion starts, see `sampling_share`.
        back_s: the time (s).
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
