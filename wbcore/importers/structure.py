"""Makes a robot that was read fit for Webots: one tree, mass for all that moves, coupled joints.

Each change is reported as a warning, each contradiction as an error.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from wbridge.wbcore.importers.reading import Reader
from wbridge.wbcore.importers.robot_model import FIXED, Joint, Link, Robot
from wbridge.wbcore.physics.mass import Mass, is_physical, rows
from wbridge.wbcore.physics.pose import IDENTITY, Pose, axis_angle, rotate, scaled, sub
from wbridge.wbcore.scene.diagnostics import shown

__all__ = ["ENVIRONMENT", "arrange", "in_order", "motion", "place_joints", "start_pose"]

ENVIRONMENT = "world"
"""The name of the link that is the environment."""
MAX_LINKS = 2000
MAX_DEPTH = 100
"""Links in a chain; each takes several levels of nodes in the PROTO."""
_LENT = 0.05
"""The part of a following link's mass that a link without mass gets, so that joints on both sides can be
simulated."""
_SMALL = 1e-3
"""The part of a body's mass that a part fixed to it gets, if it has collisions but no mass."""
_DEFAULT_RADIUS = 0.05
"""In m: a ball of this size replaces an inertia that is impossible."""


def arrange(robot: Robot, reader: Reader, static_base: bool, tool_slot: str = "") -> bool:
    """Check and complete a robot; return False if it has errors.

    Args:
        robot: the robot, which is changed.
        reader: takes the findings.
        static_base: fix the root link to the environment.
        tool_slot: a link that needs mass, because tools are fixed to it.
    """
    if not _find_root(robot, reader):
        return False
    _replace_unsupported(robot, reader)
    _drop_environment(robot)
    _fix_base(robot, static_base)
    for joint in in_order(robot):
        _settle_limits(joint, reader)
    _give_mass(robot, reader, tool_slot)
    _check_inertias(robot, reader)
    _report_densities(robot, reader)
    _couple(robot, reader)
    return not reader.report.errors


def in_order(robot: Robot) -> list[Joint]:
    """Return the joints from the root outward, each before those below it."""
    children: dict[str, list[Joint]] = {}
    for joint in robot.joints.values():
        children.setdefault(joint.parent, []).append(joint)
    joints: list[Joint] = []
    todo = list(reversed(children.get(robot.root, [])))
    while todo:
        joint = todo.pop()
        joints.append(joint)
        todo.extend(reversed(children.get(joint.child, [])))
    return joints


def _find_root(robot: Robot, reader: Reader) -> bool:
    """Find the link without a parent; each other link must have one, and there may be no loops."""
    if not robot.links:
        reader.error(robot.place, "no-links", "the robot has no links")
        return False
    if len(robot.links) > MAX_LINKS:
        text = f"the robot has {len(robot.links)} links; the limit is {MAX_LINKS}"
        reader.error(robot.place, "too-many-links", text)
        return False
    parent_of: dict[str, Joint] = {}
    for joint in robot.joints.values():
        if (other := parent_of.setdefault(joint.child, joint)) is not joint:
            text = f"link {shown(joint.child)} is the child of two joints, '{other.name}' and '{joint.name}'"
            reader.error(joint.place, "two-parents", f"{text}; robots must be trees")
    if reader.report.errors:
        return False  # links without a joint may be the consequence of an earlier error
    roots = [name for name in robot.links if name not in parent_of]
    if len(roots) != 1:
        text = (
            f"{len(roots)} links have no parent: {', '.join(roots[:6])}" if roots else "the links form a loop"
        )
        reader.error(robot.place, "roots", f"{text}; a robot must have exactly one root link")
    if reader.report.errors:
        return False
    robot.root = roots[0]
    return _check_depth(robot, reader)


def _check_depth(robot: Robot, reader: Reader) -> bool:
    depth = {robot.root: 1}
    for joint in in_order(robot):
        depth[joint.child] = depth[joint.parent] + 1
    if len(depth) < len(robot.links):
        lost = next(link for name, link in robot.links.items() if name not in depth)
        text = f"link {shown(lost.name)} is not connected to the root {shown(robot.root)}"
        reader.error(lost.place, "loop", f"{text}: its joints form a loop")
    if max(depth.values()) > MAX_DEPTH:
        text = f"a chain has {max(depth.values())} links; the limit is {MAX_DEPTH}"
        reader.error(robot.place, "too-deep", text)
    return not reader.report.errors


def _replace_unsupported(robot: Robot, reader: Reader) -> None:
    """Make joints that Webots does not have fixed, except a floating one at the environment."""
    for joint in robot.joints.values():
        if joint.type not in ("planar", "floating"):
            continue
        if joint.type == "floating" and joint.parent == robot.root == ENVIRONMENT:
            continue
        text = f"joint '{joint.name}' is {joint.type}, which Webots does not have; converted as fixed"
        reader.warn(joint.place, "joint-type", text)
        joint.type = FIXED


def _drop_environment(robot: Robot) -> None:
    """Make the link at a floating joint below the environment the root."""
    joints = robot.below(robot.root)
    if len(joints) == 1 and joints[0].type == "floating":
        del robot.links[robot.root], robot.joints[joints[0].name]
        robot.root = joints[0].child


def _fix_base(robot: Robot, static_base: bool) -> None:
    """Mark the links that belong to the environment: the root named "world", or any with `static_base`, and
    what is fixed to it."""
    if not static_base and robot.root != ENVIRONMENT:
        return
    for link in _fixed_to(robot, robot.root):
        link.is_static = True


def _fixed_to(robot: Robot, root: str) -> list[Link]:
    """Return a link and all that are fixed to it, also by way of others."""
    links = {root: robot.links[root]}
    for joint in in_order(robot):
        if joint.parent in links and not joint.moves:
            links[joint.child] = robot.links[joint.child]
    return list(links.values())


def _settle_limits(joint: Joint, reader: Reader) -> None:
    """Make a joint without any range fixed; choose the start inside the limits."""
    if joint.type not in ("hinge", "slider"):
        return
    if joint.lower == joint.upper:
        text = f"joint '{joint.name}' has lower = upper = {joint.lower:g}; converted as fixed"
        reader.warn(joint.place, "no-range", text)
        joint.pose = joint.pose @ motion(joint, joint.lower - joint.rest)
        joint.type, joint.motor, joint.mimic = FIXED, None, None
    elif not joint.lower <= joint.position <= joint.upper:
        ends = [limit for limit in (joint.lower, joint.upper) if math.isfinite(limit)]
        joint.position = sum(ends) / len(ends)


def start_pose(joint: Joint) -> Pose:
    """Return the pose of a joint's child in its parent's frame at the start."""
    return joint.pose @ motion(joint, joint.position - joint.rest)


def motion(joint: Joint, by: float) -> Pose:
    """Return the pose that a joint's motion by this much gives the child in its own frame at the start."""
    if joint.type == "slider":
        return Pose(scaled(joint.axis, by))
    turn = axis_angle(joint.axis, by)
    return Pose(sub(joint.anchor, rotate(turn, joint.anchor)), turn)


def _give_mass(robot: Robot, reader: Reader, tool_slot: str) -> None:
    """Give mass to links that need it and have none: from what is fixed to them, or from what they carry."""
    children: dict[str, list[Joint]] = {}
    for joint in robot.joints.values():
        children.setdefault(joint.parent, []).append(joint)
    ordered = in_order(robot)
    moved = [robot.links[joint.child] for joint in ordered if joint.moves]
    for link in reversed([robot.links[robot.root], *moved]):
        if not link.is_static and link.mass is None:
            _take_mass(robot, children, link, reader)
    carriers = {
        joint.parent
        for joint in ordered
        if joint.moves or robot.links[joint.child].mass is not None or robot.links[joint.child].collisions
    }
    carriers.add(tool_slot)
    for joint in reversed(ordered):
        if joint.child in carriers:
            carriers.add(joint.parent)
    for joint in ordered:
        above, link = robot.links[joint.parent], robot.links[joint.child]
        if joint.moves or link.mass is not None or above.mass is None:
            continue
        # Without mass, a fixed part would not pass on forces to the body that it belongs to.
        if link.collisions or link.name in carriers:
            link.mass = above.mass.times(_SMALL).moved(joint.pose.relative(IDENTITY))
            above.mass = above.mass.times(1 - _SMALL)


def _take_mass(robot: Robot, children: dict[str, list[Joint]], link: Link, reader: Reader) -> None:
    """Move the mass of a part that is fixed to this link here, or a little of that of the next moving one."""
    poses = {link.name: IDENTITY}
    todo, moving = [link.name], []
    while todo:
        name = todo.pop(0)
        for joint in children.get(name, []):
            below = robot.links[joint.child]
            poses[joint.child] = poses[name] @ joint.pose
            if joint.moves:
                moving.append(below)
            elif below.mass is not None:
                link.mass, below.mass = below.mass.moved(poses[joint.child]), None
                return
            else:
                todo.append(joint.child)
    heavy = next((link for link in moving if link.mass is not None), None)
    if heavy is None or heavy.mass is None or link.collisions:
        return  # with collisions, its mass follows from their volume
    link.mass = heavy.mass.times(_LENT).moved(poses[heavy.name])
    heavy.mass = heavy.mass.times(1 - _LENT)
    if not link.is_helper:
        text = f"link '{link.name}' moves but has no mass; it gets {_LENT:.0%} of that of '{heavy.name}'"
        reader.warn(link.place, "no-mass", text)


def _check_inertias(robot: Robot, reader: Reader) -> None:
    """Replace inertias that no body can have."""
    for link in robot.links.values():
        mass = link.mass
        if mass is None:
            continue
        if not is_physical(mass.inertia):
            ball = np.eye(3) * (0.4 * mass.mass * _DEFAULT_RADIUS**2)
            link.mass = Mass(mass.mass, mass.center, rows(ball))
            text = f"the inertia of link '{link.name}' is not positive definite; converted as that of a ball"
            reader.warn(link.place, "inertia", f"{text} with a radius of {_DEFAULT_RADIUS:g} m")
            continue
        moments = np.linalg.eigvalsh(mass.inertia)
        if moments[2] > (moments[0] + moments[1]) * (1 + 1e-3):
            a, b, c = (f"{moment:.3g}" for moment in moments)
            text = f"link '{link.name}' has principal moments {a}, {b}, {c}: no body has one above the sum of"
            reader.warn(link.place, "inertia", f"{text} the others; check the file")


def _report_densities(robot: Robot, reader: Reader) -> None:
    """Report links whose mass Webots computes from their collisions."""
    links = [
        link for link in robot.links.values() if link.collisions and link.mass is None and not link.is_static
    ]
    if links:
        names = ", ".join(link.name for link in links[:6]) + (", ..." if len(links) > 6 else "")
        text = (
            f"{len(links)} links have collisions but no mass ({names}); Webots computes their masses with the"
        )
        reader.warn(links[0].place, "no-mass", f"{text} density of water, 1000 kg/m^3")


def _couple(robot: Robot, reader: Reader) -> None:
    """Follow mimics of mimics to the joint that leads; drop those that Webots cannot couple."""
    for joint in robot.joints.values():
        seen = {joint.name}
        while (mimic := joint.mimic) is not None:
            leader = robot.joints.get(mimic.joint)
            problem = ""
            if leader is None:
                problem = (
                    f"there is no joint {shown(mimic.joint)}{reader.report.hint(mimic.joint, robot.joints)}"
                )
            elif leader.name in seen:
                problem = "joints mimic each other in a loop"
            elif leader.type != joint.type:
                problem = f"joint '{leader.name}' is a {leader.type}, this one a {joint.type}"
            elif mimic.multiplier == 0:
                problem = "its multiplier is 0"
            if problem or leader is None:
                reader.warn(joint.place, "mimic", f"joint '{joint.name}' is not coupled: {problem}")
                joint.mimic = None
            elif leader.mimic is None:
                break
            else:
                seen.add(leader.name)
                above = leader.mimic
                mimic.offset += mimic.multiplier * above.offset
                mimic.multiplier *= above.multiplier
                mimic.joint = above.joint


def place_joints(
    robot: Robot, positions: Sequence[float], named: Mapping[str, float], reader: Reader
) -> None:
    """Set positions at the start: those of the first joints that move, and by name; followers follow."""
    moving = [joint for joint in in_order(robot) if joint.type in ("hinge", "slider") and joint.mimic is None]
    if len(positions) > len(moving):
        text = f"--init-pos has {len(positions)} positions, but {len(moving)} joints can be set"
        reader.error(robot.place, "positions", text)
    known = {joint.name: joint for joint in moving}
    wanted = {joint.name: position for joint, position in zip(moving, positions, strict=False)} | dict(named)
    for name, position in wanted.items():
        if not reader.find(robot.place, "joint", name, known):
            continue
        joint = known[name]
        if not joint.lower <= position <= joint.upper:
            text = (
                f"--init-pos {position:g} for joint '{name}' is outside of {joint.lower:g} to {joint.upper:g}"
            )
            reader.error(joint.place, "positions", text)
        joint.position = position
    for joint in robot.joints.values():
        if joint.mimic is not None and joint.mimic.joint in robot.joints:
            leader = robot.joints[joint.mimic.joint]
            joint.position = joint.mimic.multiplier * leader.position + joint.mimic.offset
