"""What entries of the shelf look like: each alone in a small world, described for pages, which draw it.

A file has everything that a picture needs, so that a page asks once:

    {"scene": the description (docs/scene-description.md), "files": {name: content as base64}}
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections import deque
from collections.abc import Callable
from pathlib import Path

from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.windows.interventions import Done
from wbridge.wbcore.windows.request_handler import WindowRequest
from wbridge.wbcore.windows.shelf import WHEEL, Entry, entries

RELEASE = "R2025a"
MOST_FILES = 8
"""Files that are kept: a page asks for the next one when it has loaded one."""
LIGHT = (
    "Viewpoint { fieldOfView 0.6 } Background { skyColor [ 0.93 0.94 0.96 ] } "
    "DirectionalLight { direction -0.4 0.7 -1 intensity 1.6 } "
    "DirectionalLight { direction -1 -0.5 -0.3 intensity 0.6 }\n"
)
"""Where what is shown stands: the page looks at its front, from its left and above."""


class Previews:
    """Writes the files of one run."""

    def __init__(self, folder: Path, answer: Callable[[WindowRequest], Done]) -> None:
        """
        Args:
            folder: for the files, where the server finds them.
            answer: returns what is called with the reason why a request was not possible, or "".
        """
        self._folder, self._answer = folder, answer
        self._files: deque[Path] = deque()
        self.stem = f"{id(self):x}"
        """In the names of the files."""

    def requests(self) -> dict[str, Callable[[WindowRequest], None]]:
        """Return the handlers of requests, by name."""
        return {"preview": self._preview}

    def file(self, number: int) -> Path:
        """Return the file for the entry of the shelf at a place in the list of all."""
        return self._folder / f"preview-{number}-{self.stem}.json"

    def _preview(self, request: WindowRequest) -> None:
        number, known = request.values["number"], entries()
        if number >= len(known):
            raise ValueError(f"the shelf has {len(known)} entries")
        path = self.file(number)
        draft = path.with_suffix(".part")
        draft.write_text(preview(known[number]), encoding="utf-8")
        draft.replace(path)
        self._keep(path)
        self._answer(request)("")

    def _keep(self, path: Path) -> None:
        if path in self._files:
            self._files.remove(path)
        self._files.append(path)
        while len(self._files) > MOST_FILES:
            self._files.popleft().unlink(missing_ok=True)


def preview(item: Entry) -> str:
    """Return the file for an entry of the shelf.

    Raises:
        ValueError: the model cannot be shown; says why.
    """
    from wbridge.wbcore.view.scene_view import SceneView  # start-up: NumPy, only for pages with a 3D view

    world = load_text(_world(item))
    if world.report.errors:
        raise ValueError(str(world.report.errors[0]))
    view = SceneView(Simulation(world))
    try:
        files = {name: b64encode(data).decode() for name, data in view.files().items()}
        return json.dumps({"scene": view.describe(), "files": files}, separators=(",", ":"))
    finally:
        view.close()


def _world(item: Entry) -> str:
    """Return a world with an entry, as a file; parts of robots are in one that has nothing else."""
    text = item.text(RELEASE, (0.0, 0.0, 0.0), item.name.lower())
    if item.name == WHEEL:
        head, joint = text.split("\n", 1)
        text = f'{head}\nRobot {{ controller "<none>" children [\n{joint}] }}\n'
    return text + LIGHT
