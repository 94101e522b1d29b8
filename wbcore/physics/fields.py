"""Apply changed fields while a world runs.

`_IN_PLACE` lists, per node type, the fields that the engine can change in place. Other fields that affect
physics rebuild the part; the rest have no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from wbridge.wbcore.physics import changes
from wbridge.wbcore.physics.bodies import damping
from wbridge.wbcore.physics.joint_builder import set_motor
from wbridge.wbcore.physics.joints import effective_stops, plan_motor
from wbridge.wbcore.physics.part_nodes import nodes_of
from wbridge.wbcore.physics.part_state import MotorState
from wbridge.wbcore.physics.plan import JointPlan, MotorPlan, Part
from wbridge.wbcore.physics.settings import read_settings
from wbridge.wbcore.physics.sync import position_field
from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbridge.wbcore.physics.world import PhysicsWorld

_Change = Callable[["PhysicsWorld", Node, str], bool]


def change(physics: PhysicsWorld, node: Node, field: str) -> None:
    """Apply a changed field of a built-in node."""
    for base, names, action in _IN_PLACE:
        if field in names and node.is_a(base) and action(physics, node, field):
            return
    for part in list(_parts_with(physics, node, field)):
        changes.rebuild(physics, part)


def _parts_with(physics: PhysicsWorld, node: Node, field: str) -> Iterator[Part]:
    """Return the parts that depend on this field and have to be rebuilt."""
    for part in physics.plan.parts:
        if any(_matters(other, node, field) for other in nodes_of(part)):
            yield part


_WITHOUT_MEANING = frozenset(
    "name model description locked translationStep rotationStep radarCrossSection recognitionColors "
    "controller controllerArgs customData supervisor synchronization battery cpuConsumption window "
    "remoteControl showWindow consumptionFactor sound resolution noise lookupTable appearance castShadows "
    "isPickable isLocked autoLock unilateralLock unilateralUnlock distanceTolerance axisTolerance snap "
    "rotationTolerance numberOfRotations tensileStrength shearStrength isOn contactPoints emissiveColor "
    "gradual encoderNoise encoderResolution maxSpeed motorConsumption".split()
)


def _matters(inner: Node, node: Node, field: str) -> bool:
    """Return True if changing this field of `node` affects the plan made from the node `one`."""
    if inner is node:
        return field not in _WITHOUT_MEANING
    return field in ("children", "translation", "rotation", "scale") and _holds(node, inner)


def _holds(holder: Node, node: Node) -> bool:
    above = node.parent
    while above is not None:
        if above is holder:
            return True
        above = above.parent
    return False


def _world_info(physics: PhysicsWorld, node: Node, field: str) -> bool:
    settings = read_settings(physics.world)
    old = physics.plan.settings
    settings.random_seed = settings.random_seed if field == "randomSeed" else old.random_seed
    settings.threads = old.threads
    physics.plan.settings = physics.builder.settings = settings
    engine = physics.engine
    if settings.dt != engine.dt:
        engine.dt = settings.dt
        physics.clock.set_step(settings.dt, engine.steps)
    if settings.gravity != tuple(engine.gravity):
        engine.gravity = settings.gravity
    engine.erp, engine.cfm = settings.erp, settings.cfm
    if field == "randomSeed":
        engine.seed(settings.random_seed)
    physics.builder.materials.apply(settings.contacts)
    for body, made in physics.handles.bodies.items():
        if body.is_dynamic:
            time = settings.disable_time if settings.disable_time > 0 else -1.0
            made.set_auto_disable(time, settings.disable_linear, settings.disable_angular)
            body.damping = damping(body, settings)
            made.set_damping(*body.damping)
            made.awake = True
    return True


def _threads(physics: PhysicsWorld, node: Node, field: str) -> bool:
    if not physics.has_own_threads:
        physics.engine.threads = physics.plan.settings.threads = read_settings(physics.world).threads
    return True


def _contact_properties(physics: PhysicsWorld, node: Node, field: str) -> bool:
    return _world_info(physics, node, field)


def _place(physics: PhysicsWorld, node: Node, field: str) -> bool:
    if node not in physics.handles.solids:
        return False
    changes.moved(physics, node)
    return True


def _material(physics: PhysicsWorld, node: Node, field: str) -> bool:
    solid = physics.handles.solids.get(node)
    if solid is None:
        return False
    solid.material = str(node.get("contactMaterial"))
    for geom in physics.handles.geoms_of.get(solid, []):
        geom.material = physics.builder.materials.number(solid.material)
    body = physics.handles.bodies.get(solid.body)
    if body is not None and solid.body.is_dynamic:
        body.awake = True
    return True


def _velocity(physics: PhysicsWorld, node: Node, field: str) -> bool:
    if node not in physics.handles.solids:
        return False
    changes.set_velocity(physics, node, node.get("linearVelocity"), node.get("angularVelocity"))
    return True


def _self_collision(physics: PhysicsWorld, node: Node, field: str) -> bool:
    for part in physics.plan.parts:
        for robot in part.robots:
            if robot.node is node:
                robot.self_collision = bool(node.get("selfCollision"))
                physics.engine.set_self_collision(robot.number, robot.self_collision)
    return True


def _joints_with(physics: PhysicsWorld, parameters: Node) -> Iterator[tuple[JointPlan, int]]:
    for joint in physics.handles.joint_plans.values():
        for index, axis in enumerate(joint.axes):
            if axis.parameters is parameters:
                yield joint, index


def _constants(physics: PhysicsWorld, node: Node, field: str) -> bool:
    """Update the springs, dampers, friction and stops of all joints that use these parameters."""
    for joint, index in _joints_with(physics, node):
        axis, made = joint.axes[index], physics.handles.joints[joint.node][index]
        axis.spring, axis.damping = abs(number(node, "springConstant")), abs(number(node, "dampingConstant"))
        axis.friction = abs(number(node, "staticFriction"))
        low, high = number(node, "minStop"), number(node, "maxStop")
        axis.min_stop, axis.max_stop = effective_stops(low, high, joint.kind == "slider")
        made.spring_constant, made.damping_constant = axis.spring, axis.damping
        made.static_friction = axis.friction
        made.set_stops(axis.min_stop, axis.max_stop)
    return True


def _position(physics: PhysicsWorld, node: Node, field: str) -> bool:
    """Apply a joint's position field, in its parameters or hidden in the joint."""
    for joint in list(physics.handles.joint_plans.values()):
        for index, axis in enumerate(joint.axes):
            if position_field(joint, axis, index) == (node, field):
                changes.set_joint_position(physics, joint.node, float(node.get(field)), index)
    return True


def _motor(physics: PhysicsWorld, node: Node, field: str) -> bool:
    """Update the limits and gains of a motor; its commands stay."""
    made = physics.handles.motors.get(node)
    plan = _motor_plan(physics, node)
    if made is None or plan is None:
        return False
    state = MotorState(made)
    new = plan_motor(node)
    for name in MotorPlan.__slots__:
        setattr(plan, name, getattr(new, name))
    set_motor(made, plan)
    state.give_back(made)
    made.set_pid(*plan.pid)
    made.set_acceleration(plan.acceleration)
    return True


def _motor_plan(physics: PhysicsWorld, node: Node) -> MotorPlan | None:
    motors = (motor for part in physics.plan.parts for motor in part.motors())
    return next((motor for motor in motors if motor.node is node), None)


_IN_PLACE: tuple[tuple[str, frozenset[str], _Change], ...] = (
    (
        "WorldInfo",
        frozenset(
            "gravity CFM ERP basicTimeStep physicsDisableTime physicsDisableLinearThreshold randomSeed "
            "physicsDisableAngularThreshold defaultDamping contactProperties coordinateSystem".split()
        ),
        _world_info,
    ),
    ("WorldInfo", frozenset(["optimalThreadCount"]), _threads),
    (
        "ContactProperties",
        frozenset(
            "material1 material2 coulombFriction frictionRotation bounce bounceVelocity forceDependentSlip "
            "softERP softCFM rollingFriction maxContactJoints".split()
        ),
        _contact_properties,
    ),
    ("Solid", frozenset(["translation", "rotation"]), _place),
    ("Solid", frozenset(["contactMaterial"]), _material),
    ("Solid", frozenset(["linearVelocity", "angularVelocity"]), _velocity),
    ("Robot", frozenset(["selfCollision"]), _self_collision),
    (
        "JointParameters",
        frozenset(["springConstant", "dampingConstant", "staticFriction", "minStop", "maxStop"]),
        _constants,
    ),
    ("JointParameters", frozenset(["position"]), _position),
    ("Joint", frozenset(["position", "position2", "position3"]), _position),
    (
        "Motor",
        frozenset(
            "maxVelocity maxForce maxTorque controlPID acceleration minPosition maxPosition "
            "multiplier".split()
        ),
        _motor,
    ),
)
