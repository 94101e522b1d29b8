"""Make a plan from the scene tree: decide which solids form which bodies.

Rules (manual, chapter 3.51, and how Webots applies them):

* A solid with Physics directly below one with Physics is merged into its body.
* A new body starts at an end point of a joint, at a top solid, at a TouchSensor with Physics (held by a fixed
  joint), at the named wheels of DifferentialWheels, and below a solid without Physics (held by the world).
* Solids without Physics are frames: they carry geometries and cannot be pushed. Without a bounding object of
  their own, they are part of the body above.
"""

from __future__ import annotations

from collections.abc import Callable

from wbridge.wbcore.physics import differential, drives, joints, motor_limits
from wbridge.wbcore.physics.bodies import finish_body, own_mass
from wbridge.wbcore.physics.bounding import BoundingObjects
from wbridge.wbcore.physics.plan import (
    DYNAMIC,
    FRAME,
    BodyPlan,
    Geometry,
    Immersion,
    JointPlan,
    Part,
    RobotPlan,
    SolidPlan,
    WorldPlan,
)
from wbridge.wbcore.physics.pose import IDENTITY, Pose
from wbridge.wbcore.physics.settings import read_settings
from wbridge.wbcore.physics.tree import is_frame, node_in, node_path, nodes_in, number, pose_of
from wbridge.wbcore.scene.diagnostics import Report
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import robots

_SENSORS = (
    *("Robot", "Camera", "DistanceSensor", "LightSensor", "TouchSensor", "Radar", "Receiver"),
    "VacuumGripper",
)
"""Their geoms are also tested against static ones."""


def make_plan(world: World) -> WorldPlan:
    """Plan a loaded world. Findings about physics go to the plan's own report."""
    return make_planner(world).plan


def make_planner(world: World) -> Planner:
    """Return a planner that has planned a loaded world and can plan what is added later."""
    planner = Planner(world, WorldPlan(read_settings(world), [], Report()))
    for node in world.nodes:
        planner.plan.parts += planner.parts(node, IDENTITY)
    return planner


class Planner:
    """Make the parts of a plan, also those added later; robots are numbered consecutively."""

    def __init__(self, world: World, plan: WorldPlan) -> None:
        self.world = world
        self.plan = plan
        self.bounding = BoundingObjects(world, plan.report)
        self._robots = 0
        self._motors: set[Node] = set()  # those whose limits are settled

    def parts(self, node: Node, frame: Pose) -> list[Part]:
        """Plan a top-level node; `frame` is the pose of the coordinate system that contains it."""
        node = node.root
        if node.is_a("Solid"):
            return [self.part(node, frame)]
        if node.is_a("Fluid"):
            return [Part(node, frame, fluids=[drives.fluid(self, node, frame)])]
        if not node.is_a("Group"):
            return []
        inner = frame @ pose_of(node) if is_frame(node) else frame
        return [part for child in nodes_in(node, "children") for part in self.parts(child, inner)]

    def part(self, node: Node, frame: Pose) -> Part:
        """Plan a top solid with everything below it."""
        for robot in robots([node]):
            for motor, text in motor_limits.settle(robot, self._motors):
                self.warn("motor-limits", motor, text)
        made = Part(node, frame)
        _Walk(self, made).solid(node, frame, None, None, None)
        joints.resolve_references(self, made)
        differential.find_drives(made)
        for body in made.bodies:
            finish_body(body, self.plan.settings, self.plan.report)
        return made

    def robot(self, node: Node) -> RobotPlan:
        """Plan a robot with the next free number."""
        self._robots += 1
        return RobotPlan(node, self._robots - 1, bool(node.get("selfCollision")))

    def warn(self, code: str, node: Node, text: str) -> None:
        """Report a node that is not used as written."""
        self.plan.report.warning(code, f"{node_path(node)}: {text}", node.source, node.offset)

    def refuse(self, code: str, node: Node, text: str) -> None:
        """Report a node that had to be left out."""
        self.plan.report.error(code, f"{node_path(node)}: {text}", node.source, node.offset)


class _Walk:
    """Walks the tree below one top solid."""

    def __init__(self, planner: Planner, part: Part) -> None:
        self._planner = planner
        self._part = part
        self._seen: set[Node] = set()
        self._helices: set[Node] = set()

    def solid(
        self,
        node: Node,
        frame: Pose,
        parent: SolidPlan | None,
        robot: RobotPlan | None,
        joint: JointPlan | None,
    ) -> SolidPlan:
        """Plan a solid and everything below it; `frame` is relative to the parent solid, or to the world."""
        local = frame @ pose_of(node)
        pose = parent.pose @ local if parent is not None else local
        if node.is_a("Robot"):
            robot = self._planner.robot(node)
            self._part.robots.append(robot)
        geometries = self._planner.bounding.geometries(node, pose.scale)
        made = self._placed(node, frame, pose, parent, joint, geometries)
        made.robot = robot
        made.joint = joint
        made.material = str(node.get("contactMaterial"))
        made.geometries = geometries
        made.immersions = _immersions(node)
        made.is_sensor = any(node.is_a(kind) for kind in _SENSORS)
        if joint is not None:
            joint.child = made
        self._part.solids.append(made)
        self._own_joint(made)
        if made.has_physics:
            made.mass = own_mass(self._planner, made)
        if node.is_a("Track"):
            self._part.tracks.append(drives.track(made))
        self.children(nodes_in(node, "children"), IDENTITY, made)
        return made

    def _placed(
        self,
        node: Node,
        frame: Pose,
        pose: Pose,
        parent: SolidPlan | None,
        joint: JointPlan | None,
        geometries: list[Geometry],
    ) -> SolidPlan:
        """Place a solid in a body of its own or in that of its parent."""
        # A helix shows the motor's speed: Webots makes its solid kinematic, without mass.
        is_helix = node in self._helices
        is_massless = is_helix or _turns_without_physics(node, parent)
        physics = node_in(node, "physics") is not None and not is_massless
        # Webots' rules for merging: see the docstring of this module.
        starts = parent is None or joint is not None or _has_own_joint(node, parent)
        if not starts and parent is not None:
            if physics:
                starts = not parent.has_physics or node.is_a("TouchSensor")
            elif parent.body.is_dynamic:
                starts = bool(geometries) and not is_helix
            else:
                starts = _has_velocity(node)
        # Merged: the solid shares its parent's body, at a pose without scale because bodies are rigid.
        if not starts and parent is not None:
            offset = parent.offset @ parent.pose.rigid_pose_of(pose)
            made = SolidPlan(node, parent, frame, pose, parent.body, offset, physics)
            parent.body.solids.append(made)
            return made
        return self._body(node, frame, pose, parent, joint, physics)

    def _body(
        self,
        node: Node,
        frame: Pose,
        pose: Pose,
        parent: SolidPlan | None,
        joint: JointPlan | None,
        physics: bool,
    ) -> SolidPlan:
        body = BodyPlan(DYNAMIC if physics else FRAME)
        made = SolidPlan(node, parent, frame, pose, body, IDENTITY, physics)
        body.solids.append(made)
        body.linear_velocity = node.get("linearVelocity")
        body.angular_velocity = node.get("angularVelocity")
        held = joint is not None or _has_own_joint(node, parent)
        if parent is not None and not held:
            self._hold(body, parent, physics)
        self._part.bodies.append(body)
        return made

    def _hold(self, body: BodyPlan, parent: SolidPlan, physics: bool) -> None:
        if not physics:
            body.carrier = (
                parent.body if parent.body.is_dynamic or not _has_velocity(body.root.node) else None
            )
        elif parent.has_physics:
            body.fixed_to = parent.body
        else:
            body.pinned = True
            if parent.body.is_dynamic or parent.body.carrier is not None:
                text = (
                    "its parent has no Physics although it is part of a moving body; "
                    "this solid is fixed to the world"
                )
                self._planner.warn("parent-without-physics", body.root.node, text)

    def _own_joint(self, made: SolidPlan) -> None:
        """Add the joints that are written as solids: Servo, and the wheels of DifferentialWheels."""
        parent = made.parent
        if parent is None:
            return
        joint = None
        if made.node.is_a("Servo"):
            joint = joints.servo(made)
        elif differential.is_wheel(made.node, parent.node):
            joint = differential.wheel_joint(made)
        if joint is not None:
            made.joint = joint
            self._part.joints.append(joint)

    def children(self, nodes: list[Node], frame: Pose, parent: SolidPlan) -> None:
        """Plan the children of a solid or of groups in it."""
        for node in nodes:
            self.child(node.root, frame, parent)

    def child(self, node: Node, frame: Pose, parent: SolidPlan) -> None:
        """Plan one child; `frame` is the pose of its coordinate system in the parent solid."""
        for base, visit in _VISITS.items():
            if node.is_a(base):
                visit(self, node, frame, parent)
                return

    def _child_solid(self, node: Node, frame: Pose, parent: SolidPlan) -> None:
        if self._is_second(node):
            return
        self.solid(node, frame, parent, parent.robot, None)

    def _child_group(self, node: Node, frame: Pose, parent: SolidPlan) -> None:
        inner = frame @ pose_of(node) if is_frame(node) else frame
        self.children(nodes_in(node, "children"), inner, parent)

    def _is_second(self, node: Node) -> bool:
        """Return True, with a warning, for a solid or joint used again by USE: it has only one place."""
        if node in self._seen:
            text = (
                "it is used a second time by USE, which has no effect: solids "
                "and joints need a node of their own"
            )
            self._planner.warn("use", node, text)
            return True
        self._seen.add(node)
        return False

    def _child_joint(self, node: Node, frame: Pose, parent: SolidPlan) -> None:
        if self._is_second(node):
            return
        joint = joints.plan_joint(self._planner, node, frame, parent)
        end = joints.end_point(node)
        if end is None:
            return
        self._part.joints.append(joint)
        if end.is_a("SolidReference"):
            joint.by_reference = True
        else:
            self.solid(end, frame, parent, parent.robot, joint)

    def _child_slot(self, node: Node, frame: Pose, parent: SolidPlan) -> None:
        end = joints.end_point(node)
        if end is not None:
            self.child(end, frame, parent)

    def _child_propeller(self, node: Node, frame: Pose, parent: SolidPlan) -> None:
        self._part.propellers.append(drives.propeller(node, frame, parent))
        for helix in (*nodes_in(node, "slowHelix"), *nodes_in(node, "fastHelix")):
            if helix.root.is_a("Solid"):
                self._helices.add(helix.root)
                self.solid(helix.root, frame, parent, parent.robot, None)


_Visit = Callable[[_Walk, Node, Pose, SolidPlan], None]
_VISITS: dict[str, _Visit] = {
    "Solid": _Walk._child_solid,
    "Joint": _Walk._child_joint,
    "Slot": _Walk._child_slot,
    "Propeller": _Walk._child_propeller,
    "Group": _Walk._child_group,
}


def _has_own_joint(node: Node, parent: SolidPlan | None) -> bool:
    return parent is not None and (node.is_a("Servo") or differential.is_wheel(node, parent.node))


def _turns_without_physics(node: Node, parent: SolidPlan | None) -> bool:
    """Return True for a wheel of a robot without Physics: the drive turns it, whether or not it has mass."""
    return parent is not None and not parent.has_physics and differential.is_wheel(node, parent.node)


def _has_velocity(node: Node) -> bool:
    return any(node.get("linearVelocity")) or any(node.get("angularVelocity"))


def _immersions(node: Node) -> list[Immersion]:
    found = []
    for inner in nodes_in(node, "immersionProperties"):
        inner = inner.root
        found.append(
            Immersion(
                inner,
                str(inner.get("fluidName")),
                str(inner.get("referenceArea")),
                inner.get("dragForceCoefficients"),
                inner.get("dragTorqueCoefficients"),
                number(inner, "viscousResistanceForceCoefficient"),
                number(inner, "viscousResistanceTorqueCoefficient"),
            )
        )
    return found
