"""Animations in Webots' format as recordings: the scene, and the poses and colors of each frame.

Source: Animation.js and X3dScene.js of Webots: the first frame has the start, each other one what changes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from wbridge.wbcore.physics.pose import IDENTITY, Pose, axis_angle
from wbridge.wbcore.physics.tree import is_frame
from wbridge.wbcore.recordings.webots_scene import SceneError, world_text
from wbridge.wbcore.scene.load import LoadOptions, World, load_text
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.values import VecArray
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.view.scene_view import SceneView
from wbridge.wbcore.visual.animated_fields import animated_fields
from wbridge.wbcore.visual.shapes import PlacedShape

__all__ = ["Animation", "SceneError", "files_of"]

SCENES = (".x3d", ".w3d")
LIMIT = 512 << 20
"""Largest file of changes, in bytes."""
POSE = ("translation", "rotation")


def files_of(path: Path) -> tuple[Path, Path | None]:
    """Return the scene and the changes (None: there are none) of an animation.

    Args:
        path: one of its files: the page, the scene or the changes.

    Raises:
        SceneError: there is no scene.
    """
    if path.suffix.lower() == ".html":
        return _of_page(path)
    others = [path.with_suffix(suffix) for suffix in SCENES] + [
        path.with_name(f"scene{suffix}") for suffix in SCENES
    ]
    scene = path if path.suffix.lower() in SCENES else next((file for file in others if file.is_file()), None)
    if scene is None:
        raise SceneError(f"there is no scene beside it, for example {others[0].name}")
    changes = [path, path.with_suffix(".json"), path.with_name("animation.json")]
    return scene, next((file for file in changes if file.suffix == ".json" and file.is_file()), None)


class _Page(HTMLParser):
    """Finds the files in a page of Webots."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the attributes of Webots' elements."""
        if tag.startswith("webots-"):
            self.found |= {name: unquote(value) for name, value in attrs if value}


def _of_page(path: Path) -> tuple[Path, Path | None]:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8", errors="replace"))
    names = [page.found.get(name, "") for name in ("data-scene", "data-animation")]
    if not names[0]:
        raise SceneError("it is neither a recording nor a page of Webots")
    if any(Path(name).is_absolute() or ".." in Path(name).parts or "://" in name for name in names):
        raise SceneError("its scene is not in its folder")
    return path.with_name(names[0]), path.with_name(names[1]) if names[1] else None


class Animation:
    """Plays an animation: a view whose time goes on with `advance`."""

    def __init__(self, scene: Path, changes: Path | None) -> None:
        """
        Raises:
            SceneError: a file is not of the format of Webots.
            OSError: a file cannot be read.
        """
        data = _changes_of(changes) if changes is not None else {}
        self.step_s = data.get("basicTimeStep", 32) / 1000
        self._frames: list[dict[str, Any]] = data.get("frames", [])
        self._at = -1
        world = load_text(world_text(scene.read_bytes()), str(scene), LoadOptions(allow_missing=True))
        if world.report.errors:
            raise SceneError(str(world.report.errors[0]))
        self.world = world
        self._simulation = Simulation(world)
        self._nodes = _named(world)
        self._moving = self._find_moving()
        self._numbers = {node: number for number, node in enumerate(self._moving)}
        self._labels: dict[object, dict[str, object]] = {}
        self._view = SceneView(self._simulation, self._carry)
        self._shown = self._view.moving()

    def __len__(self) -> int:
        return max(1, len(self._frames))

    def _find_moving(self) -> list[Node]:
        """Return the nodes that move, those above others first."""
        found = {
            self._nodes[f"n{update['id']}"]: None
            for frame in self._frames
            for update in _updates(frame)
            if f"n{update['id']}" in self._nodes and any(name in update for name in POSE)
        }
        return [node for node in self._nodes.values() if node in found and node.type == "Transform"]

    def _carry(self, shape: PlacedShape) -> tuple[int | None, Pose]:
        node = shape.node.parent
        while node is not None and node not in self._numbers:
            node = node.parent
        if node is None:
            return None, shape.place
        inner = _place(node).rigid.relative(shape.place.rigid)
        return self._numbers[node], Pose(inner.position, inner.orientation, shape.place.scale)

    # As a view.

    def describe(self) -> Mapping[str, object]:
        """Return the description of the scene."""
        return self._view.describe()

    def files(self) -> Mapping[str, bytes]:
        """Return new meshes and textures."""
        return self._view.files()

    def moving(self) -> Sequence[int]:
        """Return the numbers of what moves."""
        return self._shown

    def poses(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return positions (m) and quaternions (w x y z) in the current frame."""
        places = [_place(self._moving[number]) for number in self._shown]
        positions = np.array([place.position for place in places], float).reshape(-1, 3)
        return positions, np.array([place.orientation for place in places], float).reshape(-1, 4)

    def changes(self) -> Mapping[str, object]:
        """Return messages about what has changed since the last call."""
        found = {key: value for key, value in self._view.changes().items() if not key.startswith("place ")}
        return found | self._take_labels()

    def whole(self, key: str) -> Mapping[str, object]:
        """Return the message of a texture."""
        return self._view.whole(key)

    def advance(self) -> None:
        """Go to the next frame."""
        self._at += 1
        if self._at >= len(self._frames):
            return
        for update in _updates(self._frames[self._at]):
            node = self._nodes.get(f"n{update['id']}")
            if node is not None:
                self._apply(node, update)

    def _apply(self, node: Node, update: Mapping[str, object]) -> None:
        for name, value in update.items():
            if name not in animated_fields(node):
                continue
            new = _value(node.spec.fields[name].type, str(value))
            if name in POSE and is_frame(node):
                if node in self._numbers:
                    node.field(name).value = new  # places of what moves are poses, not fields
            elif node.get(name) != new:
                self._simulation.set_field(node, name, new)

    def _take_labels(self) -> dict[str, object]:
        labels = self._frames[self._at].get("labels", []) if 0 <= self._at < len(self._frames) else []
        if not labels:
            return {}
        for label in labels:
            self._labels[label.get("id")] = self._labels.get(label.get("id"), {}) | label
        shown = [_label(label) for label in self._labels.values() if label.get("text")]
        return {"labels": shown}


def _changes_of(path: Path) -> dict[str, Any]:
    if path.stat().st_size > LIMIT:
        raise SceneError(f"{path}: it is larger than {LIMIT >> 20} MB")
    try:
        data = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as problem:
        raise SceneError(f"{path}: it is not JSON: {problem}") from None
    frames = data.get("frames") if isinstance(data, dict) else None
    step = data.get("basicTimeStep") if isinstance(data, dict) else None
    if not isinstance(frames, list) or not all(isinstance(frame, dict) for frame in frames):
        raise SceneError(f"{path}: it has no list of frames")
    if not isinstance(step, (int, float)) or not 0 < step < 1e6:
        raise SceneError(f"{path}: basicTimeStep must be a number of milliseconds above 0")
    return dict(data)


def _updates(frame: Mapping[str, object]) -> list[dict[str, object]]:
    """Return the changes of a frame; releases before R2022b call them poses."""
    found = frame.get("updates", frame.get("poses", []))
    return (
        [node for node in found if isinstance(node, dict) and "id" in node] if isinstance(found, list) else []
    )


def _value(type_: str, text: str) -> object:
    """Return the value of a field as the tree has it."""
    if type_ == "SFString":
        return text
    if type_ == "SFBool":
        return text.lower() == "true"
    numbers = _numbers(text)
    if type_ == "MFColor":
        return VecArray(3, [numbers[at : at + 3] for at in range(0, len(numbers), 3)])
    return numbers if len(numbers) > 1 else numbers[0]


def _numbers(text: str) -> tuple[float, ...]:
    try:
        numbers = tuple(float(word) for word in text.split())
    except ValueError:
        numbers = ()
    if not numbers or not all(map(math.isfinite, numbers)):
        raise SceneError(f'"{text[:40]}" is not made of numbers')
    return numbers


def _label(label: Mapping[str, Any]) -> dict[str, Any]:
    color = ",".join(
        f"{number:g}" for number in _numbers(str(label.get("rgba", "0,0,0,0")).replace(",", " "))[:4]
    )
    place = {name: float(label.get(name, 0)) for name in ("x", "y", "size")}
    return {"text": str(label["text"]), "color": f"rgba({color})"} | place


def _named(world: World) -> dict[str, Node]:
    return {node.def_name: node for node in world.walk() if node.def_name and node.use_of is None}


def _place(node: Node | None) -> Pose:
    """Return the pose of a node in the world, without its scale."""
    place = IDENTITY
    while node is not None:
        if node.type == "Transform":
            x, y, z, angle = node.get("rotation")
            place = Pose(node.get("translation"), axis_angle((x, y, z), angle)) @ place
        node = node.parent
    return place
