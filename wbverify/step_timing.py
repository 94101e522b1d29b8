"""Measure how late an emulated board ends its steps, by its own clock."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.building.symbols import symbols
from wbridge.wbverify.board_memory import BEGIN

STARTED, ENDED = "flavor_begun", "flavor_schedule"
"""Variables of firmware_templates/controller/flavor.h (ms): start of the first step, end of the last."""
SIZE = 4


class BoardSchedule:
    """The schedule in the memory of a board."""

    def __init__(self, built: Built) -> None:
        known = symbols(built.board, built.program)
        begin = known.get(BEGIN, 0)
        self._places = [known[name] - begin for name in (STARTED, ENDED) if name in known]

    def read(self, bench: Bench) -> int | None:
        """The duration (ms) of all steps that have ended; None if the program does not keep it.

        Raises:
            BenchError: the emulator ended.
        """
        times = self._times(bench)
        return (times[1] - times[0]) % 2**32 if times else None

    def ended(self, bench: Bench) -> int | None:
        """The end of the last step by the clock of the board (ms); None if the program does not keep it.

        Raises:
            BenchError: the emulator ended.
        """
        times = self._times(bench)
        return times[1] if times else None

    def _times(self, bench: Bench) -> list[int]:
        if len(self._places) < 2:
            return []
        return [int.from_bytes(memory, "little") for memory in bench.memories(self._places, SIZE)]


def late_steps(answered: Sequence[bool], times: Sequence[int | None], step_ms: float) -> list[str]:
    """Return a line about late steps of the controller; empty if all were in time.

    Args:
        answered: for each step of the world, whether the controller's step ended with it.
        times: what `BoardSchedule.read` returned after each.
        step_ms: step length of the world (ms).
    """
    late = []
    for step, (is_end, time) in enumerate(zip(answered, times, strict=False)):
        wanted = (step + 1) * step_ms
        if is_end and time is not None and time != wanted:
            late.append((step, time - wanted))
    if not late:
        return []
    (step, first), most = late[0], max(abs(lateness) for _, lateness in late)
    by = f"{first:g} ms late" if first > 0 else f"did not end; {-first:g} ms of its time were missing"
    return [
        f"{len(late)} of {sum(answered)} steps of the controller were not in time on the board; the first is "
        f"step {step} ({step * step_ms:g} ms), {by}; the maximum deviation is {most:g} ms"
    ]
