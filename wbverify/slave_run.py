"""A board with the flavor slave beside a run on the desktop: it gets the commands over the robot link.

In each step the board receives the desktop's commands, its inputs change, and a second request asks for the
readings that are due. What motors with a velocity and LEDs show is compared in each step; motors that move to
positions by themselves are compared when they have arrived, as the link's messages take time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from wbridge.hal.link.errors import LinkError
from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import VirtualClock
from wbridge.libcontroller.compiling import BuildError
from wbridge.wbcore.bridge.channel_commands import channels_of, function_name, sample_values
from wbridge.wbcore.robots.power import Power
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbfirmware.bench import Bench, BenchError, LockstepPipe, lockstep_pipe
from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.board_pins import EXAMINATION, BoardPins, PinComparison
from wbridge.wbverify.coupling import couplings_of
from wbridge.wbverify.coupling.couplings import Commands
from wbridge.wbverify.coupling.servo import Servo
from wbridge.wbverify.link_exam import Motors, examine_link
from wbridge.wbverify.reference import BATTERY, PACKET, Filter, Key, Reading, Reference, StepState, Values
from wbridge.wbverify.registers import compare_parts, compare_registers
from wbridge.wbverify.step_table import TableRow

SLAVE = "slave"
START_S, CONNECT_S, ANSWER_S = 0.1, 3.0, 1.0
"""Board time (s) until it listens, and maximum times for a session and an answer."""
WATCHDOG_MS, SLACK_MS = 500, 300
"""Time after which a board without requests stops, and what may pass until it has done so."""
REST_S, REST_STEPS = 3.0, 60
"""Time in which motors arrive at their positions, and its parts, each with a request."""
FAR_RAD = 10.0
"""Target beyond the limits of any servo."""
CHANGE_SHARE = 0.5
"""Share of a step in which inputs change."""
POSITION = "position"
BATTERY_FUNCTION = "wb_robot_battery_sensor_enable"


def driving_program(folder: Path | None) -> Path | None:
    """Return the program in Python that drives a board with the flavor slave, on which it does not run.

    None if the controller has none.

    Args:
        folder: of the robot's controller.
    """
    program = None if folder is None else folder / f"{folder.name}.py"
    return program if program is not None and program.is_file() else None


class SlaveObserver:
    """A `RunObserver` of the desktop's run; use it in a `with` statement."""

    def __init__(self, hardware: Hardware, built: Built, trace: Path | None = None) -> None:
        self._hardware, self._built, self._trace = hardware, built, trace
        self.coupled = couplings_of(hardware)
        self.seen: list[PinComparison] = []
        self.samples: list[dict[Key, Any]] = []
        """What the board has sent at the end of each step, by tag and channel."""
        self.failure = ""
        """Why the board's run ended early; "" if it did not."""
        self._bench: Bench | None = None
        self._told: dict[Key, Values] = {}
        self._battery_period = 0

    def __enter__(self) -> SlaveObserver:
        return self

    def __exit__(self, *problem: object) -> None:
        if self._bench is not None:
            self._bench.close()

    # The methods of a `RunObserver`.

    def begin(self, robot: Robot) -> Mapping[int, Filter]:
        """Switch the board on, and begin a session."""
        self._robot, self._step_ms = robot, 1000 * robot.simulation.step_s
        try:
            self._bench = Bench(self._built.board, self._built.program, lockstep=True, trace=self._trace)
            self._pins = BoardPins(self._bench, self.coupled, self._step_ms)
            self._clock = VirtualClock()
            self._framed = framed = lockstep_pipe(self._bench, self._clock)
            assert isinstance(framed.pipe, LockstepPipe)
            framed.pipe.pass_time(START_S)
            self._master = Master(
                *(self._hardware.table, lambda: framed),
                watchdog=WATCHDOG_MS,
                clock=self._clock,
                sleep=framed.pipe.pass_time,
            )
            self._master.connect(CONNECT_S)
        except (BenchError, BuildError, LinkError) as problem:
            self.failure = str(problem)
        return {tag: wire.transmit for tag, wire in self.coupled.sensors.items()}

    def observe_step(self, state: StepState) -> Mapping[int, Values | None]:
        """Run the board through a step; see the beginning of this file."""
        if self.failure or self._bench is None:
            return {}
        try:
            return self._run_step(state)
        except (BenchError, LinkError) as problem:
            self.failure = str(problem)
            return {}

    def _run_step(self, state: StepState) -> Mapping[int, Values | None]:
        begin = self._clock.now
        self._send(state.commands)
        self._send_battery_period()
        self._exchange(0)
        self._pins.apply_inputs(CHANGE_SHARE)
        self._pins.take_output()  # not for the link, which exchanges at its own times
        self._compare_pins(state, self._clock.now - begin + CHANGE_SHARE * self._step_ms / 1000)
        self.samples.append(self._exchange(round(self._step_ms)))
        withheld: dict[int, Values | None] = {}
        for tag, wire in self.coupled.sensors.items():
            if not wire.is_exact and tag in state.unsent:
                value = self.samples[-1].get((tag, "value"))
                withheld[tag] = None if value is None else (value,)
        return withheld

    def _send(self, commands: Mapping[Key, Values]) -> None:
        """Queue the commands and sampling periods that have changed."""
        for key, values in commands.items():
            if self._told.get(key) == values:
                continue
            self._told[key] = values
            tag, name = key
            device = self._robot.devices[tag - 1]
            for channel, value in channels_of(device, name, values):
                numbered = self._master.numbering.channel(tag, channel)
                if numbered is not None:
                    self._master.set(numbered, value)
            for slot in self._master.numbering.slots:
                if slot.tag == tag and function_name(slot.function) == name:
                    self._master.set_period(slot, values[0])

    def _send_battery_period(self) -> None:
        """Queue the sampling period of the battery, which is no command of a device, if it has changed."""
        battery = self._robot.battery
        period = battery.sampling.period if isinstance(battery, Power) else 0
        for slot in self._master.numbering.slots:
            if slot.tag == 0 and slot.function == BATTERY_FUNCTION and period != self._battery_period:
                self._battery_period = period
                self._master.set_period(slot, period)

    def _exchange(self, elapsed: int) -> dict[Key, Any]:
        """Make a step of the link.

        Returns:
            The values that the board has sent.

        Raises:
            LinkError: it has not answered.
        """
        step = self._master.step(elapsed, ANSWER_S)
        if step is None:
            raise LinkError(f"the board has not answered within {ANSWER_S:g} s of its time")
        return {(channel.tag, channel.name): value for channel, value in step.values}

    def _compare_pins(self, state: StepState, seconds: float) -> None:
        for tag, act in self.coupled.actuators.items():
            own = _commands_of(tag, state.commands)
            wanted = act.wanted(own, seconds)
            if act.is_steady(own) and act.unsupported_command(own) is None:
                value = act.found(self._pins.read(act))
                self.seen.append(PinComparison(state.step, tag, act.quantity, wanted, value, act.bound()))

    def examine(self) -> None:
        """Compare registers, positions of motors that have arrived, and motors without a controller."""
        if self._bench is None or self.failure or not self.samples:
            return
        try:
            self.seen += self._examined(self._bench, len(self.samples) - 1)
        except (BenchError, LinkError) as problem:
            self.failure = str(problem)

    def _examined(self, bench: Bench, step: int) -> Iterator[PinComparison]:
        yield from compare_registers(self._hardware, bench, step)
        read = {tag for sample in self.samples for tag, _ in sample}
        parts = {tag: wire for tag, wire in self.coupled.sensors.items() if tag in read}
        yield from compare_parts(parts, bench, step)
        movers = [tag for tag, act in self.coupled.actuators.items() if act.quantity == POSITION]
        yield from self._arrived(step, movers)
        yield from self._beyond(step)
        self._pins.wait((WATCHDOG_MS + SLACK_MS) / self._step_ms)
        self._pins.take_output()
        for tag, act in self.coupled.actuators.items():
            if act.quantity == "velocity":
                moves = float(act.drives(self._pins.read(act)))
                quantity = "motion without a controller"
                yield PinComparison(step, tag, quantity, 0.0, moves, 0.0, EXAMINATION)
        pins = self._pins
        tags = [tag for tag, act in pins.actuators.items() if act.quantity == "velocity"]
        for check in examine_link(self._hardware, self._framed, Motors(tags, self._moves, pins.wait)):
            yield PinComparison(step, *check, 0.0, EXAMINATION)
        self._pins.take_output()

    def _moves(self, tag: int) -> bool:
        act = self._pins.actuators[tag]
        shown = self._pins.read(act)
        return act.drives(shown) or act.found(shown) != 0

    def _beyond(self, step: int) -> Iterator[PinComparison]:
        """Move servos beyond both of their limits, with negative velocities, which count as positive."""
        servos = [tag for tag, act in self.coupled.actuators.items() if isinstance(act, Servo)]
        for far in (FAR_RAD, -FAR_RAD) if servos else ():
            velocities = {tag: self._hardware.table.all[tag].constants["maxVelocity"] for tag in servos}
            targets = {(tag, "set_position"): (far,) for tag in servos}
            self._send(targets | {(tag, "set_velocity"): (-most,) for tag, most in velocities.items()})
            for row in self._arrived(step, servos):
                yield row._replace(quantity=f"position for {far:g}", source=EXAMINATION)

    def _arrived(self, step: int, tags: Sequence[int]) -> Iterator[PinComparison]:
        """Compare motors that move by themselves after they had time to arrive; of one that turns without an
        end, the way in the second half of this time, as messages take some of the time before."""
        movers = {tag: self.coupled.actuators[tag] for tag in tags}
        wanted, before = {}, dict.fromkeys(movers, 0.0)
        for part in range(REST_STEPS if movers else 0):
            begin = self._clock.now
            self._exchange(0)
            self._pins.wait(1000 * REST_S / REST_STEPS / self._step_ms)
            self._pins.take_output()
            passed = self._clock.now - begin + REST_S / REST_STEPS
            for tag, act in movers.items():
                wanted[tag] = act.wanted(_commands_of(tag, self._told), passed)
                value = act.found(self._pins.read(act))
                if part == REST_STEPS // 2 and math.isinf(self._told.get((tag, "set_position"), (0.0,))[0]):
                    before[tag] = value - wanted[tag]
        for tag, act in movers.items():
            value = act.found(self._pins.read(act))
            yield PinComparison(step, tag, POSITION, wanted[tag] + before[tag], value, act.bound())


def slave_rows(hardware: Hardware, reference: Reference, board: SlaveObserver) -> list[TableRow]:
    """Compare the pins in each step, and the readings that the board has sent with those of the desktop."""
    names = [device.name for device in hardware.table.all]
    rows = [
        TableRow(
            *(failure.step, failure.step * reference.step_ms, SLAVE, names[failure.tag], failure.quantity),
            *(failure.wanted, failure.found, failure.bound),
            source=failure.source,
        )
        for failure in board.seen
    ]
    for step, sample in enumerate(board.samples):
        for reading in reference.readings[step]:
            rows += _read(hardware, reference, board, step, reading, sample)
    return sorted(rows, key=lambda row: row.step)


def _read(
    hardware: Hardware,
    reference: Reference,
    board: SlaveObserver,
    step: int,
    reading: Reading,
    sample: Mapping[Key, Any],
) -> Iterator[TableRow]:
    """Compare a reading; those of packets and of sensors with times of their own are not known before."""
    wire = board.coupled.sensors.get(reading.tag)
    if reading.message == PACKET or (wire is not None and not wire.is_exact):
        return
    pairs = [(BATTERY, reading.values[0])]
    if reading.tag:
        pairs = sample_values(reference.robot.devices[reading.tag - 1], reading.message, reading.values)
    relative = 2.0**-24 if hardware.link.real == 4 else 0.0
    for channel, value in pairs:
        found = sample.get((reading.tag, channel))
        for number, wanted, actual in _numbers(channel, value, found):
            name = hardware.table.all[reading.tag].name
            time = (step + 1) * reference.step_ms
            yield TableRow(step, time, SLAVE, name, number, wanted, actual, relative * abs(wanted))


def _numbers(name: str, wanted: Any, actual: Any) -> Iterator[tuple[str, float, float]]:
    """Iterate over the numbers of a value with their names; NaN: the board has sent none."""
    if not isinstance(wanted, (tuple, list)):
        yield name, float(wanted), float("nan") if actual is None else float(actual)
        return
    for k, values in enumerate(wanted):
        yield f"{name}.{k}", float(values), float("nan") if actual is None else float(actual[k])


def _commands_of(tag: int, commands: Mapping[Key, Values]) -> Commands:
    return {name: values for (owner, name), values in commands.items() if owner == tag}
