"""Create the engine's bodies, geoms, joints, motors and drives from plans and keep their handles by node."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.joint_builder import JointBuilder, set_motor
from wbridge.wbcore.physics.materials import Materials
from wbridge.wbcore.physics.plan import (
    BodyPlan,
    FluidPlan,
    Geometry,
    JointPlan,
    Part,
    PropellerPlan,
    Settings,
    SolidPlan,
    TrackPlan,
)
from wbridge.wbcore.physics.pose import Pose, axis_angle, length
from wbridge.wbcore.physics.shared_meshes import engine_mesh
from wbridge.wbcore.physics.tree import node_path, up_of
from wbridge.wbcore.scene.diagnostics import Report
from wbridge.wbcore.scene.node import Node

FAR, FAST = 1e9, 1e6
"""Distance (m) and speed (m/s) of an exploded body, or ten times those of the file."""
MAX_SPIN = 10000.0


class Handles:
    """Map nodes and plans to the engine objects made from them."""

    def __init__(self) -> None:
        self.bodies: dict[BodyPlan, _engine.Body] = {}
        self.solids: dict[Node, SolidPlan] = {}
        self.geoms: dict[int, tuple[SolidPlan, Geometry]] = {}
        self.geoms_of: dict[SolidPlan, list[_engine.Geom]] = {}
        self.geom_numbers: dict[SolidPlan, list[int]] = {}
        self.joints: dict[Node, _engine.Joint] = {}
        self.joint_plans: dict[Node, JointPlan] = {}
        self.fixed: dict[BodyPlan, _engine.Joint] = {}
        self.motors: dict[Node, _engine.Motor] = {}
        self.axes: dict[Node, _engine.JointAxis] = {}
        """The axis that a motor, position sensor or brake sits on."""
        self.tracks: dict[Node, _engine.Track] = {}
        self.propellers: dict[Node, _engine.Propeller] = {}
        self.fluids: dict[FluidPlan, list[tuple[_engine.Fluid, _engine.Geom]]] = {}
        self.body_of: dict[int, BodyPlan] = {}


class Builder:
    """Add parts of a plan to an engine world and remove them again."""

    def __init__(self, settings: Settings, report: Report, bodies: Iterable[BodyPlan] = ()) -> None:
        starts = [(length(body.pose.position), length(body.linear_velocity)) for body in bodies]
        distances, speeds = zip((FAR, FAST), *((10 * d, 10 * v) for d, v in starts), strict=True)
        self.settings = settings
        self.report = report
        self.handles = Handles()
        self.engine = _engine.World(
            dt=settings.dt,
            gravity=settings.gravity,
            erp=settings.erp,
            cfm=settings.cfm,
            seed=settings.random_seed,
            threads=settings.threads,
            contacts=settings.contact_law,
            max_distance=max(distances),
            max_speed=max(speeds),
        )
        self.materials = Materials(self.engine, settings, report)
        self.joints = JointBuilder(self)
        self.immersions: list[_engine.Immersion] = []
        self._meshes: dict[int, tuple[object, _engine.Mesh]] = {}

    def add(self, part: Part) -> None:
        """Create all objects of a part, in the order of the tree."""
        for robot in part.robots:
            self.engine.set_self_collision(robot.number, robot.self_collision)
        for solid in part.solids:
            self.handles.solids[solid.node] = solid
        for body in part.bodies:
            if _is_needed(body, part):
                self.body(body)
        for track in part.tracks:
            self._track(track)
        for solid in part.solids:
            self._geometries(solid)
        for body in part.bodies:
            self._hold(body)
        for joint in part.joints:
            self._try(joint.node, self.joints.add, joint)
        for propeller in part.propellers:
            self._propeller(propeller)
        for fluid in part.fluids:
            self._fluid(fluid)

    def remove(self, part: Part) -> None:
        """Remove a part from the engine."""
        h = self.handles
        for joint in part.joints:
            h.joint_plans.pop(joint.node, None)
            h.joints.pop(joint.node, None)
            for axis in joint.axes:
                for device in axis.devices():
                    h.axes.pop(device, None)
        for motor in part.motors():
            h.motors.pop(motor.node, None)
        for track in part.tracks:
            h.tracks.pop(track.node, None)
        for propeller in part.propellers:
            h.propellers.pop(propeller.node, None)
        for fluid in part.fluids:
            for made, geom in h.fluids.pop(fluid, []):
                made.remove()
                geom.remove()
        for body in part.bodies:
            h.fixed.pop(body, None)
            engine_body = h.bodies.pop(body, None)
            if engine_body is not None:
                h.body_of.pop(engine_body.id, None)
                engine_body.remove()
        for solid in part.solids:
            h.solids.pop(solid.node, None)
            for number in h.geom_numbers.pop(solid, []):
                del h.geoms[number]
            h.geoms_of.pop(solid, None)

    def body(self, plan: BodyPlan) -> _engine.Body:
        """Return the engine's body or frame of a plan; create it on first use."""
        made = self.handles.bodies.get(plan)
        if made is not None:
            return made
        pose = plan.pose
        if plan.is_dynamic:
            made = self.engine.add_body(engine_mass(plan), pose.position, pose.orientation)
            self._set_dynamics(plan, made)
        else:
            made = self.engine.add_frame(pose.position, pose.orientation)
            if plan.carrier is not None:
                inner = plan.carrier.pose.relative(pose)
                made.follow(self.body(plan.carrier), inner.position, inner.orientation)
        self.handles.bodies[plan] = made
        self.handles.body_of[made.id] = plan
        if any(plan.linear_velocity) or any(plan.angular_velocity):
            made.linear_velocity = plan.linear_velocity
            made.angular_velocity = plan.angular_velocity
        return made

    def _set_dynamics(self, plan: BodyPlan, made: _engine.Body) -> None:
        made.set_damping(*plan.damping)
        made.max_angular_speed = MAX_SPIN
        s = self.settings
        if s.disable_time > 0:
            made.set_auto_disable(s.disable_time, s.disable_linear, s.disable_angular)

    def _hold(self, body: BodyPlan) -> None:
        if body.pinned:
            self.handles.fixed[body] = self.engine.add_fixed(self.body(body))
        elif body.fixed_to is not None:
            self.handles.fixed[body] = self.engine.add_fixed(self.body(body), self.body(body.fixed_to))

    def _geometries(self, solid: SolidPlan) -> None:
        made: list[_engine.Geom] = []
        for geometry in solid.geometries:
            self._try(geometry.node, self._geometry, solid, geometry, made)
        if made:
            self.handles.geoms_of[solid] = made
            self.handles.geom_numbers[solid] = [geom.id for geom in made]

    def _geometry(self, solid: SolidPlan, geometry: Geometry, made: list[_engine.Geom]) -> None:
        if geometry.kind == "plane" and solid.body.is_dynamic:
            raise ValueError("a Plane cannot belong to a solid with Physics; it is left out")
        offset = solid.offset @ geometry.offset
        geom = self.engine.add_geom(
            self.shape(geometry),
            self.body(solid.body),
            offset.position,
            offset.orientation,
            robot=solid.robot.number if solid.robot is not None else -1,
            solid=solid.body.solids.index(solid),
            material=self.materials.number(solid.material),
            role="sensor" if solid.is_sensor else "solid",
        )
        track = self.handles.tracks.get(solid.node)
        if track is not None:
            geom.set_track(track)
        self.handles.geoms[geom.id] = (solid, geometry)
        made.append(geom)

    def shape(self, geometry: Geometry) -> _engine.Shape:
        """Return the engine's shape of a geometry. Meshes are shared.

        Raises:
            ValueError: the engine refuses its size.
        """
        make = _SHAPES.get(geometry.kind)
        if make is not None:
            return make(geometry)
        if geometry.kind == "heightfield":
            x, y, thickness = geometry.size
            return _engine.Shape.heightfield(np.array(geometry.heights), x, y, thickness, geometry.up)
        mesh = geometry.mesh
        assert mesh is not None, "geometries of this kind have a mesh"
        known = self._meshes.get(id(mesh))
        if known is None:
            known = self._meshes[id(mesh)] = (mesh, engine_mesh(mesh.vertices, mesh.triangles))
        return _engine.Shape.mesh(known[1])

    def _track(self, plan: TrackPlan) -> None:
        """Create a belt: it runs along the track's x axis; its upper side faces z, or y before R2022a."""
        offset = plan.solid.offset
        if up_of(plan.node) == "y":
            offset = offset @ Pose(orientation=axis_angle((1.0, 0.0, 0.0), -math.pi / 2))
        made = self.engine.add_track(self.body(plan.solid.body), offset.position, offset.orientation)
        made.motorized = plan.motor is not None
        if plan.motor is not None:
            set_motor(made.motor, plan.motor)
            made.motor.reset(0.0)
            self.handles.motors[plan.motor.node] = made.motor
        self.handles.tracks[plan.node] = made

    def _propeller(self, plan: PropellerPlan) -> None:
        if not plan.solid.body.is_dynamic:
            text = f"{node_path(plan.node)}: the propeller has no effect because its solid has no Physics"
            self.report.warning("propeller", text, plan.node.source, plan.node.offset)
            return
        offset = plan.solid.offset
        made = self.engine.add_propeller(
            self.body(plan.solid.body),
            offset.direction(plan.axis),
            offset.point(plan.center),
            plan.thrust_constants,
            plan.torque_constants,
        )
        if plan.motor is not None:
            set_motor(made.motor, plan.motor)
            made.motor.reset(0.0)
            self.handles.motors[plan.motor.node] = made.motor
        self.handles.propellers[plan.node] = made

    def _fluid(self, plan: FluidPlan) -> None:
        made: list[tuple[_engine.Fluid, _engine.Geom]] = []
        for geometry in plan.geometries:
            place = plan.pose @ geometry.offset
            geom = self.engine.add_geom(self.shape(geometry), None, place.position, place.orientation)
            fluid = self.engine.add_fluid(geom, plan.density, plan.viscosity, plan.stream_velocity)
            made.append((fluid, geom))
        self.handles.fluids[plan] = made

    def _try(self, node: Node, action: object, *arguments: object) -> None:
        """Call `action`; report a ValueError of the engine as a finding about the node."""
        try:
            action(*arguments)  # type: ignore[operator]
        except ValueError as refusal:
            self.report.error("engine", f"{node_path(node)}: {refusal}", node.source, node.offset)


def engine_mass(plan: BodyPlan) -> _engine.Mass:
    """Convert a body's mass to the engine's form."""
    mass = plan.mass
    assert mass is not None, "bodies with Physics have a mass"
    return _engine.Mass.of(mass.mass, mass.center, [x for row in mass.inertia for x in row])


def _is_needed(body: BodyPlan, part: Part) -> bool:
    """Return True if the engine needs an object: a frame without geoms, joint or velocity needs none."""
    if body.is_dynamic or any(solid.geometries for solid in body.solids) or body.root.joint is not None:
        return True
    if any(body.linear_velocity) or any(body.angular_velocity):
        return True
    return any(joint.parent is not None and joint.parent.body is body for joint in part.joints)


def _box(geometry: Geometry) -> _engine.Shape:
    return _engine.Shape.box(geometry.size, geometry.up)


def _sphere(geometry: Geometry) -> _engine.Shape:
    return _engine.Shape.sphere(geometry.size[0], geometry.up)


def _capsule(geometry: Geometry) -> _engine.Shape:
    radius, height = geometry.size
    return _engine.Shape.capsule(radius, height, geometry.up)


def _cylinder(geometry: Geometry) -> _engine.Shape:
    radius, height = geometry.size
    return _engine.Shape.cylinder(radius, height, geometry.up)


def _plane(geometry: Geometry) -> _engine.Shape:
    return _engine.Shape.plane(geometry.up)


_SHAPES = {"box": _box, "sphere": _sphere, "capsule": _capsule, "cylinder": _cylinder, "plane": _plane}


def as_pose(body: _engine.Body) -> Pose:
    """Return the current pose of an engine body."""
    return Pose(body.position, body.orientation)
