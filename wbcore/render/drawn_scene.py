"""The visible world as the renderer draws it, kept up to date with the tree."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Protocol

import numpy as np

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.pose import Pose, Vec3
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.render.atmosphere import is_of_atmosphere
from wbridge.wbcore.render.belts import moving_textures
from wbridge.wbcore.render.forms import DrawnForm, drawn_form
from wbridge.wbcore.render.images import uv_transform
from wbridge.wbcore.render.materials import TEXELS, Group, Surface, surface_of
from wbridge.wbcore.render.mesh_pool import MeshPool
from wbridge.wbcore.render.single import single
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.belt_riders import BeltRiders
from wbridge.wbcore.visual.changes import ShapeChanges
from wbridge.wbcore.visual.hidden import HiddenNodes
from wbridge.wbcore.visual.live_textures import LiveTextures
from wbridge.wbcore.visual.muscles import Muscle, muscle_of
from wbridge.wbcore.visual.scene import VisualEdits
from wbridge.wbcore.visual.shapes import PlacedShape, shapes_of, travel_of
from wbridge.wbcore.visual.shared_forms import SharedForms

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LOG = logging.getLogger(__name__)
EVERYWHERE = 1 << 63
"""The bit of `hidden` that all views have."""
TRANSPARENT, CASTS_SHADOW = 1, 2
WIDER = 1.5
"""How much wider than moving vertices their box is."""


class World(Protocol):
    """The parts of a simulation that are drawn."""

    @property
    def physics(self) -> PhysicsWorld:
        """Bodies and the tree."""

    @property
    def edits(self) -> VisualEdits:
        """Changes of the tree."""

    @property
    def hidden(self) -> HiddenNodes:
        """Nodes that single views do not show."""

    @property
    def live_textures(self) -> LiveTextures:
        """Displays and ink."""


class DrawnScene:
    """Instances, surfaces and groups of one world."""

    def __init__(self, world: World) -> None:
        self._physics = world.physics
        self._hidden = world.hidden
        self._live, self._live_version = world.live_textures, -1
        self._hidden_version = -1
        self._changes = ShapeChanges()
        world.edits.look_watchers.append(self._note)
        self._key: tuple[object, ...] = ()
        self._forms = SharedForms(
            world.physics.world, lambda geometry, scale: drawn_form(world.physics.world, geometry, scale)
        )
        self._surfaces: dict[Node, Surface] = {}
        self._followed: list[tuple[DrawnForm, tuple[Vec3, float]]] = []
        """Forms whose vertices move, and the center and half the edge of a cube around them."""
        self._riders: BeltRiders[tuple[int, Node, DrawnForm]] = BeltRiders(world.physics)
        self._muscles: dict[int, tuple[Pose, Muscle]] = {}
        """By instance: the frame of the joint in its body."""
        self._muscle_states: dict[int, tuple[Pose, object]] = {}
        """By instance: what is drawn."""
        self._unseen: set[int] = set()
        """Instances of helices that are not seen at the current speed."""
        self.shapes: list[PlacedShape] = []
        """By the numbers that pictures of numbers show, minus 1."""
        self.groups: list[Group] = []
        self.records: NDArray[np.float32] = np.zeros((0, TEXELS, 4), dtype=np.float32)
        self.list: _engine.DrawList
        self.has_transparent = False
        """Whether something was transparent since the last build."""
        self.version = 0
        """Changes when lights have to be found again."""
        self.air_version = 0
        """Changes when background and fog have to be read again."""

    def _note(self, node: Node | None, name: str) -> None:
        self._changes.note(node, name)
        self.air_version += is_of_atmosphere(node, name)

    def refresh(self, pool: MeshPool) -> bool:
        """Apply changes of the tree; True if `records` have changed."""
        physics, changes = self._physics, self._changes
        self._follow_forms(pool)
        key = (physics.builder, physics.structure)
        if changes.places or key != self._key:
            if not self._key or key[0] is not self._key[0]:
                self.list = _engine.DrawList(physics.engine)
            self._key = key
            self._build(pool)
            return True
        if self._hidden_version != self._hidden.version:
            self._hide_all()
        self._follow_muscles()
        changed = list(changes.surfaces) if self._live.version == self._live_version else [*self._materials]
        self._live_version = self._live.version
        changes.surfaces.clear()
        for shape in changed:
            self._surfaces.pop(shape, None)
            self._update(shape)
        return self._follow_belts() or bool(changed)

    def _follow_belts(self) -> bool:
        """Move what belts and propellers carry, and the textures of belts; True if a texture has moved."""
        for (instance, node, _), is_seen in self._riders.switched():
            (self._unseen.discard if is_seen else self._unseen.add)(instance)
            self._hide(instance, node)
        for (instance, _, form), where in self._riders.moved():
            place = form.placed(where)
            self.list.set_place(instance, place.position, place.orientation, form.scale)
        moved = False
        for texture in self._moving:
            travel = travel_of(self._physics, texture.track)
            shift = (travel * texture.step[0], travel * texture.step[1])
            material = self._materials.get(texture.shape)
            if material is not None:
                mapping = single(uv_transform(texture.appearance, shift))
                moved |= bool((self.records[material, 4:6, :3] != mapping).any())
                self.records[material, 4:6, :3] = mapping
        return moved

    def _follow_muscles(self) -> None:
        """Stretch muscles, and note those that look different."""
        for instance, (frame, muscle) in self._muscles.items():
            now = frame @ muscle.place(), muscle.look()
            before = self._muscle_states.get(instance)
            if before is None or now[0] != before[0]:
                self.list.set_place(instance, *now[0])
            if before is not None and now[1] != before[1]:
                self._changes.surfaces.add(muscle.shape)
            self._muscle_states[instance] = now

    def _build(self, pool: MeshPool) -> None:
        self._forget_changed()
        self._live_version = self._live.version
        self.list.clear()
        self.groups.clear()
        self._group_numbers: dict[Group, int] = {}
        self._materials: dict[Node, int] = {}
        self._instances: dict[Node, list[int]] = {}
        self._meshes: dict[object, int] = {}
        self._followed.clear()
        self._muscles.clear()
        self._muscle_states.clear()
        self._riders.clear()
        self._unseen.clear()
        self.has_transparent = False
        self.shapes = list(shapes_of(self._physics))
        self.version += 1
        for number, shape in enumerate(self.shapes, 1):
            self._add(number, shape, pool)
        self.records = np.zeros((max(len(self._materials), 1), TEXELS, 4), dtype=np.float32)
        for node, material in self._materials.items():
            self.records[material] = self._surface(node).record
        self._moving = moving_textures(self._physics)
        self._follow_belts()
        self._follow_muscles()

    def _forget_changed(self) -> None:
        changes = self._changes
        if changes.nodes:
            self._forms.forget()
            self._surfaces.clear()
        if changes.geometries or self._live.version != self._live_version:
            self._surfaces.clear()  # colors of grids belong to their surfaces
        self._forms.forget(changes.geometries)
        for shape in changes.surfaces:
            self._surfaces.pop(shape, None)
        changes.forget_shapes()

    def _add(self, number: int, shape: PlacedShape, pool: MeshPool) -> None:
        node = shape.node
        if node not in self._materials:
            self._changes.watch(node)
        form = self._forms.find(shape)
        if form is None:
            return
        mesh = self._meshes.get(form.key)
        if mesh is None:
            mesh = self._add_mesh(form, pool)
            self._meshes[form.key] = mesh
        muscle = muscle_of(node)
        if muscle is not None:
            muscle.look()
            self._surfaces.pop(node, None)  # it may have another color since it was last drawn
        material = self._materials.setdefault(node, len(self._materials))
        surface = self._surface(node)
        self.has_transparent |= surface.is_transparent
        place = form.placed(shape.place)
        instance = self.list.add(
            mesh, self._group(surface, form.corners), material, number, self._flags(node, surface),
            shape.body, place.position, place.orientation, form.scale,
        )  # fmt: skip
        self._instances.setdefault(node, []).append(instance)
        if muscle is not None:
            self._muscles[instance] = shape.place, muscle
        if shape.rider is not None:
            self._riders.add((instance, node, form), shape.rider)
        self._hide(instance, node)

    def _add_mesh(self, form: DrawnForm, pool: MeshPool) -> int:
        pooled = pool.follow(form)
        if form.version is None:
            return self.list.add_mesh(pooled.levels, pooled.center, pooled.radius, pooled.half)
        # What moves gets a wider box, so that the scene is not built again at once.
        x, y, z = (WIDER * max(pooled.half) for _ in range(3))
        self._followed.append((form, (pooled.center, x)))
        return self.list.add_mesh(pooled.levels, pooled.center, WIDER * 2 * pooled.radius, (x, y, z))

    def _follow_forms(self, pool: MeshPool) -> None:
        """Move the vertices of skins; build the scene again if they have left their boxes."""
        for form, (center, half) in self._followed:
            pooled = pool.follow(form)
            ways = (abs(a - b) + c for a, b, c in zip(pooled.center, center, pooled.half, strict=True))
            if max(ways) > half:
                self._changes.places = True

    def _hide(self, instance: int, node: Node) -> None:
        """Hide an instance of a shape from the views that do not show it."""
        is_unseen = instance in self._unseen or self._surface(node).is_invisible
        everywhere = EVERYWHERE if is_unseen else 0
        self.list.hide(instance, everywhere | self._hidden.mask(node))

    def _hide_all(self) -> None:
        self._hidden_version = self._hidden.version
        for node, instances in self._instances.items():
            for instance in instances:
                self._hide(instance, node)

    def _update(self, node: Node) -> None:
        """Show the changed surface of a shape."""
        material = self._materials.get(node)
        form = self._forms.any_of(node)
        if material is None or form is None:
            return
        surface = self._surface(node)
        self.has_transparent |= surface.is_transparent
        self.records[material] = surface.record
        group, flags = self._group(surface, form.corners), self._flags(node, surface)
        for instance in self._instances.get(node, ()):
            self.list.set_material(instance, group, material, flags)
            self._hide(instance, node)

    def _group(self, surface: Surface, corners: int) -> int:
        key = Group(surface.kind, surface.textures, corners)
        if key not in self._group_numbers:
            self._group_numbers[key] = len(self.groups)
            self.groups.append(key)
        return self._group_numbers[key]

    @staticmethod
    def _flags(shape: Node, surface: Surface) -> int:
        if surface.is_transparent:
            return TRANSPARENT
        casts = "castShadows" not in shape.spec.fields or bool(shape.get("castShadows"))
        return CASTS_SHADOW if casts else 0

    def _surface(self, shape: Node) -> Surface:
        found = self._surfaces.get(shape)
        if found is None:
            found = self._surfaces[shape] = surface_of(self._physics.world, shape, self._live)
        return found
