"""What an open window costs a run: an e-puck whose controller reads ten sensors, as fast as possible."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.case import Case
from robot_windows.outside import WindowProcess
from wbcore.controllers.output import Output
from wbcore.controllers.runner import Runner, RunOptions
from wbcore.scene.load import load_world
from wbcore.windows.desk import Desk
from wbridge.running.windows import world_info

CHECKOUT = Path(__file__).resolve().parent.parent
CONTROLLER = CHECKOUT / "benchmarks" / "controllers" / "ten_sensors" / "ten_sensors.py"
WORLD = CHECKOUT / "worlds" / "epuck_arena.wbt"
STEPS, TURNS = 1000, 15
TOKEN = "benchmark"


class Meter:
    """Time of a run with a window, and what of it is spent for the window: both in the same turn, so that
    other work on the machine disturbs both alike. Pages are served by another process."""

    def __init__(self, runner: Runner, windows: WindowProcess) -> None:
        self._runner, self._windows = runner, windows
        self.ratios: list[float] = []
        self._spent = self._start = 0.0
        self._left = 0

    def metered(self, hook: Callable[..., object]) -> Callable[..., None]:
        """A hook of the windows whose time is counted."""
        clock = time.perf_counter

        def call(*arguments: Any) -> None:
            start = clock()
            hook(*arguments)
            self._spent += clock() - start

        return call

    def step(self) -> None:
        """After each step."""
        if not self._windows.watched:
            return
        if self._left:
            self._left -= 1
            return
        now = time.perf_counter()
        if self._start:
            whole = now - self._start
            self.ratios.append(whole / (whole - self._spent))
            if len(self.ratios) == TURNS:
                self._runner.end(0, "measured")
        self._start, self._left, self._spent = now, STEPS, 0.0


def cost_of_a_window() -> float:
    """Time of a run with an open window, divided by that without what is done for the window."""
    null = os.open(os.devnull, os.O_WRONLY)
    options = RunOptions(controllers={"": str(CONTROLLER)}, output=Output(null, null))
    with WindowProcess(port=0, token=TOKEN) as windows, Runner(load_world(WORLD), options) as runner:
        url = f"ws://127.0.0.1:{windows.port}/live?token={TOKEN}"
        command = [sys.executable, "-m", "benchmarks.window_viewer", url]
        with subprocess.Popen(command, stdin=subprocess.PIPE, text=True, cwd=CHECKOUT) as viewer:
            assert viewer.stdin is not None
            viewer.stdin.write("on\n")
            viewer.stdin.flush()
            meter = Meter(runner, windows)
            Desk(runner, windows, windows.take, lambda desk: windows.open(world_info(desk)))
            assert runner.on_wait is not None, "the desk attends"
            attended = meter.metered(runner.on_step)
            runner.on_step = lambda simulation: (attended(simulation), meter.step())
            runner.on_wait = meter.metered(runner.on_wait)
            runner.run()
            viewer.kill()
    os.close(null)
    return median(meter.ratios)


def cases() -> list[Case]:
    """The measurements of this file."""
    return [Case("a run with an open window, 60 times a second", cost_of_a_window, 1.05, "x without")]
