"""A board that is examined after a run, and its I2C bus: how it was used, what missing parts give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.board_memory import BoardMemory
from wbridge.wbverify.board_pins import BoardPins, PinComparison
from wbridge.wbverify.coupling.couplings import SensorCoupling
from wbridge.wbverify.step_timing import BoardSchedule
from wbridge.wbverify.wired_pins import pins_of, wired_pins

FAULTS = {1: "readings without a repeated start", 2: "readings whose last byte is acknowledged"}
"""What the emulated bus has seen, by its bit in the name I2C:FAULTS."""
UNCLAIMED = 4
"""The same, for bytes after an address that no part has acknowledged."""
REFUSED = "I2C bus specification, UM10204, 3.1.6"
SPECIFICATION = "I2C bus specification, UM10204, 3.1.10"
CLEARING, CLEARING_PULSES = "I2C bus specification, UM10204, 3.1.16", 9
LOCKS = "data sheet of the ATmega328P, DS40002061B, 7.7.1 and 14.2.2"
IDLE_US = 100
"""How much longer per step the controller may wait for missing parts than for connected ones."""
STEPS = 20
"""Steps until the controller knows of a change."""
ROUNDS = 10
"""So many times, until a part that is back must have a value."""
LOOKS, LOOK_US = 8, 250
"""How often, and after how long, the bus is looked at."""


class ExaminedBoard(NamedTuple):
    """A board that has gone through a run."""

    hardware: Hardware
    built: Built
    bench: Bench
    pins: BoardPins
    memory: BoardMemory
    schedule: BoardSchedule
    step_ms: float
    step: int
    """The last step."""
    has_ended: bool
    """The controller has ended, as on the desktop."""

    def pass_steps(self, count: float = 1) -> None:
        """Let steps pass."""
        self.pins.wait(count)

    def measure(self, count: int) -> None:
        """Let steps pass in which parts measure again what they have measured last."""
        for _ in range(count):
            self.pins.apply_inputs(1.0)


def compare_use(board: ExaminedBoard) -> Iterator[PinComparison]:
    """Compare how the bus was used in the run."""
    seen = int(board.bench.show("I2C:FAULTS").value)
    for bit, quantity in FAULTS.items():
        yield PinComparison(board.step, 0, quantity, 0.0, float(seen & bit > 0), 0.0, SPECIFICATION)


def free_bus(board: ExaminedBoard) -> PinComparison:
    """Let a part that was interrupted within a byte hold the data line: pulses of the clock free the bus."""
    name = ":".join(["STUCK", pins_of(board.hardware, "sda")[0], pins_of(board.hardware, "scl")[0]])
    board.bench.hold_bus(True)  # no transfer begins while the data line is low
    board.bench.drive(name, CLEARING_PULSES)
    board.pass_steps(STEPS)
    pulses = board.bench.show(name).value
    board.bench.drive(name, 0)
    board.bench.hold_bus(False)
    board.pass_steps(STEPS)
    quantity = "clock pulses that free the I2C bus"
    return PinComparison(board.step, 0, quantity, CLEARING_PULSES, pulses, 0.0, CLEARING)


def compare_moments(board: ExaminedBoard) -> Iterator[PinComparison]:
    """Compare what the pins have done since the reset: no output shows a level that is not meant, and no
    interrupt can take back what the program has changed."""
    for pin in dict.fromkeys(wired_pins(board.hardware)):
        moments = board.bench.show(f"MOMENT:{pin}").value
        if moments:
            yield PinComparison(board.step, 0, f"wrong levels of {pin} for a moment", 0.0, moments, 0.0)
    unlocked = board.bench.show("PINS:UNLOCKED").value
    yield PinComparison(board.step, 0, "changes of pins without a lock", 0.0, unlocked, 0.0, LOCKS)


def miss_parts(board: ExaminedBoard, read: Mapping[int, SensorCoupling]) -> Iterator[PinComparison]:
    """Unplug parts, and let them refuse what is written to them: the controller reads no value meanwhile."""
    parts = [wiring for wiring in board.hardware.wirings if "address" in wiring.values]
    tags = {part.device.tag: int(part.values["address"]) for part in parts if part.device.tag in read}
    addresses = sorted(set(tags.values()))
    usual = _awake(board, board.measure)
    for address in addresses:
        board.bench.drive(f"I2C:{address}", 0)
    without = _awake(board, board.pass_steps)
    yield from _valued(board, tags, "value of a missing part", 0.0)
    quantity = "time awake when parts are missing (us)"
    yield PinComparison(board.step, 0, quantity, 0.0, without, usual + IDLE_US)
    if addresses:
        occupied = float(_is_occupied(board))
        quantity = "bus occupied by a missing part"
        yield PinComparison(board.step, 0, quantity, 0.0, occupied, 0.0, SPECIFICATION)
        seen = int(board.bench.show("I2C:FAULTS").value) & UNCLAIMED
        quantity = "bytes after an address that no part acknowledges"
        yield PinComparison(board.step, 0, quantity, 0.0, float(seen > 0), 0.0, REFUSED)
    for address in addresses:
        board.bench.drive(f"I2C:{address}", 1)
    for _ in range(ROUNDS):  # some parts take a second to be set up
        board.measure(STEPS)
        numbers = board.memory.read(board.bench)
        if all(numbers.has_value(tag) for tag in tags):
            break
    yield from _valued(board, tags, "value of a part that is back", 1.0)
    usual = max(usual, _awake(board, board.measure))
    board.bench.drive("I2C:REFUSES", 1)
    refused = _awake(board, board.pass_steps)
    yield from _valued(board, tags, "value of a part that refuses its register", 0.0)
    quantity = "time awake when parts refuse what is written (us)"
    yield PinComparison(board.step, 0, quantity, 0.0, refused, usual + IDLE_US)
    board.bench.drive("I2C:REFUSES", 0)
    board.pass_steps(STEPS)


def _valued(
    board: ExaminedBoard, tags: Mapping[int, int], quantity: str, wanted: float
) -> Iterator[PinComparison]:
    """Compare whether the controller has values of devices."""
    numbers = board.memory.read(board.bench)
    for tag in tags:
        yield PinComparison(board.step, tag, quantity, wanted, float(numbers.has_value(tag)), 0.0)


def _awake(board: ExaminedBoard, pass_steps: Callable[[int], None]) -> float:
    """Return the longest time in a step in which the processor does not sleep (us)."""
    loads = []
    for _ in range(STEPS):
        board.bench.load()
        pass_steps(1)
        loads.append(board.bench.load())
    return max(load.awake for load in loads if load is not None)


def _is_occupied(board: ExaminedBoard) -> bool:
    """Return True if no transfer ends: a board whose last one has ended uses the bus for less than a step."""
    for _ in range(LOOKS):
        if not board.bench.show("I2C:OCCUPIED").value:
            return False
        board.bench.pass_time(LOOK_US)
    return True
