"""Time in lockstep under QEMU: stop the processor at a given microsecond.

The firmware calls `bench_idle` before it sleeps, and stops there from the time `bench_until` on. QEMU then
lets time jump to the next event, as it does when the processor sleeps, so the bench stops just before an
event, usually the clock's next tick. For times within a millisecond, the chip's own timer is set to an
earlier interrupt: the classes in this file implement this, selected by [emulation] clock in board.toml.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Protocol

from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.building.symbols import first_steps
from wbridge.wbfirmware.emulators.qemu_machine import Machine

TICK = 1000
"""us"""
LONGEST_START = 10_000_000
"""Time (us) until the controller's first step begins; longer start-up counts as time of the step."""
LEAST = 50
"""Minimum time (us) to pass at once: the clock's interrupt must leave time for other work."""


class Timer(Protocol):
    """The timer behind the firmware's clock. It ticks by itself, every millisecond or more often."""

    def aim(self, now: int, wanted: int) -> tuple[int, int]:
        """Trigger its interrupt at a time (us), at least LEAST after `now`, or at a tick before it.

        Returns:
            the actual time, and when the interrupt before it comes or came.
        """

    def now(self, ticks: int) -> int:
        """Return the time (us); its last interrupt is stored at address `ticks`."""


class _SysTick:
    """Cortex-M with a SysTick clock: shorten the current tick so that it ends at the given time."""

    RELOAD, VALUE, PENDING, DUE = 0xE000E014, 0xE000E018, 0xE000ED04, 1 << 26
    ENDED = 1
    """Value at the end of a tick whose interrupt QEMU has not called yet."""

    def __init__(self, machine: Machine, board: Board) -> None:
        self._machine = machine
        self._cycles = board.emulation.get("frequency", board.clock) // 1_000_000
        self._tick = 0

    @cached_property
    def _whole(self) -> int:
        """Time (us) between ticks that the firmware has set: stepper motors take shorter ones."""
        self._tick = (self._machine.read(self.RELOAD, 4) + 1) // self._cycles
        return self._tick

    def aim(self, now: int, wanted: int) -> tuple[int, int]:
        whole = self._whole
        tick = now - now % whole + whole
        if tick < now + LEAST:
            tick += whole
        if tick > wanted or now % whole:
            then = min(tick, wanted)
            self._set(then - now)
            return then, now
        if self._tick != whole:
            self._set(whole)
        then = wanted - wanted % whole
        return then, then - whole

    def _set(self, microseconds: int) -> None:
        self._tick = microseconds
        self._machine.write(self.RELOAD, microseconds * self._cycles - 1, 4)
        self._machine.write(self.VALUE, 0, 4)  # restarts the count
        self._machine.write(self.PENDING, self.DUE, 4)  # mark the elapsed tick as pending

    def now(self, ticks: int) -> int:
        ticked, left = self._machine.read_both(ticks, self.VALUE)
        return ticked + (self._tick or self._whole) - (left // self._cycles if left > self.ENDED else 0)


class _NordicTimer:
    """nRF51 with a clock from timer 0: two of its compare registers are free.

    A processor that is busy at the wanted time stops a little later, and QEMU would jump from there to the
    next event, possibly the next tick. Therefore another event follows soon after the wanted one, which the
    firmware renews while it is busy.
    """

    WANTED, BEHIND, ENABLE = 0x40008548, 0x4000854C, 0x40008304
    BOTH = 3 << 18
    CAPTURE, CAPTURED = 0x40008044, 0x40008544
    """Used by the firmware, which is not stopped between writing the first and reading the second."""

    def __init__(self, machine: Machine, board: Board) -> None:
        self._machine = machine

    def aim(self, now: int, wanted: int) -> tuple[int, int]:
        self._machine.write(self.WANTED, wanted & 0xFFFFFFFF, 4)
        self._machine.write(self.BEHIND, (wanted + 2 * LEAST) & 0xFFFFFFFF, 4)
        self._machine.write(self.ENABLE, self.BOTH, 4)
        return wanted, _tick_before(wanted)

    def now(self, ticks: int) -> int:
        self._machine.write(self.CAPTURE, 1, 4)
        return self._machine.read(self.CAPTURED, 4)


class _MachineTimer:
    """RISC-V: the firmware sets mtimecmp to the given time if it is before the next tick, then again and
    again soon after it, for the same reason as in `_NordicTimer`."""

    TIME = 0x0200BFF8

    def __init__(self, machine: Machine, board: Board) -> None:
        self._machine, self._counts = machine, board.clock // 1_000_000

    def aim(self, now: int, wanted: int) -> tuple[int, int]:
        self._machine.write(self._machine.symbols["bench_cut"], wanted & 0xFFFFFFFF, 4)
        return wanted, _tick_before(wanted)

    def now(self, ticks: int) -> int:
        low, high = self._machine.read_both(self.TIME, self.TIME + 4)
        time = low | high << 32
        return time // self._counts


def _tick_before(time: int) -> int:
    """Return the last whole tick before a time."""
    return time - 1 - (time - 1) % TICK


TIMERS: dict[str, Callable[[Machine, Board], Timer]] = {
    "systick": _SysTick,
    "nordic": _NordicTimer,
    "mtimecmp": _MachineTimer,
}


class Clock:
    """Lets the time of a machine pass."""

    def __init__(self, machine: Machine, board: Board) -> None:
        """Start with the firmware at its function main; see `Machine.run_to_main`."""
        self._machine = machine
        self._timer: Timer = TIMERS[board.emulation["clock"]](machine, board)
        self._ticked, self._until = machine.symbols["bench_now"], machine.symbols["bench_until"]
        self._thumb = int(board.emulation["program"] == "qemu-system-arm")
        self._place = self._on = machine.symbols["bench_continue"] | self._thumb
        """Where the program continues next, and where it usually does."""
        self.origin = 0
        """Time of the board (us) at which the bench's time starts."""
        self._now = self._time = 0
        machine.stop_before_write(machine.symbols["bench_stop"])

    def _start(self) -> None:
        """Run the firmware until its first tick is due.

        Time counts from the tick in which the controller's first step begins, or in which a program without a
        controller sleeps for the first time. Earlier work, such as setting up slow parts, is not part of a
        step.
        """
        self._set_up()
        begun = self._timer.now(self._ticked)
        self.origin = begun - begun % TICK
        self._time += self.origin
        self._machine.go()
        self._now = self._arrived(TICK)

    def _set_up(self) -> None:
        """Run the firmware to its controller's first step, or to its first sleep if it has none."""
        begins = first_steps(self._machine.symbols)
        for place in begins:
            self._machine.stop_at(place)
        if begins:
            self._machine.write(self._until, LONGEST_START, 4)
        self._machine.go()
        for place in begins:
            self._machine.stop_no_more(place)
        self._machine.write(self._until, 0, 4)

    def run(self, microseconds: int, whole_ticks: bool = False) -> bool:
        """Let time pass: less of it, or none, if the program was busy for too long before.

        Args:
            microseconds: the time.
            whole_ticks: stop only where a tick is due, up to a tick later. The next calls let less pass.

        Returns:
            True if any time has passed.

        Raises:
            MachineError: the firmware hangs or has crashed.
        """
        self._time += microseconds
        if microseconds > 0 and self._now == 0:
            self._start()
        before = self._now
        end = self._time + -self._time % TICK if whole_ticks else self._time
        while self._now < self._time:
            self._go_to(end)
        return self._now > before

    def jump(self, place: int) -> None:
        """Continue at the address of another function, which does not return.

        The program stands before it sleeps, with its interrupts disabled; the function's own sleep enables
        them.
        """
        self._place = place | self._thumb

    def step(self) -> None:
        """Let a triggered interrupt run and the program sleep again, which takes a little time."""
        self._go_to(self._now)

    def _go_to(self, wanted: int) -> None:
        """Approach a time: reach it or slightly more, or a tick before it. The program stops after the last
        interrupt before it, when it is about to sleep."""
        then, before = self._timer.aim(self._now, max(wanted, self._now + LEAST))
        self._machine.write(self._until, max(self._now, before) & 0xFFFFFFFF, 4)
        self._machine.go(self._place)
        self._place = self._on
        self._now = self._arrived(then)

    def _arrived(self, then: int) -> int:
        """Continue up to a time, because QEMU may stop at other events before. Return the time."""
        while (now := self._timer.now(self._ticked)) < then:
            self._machine.go(self._on)
        return now
