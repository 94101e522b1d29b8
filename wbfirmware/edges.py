"""How many edges encoders make each second, and how many a board can count.

Each edge at a pin calls an interrupt, in which all drivers that watch pins look at theirs. What that costs
stands in board.toml (`[edges]`). Interrupts may take half of the processor's time: the rest belongs to the
drivers, the link and the controller, and no edge comes before the interrupt of the one before has ended.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hal.table import Device, DeviceTable
    from wbfirmware.boards import Board
    from wbfirmware.drivers import Driver
    from wbfirmware.hardware import Hardware, Wiring
    from wbfirmware.problems import Source

__all__ = ["COUNTS", "check_edges", "cycles_per_edge", "most_counts", "most_edges"]

SHARE = 0.5
"""Of the processor's time that edges may take."""
COUNTS = "counts"
"""The parameter of encoders: edges per turn, or per meter."""
CHANGED = "changed"
"""The call of drivers that watch pins."""
PHASES = 4


def cycles_per_edge(board: Board, watching: int) -> int:
    """Cycles of the processor for an edge, with some devices that watch pins; 0: not known."""
    return 0 if board.edges is None else board.edges.interrupt + watching * board.edges.device


def most_edges(board: Board, watching: int) -> float:
    """Edges per second that a board serves, with some devices that watch pins; infinite: not known."""
    cycles = cycles_per_edge(board, watching)
    return SHARE * board.clock / cycles if cycles else math.inf


def _speed(sensor: Device, table: DeviceTable) -> tuple[str, float]:
    """The motor of a sensor's axis, and the most turns (or meters) per second that it makes; 0: not known."""
    tag = sensor.constants.get("motor")
    motor = table.device(tag) if tag else None
    if motor is None:
        return "", 0.0
    velocity = abs(float(motor.constants.get("maxVelocity", 0.0)))
    linear = sensor.constants.get("type") == "linear"
    return motor.name, velocity if linear else velocity / (2 * math.pi)


def most_counts(
    board: Board, table: DeviceTable, chosen: Iterable[tuple[Device, Driver]], wanted: float
) -> float:
    """Counts per turn (or meter) that all encoders of a robot may have together on a board.

    Args:
        board: the board.
        table: the device table of the robot.
        chosen: its devices with their drivers.
        wanted: what they should have; it is the most that is given.
    """
    watching = [(device, one) for device, one in chosen if CHANGED in one.calls]
    speeds = [_speed(device, table)[1] for device, one in watching if COUNTS in one.parameters]
    most = most_edges(board, len(watching))
    if sum(speeds) * wanted <= most:
        return wanted
    return max(float(PHASES), PHASES * math.floor(most / sum(speeds) / PHASES))


def check_edges(source: Source, hardware: Hardware) -> None:
    """The encoders make no more edges than the board can count, at the speed that the world allows."""
    if not hardware.flavor.drivers:
        return
    watching = [one for one in hardware.wirings if CHANGED in one.driver.calls]
    encoders = [one for one in watching if COUNTS in one.driver.parameters and COUNTS in one.values]
    rates = [one.values[COUNTS] * _speed(one.device, hardware.table)[1] for one in encoders]
    most = most_edges(hardware.board, len(watching))
    if sum(rates) <= most:
        return
    worst = encoders[rates.index(max(rates))]
    source.wrong(
        (*worst.keys, COUNTS), _refusal(hardware, worst, (max(rates), sum(rates), most), len(watching))
    )


def _refusal(hardware: Hardware, worst: Wiring, rates: tuple[float, float, float], watching: int) -> str:
    """Why so many edges cannot be counted, and what can."""
    board, (own, total, most) = hardware.board, rates
    counts: Any = worst.values[COUNTS]
    motor, _ = _speed(worst.device, hardware.table)
    cycles = cycles_per_edge(board, watching)
    all_ = f", all encoders together {total:.0f}" if total > own else ""
    fits = PHASES * math.floor(counts * most / total / PHASES)
    return (
        f'"{worst.device.name}": {COUNTS}: found {counts!r}; at the maxVelocity of "{motor}" these are '
        f"{own:.0f} edges per second{all_}, and {board.title} serves at most {most:.0f}: with {watching} "
        f"devices that watch pins an edge takes {cycles} cycles of its {board.clock / 1e6:g} MHz, and edges "
        f"may take {100 * SHARE:.0f} % of the time; take encoders with fewer counts (at most {fits} here, "
        "if the others shrink alike), count fewer edges by a chip, or lower maxVelocity in the world"
    )
