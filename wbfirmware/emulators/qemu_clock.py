"""Time in lockstep under QEMU: stops the processor at the microsecond that the bench wants.

The firmware calls `bench_idle` before it sleeps, and stops there from the time `bench_until` on. QEMU then
lets time jump to the next event, as it does when the processor sleeps; so the bench stops just before an
event, most often the clock's next tick. For times within a millisecond the chip's own timer is told to call
earlier: the classes of this file know how, by the names that board.toml gives under [emulation] clock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from wbfirmware.boards import Board
from wbfirmware.emulators.qemu_machine import Machine
from wbfirmware.symbols import first_steps

__all__ = ["Clock"]

TICK = 1000
"""us"""
LONGEST_START = 10_000_000
"""us until the controller's first step begins; what is beyond counts as time of the step."""
LEAST = 50
"""us that pass at once: the clock's interrupt must not come so often that nothing else is done."""


class Timer(Protocol):
    """The timer behind the firmware's clock. It ticks each millisecond by itself."""

    def aim(self, now: int, wanted: int) -> tuple[int, int]:
        """Let its interrupt come at a time (us), at least LEAST after `now`, or at a tick before it.

        Returns:
            which time it is; and when its interrupt comes, or has come, the last time before.
        """

    def now(self, ticks: int) -> int:
        """The time (us); its last interrupt is at the place `ticks` in memory."""


class _SysTick:
    """Cortex-M with the clock by SysTick: the present tick is made shorter, up to the next whole one."""

    RELOAD, VALUE, PENDING, DUE = 0xE000E014, 0xE000E018, 0xE000ED04, 1 << 26
    ENDED = 1
    """Value at the end of a tick whose interrupt QEMU has not yet called."""

    def __init__(self, machine: Machine, board: Board) -> None:
        self._machine, self._cycles = machine, board.clock // 1_000_000
        self._tick = TICK

    def aim(self, now: int, wanted: int) -> tuple[int, int]:
        tick = now - now % TICK + TICK
        if tick < now + LEAST:
            tick += TICK
        if tick > wanted or now % TICK:
            then = min(tick, wanted)
            self._set(then - now)
            return then, now
        if self._tick != TICK:
            self._set(TICK)
        then = wanted - wanted % TICK
        return then, then - TICK

    def _set(self, microseconds: int) -> None:
        self._tick = microseconds
        self._machine.write(self.RELOAD, microseconds * self._cycles - 1, 4)
        self._machine.write(self.VALUE, 0, 4)  # begins anew
        self._machine.write(self.PENDING, self.DUE, 4)  # the tick that has ended

    def now(self, ticks: int) -> int:
        ticked, left = self._machine.read_both(ticks, self.VALUE)
        return ticked + self._tick - (left // self._cycles if left > self.ENDED else 0)


class _NordicTimer:
    """nRF51 with the clock by timer 0: two of its compare registers are free.

    A processor that is busy when the wanted time comes stops a little later, and QEMU would jump from there
    to the next event, which may be the next tick. So there is another event soon behind the wanted one, which
    the firmware renews while it is busy.
    """

    WANTED, BEHIND, ENABLE = 0x40008548, 0x4000854C, 0x40008304
    BOTH = 3 << 18
    CAPTURE, CAPTURED = 0x40008044, 0x40008544
    """The firmware's own: it does not stop between writing the one and reading the other."""

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
    """RISC-V: the firmware sets mtimecmp to the time that it is told, if that is before the next tick; then
    again and again soon behind it, for the same reason as with `_NordicTimer`."""

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
    """The last whole tick before a time."""
    return time - 1 - (time - 1) % TICK


TIMERS: dict[str, Callable[[Machine, Board], Timer]] = {
    "systick": _SysTick,
    "nordic": _NordicTimer,
    "mtimecmp": _MachineTimer,
}


class Clock:
    """Lets the time of a machine pass."""

    def __init__(self, machine: Machine, board: Board) -> None:
        """The firmware stands at its beginning, where variables have their first values."""
        self._machine = machine
        self._timer: Timer = TIMERS[board.emulation["clock"]](machine, board)
        self._stop, self._ticked, self._until = (
            machine.symbols[name] for name in ("bench_stop", "bench_now", "bench_until")
        )
        thumb = board.emulation["program"] == "qemu-system-arm"
        self._on = (self._stop & ~1) + 2 + thumb
        self.origin = 0
        """Time of the board (us) from which that of the bench counts."""
        self._now = self._time = 0
        machine.stop_at(machine.symbols["main"])
        machine.go()
        machine.stop_no_more(machine.symbols["main"])
        machine.stop_at(self._stop)

    def _start(self) -> None:
        """Let the firmware start, until its first tick is due.

        Time counts from the tick in which the controller's first step begins, or the program without a
        controller sleeps for the first time. What came before, such as setting up parts that are slow, is no
        part of a step.
        """
        self._set_up()
        begun = self._timer.now(self._ticked)
        self.origin = begun - begun % TICK
        self._time += self.origin
        self._machine.go()
        self._now = self._arrived(TICK)

    def _set_up(self) -> None:
        """Let the firmware come to its controller's first step, or to its first sleep if it has none."""
        begins = first_steps(self._machine.symbols)
        for place in begins:
            self._machine.stop_at(place)
        if begins:
            self._machine.write(self._until, LONGEST_START, 4)
        self._machine.go()
        for place in begins:
            self._machine.stop_no_more(place)
        self._machine.write(self._until, 0, 4)

    def run(self, microseconds: int) -> bool:
        """Let time pass. When the program was busy for too long before, there is less of it, or none.

        Returns:
            True when some has passed.

        Raises:
            MachineError: the firmware hangs or has crashed.
        """
        self._time += microseconds
        if microseconds > 0 and self._now == 0:
            self._start()
        before = self._now
        while self._now < self._time:
            self._go_to(self._time)
        return self._now > before

    def step(self) -> None:
        """Let an interrupt that has been called be done, and the program sleep again: a little time."""
        self._go_to(self._now)

    def _go_to(self, wanted: int) -> None:
        """Go nearer to a time: to it or a little beyond, or to a tick before it. The program stops after the
        last interrupt before that, when it is about to sleep."""
        then, before = self._timer.aim(self._now, max(wanted, self._now + LEAST))
        self._machine.write(self._until, max(self._now, before) & 0xFFFFFFFF, 4)
        self._machine.go(self._on)
        self._now = self._arrived(then)

    def _arrived(self, then: int) -> int:
        """Go on until it is a certain time: QEMU may stop at other events before. Returns the time."""
        while (now := self._timer.now(self._ticked)) < then:
            self._machine.go(self._on)
        return now
