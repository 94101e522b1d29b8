"""The visible world for rays: an engine world with the visual shapes, which follows the physics.

It is separate from the physics, so that casting rays changes neither contacts nor states.
"""

from __future__ import annotations

import logging
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wbcore.engine import _engine
from wbcore.physics.errors import SimulationError
from wbcore.physics.meshes import MeshError
from wbcore.physics.pose import Pose, Vec3
from wbcore.physics.tree import node_in, node_path
from wbcore.physics.world import PhysicsWorld
from wbcore.scene.node import Node
from wbcore.visual.forms import Form, form_of
from wbcore.visual.shapes import PlacedShape, shapes_of
from wbcore.visual.surface import Look, Surface

__all__ = ["Seen", "VisualScene"]

_LOG = logging.getLogger(__name__)
CAPACITY = 65536


class Seen:
    """A visual shape: the node, its form and its surface."""

    __slots__ = ("form", "node", "place", "surface")

    def __init__(self, node: Node, form: Form, surface: Surface, place: Pose) -> None:
        self.node = node
        self.form = form
        self.surface = surface
        self.place = place
        """Pose in the body that carries it, or in the world; without scale."""


class VisualEdits(Protocol):
    """The interface of tree changes that this module uses."""

    @property
    def looks(self) -> int:
        """Counts changes that may affect what is visible."""


class VisualScene:
    """All visual shapes of a simulation at their current poses.

    `look` casts the rays made by `rays`, all at once and at most once per step. When shapes are added,
    removed or changed, `version` changes and the rays have to be made again.
    """

    def __init__(self, physics: PhysicsWorld, edits: VisualEdits) -> None:
        self._physics, self._edits = physics, edits
        self.version = 0
        self._key: tuple[object, ...] = ()
        self._step = -1
        # Valid as long as no appearance changes, also when solids are rebuilt.
        self._forms: dict[tuple[Node, Vec3], Form | None] = {}
        self._surfaces: dict[Node, Surface] = {}
        self.refresh()

    def refresh(self) -> int:
        """Apply changes of the tree; return the version."""
        physics, edits = self._physics, self._edits
        key = (physics.builder, physics.structure, edits.looks)
        if key != self._key:
            if self._key[-1:] != key[-1:]:
                self._forms, self._surfaces = {}, {}
            self._key = key
            self.version += 1
            self._build()
        return self.version

    def _build(self) -> None:
        self.world = _engine.World(capacity=CAPACITY)
        self._seen: dict[int, Seen] = {}
        self._frames: dict[int, _engine.Body] = {}
        self._bodies: list[_engine.Body] = []
        for shape in shapes_of(self._physics):
            self._add(shape)
        self._watch_all()

    def _add(self, shape: PlacedShape) -> None:
        form = self._form(shape)
        if form is None:
            return
        surface = self._surfaces.get(shape.node)
        if surface is None:
            surface = self._surfaces[shape.node] = Surface(self._physics.world, shape.node)
        place = shape.place
        try:
            geom = self.world.add_geom(form.shape, self._frame(shape.body), place.position, place.orientation)
        except ValueError as problem:
            _LOG.warning("warning: %s: rays do not see this: %s", node_path(shape.node), problem)
            return
        geom.collides_with = 0
        self._seen[geom.id] = Seen(shape.node, form, surface, place.rigid)

    def _form(self, shape: PlacedShape) -> Form | None:
        """Return a form; shapes used several times share their triangles."""
        geometry = node_in(shape.node, "geometry")
        if geometry is None:
            return None
        key = (geometry, shape.place.scale)
        if key not in self._forms:
            try:
                self._forms[key] = form_of(self._physics.world, geometry, shape.place.scale)
            except (MeshError, ValueError) as problem:
                _LOG.warning("warning: %s: rays do not see this: %s", node_path(geometry), problem)
                self._forms[key] = None
        return self._forms[key]

    def _frame(self, body: _engine.Body | None) -> _engine.Body | None:
        """Return the frame that follows a body of the physics."""
        if body is None:
            return None
        made = self._frames.get(body.id)
        if made is None:
            made = self._frames[body.id] = self.world.add_frame(body.position, body.orientation)
            self._bodies.append(body)
        return made

    def _watch_all(self) -> None:
        engine = self._physics.engine
        self._ids = np.array([one.id for one in self._bodies], dtype=np.intp)
        self._followers = [self._frames[one.id] for one in self._bodies]
        self._positions, self._quaternions = engine.positions, engine.quaternions
        self._last = self._poses()
        self._step = -1

    def _poses(self) -> NDArray[np.float64]:
        return np.concatenate([self._positions[self._ids], self._quaternions[self._ids]], axis=1)

    # Rays.

    def rays(
        self,
        body: _engine.Body | None,
        place: Pose,
        directions: list[Vec3],
        length: float,
    ) -> _engine.Rays:
        """Create rays that hit front sides, from a pose in a body of the physics or in the world."""
        frame = self._frame(body)
        if frame is not None and len(self._followers) < len(self._bodies):
            self._watch_all()
        origins = [(0.0, 0.0, 0.0)] * len(directions)
        lengths = [length] * len(directions)
        made = self.world.add_rays(origins, directions, lengths, frame, place.position, place.orientation)
        made.front_only = True
        self._step = -1
        return made

    def look(self) -> int:
        """Cast all rays at the current poses, unless done in this step; return the version."""
        step = self._physics.builder.engine.steps
        if step != self._step:
            self.refresh()
            self._follow()
            self.world.cast()
            self._step = step
        return self.version

    def forget_step(self) -> None:
        """Invalidate the cast: poses have changed without a step."""
        self._step = -1

    def _follow(self) -> None:
        """Move the frames to the poses of their bodies."""
        if not self._bodies:
            return
        now = self._poses()
        moved = np.flatnonzero((now != self._last).any(axis=1))
        self._last = now
        rows = now[moved].tolist()
        for index, (x, y, z, a, b, c, d) in zip(moved.tolist(), rows, strict=True):
            self._followers[index].set_pose((x, y, z), (a, b, c, d))

    def seen(self, geom: int) -> Seen:
        """Return the visual shape of a geom of `world`.

        Raises:
            SimulationError: the geom does not exist.
        """
        found = self._seen.get(geom)
        if found is None:
            raise SimulationError(f"no visual shape has the number {geom}")
        return found

    def look_at(self, geom: int, point: Vec3) -> Look:
        """Return the look of a shape's surface at a point of the world."""
        seen = self.seen(geom)
        if seen.surface.is_plain:
            return seen.surface.plain
        body = self.world.geom(geom).body
        frame = Pose(body.position, body.orientation) if body is not None else Pose()
        return seen.surface.look(seen.form.mapping((frame @ seen.place).local(point)))
