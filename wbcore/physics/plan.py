"""The plan of a world's physics: what the engine will contain, as plain data made from the scene tree.

A plan does not depend on an engine. Every item keeps the node it was made from (always the built-in node
behind a PROTO instance). All values are in SI units: m, rad, kg, N.

    WorldPlan
      settings: Settings              WorldInfo
      parts: one Part per top solid, fluid or robot
        solids: SolidPlan             one per Solid, including merged ones
        bodies: BodyPlan              rigid units: dynamic, or a frame without mass
        joints: JointPlan             between two bodies, or a body and the world
        fluids, propellers, tracks, drives
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from wbridge.wbcore.physics.mass import Mass
from wbridge.wbcore.physics.meshes import Mesh
from wbridge.wbcore.physics.pose import IDENTITY, ZERO, Pose, Vec3
from wbridge.wbcore.scene.diagnostics import Report
from wbridge.wbcore.scene.node import Node

DYNAMIC = "dynamic"
FRAME = "frame"


@dataclass(slots=True, eq=False, repr=False)
class Geometry:
    """One collision geometry of a bounding object, scale applied.

    `kind` and `size`: box (x, y, z), sphere (radius,), capsule and cylinder (radius, height), plane (),
    mesh () with `mesh`, heightfield (x spacing, y spacing, thickness) with `heights` as rows.
    """

    node: Node
    kind: str
    size: tuple[float, ...]
    offset: Pose
    """Pose in the solid's frame (m), without scale."""
    up: str = "z"
    mesh: Mesh | None = None
    heights: list[list[float]] = field(default_factory=list)


@dataclass(slots=True, eq=False, repr=False)
class Immersion:
    """The interaction of a solid with one fluid (node ImmersionProperties)."""

    node: Node
    fluid_name: str
    reference_area: str
    drag_force: Vec3
    drag_torque: Vec3
    viscous_force: float
    viscous_torque: float


@dataclass(slots=True, eq=False, repr=False)
class RobotPlan:
    """A robot; `number` distinguishes its geoms from those of other robots."""

    node: Node
    number: int
    self_collision: bool


@dataclass(slots=True, eq=False, repr=False)
class SolidPlan:
    """One solid: its pose and its body."""

    node: Node
    parent: SolidPlan | None
    frame: Pose
    """Pose of the solid's coordinate system in the parent solid, or in the world; with scale."""
    pose: Pose
    """Pose in the world when the plan was made; with scale."""
    body: BodyPlan
    offset: Pose
    """Pose in its body, without scale."""
    has_physics: bool
    robot: RobotPlan | None = None
    joint: JointPlan | None = None
    """The joint whose end point this solid is."""
    material: str = "default"
    geometries: list[Geometry] = field(default_factory=list)
    immersions: list[Immersion] = field(default_factory=list)
    mass: Mass | None = None
    """The solid's own mass, in its own frame (m); None without Physics."""
    is_sensor: bool = False
    """True if its geometries are also tested against static ones."""


@dataclass(slots=True, eq=False, repr=False)
class BodyPlan:
    """A rigid unit: a root solid and those merged into it."""

    kind: str
    solids: list[SolidPlan] = field(default_factory=list)
    carrier: BodyPlan | None = None
    """For frames: the body that they follow without a joint."""
    fixed_to: BodyPlan | None = None
    """For bodies on a fixed joint (TouchSensors with Physics): the body they are fixed to."""
    pinned: bool = False
    """True for a body fixed to the world: Physics below a solid without it."""
    mass: Mass | None = None
    """Mass of all its solids, in its own frame; None for frames."""
    damping: tuple[float, float] = (0.0, 0.0)
    """Share of linear and angular velocity lost per second."""
    linear_velocity: Vec3 = ZERO
    angular_velocity: Vec3 = ZERO

    @property
    def root(self) -> SolidPlan:
        """The first solid; the body's frame is that of this solid."""
        return self.solids[0]

    @property
    def pose(self) -> Pose:
        """Pose in the world when the plan was made, without scale."""
        return self.root.pose.rigid

    @property
    def above(self) -> BodyPlan | None:
        """The body that a frame is attached to, directly or by a joint; None for others."""
        joint = self.root.joint
        if self.is_dynamic or (joint is None and self.carrier is None):
            return None
        return joint.parent.body if joint is not None and joint.parent is not None else self.carrier

    @property
    def is_dynamic(self) -> bool:
        """True for a body with mass."""
        return self.kind == DYNAMIC


@dataclass(slots=True, eq=False, repr=False)
class MotorPlan:
    """A motor with its limits, after those of coupled motors were applied."""

    node: Node
    max_velocity: float
    max_force: float
    pid: Vec3
    acceleration: float
    min_position: float
    max_position: float
    multiplier: float = 1.0


@dataclass(slots=True, eq=False, repr=False)
class AxisPlan:
    """One axis of a joint. `parameters` is the node that has its position field, if any."""

    parameters: Node | None
    direction: Vec3
    """Unit vector in the frame of the parent solid."""
    position: float = 0.0
    min_stop: float = 0.0
    max_stop: float = 0.0
    spring: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    motor: MotorPlan | None = None
    sensor: Node | None = None
    brake: Node | None = None

    def devices(self) -> list[Node]:
        """Return the nodes of its motor, position sensor and brake, if present."""
        motor = self.motor.node if self.motor is not None else None
        return [device for device in (motor, self.sensor, self.brake) if device is not None]

    @property
    def has_stops(self) -> bool:
        """True if the stops are active; equal values disable them."""
        return self.min_stop != self.max_stop


@dataclass(slots=True, eq=False, repr=False)
class Suspension:
    """Spring and damper of a hinge's anchor along an axis (in the frame of the parent solid)."""

    axis: Vec3
    spring: float
    damping: float


@dataclass(slots=True, eq=False, repr=False)
class JointPlan:
    """A joint between the solid that holds it and its end point.

    `kind`: hinge, hinge2, slider or ball. `parent` is the solid in whose frame anchor and axes are given.
    """

    node: Node
    kind: str
    parent: SolidPlan | None
    child: SolidPlan | None
    """None if the end point is a reference to the static environment."""
    axes: list[AxisPlan]
    anchor: Vec3 = ZERO
    suspension: Suspension | None = None
    stop_erp: float = -1.0
    stop_cfm: float = -1.0
    by_reference: bool = False

    @property
    def positions(self) -> tuple[float, ...]:
        """Positions of the axes that match the poses in the plan."""
        return tuple(axis.position for axis in self.axes)


@dataclass(slots=True, eq=False, repr=False)
class FluidPlan:
    """A fluid: the half spaces below the highest faces of its geometries."""

    node: Node
    name: str
    pose: Pose
    geometries: list[Geometry]
    density: float
    viscosity: float
    stream_velocity: Vec3


@dataclass(slots=True, eq=False, repr=False)
class PropellerPlan:
    """A propeller; axis and center are in the frame of its solid."""

    node: Node
    solid: SolidPlan
    axis: Vec3
    center: Vec3
    thrust_constants: tuple[float, float]
    torque_constants: tuple[float, float]
    motor: MotorPlan | None


@dataclass(slots=True, eq=False, repr=False)
class TrackPlan:
    """A belt: the geometries of its solid move along it."""

    node: Node
    solid: SolidPlan
    motor: MotorPlan | None
    sensor: Node | None
    brake: Node | None


@dataclass(slots=True, eq=False, repr=False)
class KinematicDrive:
    """A robot without physics that moves on two wheels: DifferentialWheels, or a Robot with two wheel
    joints."""

    node: Node
    solid: SolidPlan
    wheel_radius: float
    axle: float
    forward: Vec3
    up: Vec3
    left: JointPlan | None = None
    right: JointPlan | None = None
    max_acceleration: float = -1.0
    slip_noise: float = 0.0


@dataclass(slots=True, eq=False, repr=False)
class ContactPlan:
    """One ContactProperties node."""

    node: Node
    material1: str
    material2: str
    coulomb_friction: list[float]
    friction_rotation: tuple[float, float]
    force_dependent_slip: list[float]
    rolling_friction: Vec3
    bounce: float
    bounce_velocity: float
    soft_erp: float
    soft_cfm: float
    max_contacts: int


@dataclass(slots=True, eq=False, repr=False)
class Settings:
    """WorldInfo, in SI units. `north` and `up` are unit vectors."""

    node: Node | None
    dt: float = 0.032
    gravity: Vec3 = (0.0, 0.0, -9.81)
    up: Vec3 = (0.0, 0.0, 1.0)
    north: Vec3 = (0.0, 1.0, 0.0)
    erp: float = 0.2
    cfm: float = 1e-5
    disable_time: float = 1.0
    disable_linear: float = 0.01
    disable_angular: float = 0.01
    damping: tuple[float, float] = (0.0, 0.0)
    random_seed: int = 0
    threads: int = 1
    """Maximum number of threads of a step."""
    contact_law: str = "webots"
    contacts: list[ContactPlan] = field(default_factory=list)


@dataclass(slots=True, eq=False, repr=False)
class Part:
    """A connected part of the tree: a top solid (or a fluid) with everything below it."""

    node: Node
    frame: Pose = IDENTITY
    """Pose of the top node's coordinate system in the world."""
    solids: list[SolidPlan] = field(default_factory=list)
    bodies: list[BodyPlan] = field(default_factory=list)
    joints: list[JointPlan] = field(default_factory=list)
    robots: list[RobotPlan] = field(default_factory=list)
    fluids: list[FluidPlan] = field(default_factory=list)
    propellers: list[PropellerPlan] = field(default_factory=list)
    tracks: list[TrackPlan] = field(default_factory=list)
    drives: list[KinematicDrive] = field(default_factory=list)

    def motors(self) -> Iterator[MotorPlan]:
        """Iterate over all motors, in the order of the tree."""
        found = [axis.motor for joint in self.joints for axis in joint.axes]
        found += [propeller.motor for propeller in self.propellers] + [track.motor for track in self.tracks]
        return (motor for motor in found if motor is not None)


@dataclass(slots=True, eq=False, repr=False)
class WorldPlan:
    """The whole world. `report` holds the findings; an error means that something was left out."""

    settings: Settings
    parts: list[Part]
    report: Report

    def solid(self, node: Node) -> SolidPlan | None:
        """Return the plan of a solid (its own node or a PROTO instance's)."""
        wanted = node.root
        return next((solid for part in self.parts for solid in part.solids if solid.node is wanted), None)
