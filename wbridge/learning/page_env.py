"""An environment that a page in the browser shows while it is stepped: `render_mode="human"`."""

from __future__ import annotations

import time
import weakref
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wbridge.options import WindowOptions
from wbridge.running.windows import serve_windows
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.windows.simulation_handler import PAUSED, SimulationHandler
from wbridge.wbfleet.gym.env import RobotEnv
from wbridge.wbfleet.gym.task import Info, Task

HUMAN = "human"
Numbers = NDArray[np.float32]
HERE = WindowOptions(
    windows=True, view=True, port_windows=None, open=True, host_windows="127.0.0.1", allow_host=()
)
"""A page on this machine, with the browser opened."""
PAUSE_S = 0.02
"""Real time between two looks at the page while it has paused the world."""


class PageEnv(RobotEnv):
    """A `RobotEnv` whose world a page shows, in real time; the page can pause it."""

    metadata: Info = {"render_modes": [HUMAN]}

    def __init__(
        self,
        world: str | Path,
        task: Task,
        robot: str | None = None,
        render_mode: str | None = HUMAN,
        windows: WindowOptions | None = None,
        **settings: object,
    ) -> None:
        """Serve the page, and open the browser.

        Args:
            world: path of a world file.
            task: rewards and ends.
            robot: name of the robot; None: the first one.
            render_mode: "human".
            windows: where the page is served; None: on this machine.
            settings: fields of `Settings`.

        Raises:
            InputError: a package is missing; the message says how to install it.
            WorldError: the world has errors.
        """
        super().__init__(world, task, robot, None, **settings)
        self.render_mode = render_mode
        self._stack = ExitStack()
        weakref.finalize(self, self._stack.close)  # also at the end of a program that does not close it
        try:
            served = self._stack.enter_context(serve_windows(windows or HERE))
            idle = {each.name: "<none>" for each in self.simulation.robots}
            options = RunOptions(controllers=idle, has_windows=True)
            runner = Runner(self.simulation.world, options, self.simulation)
            self._stack.callback(runner.close)
            self.handler: SimulationHandler = served.attach(runner)
        except BaseException:
            self._stack.close()
            raise
        self._due = time.monotonic()

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Numbers, Info]:
        """Begin an episode, and show it."""
        observation, info = super().reset(seed=seed, options=options)
        self.render()
        return observation, info

    def step(self, action: Numbers) -> tuple[Numbers, float, bool, bool, Info]:
        """Make a step, when its time has come and the page has not paused the world."""
        while self.simulation.mode == PAUSED:
            self.handler.poll()
            time.sleep(PAUSE_S)
        outcome = super().step(action)
        self._due = max(self._due + self.agent.step_ms / 1000, time.monotonic())
        self.render()
        time.sleep(max(0.0, self._due - time.monotonic()))
        return outcome

    def render(self) -> None:
        """Show the current state, and do what the page asks for."""
        self.handler.poll()

    def close(self) -> None:
        """Close the page and the world."""
        self._stack.close()
        super().close()
