"""A simulation in a cell of a notebook: the page of a recording, which needs no server and no network.

Notebooks ask an object for `_repr_html_` (the display protocol of IPython); nothing of them is imported.
"""

from __future__ import annotations

import html
import tempfile
from collections.abc import Callable
from pathlib import Path

from wbridge.robot_windows.recording_page import page_start
from wbridge.wbcore.recordings.page_file import PageFile
from wbridge.wbcore.recordings.page_recorder import PageRecorder
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.view.scene_view import SceneView

# An opaque origin: a page with the contents of a world has no access to the notebook.
FRAME = (
    '<iframe title="{title}" srcdoc="{page}" sandbox="allow-scripts allow-downloads" '
    'style="width: 100%; height: {height}px; border: 0"></iframe>'
)


class NotebookView:
    """The page of what a simulation does for some time; the last expression of a cell shows it."""

    def __init__(
        self,
        simulation: Simulation,
        duration: float = 0.0,
        height: int = 480,
        step: Callable[[], object] | None = None,
    ) -> None:
        """Step and record.

        Args:
            simulation: steps on.
            duration: how long to step (s); 0: show the world as it is.
            height: of the cell (pixels).
            step: makes a step; None: the simulation does.

        Raises:
            ValueError: the duration is negative or infinite.
            UnstableError: a body is in an invalid state.
        """
        if not 0 <= duration < float("inf"):
            raise ValueError(f"duration must be 0 or more seconds, not {duration}")
        self.height = height
        self._step = step or simulation.step
        world = simulation.world
        info = world.first("WorldInfo")
        name = Path(world.path).name
        self.title = str(info.get("title")) if info is not None and info.get("title") else name
        with tempfile.TemporaryDirectory(prefix="wbridge-view-") as folder:
            file = Path(folder) / "view.html"
            self._record(simulation, duration, PageFile(file, page_start(self.title)), name)
            self.page = file.read_text("utf-8")
            """The page, which can also be written to a file."""

    def _record(self, simulation: Simulation, duration: float, file: PageFile, name: str) -> None:
        view = SceneView(simulation, has_patches=True)
        law = simulation.physics.plan.settings.contact_law
        head = {"title": self.title, "world": name, "contacts": law}
        try:
            with PageRecorder(simulation, view, file, head) as recorder:
                recorder.take()
                for _ in range(round(duration / simulation.step_s)):
                    self._step()
                    recorder.take()
                recorder.finish({"reason": f"{simulation.time:.2f} s simulated", "status": 0})
        finally:
            view.close()

    def _repr_html_(self) -> str:
        """Return the frame that a notebook shows."""
        return FRAME.format(title=html.escape(self.title), page=html.escape(self.page), height=self.height)
