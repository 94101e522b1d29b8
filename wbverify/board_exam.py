"""What a run does not show: examine a board after it, and while it is switched on.

The registers must hold what the data sheets say. The encoders turn past the largest 16-bit number, and back
and forth while the controller reads them, and edges come around the moment of a reading. A device holds the
I2C bus. At last the controller ends.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping

from wbridge.wbfirmware.bench import EXAMINED, HANGING, JUMPING, Bench
from wbridge.wbfirmware.boards.drivers import CHANGED
from wbridge.wbfirmware.building.symbols import symbols
from wbridge.wbfirmware.map.edges import cycles_per_edge
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.board_pins import EXAMINATION, BoardPins, PinComparison
from wbridge.wbverify.bus_exam import ExaminedBoard, compare_moments, compare_use, free_bus, miss_parts
from wbridge.wbverify.coupling.couplings import SensorCoupling, sampling_share
from wbridge.wbverify.coupling.quadrature_encoder import QuadratureEncoder
from wbridge.wbverify.registers import compare_parts, compare_registers, tick_phase
from wbridge.wbverify.wired_pins import pins_of

SEED = 1
"""Of the phases of edges."""
END = "flavor_end"
"""The function in which a controller's program ends."""
ENDLESS, CLI, RESET_MS = "_exit", 2, 1000
"""A loop without an end in the C library of AVRs, the bytes of the instruction before it, which disables
interrupts, and the time until the watchdog has certainly reset the board (ms)."""
SLICE_US, SLICES, LATER_US = 50, 400, 1000
"""Parts of the set-up after which the pins are read: so many, then longer ones."""
LAST_SLICE = 10_000
MOTIONS = "velocity", "position"
"""Quantities of motors."""
TOP = 32767
"""The largest 16-bit number with a sign."""
MORE_EDGES = 5
"""Counts after a missed edge."""
SWINGS_8_BIT, SWINGS = 200, 10
"""Steps in which an encoder moves to and fro while it is read, on processors of 8 bits and on others, which
read its count at once."""
REST_STEPS = 5
"""Steps in which the program catches up after SWINGS such steps."""
EDGE_US, CYCLES_PER_US = 2, 16
"""Time that a placed edge takes, and the parts of a microsecond at which it may come: the cycles of AVRs."""
SWEEP_STEPS, FINE = 250, 8
"""Edges near the moment at which an encoder is read, and the cycles by which they differ at most once this
moment is found."""
PARTS, ASTRAY = 16, 4
"""Parts of the time between two readings in which one is looked for at first; and the steps in the same
direction after which the search for its moment takes longer ones."""
TICK_US = 1024
"""Time between two ticks of the clock of AVRs, at which a controller's step begins."""
WAITED_STEPS = 20
"""Maximum steps until a controller has a new reading."""
HALTS, HALT_US = 3, 1300
"""Times that the processor stands still, and how long: a tick of the clock comes late."""
HELD_MS, LOST_MS = 300, 200
"""Time for which the bus is held, and the part of it that a controller may lose."""
POSITION = "position"
"""The channel of encoders."""


def watch_setup(bench: Bench, pins: BoardPins) -> list[PinComparison]:
    """Let the board start, and compare what its motors do until the controller begins with nothing.

    Raises:
        BenchError: the emulator has ended.
    """
    if bench.emulator not in EXAMINED:
        return []
    moved = {tag: False for tag, act in pins.actuators.items() if act.quantity in MOTIONS}
    for part in range(LAST_SLICE):
        has_begun = bench.boot(SLICE_US if part < SLICES else LATER_US)
        for tag in moved:
            act = pins.actuators[tag]
            moved[tag] = moved[tag] or act.drives(pins.read(act))
        if has_begun:
            break
    return [
        PinComparison(0, tag, "motion before the start", 0.0, float(on), 0.0) for tag, on in moved.items()
    ]


def examine(board: ExaminedBoard) -> Iterator[PinComparison]:
    """Examine a board after its run, which is then over.

    Raises:
        BenchError: the emulator has ended.
    """
    numbers = board.memory.read(board.bench)
    read = {tag: wire for tag, wire in board.pins.sensors.items() if numbers.has_value(tag)}
    yield from compare_registers(board.hardware, board.bench, board.step)
    yield from compare_parts(read, board.bench, board.step)
    if board.bench.emulator in JUMPING:
        board.bench.end_trace()  # what it does from here on was not compared step by step
        for comparison in _after_run(board, read):
            yield comparison._replace(source=comparison.source or EXAMINATION)


def _after_run(board: ExaminedBoard, read: Mapping[int, SensorCoupling]) -> Iterator[PinComparison]:
    """Examine the behavior of a board, of which the controller reads some sensors."""
    if board.bench.emulator in EXAMINED:
        yield from _while_running(board, read)
    yield from _end(board)
    yield from _hang(board)
    if board.bench.emulator in EXAMINED:
        yield from compare_moments(board)


def _while_running(board: ExaminedBoard, read: Mapping[int, SensorCoupling]) -> Iterator[PinComparison]:
    """Examine a board whose controller goes on: its encoders, its bus and its clock."""
    phase = tick_phase(board.hardware, board.bench)
    if not board.has_ended:
        for tag, wire in read.items():
            if isinstance(wire, QuadratureEncoder):
                yield from _turn(board, tag, wire)
        if pins_of(board.hardware, "sda"):
            yield from compare_use(board)
            yield from _hold_bus(board)
            yield from _fail_power(board, read)
            yield from miss_parts(board, read)
            yield free_bus(board)
    if phase is not None:
        for _ in range(HALTS if board.bench.emulator in HANGING else 0):
            board.bench.halt(HALT_US)
            board.pass_steps()
        now = tick_phase(board.hardware, board.bench)
        assert now is not None
        yield PinComparison(board.step, 0, "us at which the clock's ticks come", phase, now, 0.0)


def _turn(board: ExaminedBoard, tag: int, encoder: QuadratureEncoder) -> Iterator[PinComparison]:
    """Turn an encoder past the largest 16-bit number, and to and fro there while it is read."""
    phases = random.Random(SEED)
    gap = _edge_us(board.hardware)
    edges = encoder.turn_to(TOP + 1)
    board.bench.make_edges([(*edge, phases.randint(2 * gap, 3 * gap)) for edge in edges])
    wanted = encoder.reading_at(TOP + 1)
    yield PinComparison(
        board.step, tag, f"position after {TOP + 1} counts", wanted, _new_reading(board, tag, wanted), 0.0
    )
    yield _jump_both(board, tag, encoder, gap)
    yield _miss_edge(board, tag, encoder, gap)
    low, high = encoder.reading_at(TOP), encoder.reading_at(TOP + 1)
    middle, half = (low + high) / 2, abs(high - low) / 2
    threshold = middle
    for k in range(SWINGS_8_BIT if board.hardware.board.emulator == "simavr" else SWINGS):
        if k % SWINGS == 0:
            # The edges leave the program hardly any time: without a rest its watchdog would reset the board.
            board.pass_steps(REST_STEPS)
        now = _swung_reading(board, tag, encoder, phases, gap)
        threshold = now if abs(now - middle) > abs(threshold - middle) else threshold
    yield PinComparison(
        board.step, tag, "position while it moves", middle, threshold, half + 1e-9 * abs(middle)
    )
    if board.hardware.board.emulator == "simavr":
        board.pass_steps(REST_STEPS)
        yield from _sweep_edge(board, tag, encoder, gap)


def _sweep_edge(
    board: ExaminedBoard, tag: int, encoder: QuadratureEncoder, gap: int
) -> Iterator[PinComparison]:
    """Let edges come around the moment at which the controller reads an encoder, cycle by cycle.

    It turns between 0 and -1, which differ in all four bytes: a mixture of both is far from either. The
    processor loads the four bytes in about eight cycles, whose begin varies by some microseconds from step to
    step. An edge before the moment of the reading is in it, one after it is not: the next one comes a little
    later or earlier, so most of them are near this moment.
    """
    span_ms = _sampling_ms(board, tag, encoder, gap)
    if not span_ms:
        return
    last = (1000 * span_ms - EDGE_US) * CYCLES_PER_US
    wanted = [encoder.reading_at(-1), encoder.reading_at(0)]
    middle, half = sum(wanted) / 2, abs(wanted[1] - wanted[0]) / 2
    _center(board, span_ms)
    search, farthest = _MomentSearch(last), middle
    for k in range(SWEEP_STEPS):
        ended_ms = (board.schedule.ended(board.bench) or 0) + span_ms
        # The clock has reached a time at the first tick that is not before it.
        at = search.moment + CYCLES_PER_US * (-1000 * ended_ms % TICK_US)
        now = _reading_past(board, tag, encoder, k % 2 - 1, min(max(at, 0), last), span_ms)
        farthest = now if abs(now - middle) > abs(farthest - middle) else farthest
        if 0 <= at <= last:
            search.go(later=now == wanted[k % 2])
    quantity = "position read as an edge comes"
    yield PinComparison(board.step, tag, quantity, middle, farthest, half + 1e-9 * abs(middle))


class _MomentSearch:
    """Looks for the moment at which an encoder is read.

    Its steps get half as long where it turns back, and longer again after several in the same direction, as
    what a reading tells may be wrong once.
    """

    def __init__(self, last: int) -> None:
        self.moment, self._widest = last // 2, last // 4
        """In cycles."""
        self._width, self._run, self._was_later = self._widest, 0, False
        self._sizes = random.Random(SEED)

    def go(self, later: bool) -> None:
        """Move the moment after an edge that was, or was not, before it."""
        self._run = self._run + 1 if later == self._was_later else 0
        self._was_later = later
        self.moment += self._width if later else -self._width
        if self._run >= ASTRAY:
            self._width = min(2 * self._width, self._widest)
        else:
            self._width = self._width // 2 if self._width > 2 * FINE else self._sizes.randint(1, FINE)


def _sampling_ms(board: ExaminedBoard, tag: int, encoder: QuadratureEncoder, gap: int) -> int:
    """Return the time (ms) between two readings of an encoder, which is at 0 now; 0: there are none.

    A controller's steps need not be those of the world.
    """
    ended_ms = []
    for count in (0, -1, 0):
        board.bench.make_edges([(*edge, 2 * gap) for edge in encoder.turn_to(count)])
        if _new_reading(board, tag, encoder.reading_at(count)) != encoder.reading_at(count):
            return 0
        ended_ms.append(board.schedule.ended(board.bench) or 0)
    return ended_ms[-1] - ended_ms[-2]


def _center(board: ExaminedBoard, span_ms: int) -> None:
    """Let time pass until the next reading is about half the time between two away.

    A reading near an end of this time would be in it twice, or not at all, as ticks of the clock fall.
    """
    ended, part = board.schedule.ended(board.bench), span_ms / PARTS / board.step_ms
    for _ in range(2 * PARTS):
        board.pass_steps(part)
        if board.schedule.ended(board.bench) != ended:
            break
    board.pass_steps(part * (PARTS - 1) / 2)


def _reading_past(
    board: ExaminedBoard, tag: int, encoder: QuadratureEncoder, count: int, at: int, span_ms: int
) -> float:
    """Let a time pass in which an encoder turns by one count at a cycle (1/16 us); return the reading."""
    step_us, (begin_us, cycles) = 1000 * board.step_ms, divmod(at, CYCLES_PER_US)
    ((pin, level),) = encoder.turn_to(count)
    board.pass_steps(begin_us / step_us)
    # The former level once more lets parts of a microsecond pass before the edge.
    waited = cycles / CYCLES_PER_US
    board.bench.make_edges([(pin, 1 - level, waited), (pin, level, EDGE_US - waited)])
    board.pass_steps((1000 * span_ms - begin_us - EDGE_US) / step_us)
    return _reading(board, tag)


def _jump_both(board: ExaminedBoard, tag: int, encoder: QuadratureEncoder, gap: int) -> PinComparison:
    """Change both tracks at once and back, which is noise or too fast: nobody knows the direction."""
    for _ in range(2):
        for pin, level in encoder.opposite():
            board.bench.drive(pin, level)
        board.bench.pass_time(gap)
    wanted = encoder.reading_at(TOP + 1)
    board.pass_steps(2)
    quantity = "position after noise"
    return PinComparison(board.step, tag, quantity, wanted, _new_reading(board, tag, wanted), 0.0)


def _miss_edge(board: ExaminedBoard, tag: int, encoder: QuadratureEncoder, gap: int) -> PinComparison:
    """Change both tracks at once, as if two edges came too fast: what follows is counted again."""
    for pin, level in encoder.opposite():
        board.bench.drive(pin, level)
    board.bench.pass_time(gap)
    board.bench.make_edges([(*edge, 3 * gap) for edge in encoder.turn_to(TOP + 1 + MORE_EDGES)])
    wanted = encoder.reading_at(TOP + 1 + MORE_EDGES)
    quantity = f"position {MORE_EDGES} counts after a missed edge"
    shown = _new_reading(board, tag, wanted)
    board.bench.make_edges([(*edge, 3 * gap) for edge in encoder.turn_to(TOP + 1)])
    _new_reading(board, tag, encoder.reading_at(TOP + 1))
    return PinComparison(board.step, tag, quantity, wanted, shown, 0.0)


def _edge_us(hardware: Hardware) -> int:
    """Return the time in which the interrupt for an edge certainly ends (us)."""
    encoders = sum(CHANGED in wiring.driver.calls for wiring in hardware.wirings)
    cycles = cycles_per_edge(hardware.board, encoders)
    return math.ceil(1e6 * cycles / hardware.board.clock)


def _reading(board: ExaminedBoard, tag: int) -> float:
    return (board.memory.read(board.bench).of(tag, POSITION) or [math.nan])[0]


def _new_reading(board: ExaminedBoard, tag: int, wanted: float) -> float:
    """Return what the controller reads, after at most some steps."""
    for _ in range(WAITED_STEPS):
        board.pass_steps()
        if _reading(board, tag) == wanted:
            break
    return _reading(board, tag)


def _swung_reading(
    board: ExaminedBoard, tag: int, encoder: QuadratureEncoder, phases: random.Random, gap: int
) -> float:
    """Let a step pass, in whose first part an encoder moves to and fro by a count; return the reading."""
    share = sampling_share(board.pins.sensors.values(), board.step_ms)
    board.pass_steps(1 - 2 * share)
    left, count = 2000 * share * board.step_ms, TOP
    edges: list[tuple[str, float, float]] = []
    while left > 0 or count == TOP:
        pause = phases.randint(2 * gap // 3, gap)
        edges += [(*edge, pause) for edge in encoder.turn_to(count)]
        left, count = left - pause, TOP + (count == TOP)
    board.bench.make_edges(edges)
    return _reading(board, tag)


def _hold_bus(board: ExaminedBoard) -> Iterator[PinComparison]:
    """Hold the I2C bus: the controller goes on."""
    before = board.schedule.read(board.bench)
    board.bench.hold_bus(True)
    board.pass_steps(HELD_MS / board.step_ms)
    after = board.schedule.read(board.bench)
    board.bench.hold_bus(False)
    if before is not None and after is not None:
        passed = float(after - before)
        allowed = LOST_MS + board.step_ms
        yield PinComparison(
            board.step, 0, "time of the controller while the I2C bus is held (ms)", HELD_MS, passed, allowed
        )


def _fail_power(board: ExaminedBoard, read: Mapping[int, SensorCoupling]) -> Iterator[PinComparison]:
    """Let the power of parts on the bus fail for a moment, after the bus was held: they are set up again."""
    board.pass_steps(WAITED_STEPS)  # parts that the held bus has cut off are in use again
    failed = {tag: wire for tag, wire in read.items() if wire.power_up()}
    for wire in failed.values():
        for event in wire.power_up():
            board.bench.drive(event.pin, event.value)
    board.pass_steps(WAITED_STEPS)
    for part in compare_parts(failed, board.bench, board.step):
        yield part._replace(quantity=f"{part.quantity} after a power failure")


def _hangs(board: ExaminedBoard) -> bool:
    """Let the program hang; False where this cannot be."""
    if board.bench.emulator in HANGING:
        board.bench.hang()
        return True
    places = symbols(board.built.board, board.built.program)
    if board.bench.emulator != "simavr" or ENDLESS not in places:
        return False
    board.bench.jump(places[ENDLESS] + CLI)
    return True


def _hang(board: ExaminedBoard) -> Iterator[PinComparison]:
    """Let the program hang: the watchdog resets the board, and its motors stay off."""
    before = board.schedule.read(board.bench)
    if not _hangs(board):
        return
    is_reset = False
    for _ in range(math.ceil(RESET_MS / board.step_ms)):
        board.pass_steps()
        now = board.schedule.read(board.bench)
        is_reset = is_reset or (before is not None and now is not None and now < before)
    if before:  # a reset sets the controller's time to 0
        yield PinComparison(board.step, 0, "reset after a hang", 1.0, float(is_reset), 0.0)
    moves = {tag: False for tag, act in board.pins.actuators.items() if act.quantity == "velocity"}
    for _ in range(WAITED_STEPS):
        board.pass_steps()
        for tag in moves:
            act = board.pins.actuators[tag]
            moves[tag] = moves[tag] or act.drives(board.pins.read(act))
    for tag, on in moves.items():
        yield PinComparison(board.step, tag, "motion after a hang", 0.0, float(on), 0.0)


def _end(board: ExaminedBoard) -> Iterator[PinComparison]:
    """End the controller: motors with a velocity stand, the others keep their positions."""
    if not board.has_ended:
        board.bench.jump(symbols(board.built.board, board.built.program)[END])
    board.pass_steps(2)
    before = {tag: act.found(board.pins.read(act)) for tag, act in board.pins.actuators.items()}
    board.pass_steps(2)
    for tag, act in board.pins.actuators.items():
        shown = board.pins.read(act)
        if act.quantity == "velocity":
            velocity = math.nan if act.drives(shown) and not act.found(shown) else act.found(shown)
            yield PinComparison(board.step, tag, "velocity after the end", 0.0, velocity, 0.0)
        elif act.quantity == "position":
            yield PinComparison(
                board.step, tag, "position after the end", before[tag], act.found(shown), act.bound()
            )
