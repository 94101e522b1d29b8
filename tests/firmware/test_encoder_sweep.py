"""Edges around the moment at which a controller reads an encoder, in steps of any length.

Judge: the processor by its formulas. Timer 0 of an AVR at 16 MHz overflows each 1,024 us (data sheet of the
ATmega328P, 15.7 and 15.9: 256 counts of 64 cycles), at which the program looks at the clock; so a step that
is to begin at T ms begins at 1,024 us * ceil(1,000 T / 1,024). Four bytes are loaded one after the other, two
cycles each (AVR instruction set, LDS and LDD). A change between 0 and -1 after the first of them leaves a
mixture of bytes 0 and 255, at least 255 counts away from both.
"""

from __future__ import annotations

import math
import random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from wbridge.wbverify import board_exam
from wbridge.wbverify.board_pins import PinComparison
from wbridge.wbverify.coupling.quadrature_encoder import QuadratureEncoder

CYCLES_PER_MS = 16_000
TICK = 1024 * 16
LOAD = 2
COUNTS, TAG, GAP_US = 720, 3, 40
QUARTERS = {(1, 1): 0, (0, 1): 1, (0, 0): 2, (1, 0): 3}
"""Places of the levels of tracks A and B in a cycle."""
LATEST_US = 700
"""Time from a step's begin to its reading: what other drivers do before."""
JITTER = 48
"""Cycles by which it varies."""


class Board:
    """A board whose controller reads an encoder once in each of its steps."""

    def __init__(self, step_ms: int, world_ms: float, latency_us: int, has_lock: bool) -> None:
        self.step_ms, self.step = world_ms, 100
        self.bench = self.schedule = self.memory = self
        self._own_ms, self._latency, self._has_lock = step_ms, latency_us * 16, has_lock
        self._chance = random.Random(step_ms)
        self._now, self._ended_ms = 0.0, 0
        self._counts: list[tuple[float, int]] = [(0.0, 0)]
        """When the count has changed (cycles), and to what."""
        self._levels = {"a": 1, "b": 1}
        self._shown = 0
        self._reading = self._next()

    # What the examination uses.

    def pass_steps(self, count: float = 1) -> None:
        """Let steps of the world pass."""
        self._pass(count * self.step_ms * CYCLES_PER_MS)

    def make_edges(self, edges: list[tuple[str, float, float]]) -> None:
        """Drive pins, and let a time (us) pass after each."""
        for pin, level, wait_us in edges:
            before = QUARTERS[self._levels["a"], self._levels["b"]]
            self._levels[pin] = int(level)
            turned = (QUARTERS[self._levels["a"], self._levels["b"]] - before) % 4
            assert turned != 2
            if turned:
                self._counts.append((self._now, self._counts[-1][1] + (1 if turned == 1 else -1)))
            self._pass(wait_us * CYCLES_PER_MS / 1000)

    def ended(self, bench: object) -> int:
        """The end of the last step by the clock of the board (ms)."""
        return self._ended_ms

    def read(self, bench: object) -> Board:
        """What the controller has read last."""
        return self

    def of(self, tag: int, channel: str) -> list[float]:
        """In rad."""
        assert (tag, channel) == (TAG, "position")
        return [self._shown / COUNTS * math.tau]

    # The processor.

    def _next(self) -> float:
        """Return the moment of the reading of the next step (cycles)."""
        begun = -(-(self._ended_ms + self._own_ms) * CYCLES_PER_MS // TICK) * TICK
        return begun + self._latency + self._chance.randint(0, JITTER)

    def _pass(self, cycles: float) -> None:
        self._now += cycles
        while self._reading + 3 * LOAD <= self._now:
            self._shown = self._loaded(self._reading)
            self._ended_ms += self._own_ms
            self._reading = self._next()

    def _loaded(self, moment: float) -> int:
        """Return the count of which four bytes are loaded from a moment on; all at once under a lock."""
        moments = [moment + LOAD * k * (not self._has_lock) for k in range(4)]
        counts = [next(count for at, count in reversed(self._counts) if at <= now) for now in moments]
        loaded = bytes(count.to_bytes(4, "little", signed=True)[k] for k, count in enumerate(counts))
        self._counts = self._counts[-20:]
        return int.from_bytes(loaded, "little", signed=True)


def swept(board: Board) -> list[PinComparison]:
    """The rows of the examination."""
    wiring = SimpleNamespace(
        values={"a": "a", "b": "b", "counts": COUNTS},
        device=SimpleNamespace(constants={"type": "rotational"}),
    )
    encoder = QuadratureEncoder(cast("Any", wiring), cast("Any", SimpleNamespace(real=float)))
    return list(board_exam._sweep_edge(cast("Any", board), TAG, encoder, GAP_US))


@pytest.mark.parametrize("latency_us", [0, 130, LATEST_US])
@pytest.mark.parametrize("step_ms", [*range(2, 21), 24, 25, 30, 32, 33, 40, 48, 50, 64, 100, 128])
def test_a_reading_without_a_lock_is_found_in_steps_of_any_length(step_ms: int, latency_us: int):
    (row,) = swept(Board(step_ms, step_ms, latency_us, has_lock=False))
    counts = row.found * COUNTS / math.tau
    assert counts == pytest.approx(round(counts)) and round(counts) not in (0, -1)
    assert {*round(counts).to_bytes(4, "little", signed=True)} == {0, 255}, "bytes of both"
    assert abs(row.found - row.wanted) > row.bound


@pytest.mark.parametrize("step_ms", [2, 5, 10, 16, 25, 32, 50, 64, 100])
def test_a_reading_under_a_lock_agrees(step_ms: int):
    (row,) = swept(Board(step_ms, step_ms, 130, has_lock=True))
    assert abs(row.found - row.wanted) <= row.bound


@pytest.mark.parametrize(("step_ms", "world_ms"), [(32, 16), (20, 10), (30, 10), (64, 8), (48, 16)])
def test_steps_of_the_controller_need_not_be_those_of_the_world(step_ms: int, world_ms: int):
    (row,) = swept(Board(step_ms, world_ms, 130, has_lock=False))
    assert abs(row.found - row.wanted) > row.bound
