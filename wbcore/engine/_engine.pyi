# Made by scripts/generate_engine_stub.py from the compiled module; do not edit.

"""
Physics engine over ODE: bodies, geoms, joints, motors, contacts, rays. See docs/engine.md.
"""

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy
from numpy.typing import NDArray

ODE_VERSION: str

HAS_OWN_ODE: bool

BUILD_NOTE: str

SIMD: str

class EngineError(RuntimeError):
    pass

class HandleError(EngineError):
    pass

class PluginFailure(EngineError):
    pass

class PhysicsError(EngineError):
    """A step left bodies in an invalid state."""

    problems: list[
        tuple[int, str, tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
    ]
    """(body id, what is wrong, position, linear velocity, angular velocity) of each"""

@overload
def acos(x: float) -> float:
    """Arc cosine of x in -1 to 1, rad; else NaN."""

@overload
def acos(x: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The same of each element."""

@overload
def asin(x: float) -> float:
    """Arc sine of x in -1 to 1, rad; else NaN."""

@overload
def asin(x: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The same of each element."""

@overload
def atan(x: float) -> float:
    """Arc tangent, rad."""

@overload
def atan(x: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The same of each element."""

@overload
def cos(x: float) -> float:
    """Cosine of x in rad."""

@overload
def cos(x: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The same of each element."""

@overload
def exp(x: float) -> float:
    """e to the power of x."""

@overload
def exp(x: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The same of each element."""

@overload
def log(x: float) -> float:
    """Natural logarithm; NaN for negative numbers."""

@overload
def log(x: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The same of each element."""

@overload
def log10(x: float) -> float:
    """Decimal logarithm; NaN for negative numbers."""

@overload
def log10(x: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The same of each element."""

@overload
def sin(x: float) -> float:
    """Sine of x in rad."""

@overload
def sin(x: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The same of each element."""

@overload
def tan(x: float) -> float:
    """Tangent of x in rad."""

@overload
def tan(x: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The same of each element."""

@overload
def atan2(y: float, x: float) -> float:
    """Angle of the point (x, y), rad, in -pi to pi."""

@overload
def atan2(y: NDArray[numpy.float64], x: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The same of each pair of elements."""

@overload
def hypot(x: float, y: float) -> float:
    """Length of the vector (x, y)."""

@overload
def hypot(x: NDArray[numpy.float64], y: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The same of each pair of elements."""

@overload
def power(x: float, y: float) -> float:
    """x to the power of y."""

@overload
def power(x: NDArray[numpy.float64], y: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The same of each pair of elements."""

def turned_inertia(rotation: Sequence[float], inertia: Sequence[float]) -> tuple[float, ...]:
    """
    Inertia of a turned body, R I R^T; both matrices 3x3 row-major. The same bits on every processor.
    """

class Mass:
    """
    Mass (kg), center (m) and inertia (kg m^2, 3x3 row-major, about the center, along the axes of the frame
    the center is given in). Immutable; `a + b` puts two together.
    """

    @staticmethod
    def of(mass: float, center: Sequence[float], inertia: Sequence[float]) -> Mass:
        """
        Create from numbers. ValueError unless mass > 0 and the inertia is symmetric and positive definite.
        """

    @staticmethod
    def box(mass: float, size: Sequence[float]) -> Mass: ...
    @staticmethod
    def sphere(mass: float, radius: float) -> Mass: ...
    @staticmethod
    def cylinder(mass: float, radius: float, height: float, up: str = "z") -> Mass: ...
    @staticmethod
    def capsule(mass: float, radius: float, height: float, up: str = "z") -> Mass: ...
    @property
    def mass(self) -> float: ...
    @property
    def center(self) -> tuple[float, float, float]: ...
    @property
    def inertia(self) -> tuple[float, ...]: ...
    def transformed(
        self, position: Sequence[float] = (0.0, 0.0, 0.0), orientation: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    ) -> Mass:
        """The same mass in a frame in which it has this pose."""

    def scaled_to(self, total: float) -> Mass:
        """The same distribution with another total mass (kg)."""

    def with_center(self, center: Sequence[float]) -> Mass:
        """The same mass and inertia about its center, with the center elsewhere."""

    def check(self) -> None:
        """ValueError unless the mass is physically valid."""

    def __add__(self, arg: Mass, /) -> Mass: ...

def axis_angle(axis: Sequence[float], angle: float) -> tuple[float, float, float, float]:
    """Quaternion (w, x, y, z) of the rotation by `angle` (rad) about `axis`."""

class Mesh:
    """Triangles that several shapes can share."""

    @staticmethod
    def of(vertices: NDArray[numpy.float64], triangles: NDArray[numpy.uint32]) -> Mesh:
        """
        vertices: (n, 3) float64, m; triangles: (k, 3) uint32. ValueError for indices out of range.
        """

    @property
    def vertices(self) -> NDArray[numpy.float64]:
        """(n, 3) float64, m. A view."""

    @property
    def triangles(self) -> NDArray[numpy.uint32]:
        """(k, 3) uint32. A view."""

class Shape:
    """
    A collision shape. Round shapes, planes and height fields stand along the local axis `up`: 'z', or 'y'
    as in worlds up to R2021b. Lengths in m.
    """

    @staticmethod
    def box(size: Sequence[float], up: str = "z") -> Shape: ...
    @staticmethod
    def sphere(radius: float, up: str = "z") -> Shape: ...
    @staticmethod
    def capsule(radius: float, height: float, up: str = "z") -> Shape:
        """`height` is that of the cylinder between the hemispheres."""

    @staticmethod
    def cylinder(radius: float, height: float, up: str = "z") -> Shape: ...
    @staticmethod
    def plane(up: str = "z") -> Shape:
        """An infinite solid below its local plane through the origin."""

    @staticmethod
    def mesh(mesh: Mesh) -> Shape: ...
    @staticmethod
    def heightfield(
        heights: NDArray[numpy.float64],
        x_spacing: float,
        y_spacing: float,
        thickness: float = 0.0,
        up: str = "z",
    ) -> Shape:
        """
        heights: (rows, columns) float64. Column i is at i * x_spacing along x, row j at j * y_spacing along
        y (along z if up is 'y'); `thickness` of solid ground below the lowest point.
        """

    @staticmethod
    def frustum(
        bottom: float,
        top: float,
        height: float,
        has_bottom: bool = True,
        has_side: bool = True,
        has_top: bool = True,
        up: str = "z",
    ) -> Shape:
        """
        The surface of a cone, cut cone or open cylinder with these radii at its ends. Only visible: it has
        neither mass nor contacts.
        """

    @property
    def kind(self) -> str: ...
    @property
    def triangles(self) -> Mesh:
        """The mesh; None for other shapes."""

    @property
    def size(self) -> tuple[float, float, float]:
        """
        box: edges; sphere: (radius, 0, 0); capsule, cylinder: (radius, height, 0); frustum: (radius of the
        bottom, height, radius of the top)
        """

    @property
    def up(self) -> str: ...
    def mass(self, density: float = 1000.0) -> Mass:
        """
        Mass at a density (kg/m^3). ValueError for planes, height fields and meshes that are not closed.
        """

class Body:
    """
    A body with mass, or a frame: a pose without mass. The origin of its own frame is where the caller put
    it; the center of mass may be elsewhere. Orientations are quaternions (w, x, y, z).
    """

    @property
    def id(self) -> int:
        """Row in the arrays; reused after removal."""

    @property
    def valid(self) -> bool:
        """False once it was removed."""

    @overload
    def __eq__(self, arg: Body, /) -> bool: ...
    @overload
    def __eq__(self, arg: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    @property
    def kind(self) -> str:
        """
        'dynamic', 'kinematic' (moves by its velocity, cannot be pushed) or 'frame'
        """

    @property
    def position(self) -> tuple[float, float, float]:
        """Origin of its own frame in the world (m)."""

    @property
    def orientation(self) -> tuple[float, float, float, float]: ...
    @property
    def continuous_orientation(self) -> tuple[float, float, float, float]:
        """
        The orientation, as the one of two equal quaternions that follows from the pose where the body was
        last put, without a jump.
        """

    @property
    def rotation(self) -> tuple[float, ...]:
        """Rotation matrix, row-major, nine numbers."""

    def set_pose(self, position: Sequence[float], orientation: Sequence[float]) -> None:
        """Moves it without changing its velocity, and wakes it."""

    @property
    def linear_velocity(self) -> tuple[float, float, float]:
        """
        Of the center of mass (of the origin for frames), m/s, world. It also moves frames.
        """

    @linear_velocity.setter
    def linear_velocity(self, arg: Sequence[float], /) -> None: ...
    @property
    def angular_velocity(self) -> tuple[float, float, float]:
        """rad/s, world"""

    @angular_velocity.setter
    def angular_velocity(self, arg: Sequence[float], /) -> None: ...
    def point_velocity(self, point: Sequence[float]) -> tuple[float, float, float]:
        """Velocity (m/s) of the body's material at a world point."""

    @property
    def mass(self) -> Mass:
        """In its own frame. The body's frame stays where it is when this is set."""

    @mass.setter
    def mass(self, arg: Mass, /) -> None: ...
    @property
    def center_of_mass(self) -> tuple[float, float, float]:
        """m, world"""

    def add_force(
        self,
        force: Sequence[float],
        point: Sequence[float] | None = None,
        relative: bool = False,
        relative_point: bool = False,
    ) -> None:
        """
        Force (N) for the next step, at the center of mass or at a point (m). `relative`, `relative_point`:
        given in the body's own frame. Wakes the body.
        """

    def add_torque(self, torque: Sequence[float], relative: bool = False) -> None:
        """Torque (N m) for the next step. Wakes the body."""

    @property
    def force(self) -> tuple[float, float, float]:
        """Sum of the forces added for the next step (N)."""

    @property
    def torque(self) -> tuple[float, float, float]: ...
    def reset(self) -> None:
        """Set velocities and forces to 0."""

    def set_damping(self, linear: float, angular: float) -> None:
        """Share of the velocity lost per second, 0 to 1 (node Damping)."""

    @property
    def damping(self) -> tuple[float, float]:
        """(linear, angular)"""

    def set_auto_disable(
        self, time: float, linear_threshold: float = 0.01, angular_threshold: float = 0.01
    ) -> None:
        """
        Sleeps after `time` seconds below both thresholds (m/s, rad/s); negative: never.
        """

    @property
    def max_angular_speed(self) -> float:
        """rad/s; 0: no limit"""

    @max_angular_speed.setter
    def max_angular_speed(self, arg: float, /) -> None: ...
    @property
    def gravity(self) -> bool: ...
    @gravity.setter
    def gravity(self, arg: bool, /) -> None: ...
    @property
    def finite_rotation(self) -> bool:
        """
        Integrate rotations exactly for a constant spin (off by default, as in ODE).
        """

    @finite_rotation.setter
    def finite_rotation(self, arg: bool, /) -> None: ...
    @property
    def awake(self) -> bool:
        """Whether it takes part in the next step; always False for frames."""

    @awake.setter
    def awake(self, arg: bool, /) -> None: ...
    def follow(
        self,
        parent: Body | None,
        position: Sequence[float] = (0.0, 0.0, 0.0),
        orientation: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
    ) -> None:
        """Frames only: keeps this pose in `parent` from now on; None ends it."""

    def state(self) -> bytes:
        """Pose, velocities, forces and sleep as bytes."""

    def restore(self, state: bytes) -> None: ...
    def remove(self) -> None:
        """
        With its geoms, joints, rays and drives. All their handles raise HandleError from then on.
        """

class Geom:
    """A collision geometry of a body, of a frame or of the world."""

    @property
    def id(self) -> int:
        """Row in the arrays; reused after removal."""

    @property
    def valid(self) -> bool:
        """False once it was removed."""

    @overload
    def __eq__(self, arg: Geom, /) -> bool: ...
    @overload
    def __eq__(self, arg: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    @property
    def robot(self) -> int:
        """Number of the robot it belongs to; -1: none."""

    @robot.setter
    def robot(self, arg: int, /) -> None: ...
    @property
    def solid(self) -> int:
        """A number for the caller's use, returned nowhere else; -1: none."""

    @solid.setter
    def solid(self, arg: int, /) -> None: ...
    @property
    def material(self) -> int:
        """Number of the contact material."""

    @material.setter
    def material(self, arg: int, /) -> None: ...
    @property
    def category(self) -> int:
        """
        Bits; a pair is tested if one's category meets the other's `collides_with`. Rays look at it too.
        """

    @category.setter
    def category(self, arg: int, /) -> None: ...
    @property
    def collides_with(self) -> int:
        """Bits of the categories it touches."""

    @collides_with.setter
    def collides_with(self, arg: int, /) -> None: ...
    @property
    def enabled(self) -> bool:
        """Whether it touches anything or is seen by rays."""

    @enabled.setter
    def enabled(self, arg: bool, /) -> None: ...
    @property
    def role(self) -> str:
        """
        'solid'; 'sensor': also tested against geoms without a dynamic body; 'fluid'.
        """

    @role.setter
    def role(self, arg: str, /) -> None: ...
    @property
    def shape(self) -> Shape:
        """A copy; set another shape to change it."""

    @shape.setter
    def shape(self, arg: Shape, /) -> None: ...
    @property
    def body(self) -> Body | None: ...
    @property
    def position(self) -> tuple[float, float, float]:
        """m, world"""

    @property
    def orientation(self) -> tuple[float, float, float, float]: ...
    @property
    def bounds(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Lowest and highest corner of its bounding box (m, world)."""

    def set_offset(
        self, position: Sequence[float], orientation: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    ) -> None:
        """Pose in its body's frame, or in the world without a body."""

    def set_track(self, track: Track | None) -> None:
        """Makes it the belt of a track."""

    def remove(self) -> None: ...

class Motor:
    """
    Control law of a motor (manual, chapter Motor): rad or m, per second, N m or N. Setters return True if
    the value was cut to a limit. `Motor()` is one without a joint, driven by `velocity_for` or `move`.
    """

    def __init__(self) -> None: ...
    @property
    def min_position(self) -> float:
        """Soft limit; both limits 0: none."""

    @min_position.setter
    def min_position(self, arg: float, /) -> None: ...
    @property
    def max_position(self) -> float:
        """Soft limit; both limits 0: none."""

    @max_position.setter
    def max_position(self, arg: float, /) -> None: ...
    @property
    def max_velocity(self) -> float:
        """Limit of the target velocity."""

    @max_velocity.setter
    def max_velocity(self, arg: float, /) -> None: ...
    @property
    def max_force(self) -> float:
        """Limit of the available force (N or N m)."""

    @max_force.setter
    def max_force(self, arg: float, /) -> None: ...
    @property
    def multiplier(self) -> float:
        """Factor on position, velocity and force commands."""

    @multiplier.setter
    def multiplier(self, arg: float, /) -> None: ...
    @property
    def acceleration(self) -> float:
        """-1: not limited."""

    @property
    def target_position(self) -> float:
        """Infinite in velocity control."""

    @property
    def target_velocity(self) -> float:
        """With sign in velocity control."""

    @property
    def available_force(self) -> float:
        """N or N m"""

    @property
    def wanted_force(self) -> float:
        """Last commanded force, times the multiplier."""

    @property
    def current_velocity(self) -> float:
        """Output of the control law in the last step."""

    @property
    def integral(self) -> float:
        """Integral of the position error."""

    @property
    def pid(self) -> tuple[float, float, float]:
        """(P, I, D)"""

    @property
    def force_control(self) -> bool: ...
    @property
    def position(self) -> float:
        """Of the joint axis, the propeller or the belt."""

    @property
    def feedback(self) -> float:
        """
        Force or torque of motor and stops about the axis in the last step; needs joint.feedback = True.
        """

    def set_position(self, value: float) -> bool:
        """
        Target times multiplier, cut to the soft limits; infinity: velocity control. Ends force control.
        """

    def set_velocity(self, value: float) -> bool:
        """Times multiplier, cut to the limit."""

    def set_force(self, value: float) -> bool:
        """Starts force control; times multiplier."""

    def set_available_force(self, value: float) -> bool:
        """Cut to max_force; >= 0."""

    def set_acceleration(self, value: float) -> None:
        """-1 or >= 0"""

    def set_pid(self, p: float, i: float, d: float) -> None:
        """None negative; clears the integral and the previous error."""

    def reset(self, position: float) -> None:
        """
        Position control at `position` with full velocity and force and a cleared history.
        """

    def stop(self) -> None:
        """Current velocity to 0."""

    def state(self) -> bytes:
        """
        Limits, gains, commands and history as bytes; a world's state includes its motors.
        """

    def restore(self, state: bytes) -> None:
        """Restore what `state` returned."""

    def velocity_for(self, position: float, dt: float) -> float:
        """One step of the control law: the target velocity at `position`."""

    def move(self, position: float, dt: float) -> float:
        """One step of a motor without physics: the position after dt."""

class JointAxis:
    """One axis of a joint; angles in rad, lengths in m."""

    @property
    def row(self) -> int:
        """Row in the arrays of joint positions and velocities."""

    @property
    def position(self) -> float:
        """Turns are counted."""

    @property
    def velocity(self) -> float: ...
    @property
    def direction(self) -> tuple[float, float, float]:
        """Unit vector in the parent's frame at position 0."""

    @property
    def stops(self) -> tuple[float, float]: ...
    def set_stops(self, low: float, high: float) -> None:
        """Mechanical limits; equal values: none."""

    def add_motor(self, max_velocity: float = 10.0, max_force: float = 10.0) -> Motor:
        """Add a motor, at rest at the current position."""

    def remove_motor(self) -> None: ...
    @property
    def motor(self) -> Motor | None:
        """The motor or None."""

    def add_force(self, force: float) -> None:
        """Force or torque along the axis for the next step."""

    @property
    def spring_constant(self) -> float:
        """N/m or N m/rad, towards position 0"""

    @spring_constant.setter
    def spring_constant(self, arg: float, /) -> None: ...
    @property
    def damping_constant(self) -> float:
        """N s/m or N m s/rad"""

    @damping_constant.setter
    def damping_constant(self, arg: float, /) -> None: ...
    @property
    def brake(self) -> float:
        """Damping constant of a brake; adds to damping_constant."""

    @brake.setter
    def brake(self, arg: float, /) -> None: ...
    @property
    def has_brake(self) -> bool:
        """True if `brake` may be set while the world runs."""

    @has_brake.setter
    def has_brake(self, arg: bool, /) -> None: ...
    @property
    def static_friction(self) -> float:
        """Greatest friction force or torque."""

    @static_friction.setter
    def static_friction(self, arg: float, /) -> None: ...

class Joint:
    """A joint between a child body and its parent, or the world."""

    @property
    def id(self) -> int:
        """Row in the arrays; reused after removal."""

    @property
    def valid(self) -> bool:
        """False once it was removed."""

    @overload
    def __eq__(self, arg: Joint, /) -> bool: ...
    @overload
    def __eq__(self, arg: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def kinematic(self) -> bool:
        """True if the child is a frame, which is placed by the positions."""

    @property
    def child(self) -> Body | None: ...
    @property
    def parent(self) -> Body | None: ...
    @property
    def axes(self) -> list[JointAxis]: ...
    def __getitem__(self, arg: int, /) -> JointAxis: ...
    @property
    def positions(self) -> list[float]:
        """
        Setting moves the child of a kinematic joint. With physics move the bodies first (child_pose says
        where to), then set the positions: turns are counted from there.
        """

    @positions.setter
    def positions(self, arg: Sequence[float], /) -> None: ...
    def child_pose(self) -> tuple[tuple[float, float, float], tuple[float, float, float, float]]:
        """Pose of the child for the current positions: position and orientation."""

    @property
    def enabled(self) -> bool: ...
    @enabled.setter
    def enabled(self, arg: bool, /) -> None: ...
    @property
    def feedback(self) -> bool:
        """Whether its forces are measured."""

    @feedback.setter
    def feedback(self, arg: bool, /) -> None: ...
    @property
    def force_on_child(self) -> tuple[float, float, float]:
        """N, world, last step; without springs and force control"""

    @property
    def torque_on_child(self) -> tuple[float, float, float]:
        """N m, world, about the child's center of mass"""

    @property
    def force_on_parent(self) -> tuple[float, float, float]: ...
    @property
    def torque_on_parent(self) -> tuple[float, float, float]: ...
    def remove(self) -> None: ...

class ContactProperties:
    """
    Values of a ContactProperties node; -1 as coulomb_friction means infinite.
    """

    def __init__(
        self,
        coulomb_friction: Sequence[float] = [1.0],
        friction_rotation: Sequence[float] = (0.0, 0.0),
        force_dependent_slip: Sequence[float] = [0.0],
        rolling_friction: Sequence[float] = (0.0, 0.0, 0.0),
        bounce: float = 0.5,
        bounce_velocity: float = 0.01,
        soft_erp: float = 0.2,
        soft_cfm: float = 0.001,
        max_contacts: int = 10,
    ) -> None:
        """
        coulomb_friction, force_dependent_slip: 1 to 4 values; friction_rotation: rad per material;
        rolling_friction: m; bounce: 0 to 1; bounce_velocity: m/s; max_contacts: deepest ones kept per pair
        of geoms, 1 to 100.
        """

class ContactList:
    """Contacts as arrays of n rows, in the order they were found."""

    def __len__(self) -> int: ...
    @property
    def pairs(self) -> list[tuple[int, int, float]]:
        """Ids of the geoms and depth (m) of each contact, without numpy"""

    @property
    def points(self) -> NDArray[numpy.float64]:
        """(n, 3) m, world"""

    @property
    def normals(self) -> NDArray[numpy.float64]:
        """(n, 3) unit vectors from the second geom into the first"""

    @property
    def depths(self) -> NDArray[numpy.float64]:
        """(n,) m"""

    @property
    def geoms(self) -> NDArray[numpy.int32]:
        """(n, 2) ids of the geoms"""

    @property
    def bodies(self) -> NDArray[numpy.int32]:
        """(n, 2) ids of the bodies, -1 for frames and the world"""

    @property
    def forces(self) -> NDArray[numpy.float64]:
        """
        (n, 3) N on the first geom; 0 unless contact_feedback was on when they were found
        """

class Rays:
    """Rays of one sensor, all with one schedule."""

    @property
    def id(self) -> int:
        """Row in the arrays; reused after removal."""

    @property
    def valid(self) -> bool:
        """False once it was removed."""

    @overload
    def __eq__(self, arg: Rays, /) -> bool: ...
    @overload
    def __eq__(self, arg: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    @property
    def distances(self) -> NDArray[numpy.float64]:
        """(n,) m; the ray's length where nothing was hit. A view: fetch it once."""

    @property
    def geoms(self) -> NDArray[numpy.int32]:
        """(n,) int32 ids of the geoms hit, -1: none. A view."""

    @property
    def normals(self) -> NDArray[numpy.float64]:
        """(n, 3) surface normals at the hits, 0 without. A view."""

    def schedule(self, every: int, first: int | None = None) -> None:
        """
        Cast at the end of the step `first` steps from now (default: `every`), then every `every` steps; 0:
        never.
        """

    @property
    def next(self) -> int:
        """Number of the step that casts them next."""

    @property
    def every(self) -> int: ...
    def cast(self) -> None:
        """Cast now, at the current poses."""

    def set_offset(
        self, position: Sequence[float], orientation: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    ) -> None:
        """Pose of the rays' frame in the body, or in the world."""

    def set_lengths(self, lengths: Sequence[float]) -> None: ...
    def set_directions(self, directions: Sequence[Sequence[float]]) -> None: ...
    @property
    def robot(self) -> int:
        """Its geoms are not hit unless it collides with itself; -1: none."""

    @robot.setter
    def robot(self, arg: int, /) -> None: ...
    @property
    def mask(self) -> int:
        """Only these categories are hit."""

    @mask.setter
    def mask(self, arg: int, /) -> None: ...
    @property
    def enabled(self) -> bool: ...
    @enabled.setter
    def enabled(self, arg: bool, /) -> None: ...
    @property
    def front_only(self) -> bool:
        """
        Surfaces are hit only from outside: not from within a shape, nor on the back of a triangle.
        """

    @front_only.setter
    def front_only(self, arg: bool, /) -> None: ...
    def remove(self) -> None: ...

class Fluid:
    """A half space of fluid below the highest face of its geom."""

    @property
    def id(self) -> int:
        """Row in the arrays; reused after removal."""

    @property
    def valid(self) -> bool:
        """False once it was removed."""

    @overload
    def __eq__(self, arg: Fluid, /) -> bool: ...
    @overload
    def __eq__(self, arg: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    @property
    def density(self) -> float:
        """kg/m^3"""

    @density.setter
    def density(self, arg: float, /) -> None: ...
    @property
    def viscosity(self) -> float:
        """kg/(m s)"""

    @viscosity.setter
    def viscosity(self, arg: float, /) -> None: ...
    @property
    def stream_velocity(self) -> tuple[float, float, float]:
        """m/s, world"""

    @stream_velocity.setter
    def stream_velocity(self, arg: Sequence[float], /) -> None: ...
    def remove(self) -> None:
        """Its geom stays, disabled."""

class Immersion:
    """ImmersionProperties of a body for one fluid."""

    @property
    def id(self) -> int:
        """Row in the arrays; reused after removal."""

    @property
    def valid(self) -> bool:
        """False once it was removed."""

    @overload
    def __eq__(self, arg: Immersion, /) -> bool: ...
    @overload
    def __eq__(self, arg: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def remove(self) -> None: ...

class Propeller:
    """Thrust and torque of a turning motor on a body."""

    @property
    def id(self) -> int:
        """Row in the arrays; reused after removal."""

    @property
    def valid(self) -> bool:
        """False once it was removed."""

    @overload
    def __eq__(self, arg: Propeller, /) -> bool: ...
    @overload
    def __eq__(self, arg: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    @property
    def motor(self) -> Motor: ...
    @property
    def thrust(self) -> float:
        """N in the last step"""

    @property
    def torque(self) -> float:
        """N m in the last step"""

    def remove(self) -> None: ...

class Track:
    """A belt that moves the surface of its geoms (Geom.set_track)."""

    @property
    def id(self) -> int:
        """Row in the arrays; reused after removal."""

    @property
    def valid(self) -> bool:
        """False once it was removed."""

    @overload
    def __eq__(self, arg: Track, /) -> bool: ...
    @overload
    def __eq__(self, arg: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    @property
    def motor(self) -> Motor: ...
    @property
    def speed(self) -> float:
        """m/s of the belt"""

    @property
    def position(self) -> float:
        """Travel of the belt, m"""

    @position.setter
    def position(self, arg: float, /) -> None: ...
    @property
    def brake(self) -> float:
        """Damping constant; acts in force control only."""

    @brake.setter
    def brake(self, arg: float, /) -> None: ...
    @property
    def motorized(self) -> bool:
        """False: the belt does not move."""

    @motorized.setter
    def motorized(self, arg: bool, /) -> None: ...
    def remove(self) -> None: ...

class MotorPacket:
    """
    Packets with targets of motors, which differ by their numbers (8 bytes, little endian) only.
    """

    def __init__(
        self, frame: bytes, places: Sequence[int], motors: Sequence[Motor], velocities: Sequence[bool]
    ) -> None:
        """
        frame: a packet; places: where its numbers stand; for each of them a motor, and whether it is a
        velocity (else a position).
        """

    def take(self, packet: bytes) -> object:
        """
        Sets all targets: the indices of those that were cut to limits. None, and nothing is set, if it is
        another packet, or a number is none that may be set.
        """

class StepPlugin:
    """The part of a physics plugin in the steps of a world."""

class NativePlugin(StepPlugin):
    """
    A physics plugin in a shared library. EngineError if a function crashes, throws or takes too long.
    """

    @staticmethod
    def load(
        world: World,
        name: str,
        path: str,
        host: object,
        folder: str,
        limit_s: float = 30.0,
        note_file: str = "",
    ) -> NativePlugin:
        """
        host: object with solid(def_name) -> (Body, number of the solid) or None, send(channel, data),
        print(text) and time_ms(). folder: the current one during init. note_file: says during a call which
        one it is.
        """

    def init(self) -> None:
        """Call webots_physics_init in the folder of the library."""

    def cleanup(self) -> None:
        """Call webots_physics_cleanup, once after each init."""

    def has(self, function: str) -> bool: ...
    def draw(
        self, view: str | None = None
    ) -> list[tuple[int, tuple[float, float, float, float], float, int, bool, bytes]]:
        """
        Call webots_physics_predraw and _draw for a view: None for the main one, else the robot with the
        camera. What they draw, as (corners, color, size, pass, is_hidden, positions): 1 corner for points,
        2 for lines, 3 for triangles; red, green, blue, opacity (0 to 1); pixels; 0 or 1; whether what is in
        front hides it; float32 x, y, z of each vertex (m).
        """

    def save(self) -> bytes:
        """
        Call webots_physics_save, which the library must have; the variables of the plugin.
        """

    def restore(self, data: bytes) -> None:
        """Call webots_physics_restore with what `save` returned."""

    @property
    def state_version(self) -> int:
        """webots_physics_state_version of the library; 1 without it."""

    @property
    def unread(self) -> bytes:
        """The packets for dWebotsReceive that were not read."""

    def receive(self, data: bytes) -> None:
        """Append a packet for dWebotsReceive."""

    def replace_unread(self, data: bytes) -> None:
        """Set the packets for dWebotsReceive."""

class PythonPlugin(StepPlugin):
    """A physics plugin of Python functions."""

    def __init__(
        self, world: World, step: object | None, collide: object | None, step_end: object | None
    ) -> None:
        """collide(geom, other) returns 0 if the world shall make the contacts."""

class PluginGeom:
    """
    A collision geometry of a solid, or the space of several, in a physics plugin.
    """

    @overload
    def __eq__(self, arg: PluginGeom, /) -> bool: ...
    @overload
    def __eq__(self, arg: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def is_space(self) -> bool:
        """
        True for the geometries of a solid with several; the plugin is asked about it first.
        """

    @property
    def body(self) -> Body | None:
        """Its body; None for a space, or without Physics."""

    @property
    def geom(self) -> Geom | None:
        """The engine's geom; None for a space."""

    def contacts(self, other: PluginGeom, maximum: int = 10) -> NDArray[numpy.float64]:
        """
        (n, 7) array: point (m), normal from `other` to this geom, depth (m) of each contact.
        """

    def add_contact(
        self,
        other: PluginGeom,
        point: Sequence[float],
        normal: Sequence[float],
        depth: float,
        mu: float = 1.0,
        bounce: float = 0.0,
        bounce_velocity: float = 0.01,
        soft_erp: float = 0.2,
        soft_cfm: float = 0.001,
    ) -> None:
        """
        Makes a contact joint that acts in the next step. mu: friction coefficient, inf for no slip; bounce:
        0 to 1, above bounce_velocity (m/s).
        """

class PluginNote:
    """The calls of a plugin in another process, which has this file."""

    def __init__(self, file: str) -> None:
        """The file is created if it does not exist."""

    @property
    def plugin(self) -> str:
        """Its name; "": none was loaded."""

    @property
    def function(self) -> str:
        """What was called last."""

    @property
    def step(self) -> int:
        """Steps made before that call."""

    @property
    def calls(self) -> int:
        """Calls made so far."""

    @property
    def is_running(self) -> bool:
        """True during a call."""

    @property
    def has_failed(self) -> bool:
        """True after a call that crashed, threw or took too long."""

def open_to_plugins() -> None:
    """Make the functions for plugins, and ODE's, visible to libraries."""

def open_system_library(name: str) -> bool:
    """
    Make a library of the system visible to libraries loaded later; False if it is not installed.
    """

def is_available(symbol: str) -> bool:
    """True for a function that a library would find now."""

class World:
    """
    A world of bodies, geoms, joints and rays. Not to be used from two threads at once; several worlds may
    be stepped from several threads.
    """

    def __init__(
        self,
        *,
        dt: float = 0.032,
        gravity: Sequence[float] = (0.0, 0.0, -9.81),
        erp: float = 0.2,
        cfm: float = 1e-05,
        seed: int = 0,
        capacity: int = 65536,
        exact_rows: int = 400,
        exact_heap_rows: int = 125,
        quick_iterations: int = 20,
        max_speed: float = 1000000.0,
        max_distance: float = 1000000000.0,
        threads: int = 1,
        contacts: str = "webots",
        solver: str = "sparse",
    ) -> None:
        """
        dt: s; gravity: m/s^2; capacity: most bodies and most joint axes; max_speed (m/s), max_distance (m):
        beyond them, a body is reported as a problem; threads, contacts, solver: see the properties threads,
        contact_law, solver.
        """

    def step(self, count: int = 1) -> None:
        """
        Makes `count` steps; the lock of the interpreter is released unless it is one step of a small world.
        PhysicsError after a step that left a body in an invalid state; the step is complete then.
        EngineError if another thread steps this world.
        """

    def collide(self) -> None:
        """
        Find the contacts at the current poses; the first step does this automatically.
        """

    @property
    def contact_law(self) -> str:
        """The law of contact: 'webots' or 'precise' (see docs/physics.md)."""

    @property
    def dt(self) -> float:
        """Step length (s)."""

    @dt.setter
    def dt(self, arg: float, /) -> None: ...
    @property
    def gravity(self) -> tuple[float, float, float]:
        """m/s^2; setting it wakes all bodies."""

    @gravity.setter
    def gravity(self, arg: Sequence[float], /) -> None: ...
    @property
    def erp(self) -> float:
        """0 to 1"""

    @erp.setter
    def erp(self, arg: float, /) -> None: ...
    @property
    def cfm(self) -> float:
        """>= 0"""

    @cfm.setter
    def cfm(self, arg: float, /) -> None: ...
    def set_solver(
        self, exact_rows: int = 400, exact_heap_rows: int = 125, quick_iterations: int = 20
    ) -> None:
        """
        Islands with joints are solved exactly up to exact_rows constraint rows, else iteratively. Heaps of
        loose bodies are solved exactly, from the smallest on, as long as their time (the cube of their
        rows) is that of one heap of exact_heap_rows.
        """

    def set_self_collision(self, robot: int, on: bool) -> None:
        """Whether geoms of this robot touch each other and its rays hit it."""

    def set_contact_properties(self, material1: int, material2: int, properties: ContactProperties) -> None:
        """
        For this pair of materials in either order; the values of `material1` come first.
        """

    def remove_contact_properties(self, material1: int, material2: int) -> None:
        """Reset the pair to the defaults."""

    @property
    def before_solve(self) -> object:
        """
        Called without arguments in each step after the motors, before the constraints are solved.
        """

    @before_solve.setter
    def before_solve(self, function: object | None) -> None: ...
    @property
    def after_step(self) -> object:
        """Called at the end of each step, with the new contacts and rays."""

    @after_step.setter
    def after_step(self, function: object | None) -> None: ...
    @property
    def on_pair(self) -> object:
        """
        Called with the ids of two geoms that may touch; True: no contacts are made. It must not add or
        remove anything.
        """

    @on_pair.setter
    def on_pair(self, function: object | None) -> None: ...
    def state(self) -> bytes:
        """All that changes while the world steps, as bytes."""

    def restore(self, state: bytes) -> None:
        """
        Continues exactly where `state` was taken. ValueError if the bytes are damaged or of a world with
        other bodies, geoms or joints.
        """

    def physics(self) -> bytes:
        """
        Bodies, geoms, joints and all that was set, with the state, as bytes: for `from_physics`, and for
        the program state_hash. Rays, plugins and functions called in steps are left out. EngineError if
        objects were removed.
        """

    @staticmethod
    def from_physics(physics: bytes) -> World:
        """
        The same world. If it was written before its first step, its steps have the same bits. ValueError if
        the bytes are damaged.
        """

    def hash(self) -> int:
        """
        64-bit hash over the bits of all poses, velocities and joint positions and the number of steps.
        """

    @property
    def threads(self) -> int:
        """
        Maximum number of threads (1 to 256) on which a step solves its islands. They are used in steps that
        are long enough; the number does not change the motion.
        """

    @threads.setter
    def threads(self, arg: int, /) -> None: ...
    @property
    def solver(self) -> str:
        """
        Solver of exact steps: 'sparse' goes along the trees of bodies of each large island, 'dense' is
        ODE's own. Both solve the same equations; the results differ in rounding.
        """

    @solver.setter
    def solver(self, arg: str, /) -> None: ...
    def seed(self, value: int) -> None:
        """Reseed the random generators of the world and of the iterative solver."""

    def random(self) -> float:
        """Uniform in [0, 1)."""

    def gauss(self) -> float:
        """Standard normal."""

    def add_body(
        self,
        mass: Mass,
        position: Sequence[float] = (0.0, 0.0, 0.0),
        orientation: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
        kinematic: bool = False,
    ) -> Body:
        """
        A body with mass; its pose is that of its own frame, in which `mass` is given.
        """

    def add_frame(
        self, position: Sequence[float] = (0.0, 0.0, 0.0), orientation: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    ) -> Body:
        """
        A pose without mass: it carries geoms, rays and kinematic joints, and moves by its velocity or
        another body's (Body.follow).
        """

    def add_geom(
        self,
        shape: Shape,
        body: Body | None = None,
        position: Sequence[float] = (0.0, 0.0, 0.0),
        orientation: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
        *,
        robot: int = -1,
        solid: int = -1,
        material: int = 0,
        role: str = "solid",
    ) -> Geom:
        """
        Pose in the body's frame, or in the world without a body. Material 0 is the default.
        """

    def add_fixed(self, child: Body, parent: Body | None = None) -> Joint:
        """Fix the child at its current pose."""

    def add_hinge(
        self,
        child: Body,
        parent: Body | None = None,
        *,
        anchor: Sequence[float] = (0.0, 0.0, 0.0),
        axis: Sequence[float] = (1.0, 0.0, 0.0),
        position: float = 0.0,
        suspension_spring: float = 0.0,
        suspension_damping: float = 0.0,
        suspension_axis: Sequence[float] = (1.0, 0.0, 0.0),
        stop_erp: float = -1.0,
        stop_cfm: float = -1.0,
    ) -> Joint:
        """
        Anchor, axis and suspension axis in the parent's frame (the world's without a parent). The present
        poses belong to `position`. With a frame as child the joint is kinematic.
        """

    def add_hinge2(
        self,
        child: Body,
        parent: Body | None = None,
        *,
        anchor: Sequence[float] = (0.0, 0.0, 0.0),
        axis: Sequence[float] = (1.0, 0.0, 0.0),
        axis2: Sequence[float] = (0.0, 0.0, 1.0),
        position: float = 0.0,
        position2: float = 0.0,
        suspension_spring: float = 0.0,
        suspension_damping: float = 0.0,
        suspension_axis: Sequence[float] | None = None,
        stop_erp: float = -1.0,
        stop_cfm: float = -1.0,
    ) -> Joint:
        """
        axis2 is given at position 0 and turns with the first axis. The suspension acts along `axis` by
        default.
        """

    def add_slider(
        self,
        child: Body,
        parent: Body | None = None,
        *,
        axis: Sequence[float] = (0.0, 0.0, 1.0),
        position: float = 0.0,
        stop_erp: float = -1.0,
        stop_cfm: float = -1.0,
    ) -> Joint: ...
    def add_ball(
        self,
        child: Body,
        parent: Body | None = None,
        *,
        anchor: Sequence[float] = (0.0, 0.0, 0.0),
        axis: Sequence[float] = (1.0, 0.0, 0.0),
        axis3: Sequence[float] = (0.0, 0.0, 1.0),
        positions: Sequence[float] = (0.0, 0.0, 0.0),
    ) -> Joint:
        """
        The child turns by R(axis) R(axis2) R(axis3) with axis2 = axis3 x axis; axis3 is made perpendicular.
        """

    def add_rays(
        self,
        origins: Sequence[Sequence[float]],
        directions: Sequence[Sequence[float]],
        lengths: Sequence[float],
        body: Body | None = None,
        position: Sequence[float] = (0.0, 0.0, 0.0),
        orientation: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
        *,
        robot: int = -1,
        mask: int = 4294967295,
    ) -> Rays:
        """
        Rays in a frame with this pose in the body or in the world. Nothing is cast until they are
        scheduled. They have no effect on the world and are not part of its state.
        """

    def cast(self) -> None:
        """Cast all enabled rays now, at the current poses."""

    def add_fluid(
        self,
        geom: Geom,
        density: float = 1000.0,
        viscosity: float = 0.001,
        stream_velocity: Sequence[float] = (0.0, 0.0, 0.0),
    ) -> Fluid:
        """
        Makes the geom a fluid: kg/m^3, kg/(m s), m/s. Its highest face along its up axis is the surface.
        """

    def add_immersion(
        self,
        body: Body,
        fluid: Fluid,
        reference_area: str = "immersed area",
        drag_force: Sequence[float] = (0.0, 0.0, 0.0),
        drag_torque: Sequence[float] = (0.0, 0.0, 0.0),
        viscous_force: float = 0.0,
        viscous_torque: float = 0.0,
        solid: int = -1,
    ) -> Immersion:
        """
        Lets the fluid act on the body, or on its geoms with the number `solid` only: reference_area is
        'immersed area' or 'xyz-projection'. If several apply to one geom, the last one is used.
        """

    def add_propeller(
        self,
        body: Body,
        axis: Sequence[float] = (1.0, 0.0, 0.0),
        center: Sequence[float] = (0.0, 0.0, 0.0),
        thrust_constants: Sequence[float] = (1.0, 0.0),
        torque_constants: Sequence[float] = (1.0, 0.0),
    ) -> Propeller:
        """
        Shaft axis and center of thrust in the body's frame. Its `motor` drives it.
        """

    def add_track(
        self,
        body: Body | None = None,
        position: Sequence[float] = (0.0, 0.0, 0.0),
        orientation: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
    ) -> Track:
        """
        A belt whose frame has this pose in the body: x along the motion, z out of its upper side.
        """

    @property
    def positions(self) -> NDArray[numpy.float64]:
        """(bodies, 3) view: origins of the bodies' frames, m."""

    @property
    def quaternions(self) -> NDArray[numpy.float64]:
        """(bodies, 4) view: orientations (w, x, y, z)."""

    @property
    def linear_velocities(self) -> NDArray[numpy.float64]:
        """(bodies, 3) view: of the centers of mass, m/s."""

    @property
    def angular_velocities(self) -> NDArray[numpy.float64]:
        """(bodies, 3) view: rad/s, world."""

    @property
    def joint_positions(self) -> NDArray[numpy.float64]:
        """(joint axes,) view: rad or m."""

    @property
    def joint_velocities(self) -> NDArray[numpy.float64]:
        """(joint axes,) view: rad/s or m/s."""

    @property
    def time(self) -> float:
        """Sum of the step lengths (s)."""

    @property
    def steps(self) -> int: ...
    def contacts(self, solved: bool = False, sleepers: bool = True) -> ContactList:
        """
        Contacts at the current poses: those that act in the next step, then, with sleepers=True, those of
        sleeping bodies. With solved=True, those that acted in the last step, with their forces if
        contact_feedback is on.
        """

    @property
    def contact_feedback(self) -> bool:
        """
        Whether forces of contacts are measured, from the next collision pass on.
        """

    @contact_feedback.setter
    def contact_feedback(self, arg: bool, /) -> None: ...
    @property
    def fallbacks(self) -> int:
        """
        Steps so far in which the exact solver failed for an island, so that another one was used; under the
        law "precise", those with forces that are only approximate.
        """

    @property
    def yielded(self) -> int:
        """
        Steps so far in which contacts under the law "precise" yielded, because no forces satisfied all of
        them.
        """

    @property
    def statistics(self) -> dict[str, int]:
        """
        Of the last step: rows of constraints (at most), contacts, awake bodies; and where not all went to
        the exact solver at once: islands, most rows of an island, islands solved iteratively.
        """

    def messages(self) -> list[str]:
        """Messages of ODE since the last call, oldest first."""

    @property
    def body_count(self) -> int: ...
    @property
    def geom_count(self) -> int: ...
    @property
    def joint_count(self) -> int: ...
    @property
    def ray_set_count(self) -> int: ...
    def body(self, id: int) -> Body:
        """The body with this id."""

    def geom(self, id: int) -> Geom:
        """The geom with this id."""

    def attach_plugin(self, plugin: StepPlugin | None) -> None:
        """Let a plugin take part in the steps from now on; None: no plugin."""

    def plugin_geom(self, body: Body, solid: int) -> PluginGeom | None:
        """What dWebotsGetGeomFromDEF returns; None if the solid has no geometry."""

    def take_changes_of_plugin(self) -> None:
        """Read what a plugin changed outside of a step."""

class PictureNoise:
    """White noise on pictures."""

    def __init__(self, deviation: float) -> None:
        """deviation: the standard deviation, in units of a byte; 0 or more."""

    def add(self, picture: NDArray[numpy.uint8], seed: int) -> None:
        """
        Adds noise to the first three channels of a picture, (rows, columns, 4) uint8, rounded and limited
        to 0 to 255. The same seed gives the same noise.
        """

class DrawList:
    """
    Instances of meshes that follow the bodies of a world, chosen for each view.
    """

    def __init__(self, world: World) -> None: ...
    def add_mesh(
        self,
        levels: Sequence[tuple[int, int, int, float]],
        center: Sequence[float],
        radius: float,
        half: Sequence[float],
    ) -> int:
        """
        levels: from coarse to fine, (first index, number of indices, base vertex, pixels): a level is taken
        for radii below its pixels, the last one for all others. center, radius: of a sphere, and half the
        edges of a box, around all vertices. Returns its number.
        """

    def add(
        self,
        mesh: int,
        group: int,
        material: int,
        id: int,
        flags: int,
        body: Body | None,
        position: Sequence[float],
        orientation: Sequence[float],
        scale: Sequence[float],
    ) -> int:
        """
        Adds an instance at a pose in a body (None: in the world); flags: 1 transparent, 2 casts shadows.
        Returns its number.
        """

    def set_material(self, number: int, group: int, material: int, flags: int) -> None:
        """Changes the look of an instance."""

    def set_place(
        self, number: int, position: Sequence[float], orientation: Sequence[float], scale: Sequence[float]
    ) -> None:
        """Changes the pose of an instance."""

    def hide(self, number: int, mask: int) -> None:
        """Hides an instance from views that have one of these bits."""

    def clear(self) -> None:
        """Removes all instances and meshes."""

    def update(self) -> None:
        """Follows the bodies, and changes of instances."""

    def bounds(self, raised: int = -1) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """
        The lowest and highest corner of a box around all instances, after `update`; infinite, the low one
        above the high one, without any. raised: around what casts shadows, without what lies flat at the
        bottom along this axis, such as floors.
        """

    def choose(
        self,
        eye: Sequence[float],
        right: Sequence[float],
        up: Sequence[float],
        forward: Sequence[float],
        reach: Sequence[float],
        parallel: bool = False,
        pixels: float = 0.0,
        mask: int = 0,
        wanted: int = 0,
    ) -> tuple[NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32]]:
        """
        What a view shows. eye (m) and unit vectors are in the world; reach: half width and half height at
        distance 1 (of a parallel view: everywhere), nearest and farthest distance (m); pixels: half the
        height of the picture. Returns records (n, 16), commands (m, 5) and runs (k, 3) of group, first
        command, number of commands: uint32 views, valid until the next call.
        """

class Mapping:
    """
    Texture coordinates of points on a shape: u from the left, v from the top, 0 to 1. Round shapes, planes
    and grids are along z. Lengths in m.
    """

    @staticmethod
    def none() -> Mapping:
        """Of a shape that shows no picture."""

    @staticmethod
    def box(size: Sequence[float], is_flipped: bool = False) -> Mapping:
        """
        Each face shows the whole picture, upright on the sides; on top and bottom its right edge is toward
        +x (toward +y if flipped).
        """

    @staticmethod
    def plane(size: Sequence[float]) -> Mapping:
        """The picture covers the plane, its top toward +y."""

    @staticmethod
    def sphere(radius: float) -> Mapping:
        """Longitude and latitude."""

    @staticmethod
    def cylinder(radius: float, height: float) -> Mapping:
        """The picture wraps around the side; each end shows its inscribed disk."""

    @staticmethod
    def capsule(radius: float, height: float) -> Mapping:
        """
        The middle third wraps around the side, the others cover the hemispheres.
        """

    @staticmethod
    def cone(radius: float, height: float) -> Mapping:
        """
        The picture wraps around the side; the bottom shows its inscribed disk.
        """

    @staticmethod
    def grid(width: float, depth: float, is_flipped: bool = False) -> Mapping:
        """The picture covers the grid, its top toward +y (toward -y if flipped)."""

    @staticmethod
    def triangles(mesh: Mesh, places: NDArray[numpy.float64]) -> Mapping:
        """Interpolates the coordinates of the mesh's vertices: (n, 2)."""

    def with_axes(self, axes: Sequence[float]) -> Mapping:
        """
        The same mapping for points that this matrix (row-major) takes to its axes.
        """

    def __call__(self, point: Sequence[float]) -> tuple[float, float] | None:
        """
        The coordinates of a point on the surface, in the shape's frame (m); None if it has none.
        """

class Texture:
    """
    A picture on a surface. Coordinates are from the left and from the top, 0 to 1.
    """

    @staticmethod
    def of(pixels: NDArray[numpy.uint8], repeat_s: bool = True, repeat_t: bool = True) -> Texture:
        """
        pixels: (height, width, 4) uint8, red, green, blue, alpha, from the top.
        """

    def set_transform(
        self, translation: Sequence[float], center: Sequence[float], scale: Sequence[float], rotation: float
    ) -> None:
        """The fields of a TextureTransform node (rad)."""

    def transformed(self, place: Sequence[float]) -> tuple[float, float]:
        """Coordinates after the transform."""

    def color(self, place: Sequence[float]) -> tuple[float, float, float]:
        """Red, green and blue of the pixel at coordinates, 0 to 1."""

class Material:
    """What a surface looks like to a ray."""

    def __init__(
        self,
        color: Sequence[float] = (1.0, 1.0, 1.0),
        roughness: float = 0.0,
        texture: Texture | None = None,
        rough: Texture | None = None,
        occluded: Texture | None = None,
        is_transparent: bool = False,
        is_clear: bool = False,
    ) -> None:
        """
        Color and roughness from 0 to 1; textures for color, roughness, occlusion; whether light passes at
        least in part; whether all of it does.
        """

    @property
    def is_plain(self) -> bool:
        """It looks the same everywhere."""

    @property
    def texture_size(self) -> tuple[int, int]:
        """Width and height of the texture of its color; 0 without one."""

    def cover(self, ink: Texture) -> None:
        """Puts ink over the colors, by its alpha."""

    def look(self, place: Sequence[float] | None) -> tuple[tuple[float, float, float], float, float]:
        """Color, roughness and occlusion at coordinates (None: unknown), 0 to 1."""

class SceneRays:
    """Rays of one sensor in the visible world; made by `Scene.rays`."""

    def cast(self) -> None:
        """Cast them at the current poses."""

    @property
    def valid(self) -> bool:
        """False once the body that carries them was removed."""

    @property
    def distances(self) -> NDArray[numpy.float64]:
        """(n,) m; the rays' length where nothing was hit. A view: fetch it once."""

    @property
    def instances(self) -> NDArray[numpy.int32]:
        """(n,) int32 numbers of the instances hit, -1: none. A view."""

    @property
    def normals(self) -> NDArray[numpy.float64]:
        """(n, 3) surface normals at the hits, 0 without. A view."""

    def look(self, ray: int) -> tuple[tuple[float, float, float], float, float] | None:
        """
        Color, roughness and occlusion (0 to 1) where a ray has hit; None without a hit.
        """

    def place(self, ray: int) -> tuple[float, float] | None:
        """
        Texture coordinates where a ray has hit; None without a hit or coordinates.
        """

class Scene:
    """
    The visible world for rays: instances of shapes that follow the bodies of a world. Casting rays changes
    neither contacts nor states.
    """

    def __init__(self, world: World) -> None: ...
    def add(
        self,
        shape: Shape,
        mapping: Mapping,
        body: Body | None,
        position: Sequence[float],
        orientation: Sequence[float],
        material: int,
    ) -> int:
        """
        Adds an instance at a pose in a body (None: in the world); returns its number. ValueError for planes
        and height fields, which have to be meshes.
        """

    def move(self, number: int, position: Sequence[float], orientation: Sequence[float]) -> None:
        """Changes the pose of an instance in its body."""

    def show(self, number: int, is_shown: bool) -> None:
        """Rays pass through instances that are not shown."""

    def clear(self) -> None:
        """Removes all instances and materials; rays stay."""

    def add_material(self, material: Material) -> int:
        """Returns its number."""

    def set_material(self, number: int, material: Material) -> None: ...
    @property
    def stale(self) -> bool:
        """
        Set by the owner while changes of the tree are not in the scene yet: measurements are not usable.
        """

    @stale.setter
    def stale(self, arg: bool, /) -> None: ...
    def touch(self) -> None:
        """Call when poses have changed without a step."""

    def rays(
        self,
        body: Body | None,
        position: Sequence[float],
        orientation: Sequence[float],
        directions: Sequence[Sequence[float]],
        length: float,
        front_only: bool = True,
        passes_clear: bool = False,
    ) -> SceneRays:
        """
        Rays from one origin at a pose in a body (None: in the world), in directions of that frame.
        front_only: surfaces are hit only from outside, as cameras show them. passes_clear: rays go on
        behind surfaces that are wholly transparent.
        """

class RangeImage:
    """
    Distances along rays from one point, in rows and columns; made by `range_image` and `plane_image`.
    """

    @property
    def valid(self) -> bool:
        """False once the body that carries it was removed."""

    def hide(self, instances: Sequence[int]) -> None:
        """The instances of the scene, by number, that are invisible here."""

    def capture(
        self,
        ranges: NDArray[numpy.float32],
        first: int,
        count: int,
        near: float,
        least: float,
        most: float,
        deviation: float = 0.0,
        resolution: float = 0.0,
        kept: float = 0.0,
    ) -> None:
        """
        Measures `count` columns from `first` on, after the last one the first ones, and writes them into
        ranges: (rows, columns) float32, in m, infinite below `least` and from `most` on. near: nothing is
        seen up to here; deviation: of normally distributed noise, from the world's random source;
        resolution: the unit of the distances, 0: any (m). kept: share of the previous picture, 0 to 1.
        """

    def place(
        self,
        ranges: NDArray[numpy.float32],
        points: NDArray[numpy.float32],
        first: int,
        count: int,
        time: float,
        step: float,
    ) -> None:
        """
        Writes where the rays of these columns have ended into points: (rows, columns, 5) float32 with x, y,
        z in the frame of the rays (m), the row as an int32, and the time: `time` in column `first` and
        `step` later in each one after it (s).
        """

def range_image(
    scene: Scene,
    body: Body | None,
    position: Sequence[float],
    orientation: Sequence[float],
    directions: NDArray[numpy.float64],
    shares: NDArray[numpy.float64] | None,
    opaque_only: bool = False,
) -> RangeImage:
    """
    Rays from one origin at a pose in a body (None: in the world). directions: (rows, columns, 3) vectors in
    that frame. shares: (rows, columns), what is measured of the length of each ray, above 0, at most 1;
    None: all. opaque_only: transparent surfaces are invisible. Surfaces are hit only from outside, as
    cameras show them.
    """

def plane_image(
    scene: Scene,
    body: Body | None,
    position: Sequence[float],
    orientation: Sequence[float],
    forward: Sequence[float],
    to_left: Sequence[float],
    to_up: Sequence[float],
    left: Sequence[float],
    up: Sequence[float],
    opaque_only: bool = False,
) -> RangeImage:
    """
    Makes a RangeImage whose rays pass through points of a plane at distance 1; parameters as in
    `range_image`. left: the places of the points by column; up: those by row. What is measured is the part
    of the length along the view. forward, to_left, to_up: unit vectors, perpendicular to each other. Needs
    less memory and time than the same directions one by one.
    """

class Response:
    """A lookup table with noise, and a resolution."""

    def __init__(self, rows: Sequence[Sequence[float]], resolution: float) -> None:
        """
        rows: input, output, relative standard deviation of the noise; without rows the output equals the
        input. resolution: step between values, 0 or less for none.
        """

    @property
    def rows(self) -> list[tuple[float, float, float]]:
        """The rows, inputs ascending."""

    @property
    def resolution(self) -> float: ...
    def look_up(self, value: float) -> tuple[float, float]:
        """
        Output and noise, interpolated between rows; outside, those of the first or last row.
        """

def rounded(value: float, resolution: float) -> float:
    """
    The nearest multiple of a resolution (0 or less: the value itself). As in Webots, halves and fractions
    of negative values are rounded up.
    """

class Source:
    """
    What a sensor measures. Distance sources have a weight for each ray, the range of rays that hit nothing
    (m), the scale of the sensor's frame, and a response.
    """

    @property
    def is_usable(self) -> bool:
        """
        False if what it measures was removed, or has changes that it does not know.
        """

    def measure(self, elapsed: float) -> tuple[Any, ...]:
        """
        The values of a message. `elapsed`: seconds since the last measurement, infinite after a reset.
        """

class MeanDistance(Source):
    """The weighted mean of the distances that rays measure."""

    def __init__(
        self, rays: Rays, weights: Sequence[float], range: float, scale: float, response: Response
    ) -> None: ...

class Echo(Source):
    """The distance of the nearest surface that faces its ray."""

    def __init__(
        self, rays: Rays, weights: Sequence[float], range: float, scale: float, response: Response
    ) -> None: ...

class Reflection(Source):
    """
    The weighted distance of visible surfaces, increased by the share of red light that they do not reflect.
    """

    def __init__(
        self,
        rays: SceneRays,
        weights: Sequence[float],
        range: float,
        scale: float,
        response: Response,
        sensitivity: float,
    ) -> None: ...

class JointPosition(Source):
    """The position of a joint's axis or a track (rad or m)."""

    @overload
    def __init__(self, measured: JointAxis, noise: float, resolution: float) -> None: ...
    @overload
    def __init__(self, measured: Track, noise: float, resolution: float) -> None:
        """
        measured: an axis or a track; noise: standard deviation; resolution: -1 for none.
        """

class SamplePass:
    """Samples the due sensors of a robot in one call, in their order."""

    def __init__(self) -> None: ...
    def add(self, source: Source, head: bytes, period: float, last: float) -> None:
        """
        Adds a sensor: what it measures, the bytes before its numbers in an answer, its sampling period and
        the time of its last sample (ms).
        """

    def set_time_head(self, head: bytes) -> None:
        """The bytes before the time in an answer."""

    def sample(self, now: float) -> bool:
        """
        Samples what is due (ms). False, without any effect, if a due source is not usable.
        """

    def sample_timed(self, now: float) -> list[int] | None:
        """
        As `sample`, for profiles: the durations (ns) by sensor, -1 if not due; None instead of False.
        """

    @property
    def waits(self) -> bool:
        """True if values wait for the controller."""

    def packet(self, seconds: float) -> bytes:
        """
        An answer for a local connection with the time and the waiting values, which then no longer wait.
        """

    def take(self) -> list[tuple[int, tuple[Any, ...]]]:
        """The waiting values with their sensors' numbers; they no longer wait."""

    def latest(self) -> list[tuple[int, tuple[Any, ...]]]:
        """The newest values, waiting or not, with their sensors' numbers."""

    @property
    def lasts(self) -> list[float]:
        """The times of the last samples (ms)."""

class SensorMount:
    """Where a sensor is attached: a pose in a body, or in the world."""

    def __init__(
        self, body: Body | None, position: Sequence[float], orientation: Sequence[float]
    ) -> None: ...
    def position(self) -> tuple[float, float, float]:
        """Origin in the world (m)."""

    def orientation(self) -> tuple[float, float, float, float]:
        """Orientation in the world (w, x, y, z)."""

    def to_local(self, vector: Sequence[float]) -> tuple[float, float, float]:
        """A vector of the world in the sensor's axes."""

    def to_world(self, vector: Sequence[float]) -> tuple[float, float, float]:
        """A vector of the sensor's axes in those of the world."""

class AxesResponse:
    """The response of a sensor with one value per axis."""

    def __init__(self, on: tuple[bool, bool, bool], response: Response) -> None:
        """on: whether each axis measures."""

class Drift:
    """
    Numbers of mean 0 and standard deviation 1, each correlated with its predecessor.
    """

    def __init__(self, size: int) -> None: ...
    @property
    def values(self) -> list[float]:
        """The newest numbers."""

    @values.setter
    def values(self, arg: Sequence[float], /) -> None: ...

class AngularVelocity(Source):
    """Of a body (rad/s), in the axes of a mount."""

    def __init__(self, body: Body, mount: SensorMount, response: AxesResponse) -> None: ...

class Acceleration(Source):
    """
    Change of velocity since the last sample over the time, minus gravity (m/s^2).
    """

    def __init__(
        self, body: Body, mount: SensorMount, response: AxesResponse, last: Sequence[float]
    ) -> None: ...
    @property
    def last(self) -> tuple[float, float, float]:
        """Velocity (m/s, world) at the last sample."""

    @last.setter
    def last(self, arg: Sequence[float], /) -> None: ...

class Direction(Source):
    """A direction of the world in the axes of a mount."""

    def __init__(
        self, world: World, mount: SensorMount, response: AxesResponse, direction: Sequence[float]
    ) -> None: ...

class Orientation(Source):
    """Orientation of a mount as (x, y, z, w)."""

    def __init__(
        self,
        world: World,
        mount: SensorMount,
        frame: Sequence[float] | None,
        noise: float,
        off: tuple[bool, bool, bool],
        resolution: float,
    ) -> None:
        """
        frame: inverse rotation of the frame of reference, None for the world; noise: standard deviation
        about each axis as a fraction of half a turn; off: components of the rotation axis that are not
        measured.
        """

class Position(Source):
    """Position (m), speed and velocity (m/s) of a mount."""

    def __init__(
        self,
        world: World,
        body: Body | None,
        mount: SensorMount,
        reference: Sequence[float],
        resolution: float,
        speed_noise: float,
        speed_resolution: float,
        drift: Drift | None = None,
        deviation: float = 0,
        correlation: float = 0,
    ) -> None:
        """
        body: None if the velocity is the mean since the last sample; reference is added to the position;
        resolutions: -1 for none; speed_noise: relative; drift: shared noise of the position, of size 3,
        None for none; deviation: its standard deviation (m); correlation: the share of it that remains
        after 1 s.
        """

    @property
    def last(self) -> tuple[float, float, float] | None:
        """Position (m, world) at the last sample; only without a body."""

    @last.setter
    def last(self, arg: Sequence[float] | None, /) -> None: ...

class Touching(Source):
    """
    Whether geoms have touched anything since the last measurement, as 1 or 0.
    """

    def __init__(self, world: World, geoms: Sequence[int], touched: bool) -> None:
        """geoms: their ids."""

    def watch(self) -> None:
        """Notes the contacts of a step; a pass of sensors does so by itself."""

    @property
    def touched(self) -> bool:
        """What the next measurement returns."""

    @touched.setter
    def touched(self, arg: bool, /) -> None: ...

class HoldingForce(Source):
    """
    The force (N) of a body on its parent through a joint, in the axes of a mount.
    """

    def __init__(
        self, joint: Joint, mount: SensorMount, response: Response, axis: Sequence[float] | None
    ) -> None:
        """
        The joint must have feedback on. axis: the direction against which the force counts, None for a
        vector.
        """

class Light:
    """A light as light sensors measure it."""

    def __init__(
        self,
        kind: str,
        is_on: bool,
        intensity: float,
        ambient: float,
        color: Sequence[float],
        mount: SensorMount,
        scale: Sequence[float],
        location: Sequence[float],
        direction: Sequence[float],
        terms: Sequence[float],
        beam: float,
        cut: float,
    ) -> None:
        """
        kind: "directional", "point" or "spot"; mount and scale: the frame of location (m) and direction;
        terms: a, b, c of the attenuation 1 / (a + b d + c d^2); beam, cut: angles (rad) at which a spot
        light begins to fade, and ends.
        """

class Lights:
    """The lights of a world, shared by the sensors that measure them."""

    def __init__(self) -> None: ...
    def replace_all(self, lights: Sequence[Light]) -> None:
        """Use these lights; they are not stale."""

    def replace(self, number: int, light: Light) -> None:
        """Replace one of the lights."""

    @property
    def stale(self) -> bool:
        """Not usable until all are replaced: the tree has changed."""

    @stale.setter
    def stale(self, arg: bool, /) -> None: ...

class Irradiance(Source):
    """
    The mean of the filtered colors (W/m^2) of all lights in front of a mount, along +x.
    """

    def __init__(
        self,
        world: World,
        lights: Lights,
        mount: SensorMount,
        response: Response,
        filter: Sequence[float],
        occluded: int | None = None,
    ) -> None:
        """
        occluded: None if nothing hides a light; otherwise bounding objects do, except those of the robot
        with this number (-1: none).
        """

class DirectStepper:
    """Steps of a robot whose controller runs in the same thread."""

    def __init__(self, world: World) -> None: ...
    def add_target(self, key: int, motor: Motor, is_velocity: bool) -> None:
        """
        Adds a motor's command with its key, which has the tag above 16 bits with the code. Add commands in
        the order of their keys.
        """

    def add_switch(self, key: int, execute: Callable[[int], bool]) -> None:
        """
        Adds a command with an integer that `execute` carries out when it changes. It returns whether
        further direct steps are possible; if not, a packet repeats the commands.
        """

    def set_sensors(self, sensors: SamplePass) -> None:
        """Sets the pass over all enabled sensors."""

    @property
    def calls(self) -> object:
        """A capsule with the calls for the client: step and answer."""

    def step(self, duration: int, changes: Sequence[tuple[int, float]]) -> int:
        """
        Applies commands, given by key, and simulates `duration` ms. Returns 1 if the step is done; 0 if the
        request needs a packet, without any effect; -1 if the step has begun and others finish it.
        """

    @property
    def answer(self) -> tuple[float, list[tuple[int, int, list[float]]]]:
        """
        What the last step has brought: the time (s), and tag, code and numbers of each sensor.
        """

    def share(self, before: float, since: int, dt: float, asked: float | None) -> None:
        """
        Allows the client to begin steps that others make; `tell` ends them. The clock is at `before` (s) at
        step `since`. `asked`: time (ms) of the last request.
        """

    def begun(self) -> tuple[float, float] | None:
        """
        The times (ms) of the last request and of its end, once after a shared step has begun; else None.
        """

    def tell(self) -> None:
        """Prepares the answer with the time and the values that wait."""

class ProcessFields:
    """
    What Python keeps once per process, for an inline controller; None: the controller has none of its own.
    """

    def __init__(
        self,
        main: object | None,
        argv: object | None,
        path: object | None,
        stdout: object | None,
        stderr: object | None,
    ) -> None: ...
    def exchange(self) -> None:
        """Exchanges the fields with those of the process."""

    def hand_over(self, next: ProcessFields) -> bool:
        """
        Gives the process from this controller to another one. False, without any effect, if that needs more
        than these fields.
        """

    def count_modules(self) -> None:
        """Notes the number of loaded modules, for `has_imported`."""

    @property
    def has_imported(self) -> bool:
        """True if modules were loaded or removed since `count_modules`."""

    def set_light(
        self, folder: object, environment: tuple[tuple[bytes, bytes], ...], values: dict[bytes, bytes]
    ) -> None:
        """
        Allows `hand_over`. folder: the current one; environment: variables of the controller's own, as
        pairs of bytes, the same object for equal ones; values: all variables of the process.
        """

    def set_heavy(self) -> None:
        """Forbids `hand_over`."""

class DirectRound:
    """
    Direct steps of several inline controllers, without the scheduler between them.
    """

    def __init__(
        self, world: World, space: dict[str, Any], holder: object, enter: object, to_hub: object
    ) -> None:
        """
        space: where the API keeps the active robot and connection, as _robot and _connect; holder: its
        attribute `active` is the state that has the process; enter: gives the process to a state; to_hub:
        switches to the scheduler.
        """

    def add(
        self,
        stepper: DirectStepper,
        resume: object,
        deliver: object,
        process: ProcessFields,
        state: object,
        robot: object,
        connection: object,
    ) -> None:
        """
        Adds a controller. resume: switches to it; deliver: informs it that its values were told, if it does
        not wait in a direct step; process, state: those of its process state; robot, connection: of the
        API.
        """

    def open(self, before: float, since: int, dt: float, asked: Sequence[float | None]) -> None:
        """
        All controllers are about to go on. The clock is at `before` (s) at step `since`. asked: times (ms)
        of their last requests.
        """

    def run(self, steps: int, seconds: float) -> None:
        """
        Runs the controllers, and makes up to `steps` basic steps within `seconds` of real time. Returns
        when one needs the scheduler, or when all wait for the end of a step.
        """

    @property
    def running(self) -> int:
        """The number of the controller that needs the scheduler; -1 if all wait."""

    @property
    def made(self) -> int:
        """The number of basic steps since `open`."""

    @property
    def is_broken_off(self) -> bool:
        """
        True if the last step failed, or if some sensors were not sampled after it.
        """

    def close(self) -> list[tuple[float | None, float | None, float | None]]:
        """
        Ends the direct steps. Returns for each controller the times (ms) of its last request, of the end of
        its step unless that has ended, and of the last values it got, or None.
        """

    def raise_failure(self) -> None:
        """Raises the error of the last step, if it failed."""

class BatchStepper:
    """Steps of robots in many worlds, one row for each."""

    def __init__(self, copies: int, steps: int, bounds: NDArray[numpy.float32], threads: int = 1) -> None:
        """
        copies: number of worlds; steps: basic time steps of each call; bounds: the lowest and the highest
        readings; threads: how many worlds are stepped at the same time.
        """

    def set(
        self,
        index: int,
        world: World,
        motors: Sequence[Motor],
        drives: Sequence[int],
        sensors: SamplePass,
        before: float,
        since: int,
        dt: float,
    ) -> None:
        """
        Sets a world with the motors that numbers drive (0: position, 1: velocity, 2: force) and the pass
        over its sensors. The clock is at `before` (s) at step `since`.
        """

    def leave_out(self, index: int) -> None:
        """The next steps leave this world out."""

    def step(
        self, actions: NDArray[numpy.float32], readings: NDArray[numpy.float32], endings: NDArray[numpy.uint8]
    ) -> None:
        """
        Steps the worlds, without the interpreter's lock. endings: 0 if the readings are new, 1 if sensors
        need Python, 2 if a body is in an invalid state; unchanged for worlds that are left out.
        """

class ScriptStepper:
    """Steps of a world whose robots a script drives."""

    def __init__(self, world: World) -> None: ...
    def add(self, sensors: SamplePass, numbers: NDArray[numpy.float64], places: Sequence[int]) -> None:
        """
        Adds the pass over the sensors of a robot, the array to which their numbers are copied, and the
        place of each sensor's first number in it.
        """

    def set_clock(self, before: float, since: int, dt: float) -> None:
        """The clock is at `before` (s) at step `since`."""

    def step(self, count: int) -> int:
        """
        Makes steps and takes the samples that are due. Returns the number of steps; it is negative if
        Python has to take the samples of the last one. PhysicsError as for `World.step`.
        """

    def raise_failure(self) -> None:
        """Raises the error of the last step of a batch, if it failed."""

class ScriptBatch:
    """The same steps in many worlds, on several threads."""

    def __init__(self, worlds: int, threads: int = 1) -> None: ...
    def set(self, index: int, stepper: object | None) -> None:
        """Sets the ScriptStepper of a world; None: the next calls leave it out."""

    def step(self, count: int) -> list[int]:
        """
        Makes steps in all worlds, without the interpreter's lock. Returns for each what
        `ScriptStepper.step` returns; 0 if it failed (`raise_failure`).
        """

class Link:
    """A link of a `Chain`, and the joint that holds it."""

    def __init__(
        self,
        parent: int,
        freedom: int,
        anchor: Sequence[float],
        axis: Sequence[float],
        position: Sequence[float],
        orientation: Sequence[float],
        mass: Mass | None,
        low: float = float("-inf"),
        high: float = float("inf"),
    ) -> None:
        """
        parent: number of a link before, -1 for the base; freedom: 0 none, 1 hinge, 2 slider; anchor, axis,
        position and orientation (w, x, y, z) in the parent's frame, the pose at the position 0; low, high:
        limits (rad or m).
        """

class Chain:
    """
    The joints of a robot as a tree of links. All results are for the last `place`. A floating base has six
    freedoms, before those of the joints: linear and angular velocity.
    """

    def __init__(self, links: Sequence[Link], is_floating: bool, base_mass: Mass | None) -> None: ...
    @property
    def joints(self) -> int:
        """Number of joints."""

    @property
    def freedoms(self) -> int:
        """Number of freedoms."""

    def place(
        self, position: Sequence[float], orientation: Sequence[float], positions: Sequence[float]
    ) -> None:
        """
        Takes a pose of the base (m; w, x, y, z) and the positions of all joints (rad or m).
        """

    def pose(self, link: int) -> tuple[tuple[float, float, float], tuple[float, float, float, float]]:
        """
        Position and orientation (w, x, y, z) of a link, -1 for the base, in the world.
        """

    def jacobian(self, link: int, point: Sequence[float]) -> NDArray[numpy.float64]:
        """
        (6, freedoms): linear and angular velocity of a point of a link per velocity of each freedom.
        """

    def mass_matrix(self) -> NDArray[numpy.float64]:
        """(freedoms, freedoms): kg m^2, kg m and kg."""

    def forces(
        self, velocities: Sequence[float], accelerations: Sequence[float], gravity: Sequence[float]
    ) -> NDArray[numpy.float64]:
        """
        (freedoms,): the forces (N, N m) that give the freedoms these accelerations.
        """

    def reach(
        self,
        base: Sequence[float],
        base_orientation: Sequence[float],
        start: Sequence[float],
        link: int,
        point: Sequence[float],
        position: Sequence[float],
        orientation: Sequence[float] | None = None,
        distance: float = 1e-06,
        angle: float = 1e-06,
        iterations: int = 100,
        attempts: int = 10,
    ) -> tuple[NDArray[numpy.float64], float, float, int, bool]:
        """
        Positions of the joints with which a point of a link is at a position of the world, and its frame
        has an orientation, if given; errors (m, rad), iterations, and whether the errors are at most
        `distance` and `angle`. Other joints than those between base and link keep their positions.
        """

class MotorCell:
    """A motor that a script drives. Derived classes carry out what is not common, in `_set_position`,
    `_set_velocity` and `_set_effort`."""

    position: float
    """Target position (rad or m). Setting it moves the motor there."""
    velocity: float
    """Target velocity (rad/s or m/s). Setting it turns the motor without end; position control uses it as
    speed."""
    effort: float
    """The force or torque of force control (N or N m); 0 outside of it."""
    wanted_speed: float
    """Of motions to a position (rad/s or m/s); NaN: the maximum."""

    def attach(self, motor: Motor, is_coupled: bool) -> None:
        """Sets the engine's motor, and whether it is coupled to others."""

class SensorCell:
    """A sensor that a script reads. Derived classes return several numbers from `_copy`."""

    @property
    def value(self) -> Any:
        """The newest sample: a number, or an array for several numbers."""

    def attach(self, numbers: NDArray[numpy.float64]) -> None:
        """Sets the memory of the numbers."""

def set_targets(motors: Sequence[MotorCell], numbers: NDArray[numpy.float64], command: int) -> None:
    """Sets a target of each motor: 0 position, 1 velocity, 2 force or torque."""
