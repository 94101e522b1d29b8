"""The lights of a world, for sensors and pictures: DirectionalLight, PointLight and SpotLight.

Source: manual, chapters Light, SpotLight.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import inf

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics import sync
from wbridge.wbcore.physics.changes import frame_above, is_inside
from wbridge.wbcore.physics.errors import UnknownNodeError
from wbridge.wbcore.physics.mount import Mount
from wbridge.wbcore.physics.pose import ZERO, Pose, Vec3, unit
from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node, walk

MOST_LIGHTS = 10_000
"""USEs within USEs can name any number of lights."""


class Light:
    """One light, with the field values of the last `read`."""

    def __init__(self, physics: PhysicsWorld, node: Node, uses: tuple[Node, ...] = ()) -> None:
        """
        Args:
            physics: the world that holds the body or frame carrying the light.
            node: the light in the tree.
            uses: the USE nodes by which it is reached, from the outermost one.
        """
        self.node, self._uses = node.root, uses
        carrier = uses[0].parent if uses else node
        self._mount: Mount | None = Mount(physics, lambda: carrier or node) if carrier is not None else None
        self._frame = Pose()
        try:
            if self._mount is not None:
                self._mount.follow()
        except UnknownNodeError:
            self._mount = None
        if self._mount is None:
            self._frame = (sync.frame_below(carrier, None) if uses else frame_above(node)) @ self._within()
        self.read()

    def _within(self) -> Pose:
        """Return its frame in that of what carries it: the frames below each USE."""
        place = Pose()
        ends: tuple[Node, ...] = (*self._uses[1:], self.node)
        for use, end in zip(self._uses, ends, strict=False):
            definition = use.root
            inner = end if end is self.node else end.parent
            place = place @ sync.frame_below(inner, definition.parent)
        return place

    def read(self) -> None:
        """Read the current fields, which devices may change."""
        root = self.node
        self.is_on = bool(root.get("on"))
        self.intensity = number(root, "intensity")
        self.ambient = number(root, "ambientIntensity")
        self.color: Vec3 = root.get("color")
        self.casts_shadows = bool(root.get("castShadows"))
        self.is_directional = root.is_a("DirectionalLight")
        self.is_spot = root.is_a("SpotLight")
        self._direction: Vec3 = ZERO if root.is_a("PointLight") else root.get("direction")
        self._location: Vec3 = ZERO if self.is_directional else root.get("location")
        self.terms: Vec3 = (1.0, 0.0, 0.0) if self.is_directional else root.get("attenuation")
        """a, b and c of the attenuation."""
        self.radius = inf if self.is_directional else number(root, "radius")
        """The distance at which the light ends (m)."""
        self.beam, self.cut = number(root, "beamWidth"), number(root, "cutOffAngle")
        """Angles of a SpotLight (rad) at which it begins to fade, and ends."""

    @property
    def is_carried(self) -> bool:
        """True if a body of the engine carries it."""
        return self._mount is not None and self._mount.body is not None

    def is_in(self, node: Node) -> bool:
        """Return whether a node of the tree contains it."""
        return any(is_inside(use, node.root) for use in (self.node, *self._uses))

    def position(self) -> Vec3:
        """Return its place in the world (m)."""
        return self._place().point(self._location)

    def direction(self) -> Vec3:
        """Return the unit vector in which a directional or spot light shines; zero for others."""
        return unit(self._place().direction(self._direction)) or ZERO

    def _place(self) -> Pose:
        if self._mount is None:
            return self._frame
        self._mount.follow()
        return (
            Pose(self._mount.position(), self._mount.orientation(), self._mount.inner.scale) @ self._within()
        )

    def native(self) -> _engine.Light:
        """Return the engine's form of it, for sensors."""
        body, frame = None, self._frame
        if self._mount is not None:
            self._mount.follow()
            body, frame = self._mount.body, self._mount.inner @ self._within()
        return _engine.Light(
            kind="directional" if self.is_directional else "spot" if self.is_spot else "point",
            is_on=self.is_on,
            intensity=self.intensity,
            ambient=self.ambient,
            color=self.color,
            mount=_engine.SensorMount(body, frame.position, frame.orientation),
            scale=frame.scale,
            location=self._location,
            direction=self._direction,
            terms=self.terms,
            beam=self.beam,
            cut=self.cut,
        )


def lights_of(physics: PhysicsWorld) -> list[Light]:
    """Return all lights of a world, in tree order; what a USE names shines at its place, too."""
    return [*islice(_lights(physics, physics.world.nodes, (), {}), MOST_LIGHTS)]


def _lights(
    physics: PhysicsWorld, nodes: list[Node], uses: tuple[Node, ...], known: dict[Node, bool]
) -> Iterator[Light]:
    for node in walk(nodes):
        if node.use_of is not None:
            if _shines(node, known):
                yield from _lights(physics, [node.root], (*uses, node), known)
        elif node.body is None and node.is_a("Light"):
            yield Light(physics, node, uses)


def _shines(use: Node, known: dict[Node, bool]) -> bool:
    """Return whether what a USE names has a light; `known` are the answers for what was asked before."""
    root = use.root
    if root not in known:
        known[root] = any(
            _shines(node, known) if node.use_of is not None else node.is_a("Light") for node in walk(root)
        )
    return known[root]
