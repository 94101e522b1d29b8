"""Records a run as one HTML page for any browser: poses, changes of what is seen, values of devices.

Parts of a few seconds are added while the run goes on; each can be shown without those before it.
docs/recordings.md describes them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from wbridge.hal.closing import Closing
from wbridge.wbcore.recordings.chosen_columns import ChosenColumns
from wbridge.wbcore.recordings.columns_codec import ORIENTATION_STEPS, POSITION_STEPS, pack, quantized_poses
from wbridge.wbcore.recordings.page_file import PageFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = 1
"""Changes when older pages could not show newer parts."""
FRAMES = 256
"""Largest number of frames in a part."""
PAUSE_S = 2.0
"""Real time after which a part ends: what a killed run loses at most."""
MOST_LINES_SIZE, LONGEST_LINE, LINE_COST = 2**22, 4000, 40
"""Characters of the console that are recorded, of one line, and what a line costs without its text."""
TEXTURE = "texture "
"""Begin of the keys of messages that may be patches: what a texture shows has changed in one place."""
SHORTEST_S = 0.01
"""Shortest simulated time between two frames."""


class Stepped(Protocol):
    """What is recorded, by the length of its steps."""

    @property
    def step_s(self) -> float:
        """Length of a step (s)."""


class RecordedView(Protocol):
    """What is seen of a world: its description, and what changes."""

    def describe(self) -> Mapping[str, object]:
        """Return the description of the scene, for JSON."""

    def files(self) -> Mapping[str, bytes]:
        """Return meshes and textures that the description names and that were not returned before."""

    def moving(self) -> Sequence[int]:
        """Return the numbers of the objects that can move."""

    def poses(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return positions (n, 3; m) and unit quaternions (n, 4) of the objects that can move."""

    def changes(self) -> Mapping[str, object]:
        """Return messages about other changes since the last call, for JSON, by what they are about."""

    def whole(self, key: str) -> Mapping[str, Any]:
        """Return a message that contains all patches of a texture up to the last call of `changes`."""


class PageRecorder(Closing):
    """Records the current state with each call of `take`."""

    def __init__(
        self,
        simulation: Stepped,
        view: RecordedView,
        file: PageFile,
        head: Mapping[str, object],
        values: ChosenColumns | None = None,
        close_values: Callable[[], None] | None = None,
    ) -> None:
        """Write the scene.

        Args:
            simulation: the simulation to record.
            view: describes what is seen.
            file: the page; the recorder closes it.
            head: what else the page says, for JSON.
            values: numbers to plot.
            close_values: called at the end.
        """
        self._simulation, self._view, self.file = simulation, view, file
        self._values, self._close_values = values, close_values
        self._every = max(1, math.ceil(SHORTEST_S / simulation.step_s - 1e-9))
        self._steps = self._frames = 0
        self._width = len(values.columns) if values is not None else 0
        self._state: dict[str, Any] = {}
        """The newest message about each thing that has changed."""
        self._moving: list[int] = []
        self._lines: list[list[Any]] = []
        """Lines of the console that are in no written part: time (s), kind, robot, text."""
        self._room = MOST_LINES_SIZE
        self._begin_part(0)
        self._due = monotonic() + PAUSE_S
        self._is_closed = False
        file.add_json(
            "head",
            {
                "format": FORMAT,
                "frame_s": simulation.step_s * self._every,
                "position_steps": POSITION_STEPS,
                "orientation_steps": ORIENTATION_STEPS,
                "signals": values.columns if values is not None else [],
                "plots": values.groups if values is not None else [],
                **head,
            },
        )
        file.add_json("scene", view.describe())
        self._add_files()

    def _begin_part(self, first: int) -> None:
        """Start a part whose first frame has a number."""
        self._first = first
        self._positions: list[NDArray[np.float64]] = []
        self._orientations: list[NDArray[np.float64]] = []
        self._rows: list[list[float]] = []
        for key, message in self._state.items():
            if key.startswith(TEXTURE) and "patch" in message:
                self._state[key] = self._view.whole(key)
        self._start_state = dict(self._state)
        self._events: list[tuple[int, str, Any]] = []
        self._new = 0
        """Frames that are in no written part."""

    def take(self) -> None:
        """Record the current state if it is due."""
        if self._steps % self._every == 0 and not self._is_closed:
            self._take_frame()
        self._steps += 1

    def say(self, text: str, kind: str = "info", robot: str = "") -> None:
        """Record a line of the console: kind "stdout", "stderr", "info", "warning" or "error"."""
        if self._room <= 0:
            return
        self._room -= len(text) + LINE_COST
        if self._room <= 0:
            kind, robot, text = "warning", "", "Further lines are not recorded: there are too many."
        time = self._steps * self._simulation.step_s
        self._lines.append([round(time, 6), kind, robot, text[:LONGEST_LINE]])

    def take_of(self, simulation: Stepped) -> None:
        """As `take`, unless the run has switched to another world."""
        if simulation is self._simulation:
            self.take()

    def _take_frame(self) -> None:
        changes = self._view.changes()  # first: what moves, and where it is, belongs to the newest scene
        if "scene" in changes:  # it contains all but the labels
            self._state = {key: value for key, value in self._state.items() if key == "labels"}
        row = [*self._values.values] if self._values is not None else []
        self._begin_other_part([*self._view.moving()], len(row))
        for key, message in changes.items():
            self._state[key] = message
            self._events.append((self._frames, key, message))
        self._add_files()
        positions, orientations = self._view.poses()
        self._positions.append(np.array(positions, np.float64))
        self._orientations.append(np.array(orientations, np.float64))
        self._rows.append(row)
        self._frames += 1
        self._new += 1
        if len(self._positions) > FRAMES or monotonic() >= self._due:
            self._end_part()
            self._repeat_last()

    def _begin_other_part(self, moving: list[int], width: int) -> None:
        """Start another part if other objects move, or there are further values."""
        if moving == self._moving and width == self._width:
            return
        self._end_part()
        self._moving = moving
        self._begin_part(self._frames)
        if width > self._width and self._values is not None:
            self._width = width
            self.file.add_json("signals", {"signals": self._values.columns, "plots": self._values.groups})

    def _add_files(self) -> None:
        for name, data in self._view.files().items():
            self.file.add_bytes("file", data, name=name)

    def _repeat_last(self) -> None:
        """Start a part with the last frame of the one before, so that a page can show what is in between."""
        positions, orientations, rows = self._positions[-1], self._orientations[-1], self._rows[-1:]
        self._begin_part(self._frames - 1)
        self._positions.append(positions)
        self._orientations.append(orientations)
        self._rows += rows
        self._add_files()

    def _end_part(self) -> None:
        """Write the frames that were taken."""
        self._due = monotonic() + PAUSE_S
        lines, self._lines = self._lines, []
        if lines:
            self.file.add_json("lines", lines)
        if not self._new:
            return
        self._new, count = 0, len(self._positions)
        packed = pack(quantized_poses(np.stack(self._positions), np.stack(self._orientations)))
        description = {
            "first": self._first,
            "moving": self._moving,
            "state": self._start_state,
            "events": self._events,
            **{name: value for name, value in packed._asdict().items() if name != "data"},
        }
        self.file.add_described("frames", description, packed.data)
        if self._values is not None:
            rows = np.array(self._rows, "<f4").T
            planes = np.ascontiguousarray(rows).view(np.uint8).reshape(*rows.shape, 4)
            data = b"".join(planes[:, :, plane].tobytes() for plane in range(4))
            self.file.add_described(
                "values", {"first": self._first, "frames": count, "signals": self._width}, data
            )

    def finish(self, result: Mapping[str, object]) -> None:
        """Record how the run has ended; nothing is taken any more."""
        if not self._is_closed:
            self._end_part()
            self.file.add_json("end", result)
            self.close()

    def close(self) -> None:
        """Complete the file with what was recorded so far."""
        if self._is_closed:
            return
        self._is_closed = True
        self._end_part()
        if self._close_values is not None:
            self._close_values()
        self.file.close()
