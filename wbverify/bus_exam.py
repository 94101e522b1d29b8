"""A board that is examined after a run, and its I2C bus: how it was used, what missing parts give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.board_memory import BoardMemory
from wbridge.wbverify.board_pins import BoardPins, PinComparison
from wbridge.wbverify.coupling.couplings import SensorCoupling
from wbridge.wbverify.step_timing import BoardSchedule

__all__ = ["ExaminedBoard", "compare_use", "miss_parts"]

FAULTS = {1: "readings without a repeated start", 2: "readings whose last byte is acknowledged"}
"""What the emulated bus has seen, by its bit in the name I2C:FAULTS."""
SPECIFICATION = "I2C bus specification, UM10204, 3.1.10"
STEPS = 20
"""Steps until the controller knows of a change."""
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


def compare_use(board: ExaminedBoard) -> Iterator[PinComparison]:
    """Compare how the bus was used in the run."""
    seen = int(board.bench.show("I2C:FAULTS").value)
    for bit, quantity in FAULTS.items():
        yield PinComparison(board.step, 0, quantity, 0.0, float(seen & bit > 0), 0.0, SPECIFICATION)


def miss_parts(board: ExaminedBoard, read: Mapping[int, SensorCoupling]) -> Iterator[PinComparison]:
    """Unplug parts, and let them refuse what is written to them: the controller reads no value meanwhile."""
    parts = [wiring for wiring in board.hardware.wirings if "address" in wiring.values]
    tags = {part.device.tag: int(part.values["address"]) for part in parts if part.device.tag in read}
    addresses = sorted(set(tags.values()))
    for address in addresses:
        board.bench.drive(f"I2C:{address}", 0)
    yield from _valued(board, tags, "value of a missing part", 0.0)
    if addresses:
        occupied = float(_is_occupied(board))
        quantity = "bus occupied by a missing part"
        yield PinComparison(board.step, 0, quantity, 0.0, occupied, 0.0, SPECIFICATION)
    for address in addresses:
        board.bench.drive(f"I2C:{address}", 1)
    yield from _valued(board, tags, "value of a part that is back", 1.0)
    board.bench.drive("I2C:REFUSES", 1)
    yield from _valued(board, tags, "value of a part that refuses its register", 0.0)
    board.bench.drive("I2C:REFUSES", 0)
    board.pass_steps(STEPS)


def _valued(
    board: ExaminedBoard, tags: Mapping[int, int], quantity: str, wanted: float
) -> Iterator[PinComparison]:
    """Compare whether the controller has values of devices, after some steps."""
    board.pass_steps(STEPS)
    numbers = board.memory.read(board.bench)
    for tag in tags:
        yield PinComparison(board.step, tag, quantity, wanted, float(numbers.has_value(tag)), 0.0)


def _is_occupied(board: ExaminedBoard) -> bool:
    """Return True if no transfer ends: a board whose last one has ended uses the bus for less than a step."""
    for _ in range(LOOKS):
        if not board.bench.show("I2C:OCCUPIED").value:
            return False
        board.bench.pass_time(LOOK_US)
    return True
