"""Springs of MJCF that are given by a time constant and a damping ratio.

Source: MuJoCo's XML reference, attribute `springdamper` of joint. Values that it derived for a model are in
newton-physics/newton#3735.
"""

from __future__ import annotations

from dataclasses import dataclass

from wbridge.wbcore.importers.robot_model import Joint, Robot
from wbridge.wbcore.physics.mass import Mass, total
from wbridge.wbcore.physics.pose import IDENTITY, cross, dot, sub


@dataclass(frozen=True)
class SpringDamper:
    """Time constant in s, damping ratio (1 is critical), and the rotor's share of the inertia."""

    time: float
    ratio: float
    armature: float


def tune_springs(robot: Robot, wanted: dict[Joint, SpringDamper]) -> None:
    """Give joints the stiffness and damping that swing with these values at the reference position.

    With the inertia I that the joint moves, the spring constant is I / (time ratio)^2 and the damping
    2 I / time.
    """
    for joint, value in wanted.items():
        moment = _moved(robot, joint) + value.armature
        joint.stiffness = moment / (value.time * value.ratio) ** 2
        joint.damping = 2 * moment / value.time


def _moved(robot: Robot, joint: Joint) -> float:
    """The inertia about a hinge (kg m^2) or the mass on a slider (kg) of all that a joint moves."""
    mass = _below(robot, joint.child)
    if mass is None:
        return 0.0
    if joint.type == "slider":
        return mass.mass
    arm = cross(joint.axis, sub(mass.center, joint.anchor))
    about_center = sum(a * dot(row, joint.axis) for a, row in zip(joint.axis, mass.inertia, strict=True))
    return about_center + mass.mass * dot(arm, arm)


def _below(robot: Robot, top: str) -> Mass | None:
    """The mass of a link and of all that hangs on it, in the link's frame."""
    parts = []
    todo = [(top, IDENTITY)]
    while todo:
        link, pose = todo.pop()
        if (mass := robot.links[link].mass) is not None:
            parts.append(mass.moved(pose))
        todo += [(joint.child, pose @ joint.pose) for joint in robot.joints.values() if joint.parent == link]
    return total(parts)
