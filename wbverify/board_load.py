"""How much of its time an emulated board computes, step by step, and how long its interrupts take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wbridge.wbfirmware.bench import Load


class BoardLoad(NamedTuple):
    """The load of a board's processor in a run. A share is of the world's basic time step, 0 to 1."""

    mean: float
    """Mean share of the time in which the processor does not sleep."""
    most: float
    """The largest share in a step."""
    most_step: int
    """That step."""
    stretch_ms: float
    """The longest time without sleep: reading sensors, a step of the controller, sending commands, and the
    interrupts that come meanwhile."""
    stretch_step: int
    """The step in which it ended."""
    interrupts: float
    """Mean share of the time in interrupts."""
    per_step: float
    """Mean number of interrupts in a step."""
    locked_us: float
    """The longest time with interrupts disabled (us), also by an interrupt."""

    def __str__(self) -> str:
        return (
            f"the processor is busy for {_percent(self.mean)} of the basic time step, at most "
            f"{_percent(self.most)} (step {self.most_step}); the longest computation takes "
            f"{self.stretch_ms:.3g} ms (step {self.stretch_step}); interrupts: {_percent(self.interrupts)}, "
            f"{self.per_step:.3g} in a step, disabled for at most {self.locked_us:.3g} us"
        )


def board_load(loads: Sequence[Load], step_ms: float) -> BoardLoad | None:
    """Return the load of a run; None if the emulator has counted nothing.

    Args:
        loads: what the processor did in each step.
        step_ms: the basic time step.
    """
    if not loads:
        return None
    shares = [load.awake / (1000 * step_ms) for load in loads]
    stretches = [load.longest / 1000 for load in loads]
    most, longest = max(shares), max(stretches)
    return BoardLoad(
        sum(shares) / len(shares),
        most,
        shares.index(most),
        longest,
        stretches.index(longest),
        sum(load.interrupted for load in loads) / (1000 * step_ms * len(loads)),
        sum(load.interrupts for load in loads) / len(loads),
        max(load.locked for load in loads),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
