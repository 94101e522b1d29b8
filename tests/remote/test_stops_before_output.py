"""Robots stop although nothing can be written any more: motors stop before anything is printed.

The judges are the emulated robot, and outputs that note its state when something is written.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.conftest import CHECKOUT
from tests.remote.deaths import kill_all, processes_of
from tests.remote.emulated import REMOTE, ClosedPipe, Serving, controlled, serving, until
from tests.remote.test_alone import write_table
from tests.remote.test_epuck import STEP, drive, peers
from tests.waiting import wait_for
from wbridge.hal import api
from wbridge.hal.gateway.step_watch import StepWatch
from wbridge.remote_controls.emulators.epuck import Emulator

CONTROLLER = """
import math
from controller import Robot
robot = Robot()
motor = robot.getDevice("left wheel motor")
motor.setPosition(math.inf)
motor.setVelocity(2.0)
while robot.step(32) != -1:
    pass
"""
SIGNALS = (signal.SIGSTOP, signal.SIGKILL)


def fill(pipe: int) -> None:
    """Write to a pipe that nobody reads until it takes no more."""
    os.set_blocking(pipe, False)
    with suppress(BlockingIOError):
        while True:
            os.write(pipe, bytes(4096))
    os.set_blocking(pipe, True)


def stands(served: Serving) -> float:
    """Wait until the wheel stands, which it does if it was told to before; 1."""
    wait_for(lambda: served.robot.state()["left"] == 0)
    return 1.0


@contextmanager
def alone(folder: Path, served: Serving) -> Iterator[tuple[int, int]]:
    """`wbridge-controller` drives a robot; yields its process, a gateway, and the pipe of its output."""
    program = folder / "go.py"
    program.write_text(CONTROLLER)
    words = [write_table(folder), "--remote-control", "epuck", "--url", served.url, program]
    command = [sys.executable, "-m", "wbridge.hal.gateway.alone", *map(str, words)]
    environment = {name: value for name, value in os.environ.items() if name != "WBRIDGE_REMOTE_GUARD"}
    reading, writing = os.pipe()
    with subprocess.Popen(command, cwd=CHECKOUT, env=environment, stdout=writing, stderr=writing) as process:
        try:
            wait_for(lambda: served.robot.state()["left"] or process.poll() is not None)
            yield process.pid, writing
        finally:
            os.close(reading)
            os.close(writing)
            kill_all(process.pid)


@pytest.mark.parametrize("victim", ["controller", "guard", "simulator"])
@pytest.mark.parametrize("number", SIGNALS)
def test_a_controller_without_a_simulator_stops_though_nobody_reads(
    victim: str, number: signal.Signals, tmp_path: Path
):
    with serving(Emulator()) as served, alone(tmp_path, served) as (gateway, pipe):
        assert served.robot.state()["left"] > 0
        pids = processes_of(gateway)
        fill(pipe)
        os.kill(pids[victim], number)
        stands(served)


def test_a_plugin_whose_controller_makes_no_step_is_paused_before_that_is_printed(
    monkeypatch: pytest.MonkeyPatch,
):
    calls: list[str] = []
    plugin = SimpleNamespace(watchdog_ms=1)
    mode = SimpleNamespace(active=True, plugin=plugin, name="mine", pause=lambda: calls.append("pause"))
    control = SimpleNamespace(guarded=None, mode=mode)
    watch = StepWatch(cast(Any, SimpleNamespace(remote_control=control)))
    output = ClosedPipe(lambda: len(calls))
    monkeypatch.setattr(sys, "stderr", output)
    watch.after_step()
    watch.expire()
    assert output.seen == [1]


def test_a_robot_without_steps_is_stopped_before_that_is_printed(monkeypatch: pytest.MonkeyPatch):
    """The plugin's own watchdog, which goes on although its output is closed."""
    with serving(Emulator()) as served, controlled(peers(), "epuck"):
        api.wb_robot_set_mode(REMOTE, f"{served.url}?watchdog=50")
        drive(2.0, 2.0)
        until(lambda: served.robot.state()["left"] > 0, STEP)
        output = ClosedPipe(lambda: stands(served))
        monkeypatch.setattr(sys, "stderr", output)
        for count in (1, 2):
            wait_for(lambda count=count: len(output.seen) == count)
            assert output.seen == [1.0] * count
            until(lambda: served.robot.state()["left"] > 0, STEP)
