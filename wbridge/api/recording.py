"""Records a simulation as a page for the browser, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wbridge.api.steps import Steps
from wbridge.robot_windows.recording_page import page_start
from wbridge.wbcore.recordings.page_file import PageFile
from wbridge.wbcore.recordings.page_recorder import PageRecorder
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.view.scene_view import SceneView

__all__ = ["record"]


@contextmanager
def record(core: Simulation, steps: Steps, path: str | Path) -> Iterator[None]:
    """Record the steps that are made inside of the `with` statement.

    Args:
        core: the simulation.
        steps: makes its steps.
        path: of the page, which is complete after the statement; an existing file is replaced.

    Raises:
        OSError: the file cannot be written.
    """
    name = Path(core.world.path).name
    info = core.world.first("WorldInfo")
    title = str(info.get("title")) if info is not None and info.get("title") else name
    head = {"title": title, "world": name, "contacts": core.physics.plan.settings.contact_law}
    view = SceneView(core, has_patches=True)
    try:
        with PageRecorder(core, view, PageFile(Path(path), page_start(title)), head) as recorder:
            recorder.take()
            steps.after.append(recorder.take)
            try:
                yield
            finally:
                steps.after.remove(recorder.take)
                recorder.finish({"reason": f"{core.time:.2f} s simulated", "status": 0})
    finally:
        view.close()
