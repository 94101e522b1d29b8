"""The emulated Uno leaves out the cycles in which its processor sleeps, and is the same as with them."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tests.firmware.conftest import Firmware, two_wheels
from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import VirtualClock
from wbridge.wbfirmware.bench import Bench, lockstep_pipe
from wbridge.wbfirmware.emulators import simavr

STEP = 32
LEFT, FRONT = 1, 5


def run(firmware: Firmware, steps: int) -> list[object]:
    """Drive the robot for some steps; everything that the board says and shows, with its times."""
    shown: list[object] = []
    with Bench(firmware.built.board, firmware.built.program, lockstep=True) as bench:
        clock = VirtualClock()
        pipe = lockstep_pipe(bench, clock)
        wire = pipe.pipe
        master = Master(two_wheels(), lambda: pipe, clock=clock, sleep=wire.pass_time)
        master.connect(1.0)
        for slot in master.numbering.slots:
            master.set_period(slot, STEP)
        position, velocity = (master.numbering.channel(LEFT, name) for name in ("position", "velocity"))
        assert position and velocity
        master.set(position, math.inf)
        for k in range(steps):
            bench.drive(firmware.pin("front", "pin"), k / 10)
            bench.drive(firmware.pin("left wheel sensor", "a"), k % 2)
            master.set(velocity, k - 6.0)
            shown += [master.step(STEP, 0.5), clock.now]
            wire.pass_time(0.0303)
            shown += [bench.show(firmware.pin("left wheel motor", one)) for one in ("pwm", "forward")]
    return shown


def test_a_sleeping_processor_is_the_same_with_all_of_its_cycles(
    built: Callable[..., Firmware], monkeypatch: pytest.MonkeyPatch
):
    firmware = built("arduino-uno")
    quick = run(firmware, 12)
    command = simavr.command
    monkeypatch.setattr(simavr, "command", lambda *words: [*command(*words), "--no-skip"])
    assert run(firmware, 12) == quick
    assert len({repr(one) for one in quick}) > 24  # it has done something
