"""Records episodes as pages for the browser: what was seen, done, worth, and varied."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wbridge.robot_windows.recording_page import page_start
from wbridge.wbcore.recordings.chosen_columns import ChosenColumns
from wbridge.wbcore.recordings.page_file import PageFile
from wbridge.wbcore.recordings.page_recorder import PageRecorder
from wbridge.wbcore.view.scene_view import SceneView
from wbridge.wbfleet.gym.env import AnyEnv, AnyWrapper, RobotEnv
from wbridge.wbfleet.gym.task import Info

__all__ = ["RecordedEnv"]


@dataclass(frozen=True)
class Pace:
    """A frame for each step of the environment."""

    step_s: float


class RecordedEnv(AnyWrapper):
    """Writes `episode_0.html`, `episode_1.html`, ... into a folder. A page names what was varied, and plots
    rewards, observations and actions."""

    def __init__(self, env: AnyEnv, folder: str | Path) -> None:
        """
        Args:
            env: of a robot in a world.
            folder: for the pages; it is made if need be.

        Raises:
            ValueError: it is an environment of something else.
            OSError: the folder cannot be written.
        """
        super().__init__(env)
        base = env.unwrapped
        if not isinstance(base, RobotEnv):
            raise ValueError(f"expected an environment of a robot of wbridge, not {base}")
        self._robot: RobotEnv = base
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._episode = 0
        self._recorder: PageRecorder | None = None
        self._columns = _EpisodeColumns(base)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[object, Info]:
        """Begin an episode and its page."""
        self._finish("the next episode has begun")
        observation, info = self.env.reset(seed=seed, options=options)
        self._columns.take(observation, None, 0.0)
        title = f"{type(self._robot.task).__name__}, episode {self._episode}"
        path = self._folder / f"episode_{self._episode}.html"
        varied = dict(info.get("varied", {}))
        simulation = self._robot.simulation
        view = SceneView(simulation, has_patches=True)
        head = {"title": title, "world": Path(simulation.world.path).name, "varied": varied}
        pace = Pace(self._robot.agent.step_ms / 1000)
        values = ChosenColumns([self._columns], ["return", "*"])
        self._recorder = PageRecorder(pace, view, PageFile(path, page_start(title)), head, values, view.close)
        for place, value in varied.items():
            self._recorder.say(f"{place} = {value}")
        self._recorder.take()
        self._episode += 1
        return observation, info

    def step(self, action: object) -> tuple[object, float, bool, bool, Info]:
        """Make a step, and record it."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._columns.take(observation, action, float(reward))
        if self._recorder is not None:
            self._recorder.take()
        if terminated or truncated:
            names = [name for name, is_over in info.get("ends", {}).items() if is_over]
            self._finish(", ".join(names) or ("terminated" if terminated else "truncated"))
        return observation, float(reward), terminated, truncated, info

    def _finish(self, reason: str) -> None:
        if self._recorder is not None:
            reward = f"{self._columns.total:.6g}"
            self._recorder.finish({"reason": f"{reason}; return {reward}", "status": 0})
            self._recorder = None

    def close(self) -> None:
        """Complete the page, and close the world."""
        self._finish("closed")
        super().close()


class _EpisodeColumns:
    """The numbers of an episode that are plotted."""

    def __init__(self, env: RobotEnv) -> None:
        self._sensors, self._motors = len(env.agent.names), len(env.agent.controls.names)
        self.columns = [
            "return",
            "reward",
            *env.agent.names,
            *(f"set {name}" for name in env.agent.controls.names),
        ]
        self.total = 0.0
        """Rewards of the episode so far."""
        self.values: list[float] = []

    def take(self, observation: object, action: object, reward: float) -> None:
        """Take a step; without an action, the start of an episode."""
        self.total = reward if action is None else self.total + reward
        numbers = observation.get("sensors") if isinstance(observation, dict) else observation
        seen: NDArray[np.float32] = np.ravel(np.asarray(numbers, np.float32))
        done = np.full(self._motors, np.nan) if action is None else np.asarray(action, np.float64)
        self.values = [self.total, reward, *seen.tolist(), *done.tolist()]
