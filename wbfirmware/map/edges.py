"""Encoder edges per second, and how many a board can count; and steps of stepper motors, that it can make.

Each edge at a pin triggers an interrupt in which all drivers that watch pins check theirs. board.toml gives
the cost (`[edges]`). Interrupts may use half of the processor's time: the rest is for drivers, link and
controller, and each interrupt must end before the next edge.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from wbridge.hal.table import DeviceEntry, DeviceTable
from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.boards.drivers import CHANGED, TICK, Driver
from wbridge.wbfirmware.map.checks import steps_timer, timer_users
from wbridge.wbfirmware.map.encoder_timers import encoder_pins
from wbridge.wbfirmware.map.hardware import Hardware, Wiring
from wbridge.wbfirmware.problems import Problem, Source

SHARE = 0.5
"""Share of the processor's time that edges may use."""
COUNTS = "counts"
"""The encoders' parameter: edges per turn, or per meter."""
PHASES = 4


def cycles_per_edge(board: Board, watching: int) -> int:
    """Return the processor cycles of one edge, with this many watching devices; 0: unknown."""
    return (
        0
        if board.timing.edges is None
        else board.timing.edges.interrupt + watching * board.timing.edges.device
    )


def most_edges(board: Board, watching: int) -> float:
    """Return the edges per second that a board can serve with this many watching devices; infinite:
    unknown."""
    cycles = cycles_per_edge(board, watching)
    return SHARE * board.clock / cycles if cycles else math.inf


def _speed(sensor: DeviceEntry, table: DeviceTable) -> tuple[str, float]:
    """Return the motor of a sensor's axis and its maximum turns (or meters) per second; 0: unknown."""
    tag = sensor.constants.get("motor")
    motor = table.device(tag) if tag else None
    if motor is None:
        return "", 0.0
    velocity = abs(float(motor.constants.get("maxVelocity", 0.0)))
    linear = sensor.constants.get("type") == "linear"
    return motor.name, velocity if linear else velocity / (2 * math.pi)


def most_counts(
    board: Board, table: DeviceTable, chosen: Iterable[tuple[DeviceEntry, Driver]], wanted: float
) -> float:
    """Return the maximum counts per turn (or meter) that all encoders of a robot may have on a board.

    Args:
        board: the board.
        table: the robot's device table.
        chosen: its devices with their drivers.
        wanted: the desired counts; the result is not larger.
    """
    watching = [(device, driver) for device, driver in chosen if CHANGED in driver.calls]
    speeds = [_speed(device, table)[1] for device, driver in watching if COUNTS in driver.parameters]
    most = most_edges(board, len(watching))
    if sum(speeds) * wanted <= most:
        return wanted
    return max(float(PHASES), PHASES * math.floor(most / sum(speeds) / PHASES))


def check_edges(source: Source, hardware: Hardware) -> None:
    """Check that the encoders make no more edges than the board can count, at the world's maximum speed."""
    if not hardware.flavor.drivers:
        return
    watching = [
        wiring for wiring in hardware.wirings if CHANGED in wiring.driver.calls and wiring.timer is None
    ]
    encoders = [
        wiring for wiring in watching if COUNTS in wiring.driver.parameters and COUNTS in wiring.values
    ]
    rates = [encoder.values[COUNTS] * _speed(encoder.device, hardware.table)[1] for encoder in encoders]
    most = most_edges(hardware.board, len(watching))
    if sum(rates) <= most:
        return
    worst = encoders[rates.index(max(rates))]
    source.wrong(
        (*worst.keys, COUNTS), _refusal(hardware, worst, (max(rates), sum(rates), most), len(watching))
    )


def _counters(board: Board) -> str:
    """Return what counts edges without interrupts."""
    pairs = encoder_pins(board)
    if not pairs:
        return "a chip that counts edges"
    return f"pins whose edges a timer counts ({', '.join(pairs)}; without PWM or servos of the same timer)"


def _refusal(hardware: Hardware, worst: Wiring, rates: tuple[float, float, float], watching: int) -> str:
    """Explain which edge rate is too high and what is possible."""
    board, (own, total, most) = hardware.board, rates
    counts: Any = worst.values[COUNTS]
    motor, _ = _speed(worst.device, hardware.table)
    cycles = cycles_per_edge(board, watching)
    all_ = f", all encoders together {total:.0f}" if total > own else ""
    fits = PHASES * math.floor(counts * most / total / PHASES)
    return (
        f'"{worst.device.name}": {COUNTS}: found {counts!r}; at the maxVelocity of "{motor}" these are '
        f"{own:.0f} edges per second{all_}, and {board.title} serves at most {most:.0f}: with {watching} "
        f"devices that watch pins, an edge takes {cycles} cycles of its {board.clock / 1e6:g} MHz, and edges "
        f"may take {100 * SHARE:.0f} % of the time; use encoders with fewer counts (at most {fits} here, "
        f"if the others shrink alike), {_counters(board)}, or a lower maxVelocity in the world"
    )


POLLED_TICKS = 2000
"""Ticks per second where no timer makes steps: two in each ms, between steps of the controller."""


def tick_rate(hardware: Hardware) -> int:
    """Return how often a second stepper motors may change the level of their pins; a step takes two."""
    timer = steps_timer(hardware)
    return timer.hertz if timer else POLLED_TICKS


def slow_steppers(source: Source, hardware: Hardware) -> Iterator[Problem]:
    """Iterate over stepper motors whose highest velocity needs more steps than the board makes, or whose
    timer is taken."""
    ticking = [wiring for wiring in hardware.wirings if TICK in wiring.driver.calls]
    steppers = [wiring for wiring in ticking if "steps" in wiring.driver.parameters]
    for wiring in steppers:
        velocity = abs(float(wiring.device.constants.get("maxVelocity", 0.0)))
        is_linear = wiring.device.constants.get("type") == "linear"
        per_unit = wiring.values["steps"] / (1.0 if is_linear else math.tau)
        most = tick_rate(hardware) / 2
        if velocity * per_unit > most:
            yield Problem(
                source.line(*wiring.keys, "steps"),
                f'"{wiring.device.name}": steps is {wiring.values["steps"]:g}, so maxVelocity in the world, '
                f"{velocity:g}, needs {velocity * per_unit:.0f} steps per second; {hardware.board.title} "
                f"makes at most {most:.0f}, and the motor goes at {most / per_unit:.3g}: use fewer steps",
            )
    ticks = hardware.board.timing.ticks
    for wiring, parameter, pin in timer_users(hardware, ticks.timer if ticks and ticking else ""):
        yield Problem(
            source.line(*wiring.keys, parameter.name),
            f'"{wiring.device.name}": {parameter.name}: {pin} needs the timer that makes the steps of '
            f'"{ticking[0].device.name}", so these come only while the controller waits in its step; use '
            f"another pin",
        )
