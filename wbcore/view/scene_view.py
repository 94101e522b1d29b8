"""The visible world as data: what there is, where the bodies are, and what else changes.

docs/scene-description.md describes the data. Viewers draw it by the rules of wbcore/render, whose records of
surfaces and lights it contains, so that they show the same colors as cameras.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wbridge.wbcore.physics.pose import Pose
from wbridge.wbcore.render.atmosphere import is_of_atmosphere
from wbridge.wbcore.render.forms import DrawnForm, drawn_form
from wbridge.wbcore.render.images import AnyTexture, LiveUse
from wbridge.wbcore.render.lights import WorldLights
from wbridge.wbcore.render.materials import Surface, surface_of
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import robots as robot_nodes
from wbridge.wbcore.view.files import Files
from wbridge.wbcore.view.live_pictures import LivePictures
from wbridge.wbcore.view.riders import Riders
from wbridge.wbcore.view.surroundings import air_of, labels_of, lights_of, numbers, viewpoint_of
from wbridge.wbcore.visual.changes import ShapeChanges
from wbridge.wbcore.visual.muscles import Muscle, muscle_of
from wbridge.wbcore.visual.shapes import ALWAYS, PlacedShape, Rider, shapes_of
from wbridge.wbcore.visual.shared_forms import SharedForms
from wbridge.wbcore.visual.viewpoint import ViewpointCamera

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wbridge.wbcore.simulation import Simulation

__all__ = ["SceneView"]

AROUND_KEYS = ("lights", "air", "viewpoint")
"""Parts of the description that have messages of their own, by the names of these messages."""
Carrier = Callable[[PlacedShape], tuple[int | None, Pose]]
"""Returns the number of the body that carries a shape, or None, and the shape's place in it."""


class SceneView:
    """What is seen of a simulation. Call `changes` after each step that is shown, then `poses`."""

    def __init__(
        self, simulation: Simulation, carrier: Carrier | None = None, has_patches: bool = False
    ) -> None:
        """
        Args:
            simulation: what is seen.
            carrier: says what carries shapes; by default the bodies of the physics.
            has_patches: whether messages about a changing texture tell only what differs from the last one.
        """
        self._simulation = simulation
        self._carrier = carrier
        self._riders = Riders(simulation.physics)
        self._files = Files()
        self._changes = ShapeChanges()
        self._around_changed = self._air_changed = False
        simulation.edits.look_watchers.append(self._note)
        self._forms: SharedForms[DrawnForm] = SharedForms(
            simulation.world, lambda geometry, scale: drawn_form(simulation.world, geometry, scale)
        )
        self._camera = ViewpointCamera(simulation.physics, simulation.hidden)
        self._surfaces: dict[Node, int] = {}
        """Shapes, by the place of their surface in the description."""
        self._helices: dict[Node, list[Rider]] = {}
        """What carries the shapes of helices."""
        self._muscles: dict[int, tuple[Pose, Muscle]] = {}
        """By the number of the shape: the frame of the joint in its body."""
        self._unseen: set[Node] = set()
        """Shapes of helices that are not seen at the current speed."""
        self._pictures = LivePictures(self._files, has_patches)
        self._live_version = -1
        self._said: dict[str, str] = {}
        """The newest messages, to send only what is new."""
        self._scene = self._describe()
        self._begin()

    def close(self) -> None:
        """Follow the simulation no more."""
        self._simulation.edits.look_watchers.remove(self._note)

    def _note(self, node: Node | None, name: str) -> None:
        self._changes.note(node, name)
        if node is None or node.root.type == "Viewpoint" or node.is_a("Light"):
            self._around_changed = True
        self._air_changed |= is_of_atmosphere(node, name)

    # The description.

    def describe(self) -> Mapping[str, object]:
        """Return the description of the scene, for JSON."""
        return self._scene

    def files(self) -> Mapping[str, bytes]:
        """Return the files that are new since the last call."""
        return self._files.take_new()

    def forget_file(self, name: str) -> None:
        """Drop the file of a picture that has changed since."""
        self._files.forget(name)

    def file(self, name: str) -> bytes | None:
        """Return a file by name."""
        return self._files.known.get(name)

    def _describe(self) -> dict[str, Any]:
        """Return the scene as it is now."""
        simulation, changes = self._simulation, self._changes
        if changes.nodes:
            self._forms.forget()
        self._forms.forget(changes.geometries)
        changes.forget_shapes()
        self._structure = self._structure_key()
        self._lights = WorldLights(simulation.physics)
        self._surfaces = {}
        self._live_version = simulation.live_textures.version
        self._pictures.clear()
        self._rows: set[int] = set()
        self._riders.clear()
        self._helices.clear()
        self._muscles.clear()
        surfaces: list[dict[str, object]] = []
        shapes: list[dict[str, object]] = []
        for shape in shapes_of(simulation.physics):
            changes.watch(shape.node)
            form = self._forms.find(shape)
            if form is not None:
                self._note_muscle(len(shapes), shape)
                shapes.append(self._shape(shape, form, surfaces))
        self._unseen = self._unseen_now()
        for node in self._unseen:
            surfaces[self._surfaces[node]]["invisible"] = True
        self._bodies = sorted(self._rows)
        self._moving = [*self._bodies, *self._riders.numbers()]
        return {
            "shapes": shapes,
            "surfaces": surfaces,
            "moving": self._moving,
            "robots": self._robots(),
            "parents": self._parents(),
            "lights": lights_of(self._lights),
            "air": air_of(simulation, self._files),
            "viewpoint": viewpoint_of(simulation, self._camera),
        }

    def _robots(self) -> dict[str, int]:
        """Return the bodies of robots that move, by name."""
        physics = self._simulation.physics
        solids = {solid.node: solid for solid in physics.solids()}
        found: dict[str, int] = {}
        for node in robot_nodes(self._simulation.world.nodes):
            solid = solids.get(node)
            body = physics.handles.bodies.get(solid.body) if solid is not None else None
            if body is not None:
                found.setdefault(str(node.get("name")), int(body.id))
        return found

    def _parents(self) -> dict[int, int]:
        """Return the number of the solid above each solid that is in another one."""
        number = self._simulation.nodes.number
        solids = self._simulation.physics.solids()
        return {number(solid.node): number(solid.parent.node) for solid in solids if solid.parent is not None}

    def _structure_key(self) -> tuple[object, object]:
        physics = self._simulation.physics
        return physics.builder, physics.structure

    def _shape(
        self, shape: PlacedShape, form: DrawnForm, surfaces: list[dict[str, object]]
    ) -> dict[str, object]:
        node = shape.node
        if node not in self._surfaces:
            self._surfaces[node] = len(surfaces)
            surfaces.append(self._surface(node))
        if shape.rider is not None and shape.rider.speeds != ALWAYS:
            self._helices.setdefault(node, []).append(shape.rider)
        solid = shape.solid.node if shape.solid is not None else None
        casts = "castShadows" not in node.spec.fields or bool(node.get("castShadows"))
        body, place = self._carried(shape)
        return {
            "mesh": self._files.mesh(form),
            "corners": form.corners,
            "surface": self._surfaces[node],
            "casts": casts,
            "body": body,
            "place": _place(place, form, muscle_of(node)),
            "node": self._simulation.nodes.number(solid) if solid is not None else None,
        }

    def _note_muscle(self, number: int, shape: PlacedShape) -> None:
        muscle = muscle_of(shape.node)
        if muscle is not None:
            muscle.look()
            self._muscles[number] = self._carried(shape)[1], muscle

    def _muscle_changes(self) -> dict[str, object]:
        """Return the places and surfaces of all muscles."""
        found: dict[str, object] = {}
        for number, (frame, muscle) in self._muscles.items():
            muscle.look()
            found[f"place {number}"] = _numbers_of(frame @ muscle.place())
            found[f"surface {self._surfaces[muscle.shape]}"] = self._surface(muscle.shape)
        return found

    def _carried(self, shape: PlacedShape) -> tuple[int | None, Pose]:
        """Return what carries a shape, and its place there."""
        if self._carrier is None and shape.rider is not None:
            return self._riders.carry(shape, shape.rider)
        body, place = (self._carrier or _carrier)(shape)
        if body is not None:
            self._rows.add(body)
        return body, place

    def _surface(self, shape: Node) -> dict[str, object]:
        made: Surface = surface_of(self._simulation.world, shape, self._simulation.live_textures)
        return {
            "kind": made.kind,
            "record": numbers(made.record),
            "textures": [self._texture(texture) for texture in made.textures],
            "transparent": made.is_transparent,
            "invisible": made.is_invisible or shape in self._unseen,
        }

    def _unseen_now(self) -> set[Node]:
        """Return the shapes that are seen on no helix."""
        physics = self._simulation.physics
        return {
            node
            for node, riders in self._helices.items()
            if not any(rider.is_seen(physics) for rider in riders)
        }

    def _texture(self, use: AnyTexture | None) -> dict[str, object] | None:
        if use is None:
            return None
        found = {
            "file": self._files.texture(use),
            "is_color": use.is_color,
            "repeat": [use.repeat_s, use.repeat_t],
            "is_smooth": use.filtering > 0,
            "has_relief": use.has_relief,
        }
        if isinstance(use, LiveUse):
            found["live"] = self._pictures.key(use.live)
        return found

    # Poses.

    def moving(self) -> Sequence[int]:
        """Return the numbers of the bodies that shapes belong to."""
        return self._moving

    def poses(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return positions (n, 3; m) and unit quaternions (n, 4; w x y z) of the bodies in `moving`."""
        engine = self._simulation.physics.engine
        positions, quaternions = engine.positions[self._bodies], engine.quaternions[self._bodies]
        if len(self._bodies) == len(self._moving):
            return positions, quaternions
        places, turns = self._riders.poses()
        return np.concatenate((positions, places)), np.concatenate((quaternions, turns))

    # Changes.

    def changes(self) -> Mapping[str, Any]:
        """Return messages about what has changed since the last call, by what they are about.

        "scene": the name of a file with another description; "surface N", "place N" and "texture N" of its
        parts; "lights", "air", "viewpoint", "labels"; "draw plugin": spots of lasers and what the physics
        plugin draws, as parts of drawings (see `wbridge.wbcore.view.drawings`). The newest message of each
        key is the whole state.
        """
        found: dict[str, object] = {}
        changed = self._changes
        if changed.places or self._structure != self._structure_key():
            self._compare(found)
        elif self._live_version != self._simulation.live_textures.version:
            self._live_version = self._simulation.live_textures.version
            changed.surfaces.update(self._surfaces)
        unseen, before = self._unseen_now(), self._unseen
        self._unseen = unseen
        changed.surfaces.update(unseen ^ before)
        for node in sorted(changed.surfaces & self._surfaces.keys(), key=self._surfaces.__getitem__):
            found[f"surface {self._surfaces[node]}"] = self._surface(node)
        changed.surfaces.clear()
        found |= self._muscle_changes()
        found |= self._pictures.changes()
        if self._around_changed or self._lights.are_carried:
            found["lights"] = lights_of(self._lights)
        if self._air_changed:
            self._air_changed = False
            found["air"] = air_of(self._simulation, self._files)
        if self._around_changed:
            self._around_changed = False
            found["viewpoint"] = viewpoint_of(self._simulation, self._camera)
        labels = labels_of(self._simulation)
        if labels or "labels" in self._said:
            found["labels"] = labels
        drawings = self._simulation.drawings()
        if drawings or "draw plugin" in self._said:
            from wbridge.wbcore.physics_plugins.drawing import (
                drawn_parts,  # start-up: few worlds have drawings
            )

            found["draw plugin"] = drawn_parts(drawings)
        return self._new(found)

    def whole(self, key: str) -> Mapping[str, object]:
        """Return the message "texture N" that contains all patches up to the last call of `changes`."""
        return self._pictures.whole(key)

    def _compare(self, found: dict[str, object]) -> None:
        """Describe the scene again; find what is different."""
        before, self._scene = self._scene, self._describe()
        after = self._scene
        if _without_places(before) != _without_places(after):
            found["scene"] = self._files.add(json.dumps(after, separators=(",", ":")).encode())
            self._said = {"labels": ""} if "labels" in self._said else {}
            self._around_changed = self._air_changed = False
            self._begin()
            return
        self._around_changed = True  # lights may have moved with what contains them
        for number, (old, new) in enumerate(zip(before["shapes"], after["shapes"], strict=True)):
            if old["place"] != new["place"]:
                found[f"place {number}"] = new["place"]

    def _begin(self) -> None:
        for key in AROUND_KEYS:
            self._said[key] = json.dumps(self._scene[key])

    def _new(self, found: dict[str, object]) -> dict[str, object]:
        """Return the messages that differ from the newest ones."""
        made = {}
        for key, message in found.items():
            text = json.dumps(message)
            if self._said.get(key) != text:
                self._said[key] = text
                made[key] = message
        return made


def _carrier(shape: PlacedShape) -> tuple[int | None, Pose]:
    return None if shape.body is None else int(shape.body.id), shape.place


def _numbers_of(place: Pose) -> list[float]:
    return numbers((*place.position, *place.orientation, *place.scale))


def _place(place: Pose, form: DrawnForm, muscle: Muscle | None) -> list[float]:
    """Return position, quaternion (w x y z) and scale of a shape in its body, or in the world."""
    if muscle is not None:
        return _numbers_of(place @ muscle.place())
    turned = form.placed(place)
    return numbers((*turned.position, *turned.orientation, *form.scale))


def _without_places(scene: Mapping[str, Any]) -> str:
    shapes = [shape | {"place": None} for shape in scene["shapes"]]
    return json.dumps([shapes, scene["surfaces"], scene["moving"]])
