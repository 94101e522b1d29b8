"""Boards whose pins are wired to a simulated robot, step by step in lockstep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from libcontroller.compiling import BuildError
from wbfirmware.bench import Bench, BenchError
from wbverify.board_memory import BoardMemory, StoredNumbers
from wbverify.coupling import couplings_of
from wbverify.coupling.couplings import SAMPLING_SHARE, SerialBytes, sampling_share
from wbverify.reference import SentPacket
from wbverify.step_timing import BoardSchedule

if TYPE_CHECKING:
    from pathlib import Path

    from wbcore.robots.robot import Robot
    from wbfirmware.bench import PinState
    from wbfirmware.build import Built
    from wbfirmware.hardware import Hardware
    from wbverify.coupling import Couplings
    from wbverify.coupling.couplings import ActuatorCoupling, PinEvent
    from wbverify.reference import Filter, Key, StepState, Values

__all__ = ["BoardObserver", "BoardReading", "PinComparison", "BoardPins"]

READING = "value"
"""The channel of sensors of which it is asked what they have told."""


class PinComparison(NamedTuple):
    """What the pins of a device told in a step, and what they should have told."""

    step: int
    tag: int
    quantity: str
    wanted: float
    found: float
    bound: float


class BoardReading(NamedTuple):
    """What a sensor on the board has told, of which it was not known before; see `Sense.judge`."""

    wanted: float
    found: float
    bound: float


class BoardPins:
    """All pins of an emulated board with what hangs on them."""

    def __init__(self, bench: Bench, coupled: Couplings, step_ms: float) -> None:
        self._bench = bench
        self.sensors, self.actuators, self.packet_outputs = coupled
        self._step_us = 1000 * step_ms
        for wire in self.sensors.values():
            for event in wire.start():
                bench.drive(event.pin, event.value)
        self.said = bytearray()
        """Bytes that the board has sent."""

    def wait(self, share: float) -> None:
        """Let a share of a step pass."""
        self.said += self._bench.run(round(share * self._step_us))

    def look(self, act: ActuatorCoupling) -> Mapping[str, PinState]:
        """What the pins of a device do."""
        return {pin: self._bench.show(pin) for pin in act.pins}

    def listen(self) -> list[SentPacket]:
        """The packets that have left the board since the last time."""
        if not self.packet_outputs:
            return []
        data = self._bench.taken()
        return [
            SentPacket(tag, *one)
            for tag, output in self.packet_outputs.items()
            for one in output.decode(data)
        ]

    def change(self, share: float) -> None:
        """Let the surroundings become what the sensors' wires carry, in a share of a step."""
        events: list[tuple[float, PinEvent | SerialBytes]] = []
        for wire in self.sensors.values():
            own = list(wire.events())
            events += [((k + 1) / (len(own) + 1), one) for k, one in enumerate(own)]
        past, end = 0, round(share * self._step_us)
        for part, event in sorted(events, key=lambda one: one[0]):
            at = round(part * end)
            if at > past:
                self.said += self._bench.run(at - past)
                past = at
            if isinstance(event, SerialBytes):
                self._bench.give(event.data)
            else:
                self._bench.drive(event.pin, event.value)
        self.said += self._bench.run(end - past)


class BoardObserver:
    """A `Companion` of the desktop's run: a board that lives through it by its pins.

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
            followed: tags of encoders that turn with their joints from the beginning. The others begin when
                the controller or a driver looks at them: each edge at a pin takes time to emulate.
            trace: see `Bench`.
        """
        self._hardware, self._built, self._trace = hardware, built, trace
        self._followed = set(followed)
        self._turned: set[int] = set()
        """Encoders whose joints have moved while nobody looked."""
        self.missed: set[int] = set()
        """Of these, those that somebody has looked at later: they ought to be followed."""
        self.coupled = couplings_of(hardware)
        """What hangs on the board's pins."""
        self._vague = [tag for tag, wire in self.coupled.sensors.items() if not wire.is_exact]
        self._bench: Bench | None = None
        self._robot: Any = None
        self._step_ms = 0.0
        self.seen: list[PinComparison] = []
        self.sent: list[list[SentPacket]] = []
        """By the board, in each step."""
        self.numbers: list[StoredNumbers] = []
        """What the controller on the board has been told, at the end of each step."""
        self.times: list[int | None] = []
        """At the end of each step, see `BoardSchedule.look`."""
        self.reads: list[dict[int, BoardReading]] = []
        """Of the sensors that are asked, in each step."""
        self._starts: dict[int, float] = {}
        self.failure = ""
        """Why the board's run has ended early."""

    @property
    def notes(self) -> list[str]:
        """What this run says nothing about: where encoders stand when the board is switched on."""
        table = self._hardware.table.all
        return [
            f'"{table[tag].name}" is at {start:.4g} when the world starts, and an encoder counts from 0 when '
            "its board is switched on; do that where the world has 0, or let the controller subtract what "
            "it reads first"
            for tag, start in self._starts.items()
            if start != 0
        ]

    @property
    def text(self) -> str:
        """What the board has printed to its wire."""
        return "" if self._bench is None else self._wires.said.decode("utf-8", "replace")

    def __enter__(self) -> BoardObserver:
        return self

    def __exit__(self, *problem: object) -> None:
        if self._bench is not None:
            self._bench.close()

    # What a companion does.

    def begin(self, robot: Robot) -> Mapping[int, Filter]:
        """Switch the board on."""
        self._robot, self._step_ms = robot, 1000 * robot.simulation.step_s
        self._starts = {
            tag: self._position(tag) for tag, one in self.coupled.sensors.items() if one.is_gradual
        }
        try:
            self._memory, self._schedule = (
                BoardMemory(self._hardware, self._built),
                BoardSchedule(self._built),
            )
            self._bench = Bench(self._built.board, self._built.program, lockstep=True, trace=self._trace)
            self._wires = BoardPins(self._bench, self.coupled, self._step_ms)
            self._quiet = sampling_share(self.coupled.sensors.values(), self._step_ms)
            self._wires.wait(self._quiet)
        except (BenchError, BuildError) as problem:
            self.failure = str(problem)
        return {tag: wire.transmit for tag, wire in self.coupled.sensors.items()}

    def live(self, moment: StepState) -> Mapping[int, Values | None]:
        """Let the board go through a step; at its end it knows what the desktop is about to know."""
        if self.failure or self._bench is None:
            return {}
        try:
            return self._live(self._bench, moment)
        except BenchError as problem:
            self.failure = str(problem)
            return {}

    def _live(self, bench: Bench, moment: StepState) -> Mapping[int, Values | None]:
        self._follow(moment)
        self._wires.change(1 - SAMPLING_SHARE - self._quiet)
        self._look(moment.step, moment.commands)
        self.sent.append(self._wires.listen())
        self._wires.wait(SAMPLING_SHARE + self._quiet)
        numbers = self._memory.look(bench)
        self.numbers.append(numbers)
        self.times.append(self._schedule.look(bench))
        self.reads.append({tag: self._asked(tag, numbers) for tag in self._vague})
        return {
            tag: None if one.found != one.found else (one.found,)
            for tag, one in self.reads[-1].items()
            if tag in moment.untold
        }

    def _follow(self, moment: StepState) -> None:
        """Let encoders turn with their joints."""
        actuators = self.coupled.actuators
        leading = [one.feedback_sensor(_said_to(tag, moment.commands)) for tag, one in actuators.items()]
        for tag, wire in self.coupled.sensors.items():
            if not wire.is_gradual:
                continue
            position = self._position(tag)
            if tag not in self._followed and (tag in moment.untold or wire in leading):
                self._followed.add(tag)
                self.missed |= {tag} & self._turned
            if tag not in self._followed:
                if position != self._starts[tag]:
                    self._turned.add(tag)
            elif tag not in moment.untold:
                wire.transmit((position,))

    def _position(self, tag: int) -> float:
        """Where the joint of a position sensor is in the simulation (rad or m)."""
        return float(self._robot.devices[tag - 1].source().position)

    def _asked(self, tag: int, numbers: StoredNumbers) -> BoardReading:
        """What a sensor has told the controller on the board."""
        found = numbers.of(tag, READING) or [float("nan")]
        wanted, bound = self.coupled.sensors[tag].expected(found[0], self._step_ms)
        return BoardReading(wanted, found[0], bound)

    def _look(self, step: int, commands: Mapping[Key, Values]) -> None:
        """Look at the pins of all that is commanded."""
        for tag, act in self.coupled.actuators.items():
            said = _said_to(tag, commands)
            wanted = act.wanted(said, self._step_ms / 1000)
            lack = act.unsupported_command(said)
            if lack is not None:
                self.seen.append(PinComparison(step, tag, lack[0], lack[1], float("nan"), 0.0))
            else:
                found = act.found(self._wires.look(act))
                self.seen.append(PinComparison(step, tag, act.quantity, wanted, found, act.bound()))


def _said_to(tag: int, commands: Mapping[Key, Values]) -> dict[str, Values]:
    """The commands for a device, by name."""
    return {name: values for (owner, name), values in commands.items() if owner == tag}
