"""Records a simulation as a page for the browser, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from wbridge.api.robots import Robot
from wbridge.api.steps import Steps
from wbridge.robot_windows.recording_page import page_start
from wbridge.wbcore.recordings.chosen_columns import ChosenColumns
from wbridge.wbcore.recordings.page_file import PageFile
from wbridge.wbcore.recordings.page_recorder import PageRecorder
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.view.scene_view import SceneView


@contextmanager
def record(
    core: Simulation, steps: Steps, path: str | Path, robots: Sequence[Robot], plot: Sequence[str]
) -> Iterator[None]:
    """Record the steps that are made inside of the `with` statement.

    Args:
        core: the simulation.
        steps: makes its steps.
        path: of the page, which is complete after the statement; an existing file is replaced.
        robots: those that the script drives.
        plot: numbers of their sensors to plot, see `ChosenColumns`; sensors that are off are enabled.

    Raises:
        UnknownColumn: nothing to plot has such a name.
        OSError: the file cannot be written.
    """
    name = Path(core.world.path).name
    info = core.world.first("WorldInfo")
    title = str(info.get("title")) if info is not None and info.get("title") else name
    head = {"title": title, "world": name, "contacts": core.physics.plan.settings.contact_law}
    values = _plotted(robots, plot) if plot else None
    view = SceneView(core, has_patches=True)
    try:
        with PageRecorder(core, view, PageFile(Path(path), page_start(title)), head, values) as recorder:
            recorder.take()
            steps.after.append(recorder.take)
            try:
                yield
            finally:
                steps.after.remove(recorder.take)
                recorder.finish({"reason": f"{core.time:.2f} s simulated", "status": 0})
    finally:
        view.close()


class _SensorColumns:
    """The numbers of all sensors of a robot."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self.columns = [f"{robot.name}.{name}" for name in robot.sensors.names]

    def enable(self, columns: Sequence[str]) -> None:
        """Enable the sensors of columns that are off."""
        for name in self._robot.sensors:
            beginning = f"{self._robot.name}.{name}"
            if any(column == beginning or column.startswith(f"{beginning}.") for column in columns):
                self._robot.sensor(name)

    @property
    def values(self) -> list[float]:
        """The newest samples; NaN for sensors that are off."""
        return list(map(float, self._robot.sensors.numbers))


def _plotted(robots: Sequence[Robot], patterns: Sequence[str]) -> ChosenColumns:
    sources = [_SensorColumns(robot) for robot in robots]
    chosen = ChosenColumns(sources, patterns)
    for source in sources:
        source.enable(chosen.columns)
    return chosen
