"""What an open window costs a run: an e-puck whose controller reads ten sensors, as fast as possible."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

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
STEPS, TURNS = 2000, 15
TOKEN = "benchmark"


class Turns:
    """Steps in turns, with somebody who looks at the robot and without; the processor time of this process,
    with all its threads. Windows are served by another one."""

    def __init__(self, runner: Runner, hub: WindowProcess, viewer: subprocess.Popen[str]) -> None:
        self._runner, self._hub, self._viewer = runner, hub, viewer
        self.seconds: dict[bool, list[float]] = {False: [], True: []}
        self._looks = False
        self._start: float | None = None
        self._left = 0

    def step(self) -> None:
        """After each step."""
        is_there = bool(self._hub.watched) is self._looks and self._hub.is_watched is self._looks
        if self._start is None and is_there:
            self._start, self._left = time.process_time(), STEPS
        elif self._start is not None:
            self._left -= 1
            if self._left == 0:
                self.seconds[self._looks].append(time.process_time() - self._start)
                self._next()

    def _next(self) -> None:
        self._start, self._looks = None, not self._looks
        if len(self.seconds[True]) == TURNS:
            self._runner.end(0, "measured")
        assert self._viewer.stdin is not None
        self._viewer.stdin.write("on\n" if self._looks else "off\n")
        self._viewer.stdin.flush()


def cost_of_a_window() -> float:
    """Processor time of steps with an open window, divided by that without: of each the turn that other work
    on the machine has disturbed least."""
    null = os.open(os.devnull, os.O_WRONLY)
    options = RunOptions(controllers={"": str(CONTROLLER)}, output=Output(null, null))
    with WindowProcess(port=0, token=TOKEN) as hub, Runner(load_world(WORLD), options) as runner:
        url = f"ws://127.0.0.1:{hub.port}/live?token={TOKEN}"
        command = [sys.executable, "-m", "benchmarks.window_viewer", url]
        with subprocess.Popen(command, stdin=subprocess.PIPE, text=True, cwd=CHECKOUT) as viewer:
            turns = Turns(runner, hub, viewer)
            Desk(runner, hub, hub.take, lambda desk: hub.open(world_info(desk)))
            attended = runner.on_step
            runner.on_step = lambda simulation: (attended(simulation), turns.step())
            runner.run()
            viewer.kill()
    os.close(null)
    return min(turns.seconds[True]) / min(turns.seconds[False])


def cases() -> list[Case]:
    """The measurements of this file."""
    return [Case("a run with an open window, 60 times a second", cost_of_a_window, 1.05, "x without")]
