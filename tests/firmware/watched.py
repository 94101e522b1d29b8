"""A robot's board in lockstep, with parts that watch its pins while time passes."""

from __future__ import annotations

from collections.abc import Callable

from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import FramedPipe, VirtualClock
from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.bench import Bench, LockstepPipe
from wbridge.wbfirmware.building.build import Built


class WatchedPipe(LockstepPipe):
    """A wire; while time passes, parts look at the board's pins often enough to see each change."""

    slice_us = 500

    def __init__(self, bench: Bench, clock: VirtualClock) -> None:
        super().__init__(bench, clock)
        self.look: list[Callable[[], None]] = []

    def pass_time(self, seconds: float) -> None:
        """See `LockstepPipe`."""
        for _ in range(round(seconds * 1e6 / self.slice_us)):
            super().pass_time(self.slice_us / 1e6)
            for look in self.look:
                look()


class Robot:
    """A controller and the board's bench."""

    def __init__(self, program: Built, table: DeviceTable) -> None:
        self.board = program.board.name
        self.bench = Bench(program.board, program.program, lockstep=True)
        clock = VirtualClock()
        self.wire = WatchedPipe(self.bench, clock)
        pipe = FramedPipe(self.wire, "cobs", clock)
        self.master = Master(table, lambda: pipe, clock=clock, sleep=lambda seconds: None, watchdog=400)
        self.master.connect(1.0)
        for slot in self.master.numbering.slots:
            self.master.set_period(slot, 32)

    def set(self, tag: int, name: str, value: float) -> None:
        channel = self.master.numbering.channel(tag, name)
        assert channel is not None
        self.master.set(channel, value)

    def step(self) -> dict[str, tuple[float, ...]]:
        step = self.master.step(32, 0.5)
        assert step is not None
        return {channel.label: value for channel, value in step.values}

    def pass_time(self, seconds: float) -> None:
        self.wire.pass_time(seconds)
