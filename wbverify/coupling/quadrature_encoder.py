"""A quadrature encoder: one edge per count."""

from __future__ import annotations

import math
from collections import deque

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling, Values

TRACKS = ((1, 1), (0, 1), (0, 0), (1, 0))
"""Levels of A and B, count by count: 11, 01, 00, 10 is one cycle forward. It begins with both high, as pins
with a pull-up are before they are driven: the initial position of an encoder is arbitrary."""
START = TRACKS[0]
COURSE = 64
"""Number of steps remembered."""


class QuadratureEncoder(SensorCoupling):
    """Converts a position to a count; it starts at 0, as on a board that was just switched on."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._pins, self._real = (wiring.values["a"], wiring.values["b"]), numbers.real
        self._counts = float(wiring.values["counts"])
        self._linear = wiring.device.constants.get("type") == "linear"
        self._count = self._shown = 0
        self._phase = 0
        """Quarters of a cycle that `opposite` has added: 0 or 2."""
        self.course: deque[tuple[float, float]] = deque([(0.0, 0.0)], COURSE)
        """Readings before and after each of the last steps, the last step first."""
        self.moves: deque[tuple[int, int]] = deque([(0, 0)], COURSE)
        """The same as counts."""

    is_gradual = True

    def start(self) -> list[PinEvent]:
        """Set both tracks at once, which the driver treats as noise if it has seen another level before."""
        return [PinEvent(pin, float(level)) for pin, level in zip(self._pins, START, strict=True)]

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        turns = values[0] if self._linear else values[0] / math.tau
        self._count = 0 if math.isnan(turns) else round(turns * self._counts)
        return (self._read(self._count),)

    def turn_to(self, count: int) -> list[PinEvent]:
        """Return the edges on the way to a count."""
        self._count = count
        return self.events()

    def opposite(self) -> list[PinEvent]:
        """Return the changes of both tracks to the opposite phase; the next call returns those back."""
        self._phase = 2 - self._phase
        levels = TRACKS[(self._shown + self._phase) % 4]
        return [PinEvent(pin, float(level)) for pin, level in zip(self._pins, levels, strict=True)]

    def reading_at(self, count: int) -> float:
        """Return what the controller on the board reads at a count."""
        return self._read(count)

    def distance(self, count: float) -> float:
        """Return the distance (rad or m) of some counts."""
        turns = count / self._counts
        return turns if self._linear else turns * math.tau

    def _read(self, count: int) -> float:
        """Return the driver's reading for a count."""
        real = self._real
        read = real(count) / real(self._counts)
        return float(read if self._linear else read * real(math.tau))

    def events(self) -> list[PinEvent]:
        """See `SensorCoupling`."""
        found = []
        self.moves.appendleft((self._shown, self._count))
        self.course.appendleft((self._read(self._shown), self._read(self._count)))
        while self._shown != self._count:
            before = TRACKS[(self._shown + self._phase) % 4]
            self._shown += 1 if self._count > self._shown else -1
            levels = TRACKS[(self._shown + self._phase) % 4]
            track = 0 if levels[0] != before[0] else 1
            found.append(PinEvent(self._pins[track], float(levels[track])))
        return found


make = QuadratureEncoder
