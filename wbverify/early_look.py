"""Read the pins early in each step: what a controller commands comes at once, not later.

They are read when the processor has computed the step and sleeps again, and once more at a random time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

from wbridge.wbfirmware.bench import Bench, Load
from wbridge.wbverify.board_pins import BoardPins, PinComparison
from wbridge.wbverify.coupling.couplings import ActuatorCoupling, Commands

SEED = 1
"""Of the random times."""
EARLIEST, LATEST = 0.02, 0.95
"""Parts of the time in which inputs change."""
SLEPT_US = 200
"""Time asleep, since inputs change, after which the controller has certainly computed its step (us)."""
SLICE_MS, BEGIN_MS = 0.5, 2.0
"""Time between looks at the load, and that at which each board has begun its step, whose clock may tick every
1.024 ms (ms)."""
IDLE = 0.2
"""Largest share of a slice that interrupts take."""


class EarlyLook:
    """Reads those actuators whose pins show a command at once and do not change by themselves."""

    def __init__(self, bench: Bench, pins: BoardPins, step_ms: float) -> None:
        self._bench, self._pins, self._step_ms = bench, pins, step_ms
        self._times = random.Random(SEED)
        self._loads: list[Load] = []
        """What the processor did since the last call of `load`, in parts."""
        self._first: dict[int, float] = {}
        """What all actuators showed when the processor first slept in this step."""
        self._found: list[dict[int, float]] = []
        """What steady actuators showed in the looks of this step."""

    def begin_step(self, share: float) -> None:
        """Let the first share of a step pass, and read the pins when the processor has computed."""
        self._first = {}
        left = share * self._step_ms
        while left > 0:
            slice_ms = min(SLICE_MS, left)
            self._pins.wait(slice_ms / self._step_ms)
            left -= slice_ms
            load = self._take()
            if load is None:
                self._pins.wait(left / self._step_ms)
                return
            is_idle = load.awake < IDLE * 1000 * slice_ms
            if is_idle and share * self._step_ms - left >= BEGIN_MS:
                self._first = self._read(self._steady())
                self._pins.wait(left / self._step_ms)
                return

    def _steady(self) -> dict[int, ActuatorCoupling]:
        """Return the actuators that can show a command at once."""
        return {tag: act for tag, act in self._pins.actuators.items() if act.is_steady({})}

    def _take(self) -> Load | None:
        load = self._bench.load()
        if load is not None:
            self._loads.append(load)
        return load

    def plan(self, commands: Mapping[int, Commands], time_us: float) -> tuple[float, Callable[[], None]]:
        """Plan the random look of a step.

        Args:
            commands: those in effect, by the tags of actuators.
            time_us: time in which inputs change (us); it begins now.

        Returns:
            Part of this time, and what to do then.
        """
        steady = [tag for tag, own in commands.items() if self._pins.actuators[tag].is_steady(own)]
        self._found = [{tag: value for tag, value in self._first.items() if tag in steady}]
        part = self._times.uniform(EARLIEST, LATEST)
        return part, lambda: self._look(steady, part * time_us)

    def _look(self, steady: list[int], passed_us: float) -> None:
        load = self._take()
        if load is None or passed_us - load.awake < SLEPT_US:
            return  # the controller may still compute
        self._found.append(self._read({tag: self._pins.actuators[tag] for tag in steady}))

    def _read(self, actuators: Mapping[int, ActuatorCoupling]) -> dict[int, float]:
        """Return what actuators show now."""
        shown = self._pins.read_all(actuators)
        return {tag: act.found(shown[tag]) for tag, act in actuators.items()}

    def compare(self, late: PinComparison) -> Iterator[PinComparison]:
        """Compare the same quantity as later in the step; only a difference is a row of its own."""
        for look in self._found:
            change = look.get(late.tag)
            if change is not None and not abs(change - late.wanted) <= late.bound:
                yield late._replace(quantity=f"{late.quantity} early in the step", found=change)

    def load(self) -> Load | None:
        """Return what the processor did since the last call; see `Bench.load`."""
        if self._take() is None:
            return None
        parts, self._loads = self._loads, []
        return Load(
            sum(part.awake for part in parts),
            max(part.longest for part in parts),
            sum(part.interrupted for part in parts),
            sum(part.interrupts for part in parts),
            max(part.locked for part in parts),
        )
