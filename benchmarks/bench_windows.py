"""Slowdown of a run by an open window: an e-puck whose controller reads ten sensors, as fast as possible.

Simulator and controller share one processor, so that step times are stable: in a virtual machine, waking
a process on another processor can take longer than a step. The window client runs on another processor, as if
on another machine; drawing in a browser is not measured. The window server may run on any processor.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time

from benchmarks.case import Case, Reading, of_turns
from benchmarks.checkout import BENCHMARKS, CHECKOUT
from benchmarks.processors import processor
from wbridge.robot_windows.window_process import WindowProcess
from wbridge.running.windows import world_info
from wbridge.wbcore.controllers.output import Output
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.windows.simulation_handler import SimulationHandler

CONTROLLER = BENCHMARKS / "controllers" / "ten_sensors" / "ten_sensors.py"
WORLD = CHECKOUT / "worlds" / "epuck_arena.wbt"
STEPS, TURNS = 250, 600
SETTLE = 100
"""Maximum number of steps between opening or closing the window and a turn. A state is published about every
SETTLE steps, and turns must not all begin right after one."""
RUN, VIEWER = 0, 1
"""Processor numbers, modulo the number of processors."""
TOKEN = "benchmark"


class Turns:
    """Measures the wall time of short turns, alternately without and with an open window."""

    def __init__(self, runner: Runner, windows: WindowProcess, viewer: subprocess.Popen[str]) -> None:
        self._runner, self._windows, self._viewer = runner, windows, viewer
        self.seconds: dict[bool, list[float]] = {False: [], True: []}
        self._is_open = False
        self._start = 0.0
        self._left = -1
        """Steps until the end of the turn, with those before it; -1: the window is opening or closing."""
        self._random = random.Random(1)

    def step(self) -> None:
        """Called after each step."""
        if self._left < 0:
            windows = self._windows
            if bool(windows.watched) is self._is_open and windows.is_watched is self._is_open:
                self._left = STEPS + self._random.randrange(1, SETTLE)
            return
        self._left -= 1
        if self._left == STEPS:
            self._start = time.perf_counter()
        elif self._left == 0:
            self.seconds[self._is_open].append(time.perf_counter() - self._start)
            self._next()

    def _next(self) -> None:
        self._left, self._is_open = -1, not self._is_open
        if len(self.seconds[False]) > TURNS:
            self._runner.end(0, "measured")
        assert self._viewer.stdin is not None
        self._viewer.stdin.write("on\n" if self._is_open else "off\n")
        self._viewer.stdin.flush()


def cost_of_a_window() -> Reading:
    """Microseconds of a step with an open window, and of the steps before and after without one: the medians
    of many short turns."""
    null = os.open(os.devnull, os.O_WRONLY)
    options = RunOptions(controllers={"": str(CONTROLLER)}, output=Output(null, null))
    with WindowProcess(port=0, token=TOKEN) as windows, Runner(load_world(WORLD), options) as runner:
        url = f"ws://127.0.0.1:{windows.port}/live?token={TOKEN}"
        command = [sys.executable, "-m", "benchmarks.window_viewer", url]
        with processor(VIEWER):
            viewer = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)
        with viewer:
            turns = Turns(runner, windows, viewer)
            SimulationHandler(runner, windows, windows.take, lambda one: windows.open(world_info(one)))
            handle_step = runner.on_step

            def step(simulation: Simulation) -> None:
                handle_step(simulation)
                turns.step()

            runner.on_step = step
            with processor(RUN):
                runner.run()
            viewer.kill()
    os.close(null)
    opened, closed = turns.seconds[True], turns.seconds[False]
    around = zip(opened, closed[:-1], closed[1:], strict=True)
    return of_turns(((seconds, (before + after) / 2) for seconds, before, after in around), per=STEPS * 1e-6)


def cases() -> list[Case]:
    """The measurements of this file."""
    return [
        Case("step with an open window, 60 times a second", cost_of_a_window, 1.2, "us", "without a window")
    ]
