"""Couple the pins of a board to a simulated robot, step by step in lockstep."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbridge.libcontroller.compiling import BuildError
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbfirmware.bench import Bench, BenchError, Load, PinState
from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.map.checks import frequency_of
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.board_exam import examine, watch_setup
from wbridge.wbverify.board_memory import BoardMemory, StoredNumbers
from wbridge.wbverify.board_pins import BoardPins, PinComparison
from wbridge.wbverify.bus_exam import ExaminedBoard
from wbridge.wbverify.coupling import couplings_of
from wbridge.wbverify.coupling.couplings import PIXELS, SAMPLING_SHARE, WHOLE_PICTURES, sampling_share
from wbridge.wbverify.early_look import EarlyLook
from wbridge.wbverify.printed_text import board_lines
from wbridge.wbverify.reference import Filter, Key, SentPacket, StepState, Values
from wbridge.wbverify.step_timing import BoardSchedule

PWM_SHARE = 1e-3
"""Allowed difference of the PWM frequency."""
BITS = 10
"""Bits that a serial line sends for a byte."""
SPARE_STEPS = 2
"""Steps after the run in which a board prints what the desktop has printed in the last one."""


class BoardReading(NamedTuple):
    """A reading on the board that was not known beforehand; see `SensorCoupling.expected`."""

    wanted: float
    found: float
    bound: float
    channel: str
    """The channel of the reading."""


class BoardObserver:
    """A `RunObserver` of the desktop's run: an emulated board that goes through the same run by its pins.

    with BoardObserver(hardware, built) as board:
        reference = record(world, robot, program, steps, board)
    """

    def __init__(
        self, hardware: Hardware, built: Built, followed: Iterable[int] = (), trace: Path | None = None
    ) -> None:
        """
        Args:
            hardware: the hardware map.
            built: the firmware.
            followed: tags of encoders that turn with their joints from the beginning. The others start when
            the controller or a driver reads them: emulating each edge at a pin takes time.
            trace: see `Bench`.
        """
        self._hardware, self._built, self._trace = hardware, built, trace
        self._followed = set(followed)
        self._turned: set[int] = set()
        """Encoders whose joints have moved before anything read them."""
        self.missed: set[int] = set()
        """Encoders that were read only later: they must be followed from the beginning."""
        self.coupled = couplings_of(hardware)
        """The couplings of all devices on the board."""
        self._inexact = [tag for tag, wire in self.coupled.sensors.items() if not wire.is_exact]
        self._bench: Bench | None = None
        self._robot: Any = None
        self._step_ms = 0.0
        self.seen: list[PinComparison] = []
        self.sent: list[list[SentPacket]] = []
        """Packets sent by the board in each step."""
        self.numbers: list[StoredNumbers] = []
        """The sensor values that the controller on the board has, at the end of each step."""
        self.times: list[int | None] = []
        """Schedule at the end of each step, see `BoardSchedule.read`."""
        self.loads: list[Load] = []
        """What the processor did in each step, if the emulator counts its cycles."""
        self.text_sizes: list[int] = []
        """Bytes printed until the end of each step."""
        self.reads: list[dict[int, BoardReading]] = []
        """Readings of the sensors that are not exact, in each step."""
        self.withheld: list[dict[int, BoardReading]] = []
        """Those of them that the desktop did not receive, because the controller on the board has none."""
        self._starts: dict[int, float] = {}
        self._timed: set[str] = set()
        """Pins whose PWM frequency was compared."""
        self._hertz = {wiring.device.tag: frequency_of(wiring, hardware.board) for wiring in hardware.wirings}
        self._shown: set[int] = set()
        """Displays of which a picture was compared."""
        self._places: dict[int, str] = {}
        """The first differing pixels of displays, in words."""
        self._transfers: dict[int, int] = {}
        """Steps in which the transfer to a display was not complete."""
        self.failure = ""
        """Why the board's run ended early; "" if it did not."""

    @property
    def notes(self) -> list[str]:
        """Limits of this run: the positions of encoders when the board is switched on, and displays."""
        table = self._hardware.table.all
        readings = [
            f'"{table[tag].name}" is at {start:.4g} when the world starts, and an encoder counts from 0 when '
            "its board is switched on; switch the board on where the world has 0, or subtract the first "
            "reading in the controller"
            for tag, start in self._starts.items()
            if start != 0
        ]
        for tag, count in self._transfers.items():
            readings.append(
                f'"{table[tag].name}" is compared while it shows a whole picture; its transfer was not '
                f"complete in {count} of {len(self.times)} steps"
            )
        readings += [f'pixels of "{table[tag].name}" differ {place}' for tag, place in self._places.items()]
        return readings

    @property
    def text(self) -> bytes:
        """The text that the board has printed to its wire."""
        return b"" if self._bench is None else bytes(self._pins.output_bytes)

    def finish_text(self, size: int) -> None:
        """Let the board print on after the run until the controller has printed some number of bytes, as long
        as its line may take for them."""
        if self._bench is None:
            return
        seen, missing = self._pins.output_bytes.rfind(b"\n") + 1, _missing(size, self.text)
        steps = math.ceil(1000 * BITS * missing / self._hardware.link.baud / self._step_ms) + SPARE_STEPS
        try:
            while steps and missing and not self.failure:
                self._pins.wait(1.0)
                self._pins.take_output()
                steps -= 1
                if len(self._pins.output_bytes) - seen >= missing:
                    seen, missing = self._pins.output_bytes.rfind(b"\n") + 1, _missing(size, self.text)
        except BenchError as problem:
            self.failure = str(problem)

    def examine(self, has_ended: bool) -> None:
        """Examine the board after its run.

        Args:
            has_ended: the controller has ended on the desktop.
        """
        if self._bench is None or self.failure or not self.times:
            return
        state = (self._bench, self._pins, self._memory, self._schedule, self._step_ms)
        try:
            board = ExaminedBoard(self._hardware, self._built, *state, len(self.times) - 1, has_ended)
            self.seen += examine(board)
            self._pins.take_output()
        except BenchError as problem:
            self.failure = str(problem)

    def finish(self) -> None:
        """Note as a difference that a display never showed a whole picture."""
        for tag in self.coupled.pictures:
            if tag not in self._shown and self.times:
                self.seen.append(PinComparison(len(self.times) - 1, tag, WHOLE_PICTURES, 1.0, 0.0, 0.0))

    def __enter__(self) -> BoardObserver:
        return self

    def __exit__(self, *problem: object) -> None:
        if self._bench is not None:
            self._bench.close()

    # The methods of a `RunObserver`.

    def begin(self, robot: Robot) -> Mapping[int, Filter]:
        """Switch the board on."""
        self._robot, self._step_ms = robot, 1000 * robot.simulation.step_s
        self._starts = {
            tag: self._position(tag) for tag, sensor in self.coupled.sensors.items() if sensor.is_gradual
        }
        try:
            self._memory, self._schedule = (
                BoardMemory(self._hardware, self._built),
                BoardSchedule(self._built),
            )
            self._bench = Bench(self._built.board, self._built.program, lockstep=True, trace=self._trace)
            self._pins = BoardPins(self._bench, self.coupled, self._step_ms)
            self._look = EarlyLook(self._bench, self._pins, self._step_ms)
            self.seen += watch_setup(self._bench, self._pins)
            self._sampling = sampling_share(self.coupled.sensors.values(), self._step_ms)
            self._look.begin_step(self._sampling)
            self._look.load()  # the set-up is not part of a step
            self._pins.take_output()
        except (BenchError, BuildError) as problem:
            self.failure = str(problem)
        return {tag: wire.transmit for tag, wire in self.coupled.sensors.items()}

    def observe_step(self, state: StepState) -> Mapping[int, Values | None]:
        """Run the board through a step; at its end it has the readings that the desktop is about to
        receive."""
        if self.failure or self._bench is None:
            return {}
        try:
            return self._run_step(self._bench, state)
        except BenchError as problem:
            self.failure = str(problem)
            return {}

    def _run_step(self, bench: Bench, state: StepState) -> Mapping[int, Values | None]:
        self._follow(state)
        self._apply_inputs(state.commands)
        self._compare_pins(state.step, state.commands)
        self._compare_pictures(bench, state.step)
        self.sent.append(self._pins.sent_packets())
        self._pins.wait(SAMPLING_SHARE)
        self._look.begin_step(self._sampling)
        numbers = self._memory.read(bench)
        self.numbers.append(numbers)
        self.times.append(self._schedule.read(bench))
        self._pins.take_output()
        self.text_sizes.append(len(self._pins.output_bytes))
        load = self._look.load()
        if load is not None:
            self.loads.append(load)
        self.reads.append({tag: self._measured(tag, numbers) for tag in self._inexact})
        due = {tag: reading for tag, reading in self.reads[-1].items() if tag in state.unsent}
        self.withheld.append({tag: reading for tag, reading in due.items() if reading.found != reading.found})
        return {tag: None if tag in self.withheld[-1] else (reading.found,) for tag, reading in due.items()}

    def _apply_inputs(self, commands: Mapping[Key, Values]) -> None:
        """Apply the new sensor values, and look at the pins in this time."""
        share = 1 - SAMPLING_SHARE - self._sampling
        by_tag = {tag: _commands_of(tag, commands) for tag in self.coupled.actuators}
        self._pins.apply_inputs(share, [self._look.plan(by_tag, 1000 * share * self._step_ms)])

    def _follow(self, state: StepState) -> None:
        """Turn the encoders with their joints."""
        actuators = self.coupled.actuators
        leading = [
            actuator.feedback_sensor(_commands_of(tag, state.commands)) for tag, actuator in actuators.items()
        ]
        for tag, wire in self.coupled.sensors.items():
            if not wire.is_gradual:
                continue
            position = self._position(tag)
            if tag not in self._followed and (tag in state.unsent or wire in leading):
                self._followed.add(tag)
                self.missed |= {tag} & self._turned
            if tag not in self._followed:
                if position != self._starts[tag]:
                    self._turned.add(tag)
            elif tag not in state.unsent:
                wire.transmit((position,))

    def _position(self, tag: int) -> float:
        """The position of a position sensor's joint in the simulation (rad or m)."""
        return float(self._robot.devices[tag - 1].measured().position)

    def _measured(self, tag: int, numbers: StoredNumbers) -> BoardReading:
        """Return the reading that the controller on the board has of a sensor."""
        values = numbers.of(tag, self.coupled.sensors[tag].reading) or [float("nan")]
        wanted, bound = self.coupled.sensors[tag].expected(values[0], self._step_ms)
        return BoardReading(wanted, values[0], bound, self.coupled.sensors[tag].reading)

    def _compare_pins(self, step: int, commands: Mapping[Key, Values]) -> None:
        """Compare the pins of all actuators with their commands."""
        by_tag = self._pins.read_all(self.coupled.actuators)
        for tag, act in self.coupled.actuators.items():
            own = _commands_of(tag, commands)
            wanted = act.wanted(own, self._step_ms / 1000)
            lack = act.unsupported_command(own)
            if lack is not None:
                self.seen.append(PinComparison(step, tag, lack[0], lack[1], float("nan"), 0.0))
            else:
                shown = by_tag[tag]
                late = PinComparison(step, tag, act.quantity, wanted, act.found(shown), act.bound())
                self.seen += [*self._look.compare(late), late]
                self._compare_frequencies(step, tag, shown)

    def _compare_pictures(self, bench: Bench, step: int) -> None:
        """Compare the displays that show a whole picture with the simulated ones."""
        for tag, output in self.coupled.pictures.items():
            picture = self._robot.devices[tag - 1].picture
            if picture is None or not self._memory.is_true(bench, output.current):
                self._transfers[tag] = self._transfers.get(tag, 0) + 1
                continue
            differs = output.wanted(picture) != self._pins.picture(output)
            self._shown.add(tag)
            self.seen.append(PinComparison(step, tag, PIXELS, 0.0, float(differs.sum()), 0.0))
            if differs.any():
                self._places.setdefault(tag, f"in step {step} {_extent(differs)}")

    def _compare_frequencies(self, step: int, tag: int, shown: Mapping[str, PinState]) -> None:
        """Compare the PWM frequency of each pin with that of the map or the board: once, and whenever it is
        wrong."""
        wanted = self._hertz.get(tag, self._hardware.board.timing.pwm)
        bound = wanted * PWM_SHARE
        for pin, state in shown.items():
            if not wanted or not state.hertz:
                continue
            if pin not in self._timed or abs(state.hertz - wanted) > bound:
                self._timed.add(pin)
                self.seen.append(
                    PinComparison(step, tag, f"PWM frequency of {pin}", wanted, state.hertz, bound)
                )


def _extent(pixels: NDArray[np.bool_]) -> str:
    """Return the columns and rows in which pixels are true, in words."""
    rows, columns = pixels.nonzero()
    return f"within columns {columns.min()} to {columns.max()} and rows {rows.min()} to {rows.max()}"


def _missing(size: int, text: bytes) -> int:
    """Return how many of some number of bytes the lines of a controller on a board do not have yet."""
    return max(size - sum(len(line.encode()) + 1 for line in board_lines(text)), 0)


def _commands_of(tag: int, commands: Mapping[Key, Values]) -> dict[str, Values]:
    """The commands for a device, by name."""
    return {name: values for (owner, name), values in commands.items() if owner == tag}
