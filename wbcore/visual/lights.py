"""The lights of a world, for sensors and pictures: DirectionalLight, PointLight and SpotLight.

Source: manual, chapters Light, SpotLight.
"""

from __future__ import annotations

from math import inf

from wbcore.engine import _engine
from wbcore.physics.changes import frame_above
from wbcore.physics.errors import UnknownNodeError
from wbcore.physics.mount import Mount
from wbcore.physics.pose import ZERO, Pose, Vec3, unit
from wbcore.physics.tree import number
from wbcore.physics.world import PhysicsWorld
from wbcore.scene.node import Node, walk

__all__ = ["Light", "lights_of"]


class Light:
    """One light, with the field values of the last `read`."""

    def __init__(self, physics: PhysicsWorld, node: Node) -> None:
        """
        Args:
            physics: the world that holds the body or frame carrying the light.
            node: the light in the tree, possibly a USE.
        """
        self.node, self._place_node = node.root, node
        self._mount: Mount | None = Mount(physics, lambda: node)
        self._frame = Pose()
        try:
            self._mount.follow()
        except UnknownNodeError:
            self._mount, self._frame = None, frame_above(node)
        self.read()

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
        one = self._place_node.parent
        while one is not None and one is not node.root:
            one = one.parent
        return one is not None

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
        return Pose(self._mount.position(), self._mount.orientation(), self._mount.inner.scale)

    def native(self) -> _engine.Light:
        """Return the engine's form of it, for sensors."""
        frame = self._frame
        mount, scale = _engine.SensorMount(None, frame.position, frame.orientation), frame.scale
        if self._mount is not None:
            self._mount.follow()
            mount, scale = self._mount.native, self._mount.inner.scale
        return _engine.Light(
            kind="directional" if self.is_directional else "spot" if self.is_spot else "point",
            is_on=self.is_on,
            intensity=self.intensity,
            ambient=self.ambient,
            color=self.color,
            mount=mount,
            scale=scale,
            location=self._location,
            direction=self._direction,
            terms=self.terms,
            beam=self.beam,
            cut=self.cut,
        )


def lights_of(physics: PhysicsWorld) -> list[Light]:
    """Return all lights of a world, in tree order."""
    return [
        Light(physics, node) for node in walk(physics.world.nodes) if node.body is None and node.is_a("Light")
    ]
