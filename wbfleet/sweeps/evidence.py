"""What a run leaves behind for people: a replay with plots, the output of a controller, the robot's way."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbridge.robot_windows.recording_page import page_start
from wbridge.wbcore.physics.node_view import NodeView
from wbridge.wbcore.recordings.chosen_columns import ChosenColumns
from wbridge.wbcore.recordings.device_columns import DeviceColumns
from wbridge.wbcore.recordings.page_file import PageFile
from wbridge.wbcore.recordings.page_recorder import PageRecorder
from wbridge.wbcore.simulation import Simulation

if TYPE_CHECKING:
    from wbridge.wbcore.view.scene_view import SceneView

MOST_OUTPUT = 20_000
"""Characters of a controller's output that are kept."""
MOST_SAMPLES = 2000
"""Positions of a way that are kept, at equal distances in time."""
_CUT = "\n(the rest of the output was left out)\n"


class EvidencePaths(NamedTuple):
    """Where a run leaves its evidence, as plain data."""

    robot: str
    """Name of the robot that is observed; "" is the only one."""
    replay: str
    """Path of the page with the replay."""
    folder: str
    """Folder of the output and the way."""


class Evidence:
    """Collects what a run leaves behind."""

    def __init__(self, paths: EvidencePaths, limit: int) -> None:
        """
        Args:
            paths: where to write; the folders are created.
            limit: maximum number of steps of the run.
        """
        self._paths = paths
        self._output: list[str] = []
        self._room = MOST_OUTPUT
        self._every = max(1, math.ceil(limit / MOST_SAMPLES))
        self._steps = 0
        self._way: list[NDArray[np.float64]] = []
        self._recorder: PageRecorder | None = None
        for one in (Path(paths.replay).parent, Path(paths.folder)):
            one.mkdir(parents=True, exist_ok=True)

    def hear(self, robot: str, text: str, is_error: bool) -> None:
        """Keep what a controller prints, up to the limit."""
        if self._paths.robot not in ("", robot) or self._room <= 0:
            return
        self._output.append(text[: self._room])
        self._room -= len(text)
        if self._room <= 0:
            self._output.append(_CUT)

    def begin(self, simulation: Simulation) -> None:
        """Start the replay and the way with the initial state."""
        self._robot = _solid(simulation, self._paths.robot)
        self._view, self._recorder = _recorder(simulation, Path(self._paths.replay))
        self._bodies = len(self._view.poses()[0])
        self._take(simulation)

    def step(self, simulation: Simulation) -> None:
        """Record the state after a step."""
        self._steps += 1
        self._take(simulation)

    def _take(self, simulation: Simulation) -> None:
        if self._recorder is not None:
            self._recorder.take_of(simulation)
        if self._steps % self._every == 0:
            self._way.append(self._positions())

    def _positions(self) -> NDArray[np.float64]:
        """Return where the robot and all bodies that moved at the start are; bodies that are gone are NaN."""
        positions = np.full((1 + self._bodies, 3), np.nan)
        positions[0] = self._robot.translation
        bodies = self._view.poses()[0][: self._bodies]
        positions[1 : 1 + len(bodies)] = bodies
        return positions

    def end(self, reason: str, status: int, simulation: Simulation) -> None:
        """Write everything; also after a run that failed."""
        if self._recorder is not None:
            ending: dict[str, object] = {"reason": reason, "status": status}
            ending |= {"seconds": simulation.time, "hash": simulation.hash()}
            self._recorder.finish(ending)
            self._recorder.close()
        folder = Path(self._paths.folder)
        (folder / "output.txt").write_text("".join(self._output), encoding="utf-8", errors="replace")
        np.save(folder / "way.npy", np.array(self._way))


def _solid(simulation: Simulation, name: str) -> NodeView:
    """Return the body of the observed robot."""
    robots = [robot for robot in simulation.robots if name in ("", robot.node.get("name"))]
    return NodeView(simulation.physics, robots[0].node)


def _recorder(simulation: Simulation, path: Path) -> tuple[SceneView, PageRecorder]:
    from wbridge.wbcore.view.scene_view import SceneView  # start-up: as page_start

    columns = DeviceColumns(simulation.robots)
    info = simulation.world.first("WorldInfo")
    title = str(info.get("title")) if info is not None else ""
    name = Path(simulation.world.path).name
    head = {
        "title": title or name,
        "world": name,
        "contacts": simulation.physics.plan.settings.contact_law,
    }
    file = PageFile(path, page_start(head["title"]))
    view = SceneView(simulation, has_patches=True)
    return view, PageRecorder(simulation, view, file, head, ChosenColumns([columns], ()), columns.close)


def read_output(folder: Path) -> str:
    """Return the output of a run; "" if there is none."""
    file = folder / "output.txt"
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def read_way(folder: Path) -> NDArray[np.float64]:
    """Return the positions in a run (samples, bodies, 3; m), the robot first; none if it was stopped."""
    file = folder / "way.npy"
    if not file.is_file():
        return np.empty((0, 1, 3))
    way: NDArray[np.float64] = np.load(file)
    return way
