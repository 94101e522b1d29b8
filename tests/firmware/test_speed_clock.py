"""Speeds that a board holds by a clock whose ticks are not whole ms: verify allows what an exact one does.

Judge: the law of docs/firmware.md, fed by the clock of an ATmega328P: timer 0 overflows every 1.024 ms (its
data sheet: 256 counts at 16 MHz / 64), and time is read in whole ms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.firmware.conftest import WORLD, two_wheels
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbverify.coupling.couplings import SAMPLING_SHARE, BoardNumbers, sampling_share
from wbridge.wbverify.coupling.quadrature_encoder import QuadratureEncoder
from wbridge.wbverify.coupling.speed_control import PERIOD_MS, SpeedControl

STEP_MS, TICK_MS, COMPUTED_MS = 16.0, 1.024, 1.7
STEPS = 500
FULL, GAIN = 12.0, 6.0
COUNTS = 4320.0
"""Three counts per ms at 4 rad/s: then a lag of the clock is worth several edges."""
TARGETS = (6.0, 3.0, -3.0, 6.0, 3.0)
"""Each for a fifth of the steps."""
PACES = (0.7, 1.3)
"""The wheel is too slow and too fast in turns, relative to its target."""
ROUNDING = 1e-6


class Update(NamedTuple):
    """A board updates its drivers."""

    time: float
    """ms since the first step of the simulation."""
    clock: int
    """What the board's clock reads (ms)."""
    has_computed: bool
    """The controller has computed a step: its commands are new."""


def updates(start: float) -> Iterator[Update]:
    """Return the updates of a board whose clock starts at a time: when it ticks or has computed."""
    busy, step = -math.inf, 0
    for tick in range(math.ceil((STEPS + 1) * STEP_MS / TICK_MS)):
        time, clock = start + tick * TICK_MS, math.floor(tick * TICK_MS)
        if time < busy:
            continue
        yield Update(time, clock, False)
        if clock >= step * STEP_MS:
            step, busy = step + 1, time + COMPUTED_MS
            yield Update(busy, math.floor((busy - start) // TICK_MS * TICK_MS), True)


class Law:
    """The law with I alone, computed exactly."""

    def __init__(self, encoder: QuadratureEncoder) -> None:
        self._encoder = encoder
        self.target = self._sum = 0.0
        self._begin: int | None = None
        """The clock at the last update before the first command."""
        self._measured = (0, 0)
        """The clock and the count at the last measurement."""
        self._periods = self._clock = 0

    @property
    def velocity(self) -> float:
        return max(-FULL, min(self.target + self._sum, FULL))

    def update(self, clock: int, count: int) -> None:
        before, self._clock = self._clock, clock
        if self.target and self._begin is None:
            self._begin, self._measured = before, (clock, count)
        if self._begin is None or (clock - self._begin) // PERIOD_MS == self._periods:
            return
        self._periods = (clock - self._begin) // PERIOD_MS
        moved = self._encoder.distance(count - self._measured[1])
        summed = self._sum + GAIN * (self.target * (clock - self._measured[0]) / 1000 - moved)
        self._sum = min(max(summed, -FULL - self.target), FULL - self.target)
        self._measured = clock, count


def prepared(folder: Path) -> tuple[SpeedControl, QuadratureEncoder]:
    """A motor of an Uno and its encoder, as verify follows them."""
    text = propose(two_wheels(), str(WORLD), "arduino-uno").replace("counts = 1440.0", f"counts = {COUNTS}")
    (folder / "hardware.toml").write_text(text.replace("speed_i = 0.0", f"speed_i = {GAIN}"))
    hardware = load_hardware(folder / "hardware.toml", two_wheels())
    wirings = {one.device.name: one for one in hardware.wirings}
    numbers = BoardNumbers.of(hardware)
    encoder = QuadratureEncoder(wirings["left wheel sensor"], numbers)
    control = SpeedControl(wirings["left wheel motor"], FULL, numbers)
    control.connect(encoder)
    return control, encoder


def count_at(share: float, first: int, last: int) -> int:
    """Return the count after a share of the time in which inputs change: edges are spread evenly."""
    passed = math.floor(min(max(share, 0.0), 1.0) * (abs(last - first) + 1))
    return first + int(math.copysign(min(passed, abs(last - first)), last - first))


@pytest.mark.parametrize("start", [-0.9, -0.5, -0.1, 0.3])
def test_verify_allows_the_lag_of_a_clock(start: float, tmp_path: Path):
    """The pins show velocities exactly, and so narrow what the sum may lack as far as they can."""
    control, encoder = prepared(tmp_path)
    law, board = Law(encoder), updates(start)
    due, position, shown = next(board), 0.0, (-math.inf, math.inf)
    begin = sampling_share([encoder], STEP_MS)
    moving = STEP_MS * (1 - SAMPLING_SHARE - begin)
    for step in range(STEPS):
        target = TARGETS[step * len(TARGETS) // STEPS]
        position += target * PACES[step % 2] * STEP_MS / 1000
        encoder.transmit((position,))
        encoder.events()
        low, high = control.velocities(target, STEP_MS, begin, shown)
        while due.time < (step + 1 - SAMPLING_SHARE) * STEP_MS:
            law.target = target if due.has_computed else law.target
            count = count_at((due.time - (step + begin) * STEP_MS) / moving, *encoder.moves[0])
            law.update(due.clock, count)
            due = next(board)
        assert low - ROUNDING <= law.velocity <= high + ROUNDING, (step, low, law.velocity, high)
        shown = law.velocity - ROUNDING, law.velocity + ROUNDING
