"""The speed controller of motor drivers (firmware_templates/project/speed_control.c) beside a simulation.

The board runs it every 10 ms, counted in whole ms from the first step of the motor's movement, but never
while the controller computes. So it may measure later than due, above all at the beginning of a step, and
the velocity that it sets has a range: that of all delays. Its clock may also be slightly ahead of the
bench's. The ranges do not grow from step to step, because a late measurement shortens the next interval,
and the sum of error times interval depends on the distance only. Only the delay of the first measurement
stays in the sum, and that of a measurement before the target changes: the error of the time in between is
computed with one target or the other. What may have stayed there is narrowed by what the pins show.

The ticks of some clocks are not whole ms (`BoardNumbers.tick_ms`). A measurement finds the distance of its
moment, but a time in whole ms, which lags by a part that differs from one measurement to the next: less than
1 ms at a tick, and a tick more after the controller has computed. So each sum may lack I * target * lag.
"""

from __future__ import annotations

import math
from collections import deque
from itertools import product
from typing import NamedTuple

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import SAMPLING_SHARE, BoardNumbers
from wbridge.wbverify.coupling.quadrature_encoder import QuadratureEncoder

PERIOD_MS = 10
"""Interval of the control times."""
BUSY_MS = 5
"""Time from the beginning of a step in which the controller may compute."""
EARLY_MS = 1
"""How far the board's clock may be ahead."""
KEPT = 4
"""Control times remembered: those that can still matter when the pins are read."""


class _Control(NamedTuple):
    """A control time as it is if it comes when due."""

    at: float
    """ms since the start of the control."""
    target: float
    integral: float
    error_sum: float
    """The sum before it is limited."""
    late: int
    """The largest delay (ms)."""


class SpeedControl:
    """The velocities that a driver may set for target velocities and an encoder's movement."""

    def __init__(self, wiring: Wiring, full: float, numbers: BoardNumbers) -> None:
        """
        Args:
            wiring: the motor in the hardware map.
            full: the velocity at full duty.
            numbers: of the board; its `control_delay` is the largest delay of a control time after the time
            in which the controller computes (ms).
        """
        self._late = numbers.control_delay
        # A clock with ticks of whole ms does not lag when it ticks, and drivers measure then.
        self._lag, self._busy_lag = (0.0, 0.0) if numbers.tick_ms == 1 else (1.0, 1.0 + numbers.tick_ms)
        self._p, self._i, self._d = (float(wiring.values.get(f"speed_{letter}", 0.0)) for letter in "pid")
        self._full = full
        self._encoder: QuadratureEncoder | None = None
        self._counts: dict[float, int] = {}
        """Counts of the encoder by time, as far as computed since the last step."""
        self._forget()

    @property
    def is_used(self) -> bool:
        """True if the hardware map sets gains."""
        return any((self._p, self._i, self._d))

    def connect(self, encoder: QuadratureEncoder | None) -> None:
        """Set the encoder."""
        self._encoder = encoder

    def _forget(self) -> None:
        self._now = self._begin = 0.0
        self._step_ms = math.inf
        self._integral = 0.0
        self._done: deque[_Control] = deque(maxlen=KEPT)
        self._steps: deque[tuple[float, float, int, int]] = deque()
        self._started = False
        self._lacks = (0.0, 0.0)
        """Range of what the sum may lack because the control began late or the target changed."""
        self._last = (-math.inf, math.inf)
        """The range of the last step, if the sum lacked nothing."""

    def velocities(
        self, target: float, step_ms: float, begin: float, shown: tuple[float, float]
    ) -> tuple[float, float]:
        """Pass a step, and return the smallest and largest velocity that may be set when pins are read.

        Args:
            target: the target velocity in this step.
            step_ms: duration of the step.
            begin: share of the step at which the encoder starts to move, see `sampling_share`.
            shown: range of the velocity that the pins have shown in the last step.
        """
        if target == 0 or self._encoder is None:
            self._forget()
            return target, target
        before, after = self._encoder.moves[0]
        self._begin, end, self._step_ms = self._now, self._now + step_ms, step_ms
        self._counts.clear()
        self._steps.append((self._now + begin * step_ms, end - SAMPLING_SHARE * step_ms, before, after))
        while self._steps[0][1] < self._now - 4 * max(step_ms, PERIOD_MS):
            self._steps.popleft()
        if self._started:
            self._narrow(*shown)
            self._widen(target)
        else:
            self._started = True
            self._done.append(_Control(0.0, target, 0.0, 0.0, BUSY_MS))
            lacks = [
                self._i * (target * (late - lag) / 1000 - self._distance(0, late))
                for late in range(-EARLY_MS, BUSY_MS + 1)
                for lag in (0.0, self._lag_at(late))
            ]
            self._lacks = min(lacks), max(lacks)
        read = end - SAMPLING_SHARE * step_ms
        while self._done[-1].at + PERIOD_MS <= end:
            self._control(target, end - step_ms)
        self._now = end
        low, high = self._last = self._range(target, read)
        low, high = low - self._lacks[1], high - self._lacks[0]
        return max(low, -self._full), min(high, self._full)

    def _narrow(self, low: float, high: float) -> None:
        """Exclude what the sum cannot lack, as the pins have shown a velocity within this range."""
        if -self._full < low and high < self._full:  # not limited
            least = max(self._lacks[0], self._last[0] - high)
            most = min(self._lacks[1], self._last[1] - low)
            if least <= most:  # otherwise they differed
                self._lacks = least, most

    def _widen(self, target: float) -> None:
        """The target changes after a measurement that may have come late."""
        last = self._done[-1]
        earliest = -EARLY_MS - self._busy_lag
        delays = [earliest, last.late]
        if self._is_open(last):  # it may also see the new target, for the whole interval
            delays += [earliest - PERIOD_MS, last.late - PERIOD_MS]
        terms = [self._i * (target - last.target) * late / 1000 for late in delays]
        self._lacks = self._lacks[0] + min(terms), self._lacks[1] + max(terms)

    def _lag_at(self, time: float) -> float:
        """Return how far the clock may lag at a measurement (ms)."""
        may_compute = (time - self._begin + EARLY_MS) % self._step_ms <= BUSY_MS + EARLY_MS
        return self._busy_lag if may_compute else self._lag

    def _is_open(self, control: _Control) -> bool:
        """True if a control time of an earlier step may be so late that it comes after this one's command."""
        return control.at <= self._begin <= control.at + control.late

    def _control(self, target: float, begin: float) -> None:
        """Add a control time of a step."""
        last = self._done[-1]
        at = last.at + PERIOD_MS
        moved = self._distance(last.at, at)
        summed = last.integral + self._i * (target * PERIOD_MS / 1000 - moved)
        late = math.ceil(max(self._late, BUSY_MS - (at - begin)))
        self._done.append(_Control(at, target, self._limited(summed, target), summed, late))

    def _limited(self, integral: float, target: float) -> float:
        return min(max(integral, -self._full - target), self._full - target)

    def _range(self, target: float, read: float) -> tuple[float, float]:
        """Return the range of the velocity when the pins are read."""
        values: list[float] = []
        controls = list(self._done)
        for place in range(len(controls) - 1, -1, -1):
            controller = controls[place]
            if controller.at - EARLY_MS > read:
                continue
            values += self._outcomes(controls[: place + 1], target)
            if controller.at + controller.late <= read:
                break
        return min(values), max(values)

    def _outcomes(self, controls: list[_Control], target: float) -> list[float]:
        """Return the velocities after the last of some control times, for all delays."""
        last = controls[-1]
        if len(controls) < 2 and last.at == 0:
            return [target]
        speeds = self._speeds(controls[-2], last)
        changes = [0.0]
        if len(controls) > 2:
            earlier = [speed for _, speed in self._speeds(controls[-3], controls[-2])]
            now = [speed for _, speed in speeds]
            changes = [min(now) - max(earlier), max(now) - min(earlier)]
            shortest = max(PERIOD_MS - controls[-2].late - EARLY_MS - self._busy_lag, 1)
            changes = [change * 1000 / shortest for change in changes]
        targets = {last.target, target} if self._is_open(last) else {last.target}
        assert self._encoder is not None
        count = self._i * self._encoder.distance(1)  # of an edge that comes with a measurement
        found = []
        for late, speed in speeds:
            further = self._i * (last.target * late / 1000 - self._distance(last.at, last.at + late))
            lack = self._i * last.target * self._lag_at(last.at + late) / 1000
            sums = [last.error_sum + further - lag - edge for lag in (0.0, lack) for edge in (-count, count)]
            integrals = (last.integral, *(self._limited(value, last.target) for value in sums))
            for integral, seen in product(integrals, targets):
                correction = self._p * (seen - speed) + integral
                found += [target + correction - self._d * change for change in changes]
        return found

    def _speeds(self, first: _Control, second: _Control) -> list[tuple[int, float]]:
        """Return the delays of a measurement (ms), each with the lowest and the highest speed that it may
        find."""
        assert self._encoder is not None
        begins = [(early, self._count(first.at + early)) for early in range(-EARLY_MS, first.late + 1)]
        lags = [(early, begin, self._lag_at(first.at + early)) for early, begin in begins]
        steps: list[tuple[int, float]] = []
        for late in range(-EARLY_MS, second.late + 1):
            end = self._count(second.at + late)
            lag = self._lag_at(second.at + late)
            speeds = [
                distance * 1000 / max(PERIOD_MS + late - early + more, 1)
                for early, begin, own_lag in lags
                for distance in (self._encoder.distance(end - begin),)
                for more in ((-lag, own_lag) if lag or own_lag else (0.0,))
            ]
            steps += [(late, min(speeds)), (late, max(speeds))]
        return steps

    def _distance(self, first: float, second: float) -> float:
        """Return the distance between two times (ms since the start of the control)."""
        assert self._encoder is not None
        return self._encoder.distance(self._count(second) - self._count(first))

    def _count(self, time: float) -> int:
        """Return the encoder's count at a time: its edges are spread evenly, see `BoardPins.apply_inputs`."""
        count = self._counts.get(time)
        if count is None:
            count = self._counts[time] = self._counted(time)
        return count

    def _counted(self, time: float) -> int:
        count = self._steps[0][2]
        for begin, end, before, after in self._steps:
            if time <= begin:
                break
            edges = abs(after - before)
            passed = min(edges, math.floor((time - begin) / (end - begin) * (edges + 1)))
            count = before + (passed if after > before else -passed)
        return count
