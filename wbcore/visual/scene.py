"""The visible world for rays: the engine's scene of visual shapes, kept up to date with the tree.

The engine's scene follows the bodies of the physics by itself. Here its instances are made from the nodes,
and updated or made again when these change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.pose import Pose, Vec3
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.belt_riders import BeltRiders
from wbridge.wbcore.visual.changes import ShapeChanges
from wbridge.wbcore.visual.forms import form_of
from wbridge.wbcore.visual.live_textures import NONE_LIVE, LiveTextures
from wbridge.wbcore.visual.shapes import PlacedShape, shapes_at, shapes_below, shapes_of
from wbridge.wbcore.visual.shared_forms import SharedForms
from wbridge.wbcore.visual.surface import SEEN, material_of
from wbridge.wbcore.visual.warnings import warn


class VisualEdits(Protocol):
    """The interface of tree changes that this module uses."""

    look_watchers: list[Callable[[Node | None, str], object]]
    """Called with changes that can affect what is visible: node and field; None: other nodes are there."""

    @property
    def looks(self) -> int:
        """Counts these changes."""


class VisualScene:
    """All visual shapes of a simulation.

    When the physics is rebuilt, `version` changes and rays have to be made again. Call `refresh` before
    casting rays.
    """

    def __init__(
        self, physics: PhysicsWorld, edits: VisualEdits, live_textures: LiveTextures = NONE_LIVE
    ) -> None:
        self._physics = physics
        self._live, self._live_version = live_textures, live_textures.version
        live_textures.watchers.append(self._live_changed)
        self.version = 0
        self.built = 0
        """Counts how often the instances were numbered."""
        self._key: tuple[object, ...] = ()
        # Valid as long as these nodes do not change, also when solids are rebuilt.
        self._forms = SharedForms(
            physics.world, lambda geometry, scale: form_of(physics.world, geometry, scale)
        )
        self._surfaces: dict[Node, _engine.Material] = {}
        self._riders: BeltRiders[int] = BeltRiders(physics)
        self._changes = ShapeChanges(SEEN)
        edits.look_watchers.append(self._looked)
        self.refresh()

    # Changes of the tree.

    def _looked(self, node: Node | None, name: str) -> None:
        if self._changes.note(node, name):
            self.scene.stale = True

    def _live_changed(self) -> None:
        self.scene.stale = True

    def refresh(self) -> int:
        """Apply changes of the tree; return the version."""
        key = (self._physics.builder, self._physics.structure)
        changes = self._changes
        if changes.places or key != self._key:
            if not self._key or key[0] is not self._key[0]:
                self.scene = _engine.Scene(self._physics.engine)
                self.version += 1
            self._key = key
            self._build()
        for shape in changes.surfaces:
            self._surfaces.pop(shape, None)
            self.scene.set_material(self._numbers[shape], self._surface(shape))
        changes.surfaces.clear()
        if self._live.version != self._live_version:
            self._live_version = self._live.version
            self._surfaces.clear()
            for shape, number in self._numbers.items():
                self.scene.set_material(number, self._surface(shape))
        for number, place in self._riders.moved():
            self.scene.move(number, place.position, place.orientation)
        for number, is_seen in self._riders.switched():
            self.scene.show(number, is_seen)
        self.scene.stale = False
        return self.version

    def _build(self) -> None:
        self._forget_changed()
        self.scene.clear()
        self.built += 1
        self._instances: dict[Node, list[int]] = {}
        self._numbers: dict[Node, int] = {}
        self._placed: dict[int, tuple[Node, Vec3]] = {}
        self._riders.clear()
        for shape in shapes_of(self._physics):
            self._add(shape)

    def _forget_changed(self) -> None:
        """Drop forms and surfaces that are not valid any more."""
        changes = self._changes
        if changes.nodes:
            self._forms.forget()
            self._surfaces.clear()
        self._forms.forget(changes.geometries)
        for shape in changes.surfaces:
            self._surfaces.pop(shape, None)
        changes.forget_shapes()

    def _add(self, shape: PlacedShape) -> None:
        node = shape.node
        if node not in self._numbers:
            self._changes.watch(node)
        form = self._forms.find(shape)
        if form is None:
            return
        if node not in self._numbers:
            self._numbers[node] = self.scene.add_material(self._surface(node))
        place = shape.place
        try:
            number = self.scene.add(
                form.shape, form.mapping, shape.body, place.position, place.orientation, self._numbers[node]
            )
        except ValueError as problem:
            warn(self._physics.world, node, f"it is not shown: {problem}")
        else:
            self._instances.setdefault(node, []).append(number)
            self._placed[number] = (node, place.scale)
            if shape.rider is not None:
                self._riders.add(number, shape.rider)

    def placed(self, instance: int) -> tuple[Node, Vec3]:
        """Return the Shape of one of the engine's instances, and its scale."""
        return self._placed[instance]

    def texture_size(self, shape: Node) -> tuple[int, int]:
        """Return width and height of the color texture of a Shape; 0 without one."""
        return self._surface(shape).texture_size

    def instances_below(self, nodes: Iterable[Node]) -> list[int]:
        """Return the numbers of the engine's instances that belong to these nodes."""
        shapes = {shape for node in nodes for shape in shapes_below(self._physics.world, node)}
        return sorted(number for shape in shapes for number in self._instances.get(shape, ()))

    def move(self, node: Node, body: _engine.Body | None, place: Pose) -> None:
        """Take over the current pose of a node that is not a part of the physics.

        Args:
            node: the node that has moved in its parent.
            body: the body that carries the parent; None: the world.
            place: the parent's pose in the body.
        """
        for shape in shapes_at(self._physics, node, body, place):
            numbers = self._instances.get(shape.node, [])
            if len(numbers) > 1:  # used in several places
                self._changes.places = self.scene.stale = True
            elif numbers:
                self.scene.move(numbers[0], shape.place.position, shape.place.orientation)

    def _surface(self, shape: Node) -> _engine.Material:
        surface = self._surfaces.get(shape)
        if surface is None:
            surface = self._surfaces[shape] = material_of(self._physics.world, shape, self._live)
        return surface

    # Rays.

    def rays(
        self,
        body: _engine.Body | None,
        place: Pose,
        directions: list[Vec3],
        length: float,
        passes_clear: bool = False,
    ) -> _engine.SceneRays:
        """Create rays that hit front sides, from a pose in a body of the physics or in the world.

        passes_clear: they go on behind surfaces that are wholly transparent.
        """
        return self.scene.rays(
            body, place.position, place.orientation, directions, length, passes_clear=passes_clear
        )

    def forget_step(self) -> None:
        """Poses have changed without a step."""
        self.scene.touch()
