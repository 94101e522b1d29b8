"""What is seen of a running simulation, for pages that show it live."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wbridge.wbcore.view.scene_view import SceneView

if TYPE_CHECKING:
    from wbridge.wbcore.simulation import Simulation

MOST_PICTURES = 60
"""Files of pictures that were shown before which are kept for pages that still load them."""
_NAMES = re.compile(r'"file":"([0-9a-f]+)"')


class LiveScene:
    """The newest state of a scene; its files are in a folder, where a server of pages finds them."""

    def __init__(self, simulation: Simulation, folder: Path, last: int = 0) -> None:
        """
        Args:
            simulation: to show.
            folder: for files, named by their contents; others may use it, too.
            last: number of the last description that pages know.
        """
        self._view, self._folder = SceneView(simulation), folder
        self._messages: dict[str, Any] = {}
        self._pictures: deque[str] = deque()
        """Names of the newest files of changing pictures."""
        self._described: set[str] = set()
        """Names of pictures in the description, which a page loads at any time."""
        self.number = last
        """Of the newest description."""
        self._file = ""
        self._begin()

    def _begin(self) -> None:
        """Offer a new description."""
        self.number += 1
        text = json.dumps(self._view.describe(), separators=(",", ":"))
        self._described = set(_NAMES.findall(text))
        self._file = f"{self.number}-{id(self):x}.json"
        self._write(self._file, text.encode())
        self._write_new()

    def state(self) -> Mapping[str, Any]:
        """Return the state after a step.

        Returns:
            number: increases with each description; file: its name; messages: the newest of each key;
            poses: (n, 7) float32, position (m) and quaternion (w x y z) of the description's `moving`.
        """
        changes = self._view.changes()
        if "scene" in changes:
            self._messages = {key: message for key, message in self._messages.items() if key == "labels"}
            self._begin()
        self._messages.update((key, change) for key, change in changes.items() if key != "scene")
        self._write_new()
        self._pictures.extend(change["file"] for key, change in changes.items() if key.startswith("texture "))
        self._forget_oldest()
        poses = np.concatenate(self._view.poses(), axis=1).astype("<f4").tobytes()
        return {"number": self.number, "file": self._file, "messages": dict(self._messages), "poses": poses}

    def _forget_oldest(self) -> None:
        if len(self._pictures) <= MOST_PICTURES:
            return
        # A page that opens now loads the description and the newest messages, whose pictures may be old.
        shown = [
            message for key, message in self._messages.items() if key.startswith(("texture ", "surface "))
        ]
        messages = json.dumps(shown, separators=(",", ":"))
        held = self._described | set(_NAMES.findall(messages))
        while len(self._pictures) > MOST_PICTURES:
            old = self._pictures.popleft()
            if old not in held and old not in self._pictures:
                self._view.forget_file(old)
                (self._folder / old).unlink(missing_ok=True)

    def _write_new(self) -> None:
        for name, data in self._view.files().items():
            self._write(name, data)

    def _write(self, name: str, data: bytes) -> None:
        draft = self._folder / f"{name}.part"
        draft.write_bytes(data)
        draft.replace(self._folder / name)

    def close(self) -> None:
        """Follow the simulation no more."""
        self._view.close()
