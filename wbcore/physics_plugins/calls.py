"""What plugins in Python get: bodies, geometries, packets, the time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from wbridge.wbcore.engine import _engine
    from wbridge.wbcore.physics.world import PhysicsWorld
    from wbridge.wbcore.physics_plugins.host import PluginHost
    from wbridge.wbcore.visual.drawn import Drawn

Vector: TypeAlias = "Sequence[float] | NDArray[np.float64]"


class Body:
    """The rigid body of a solid with Physics.

    Positions are in m, velocities in m/s and rad/s, in the world's axes. The arrays are read-only views on
    the simulator's memory: they always show the current state, without further calls.
    """

    def __init__(self, made: _engine.Body, engine: _engine.World) -> None:
        self._made = made
        self.position: NDArray[np.float64] = engine.positions[made.id]
        """(3,) origin of the body's frame: of the solid, or of the solid that it was merged into."""
        self.orientation: NDArray[np.float64] = engine.quaternions[made.id]
        """(4,) quaternion w, x, y, z."""
        self.linear_velocity: NDArray[np.float64] = engine.linear_velocities[made.id]
        """(3,) of the center of mass."""
        self.angular_velocity: NDArray[np.float64] = engine.angular_velocities[made.id]
        """(3,)"""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and self._made == other._made

    def __hash__(self) -> int:
        return hash(self._made)

    @property
    def rotation(self) -> NDArray[np.float64]:
        """(3, 3) rotation matrix from the body's frame to the world."""
        return _array(self._made.rotation).reshape(3, 3)

    @property
    def center_of_mass(self) -> NDArray[np.float64]:
        """(3,) in the world, in m."""
        return _array(self._made.center_of_mass)

    @property
    def mass(self) -> float:
        """In kg."""
        return float(self._made.mass.mass)

    @property
    def gravity(self) -> bool:
        """Whether gravity acts on the body."""
        return bool(self._made.gravity)

    @gravity.setter
    def gravity(self, acts: bool) -> None:
        """Let gravity act on the body, or not."""
        self._made.gravity = acts

    @property
    def enabled(self) -> bool:
        """Whether the body takes part in the next step; False while it sleeps."""
        return bool(self._made.awake)

    @enabled.setter
    def enabled(self, on: bool) -> None:
        """Wake the body, or let it sleep."""
        self._made.awake = on

    def add_force(
        self,
        force: Vector,
        point: Vector | None = None,
        relative: bool = False,
        relative_point: bool = False,
    ) -> None:
        """Add a force for the next step, and wake the body.

        Args:
            force: in N.
            point: where it acts, in m; None: the center of mass.
            relative: the force is given in the body's frame.
            relative_point: the point is given in the body's frame.
        """
        place = None if point is None else _three(point)
        self._made.add_force(_three(force), place, relative, relative_point)

    def add_torque(self, torque: Vector, relative: bool = False) -> None:
        """Add a torque (N m) for the next step, in the world's or the body's axes, and wake the body."""
        self._made.add_torque(_three(torque), relative)

    def set_pose(self, position: Vector, orientation: Vector) -> None:
        """Move the body to a position (m) and orientation (w, x, y, z); its velocity stays."""
        w, x, y, z = map(float, orientation)
        self._made.set_pose(_three(position), (w, x, y, z))

    def set_velocity(self, linear: Vector | None = None, angular: Vector | None = None) -> None:
        """Set the velocity of the center of mass (m/s) and the angular one (rad/s); None: unchanged."""
        if linear is not None:
            self._made.linear_velocity = _three(linear)
        if angular is not None:
            self._made.angular_velocity = _three(angular)

    def point_velocity(self, point: Vector) -> NDArray[np.float64]:
        """Return the velocity (m/s) of the body's material at a point of the world (m)."""
        return _array(self._made.point_velocity(_three(point)))


class Geom:
    """The collision geometry of a solid, or the space of its geometries if it has several."""

    def __init__(self, made: _engine.PluginGeom, calls: Calls) -> None:
        self._made, self._calls = made, calls

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Geom) and self._made == other._made

    def __hash__(self) -> int:
        return hash(self._made)

    @property
    def is_space(self) -> bool:
        """True for a solid with several geometries: `collide` is first called for all, then for each."""
        return bool(self._made.is_space)

    @property
    def body(self) -> Body | None:
        """The body of the geometry; None for a space, or without Physics."""
        made = self._made.body
        return Body(made, self._calls.engine) if made is not None else None

    def contacts(self, other: Geom, maximum: int = 10) -> NDArray[np.float64]:
        """Return the contacts with another geometry, as dCollide finds them.

        Returns:
            (n, 7) array: point (m), normal from `other` to this geometry (length 1), depth (m).
        """
        return self._made.contacts(other._made, maximum)

    def add_contact(
        self,
        other: Geom,
        contact: Vector,
        mu: float = 1.0,
        bounce: float = 0.0,
        bounce_velocity: float = 0.01,
        soft_erp: float = 0.2,
        soft_cfm: float = 0.001,
    ) -> None:
        """Make a contact joint, which acts in the next step.

        Args:
            other: the other geometry.
            contact: a row of `contacts`.
            mu: coefficient of friction; `math.inf`: no slip.
            bounce: 0 to 1.
            bounce_velocity: least velocity for a bounce (m/s).
            soft_erp, soft_cfm: see ContactProperties.
        """
        row = [float(number) for number in contact]
        surface = (mu, bounce, bounce_velocity, soft_erp, soft_cfm)
        self._made.add_contact(other._made, _three(row[:3]), _three(row[3:6]), row[6], *surface)


class Calls:
    """The state behind the functions of one plugin."""

    def __init__(self, physics: PhysicsWorld, host: PluginHost) -> None:
        self._physics, self.host = physics, host
        self.time_ms = 0.0
        self._received = bytearray()
        self._was_read = False
        self._drawn: list[Drawn] | None = None
        """What was drawn since the drawing began; None: it has not."""

    @property
    def engine(self) -> _engine.World:
        """The engine of the world."""
        return self._physics.engine

    def begin(self) -> None:
        """Forget packets, before the plugin's init."""
        self._received.clear()
        self.begin_step()

    def begin_step(self) -> None:
        """Take the time, and forget packets that were read."""
        self.time_ms = self.host.time_ms()
        self._forget_read()

    def _forget_read(self) -> None:
        if self._was_read:
            self._received.clear()
            self._was_read = False

    def receive(self, data: bytes) -> None:
        """Keep a packet until it is read."""
        self._forget_read()
        self._received += data

    @property
    def unread(self) -> bytes:
        """The packets that were not read."""
        return b"" if self._was_read else bytes(self._received)

    @unread.setter
    def unread(self, data: bytes) -> None:
        """Set the packets."""
        self._received, self._was_read = bytearray(data), False

    def received(self) -> bytes:
        """Return the packets of channel 0 since the last step in which they were read."""
        self._was_read = True
        return bytes(self._received)

    def draw(
        self, corners: int, vertices: ArrayLike, color: Sequence[float], size: float, in_front: bool
    ) -> None:
        """Draw primitives with a number of corners."""
        from wbridge.wbcore.physics_plugins.drawing import drawn  # start-up: as in `_array`

        if self._drawn is None:
            raise RuntimeError("draw in webots_physics_draw")
        self._drawn.append(drawn(corners, vertices, color, size, in_front))

    @contextmanager
    def drawing(self) -> Iterator[list[Drawn]]:
        """Collect what is drawn in the block."""
        self._drawn = []
        try:
            yield self._drawn
        finally:
            self._drawn = None

    def body(self, def_name: str) -> Body | None:
        """Return the body of a solid; None without Physics."""
        place = self.host.solid(def_name)
        if place is None or place[0].kind == "frame":
            return None
        return Body(place[0], self.engine)

    def geom(self, def_name: str) -> Geom | None:
        """Return the geometry of a solid; None without boundingObject."""
        place = self.host.solid(def_name)
        made = self.engine.plugin_geom(*place) if place is not None else None
        return Geom(made, self) if made is not None else None


def _array(values: Sequence[float]) -> NDArray[np.float64]:
    import numpy as np  # start-up: 70 ms, and the options of each run import this module

    return np.array(values)


def _three(vector: Vector) -> tuple[float, float, float]:
    x, y, z = map(float, vector)
    return x, y, z


current: Calls | None = None
"""The plugin that is being called; None: none."""
