"""What an open window costs a run: an e-puck whose controller reads ten sensors, as fast as possible."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from benchmarks.case import Case
from robot_windows.outside import WindowProcess
from wbcore.controllers.output import Output
from wbcore.controllers.runner import Runner, RunOptions
from wbcore.scene.load import load_world
from wbcore.simulation import Simulation
from wbcore.windows.desk import Desk
from wbridge.running.windows import world_info

CHECKOUT = Path(__file__).resolve().parent.parent
CONTROLLER = CHECKOUT / "benchmarks" / "controllers" / "ten_sensors" / "ten_sensors.py"
WORLD = CHECKOUT / "worlds" / "epuck_arena.wbt"
STEPS, TURNS = 500, 80
TOKEN = "benchmark"


class Turns:
    """Time on the wall of short turns of steps: one without anybody who looks at the robot, one with."""

    def __init__(self, runner: Runner, windows: WindowProcess, viewer: subprocess.Popen[str]) -> None:
        self._runner, self._windows, self._viewer = runner, windows, viewer
        self.seconds: dict[bool, list[float]] = {False: [], True: []}
        self._looks = False
        self._start: float | None = None
        self._left = 0

    def step(self) -> None:
        """After each step."""
        windows = self._windows
        is_there = bool(windows.watched) is self._looks and windows.is_watched is self._looks
        if self._start is None and is_there:
            self._start, self._left = time.perf_counter(), STEPS
        elif self._start is not None:
            self._left -= 1
            if self._left == 0:
                self.seconds[self._looks].append(time.perf_counter() - self._start)
                self._next()

    def _next(self) -> None:
        self._start, self._looks = None, not self._looks
        if len(self.seconds[True]) == TURNS:
            self._runner.end(0, "measured")
        assert self._viewer.stdin is not None
        self._viewer.stdin.write("on\n" if self._looks else "off\n")
        self._viewer.stdin.flush()


def cost_of_a_window() -> float:
    """Time of steps with an open window, divided by that of the steps just before without: the median."""
    null = os.open(os.devnull, os.O_WRONLY)
    options = RunOptions(controllers={"": str(CONTROLLER)}, output=Output(null, null))
    with WindowProcess(port=0, token=TOKEN) as windows, Runner(load_world(WORLD), options) as runner:
        url = f"ws://127.0.0.1:{windows.port}/live?token={TOKEN}"
        command = [sys.executable, "-m", "benchmarks.window_viewer", url]
        with subprocess.Popen(command, stdin=subprocess.PIPE, text=True, cwd=CHECKOUT) as viewer:
            turns = Turns(runner, windows, viewer)
            Desk(runner, windows, windows.take, lambda desk: windows.open(world_info(desk)))
            attended = runner.on_step

            def step(simulation: Simulation) -> None:
                attended(simulation)
                turns.step()

            runner.on_step = step
            runner.run()
            viewer.kill()
    os.close(null)
    pairs = zip(turns.seconds[True], turns.seconds[False], strict=True)
    return median(one / other for one, other in pairs)


def cases() -> list[Case]:
    """The measurements of this file."""
    return [Case("a run with an open window, 60 times a second", cost_of_a_window, 1.05, "x without")]
