"""Animations for browsers, in Webots' format: a scene (.x3d), and the changes of its nodes (.json).

Source: animations that Webots has recorded, for example preview/animation.json of the public repository
cyberbotics/maze-runner-competition: the first frame gives all values of the nodes that change later, each
other one the new values. A value counts as new if it differs when rounded to 0.001; it is written to 0.0001.
Viewers find the frame of a time by dividing by `basicTimeStep` (Animation.js), so there is a frame for each
multiple of it, also where nothing has changed: frame n is the state after n times `basicTimeStep`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import ceil
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.textures import find_asset
from wbridge.wbcore.scene.values import VecArray
from wbridge.wbcore.visual.animated_fields import animated_fields
from wbridge.wbcore.visual.animation_file import AnimationFile
from wbridge.wbcore.visual.errors import MovieError
from wbridge.wbcore.visual.movie import Text
from wbridge.wbcore.visual.x3d import x3d_of

POSE = ("translation", "rotation", "scale")
VIEWER = "https://cyberbotics.com/wwi/R2023b"
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<link rel="stylesheet" href="{name}.css">
<script type="module" src="{viewer}/WebotsView.js"></script>
</head>
<body>
<webots-view data-scene="{name}.x3d" data-animation="{name}.json"></webots-view>
</body>
</html>
"""
STYLE = "body { margin: 0; }\nwebots-view { display: block; width: 100%; height: 100vh; }\n"


class Watched(Protocol):
    """The interface of tree changes that this module uses."""

    look_watchers: list[Callable[[Node | None, str], object]]
    """Called with changes that can affect what is visible: node and field; None: other nodes are there."""


class Numbered(Protocol):
    """The interface of node numbers that this module uses."""

    def number(self, node: Node) -> int:
        """Return the number of a node."""


class AnimatedSimulation(Protocol):
    """The parts of a simulation that an animation shows."""

    @property
    def physics(self) -> PhysicsWorld:
        """Bodies."""

    @property
    def edits(self) -> Watched:
        """Changes of the tree."""

    @property
    def nodes(self) -> Numbered:
        """The numbers of nodes."""

    @property
    def labels(self) -> Iterable[Text]:
        """Texts over the view."""

    @property
    def step_s(self) -> float:
        """The basic time step (s)."""

    @property
    def time_ms(self) -> float:
        """Simulated time (ms)."""

    def sync(self) -> World:
        """Write poses into the tree and return it."""


class Animation:
    """Records an animation. Call `take` after each step, and `close` at the end."""

    def __init__(self, simulation: AnimatedSimulation, path: Path) -> None:
        """Write the scene, and the page that shows it.

        Args:
            simulation: what to record.
            path: the page, a .html file; the other files lie beside it.

        Raises:
            MovieError: the name does not end in .html, or the folder does not exist.
            OSError: a file cannot be written.
        """
        if path.suffix.lower() != ".html":
            raise MovieError(f'"{path}": the name of an animation must end in .html')
        if not path.parent.is_dir():
            raise MovieError(f"cannot write {path}: there is no folder {path.parent}")
        self._simulation, self._path = simulation, path
        self.problem: OSError | None = None
        """Why changes are missing; None if they are complete."""
        world = simulation.sync()
        self._every = steps_between(world, simulation.step_s)
        self._steps = 0
        self._starts: dict[Node, dict[str, str]] = {}
        self._last: dict[tuple[Node, str], object] = {}
        self._moved: dict[Node, set[str]] = {}
        """Fields that have changed since the start, by node."""
        self._first_labels: list[dict[str, object]] = []
        self._changed: set[tuple[Node, str]] = set()
        self._labels: dict[int, object] = {}
        self._assets: dict[Path, str] = {}
        self._file = self._begin(world)
        simulation.edits.look_watchers.append(self._note)

    def _begin(self, world: World) -> AnimationFile:
        """Write the files of the start, and keep the values of all solids."""
        name = self._path.stem
        scene = x3d_of(world, self._simulation.nodes.number, self._asset)
        self._path.with_suffix(".x3d").write_text(scene, encoding="utf-8")
        info = world.first("WorldInfo")
        title = str(info.get("title")) if info is not None and info.get("title") else name
        page = PAGE.format(title=escape(title), name=quote(name), viewer=VIEWER)
        self._path.write_text(page, encoding="utf-8")
        self._path.with_suffix(".css").write_text(STYLE, encoding="utf-8")
        for node in (node.root for node in world.walk()):
            for field in sorted(animated_fields(node)):
                self._is_new(node, field)
                self._starts.setdefault(node, {})[field] = _text(node.get(field))
        all_fields = {node: set(fields) for node, fields in self._starts.items()}
        self._first_labels = self._new_labels()
        step_ms = round(1000 * self._simulation.step_s * self._every)
        first = self._first_frame(all_fields)
        return AnimationFile(self._path.with_suffix(".json"), step_ms, first, self._labels)

    def _asset(self, node: Node, url: str) -> str:
        """Copy a file beside the page; return its URL there, or the given one if it is not a local file."""
        asset = find_asset(self._simulation.physics.world, node, url.replace("\\", "/"))
        if asset is None:
            return url
        if asset not in self._assets:
            folder = self._path.with_name(f"{self._path.stem}_files")
            folder.mkdir(exist_ok=True)
            name = f"{len(self._assets)}_{asset.name}"
            shutil.copyfile(asset, folder / name)
            self._assets[asset] = f"{folder.name}/{name}"
        return self._assets[asset]

    def _note(self, node: Node | None, name: str) -> None:
        if node is not None and name in animated_fields(node.root):
            self._changed.add((node.root, name))

    def take(self) -> None:
        """A step has ended: add a frame if it is due."""
        self._steps += 1
        if self._steps % self._every == 0 and self.problem is None:
            self._simulation.sync()
            try:
                self._add_frame()
            except OSError as problem:
                self.problem = problem

    def _add_frame(self) -> None:
        updates: dict[Node, dict[str, str]] = {}
        for solid in self._simulation.physics.solids():
            for name in ("translation", "rotation"):
                self._update(updates, solid.node, name)
        for node, name in sorted(self._changed, key=lambda change: (self._number(change[0]), change[1])):
            self._update(updates, node, name)
        self._changed.clear()
        frame: dict[str, object] = {"time": round(1000 * self._simulation.step_s * self._steps)}
        if updates:
            for node, fields in updates.items():
                self._moved.setdefault(node, set()).update(fields)
            frame["updates"] = [{"id": self._number(node)} | fields for node, fields in updates.items()]
        labels = self._new_labels()
        if labels:
            frame["labels"] = labels
        self._file.add(json.dumps(frame, separators=(",", ":")), self._labels)

    def _update(self, updates: dict[Node, dict[str, str]], node: Node, name: str) -> None:
        """Add the value of a field if it is new."""
        if self._is_new(node, name):
            updates.setdefault(node, {})[name] = _text(node.get(name))

    def _number(self, node: Node) -> int:
        return self._simulation.nodes.number(node)

    def _is_new(self, node: Node, name: str) -> bool:
        """True if a value differs from the last written one."""
        value = node.get(name)
        rounded: object = value
        if isinstance(value, (tuple, VecArray)):
            rounded = tuple(round(component, 3) + 0.0 for component in _components(value))
        if self._last.get((node, name)) == rounded:
            return False
        self._last[node, name] = rounded
        return True

    def _new_labels(self) -> list[dict[str, object]]:
        """Return the labels that have changed; those that are gone have an empty text."""
        now: dict[int, dict[str, object]] = {}
        for number, label in enumerate(self._simulation.labels):
            red, green, blue, clear = (label.color >> shift & 255 for shift in (16, 8, 0, 24))
            rgba = f"{red},{green},{blue},{(255 - clear) / 255:.4g}"
            place = {"x": label.x, "y": label.y, "size": label.size}
            now[number] = {"id": number, "text": label.text, "font": "Arial", "rgba": rgba} | place
        gone = [{"id": number, "text": ""} for number in self._labels if number not in now]
        new = [label for number, label in now.items() if self._labels.get(number) != label]
        self._labels = dict(now)
        return new + gone

    def close(self) -> None:
        """Complete the changes.

        Raises:
            OSError: the file is incomplete.
        """
        self._simulation.edits.look_watchers.remove(self._note)
        self._file.finish(self._first_frame(self._moved))
        if self.problem is not None:
            raise self.problem

    def _first_frame(self, changing: dict[Node, set[str]]) -> str:
        """Return the frame of the values at the start of the fields that change."""
        nodes = sorted((node for node in changing if node in self._starts), key=self._number)
        starts = [{"id": self._number(node)} | self._start_of(node, changing[node]) for node in nodes]
        labels = {"labels": self._first_labels} if self._first_labels else {}
        return json.dumps({"time": 0, "updates": starts} | labels, separators=(",", ":"))

    def _start_of(self, node: Node, names: set[str]) -> dict[str, str]:
        """Return the first values of fields; of poses, of all three fields."""
        known = self._starts[node]
        if names & set(POSE):
            pose = {name: known.get(name, "1 1 1") for name in POSE}
            names = names - set(POSE)
        else:
            pose = {}
        return pose | {name: known[name] for name in sorted(names) if name in known}


def steps_between(world: World, step_s: float) -> int:
    """Return the number of steps between two frames, by WorldInfo.FPS."""
    info = world.first("WorldInfo")
    rate = float(info.get("FPS")) if info is not None and "FPS" in info.spec.fields else 60.0
    return max(1, ceil(1 / (rate * step_s) - 1e-9)) if rate > 0 else 1


def _components(value: tuple[float, ...] | VecArray) -> Sequence[float]:
    return value if isinstance(value, tuple) else value.data


def _text(value: Any) -> str:
    """Return a value as in files, rounded to 0.0001."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, VecArray)):
        return " ".join(_text(component) for component in _components(value))
    if isinstance(value, str):
        return value
    return f"{round(value, 4) + 0.0:.10g}"
