"""The PROTO of a robot: links as Solids, joints with motors and sensors."""

from __future__ import annotations

import math
from typing import Any

from wbridge.wbcore.importers.options import ConvertOptions
from wbridge.wbcore.importers.proto_parts import Parts, physics, pose_fields, sensor
from wbridge.wbcore.importers.proto_text import Is, NodeText, Value, lines_of
from wbridge.wbcore.importers.robot_model import Joint, Link, Robot
from wbridge.wbcore.importers.structure import start_pose
from wbridge.wbcore.physics.pose import Pose
from wbridge.wbcore.scene.values import number_text, string_text

MARK = "# Converted from"
VERSION = "R2025a"
_FIELDS = (
    ("SFString", "controller", '"void"'),
    ("MFString", "controllerArgs", "[]"),
    ("SFString", "customData", '""'),
    ("SFBool", "supervisor", "FALSE"),
    ("SFBool", "synchronization", "TRUE"),
    ("SFBool", "selfCollision", "FALSE"),
)
_DEVICES = {"hinge": ("HingeJoint", "HingeJointParameters", "RotationalMotor", "maxTorque")}
_DEVICES["slider"] = ("SliderJoint", "JointParameters", "LinearMotor", "maxForce")
_FAR = 10000.0
"""The other limit of a motor with one limit."""
_MARGIN = 1e-3
"""Stops are this much of the range beyond a position at the start; equal ones can make a joint unstable
(manual, chapter JointParameters)."""


def proto_text(robot: Robot, name: str, source: str, options: ConvertOptions, parts: Parts) -> str:
    """Return the text of a PROTO file with this name; `source` names the file it was made from."""
    lines = [f"#VRML_SIM {VERSION} utf8", f"{MARK} {source} by wbridge convert", ""]
    lines += [f"PROTO {name} [", *_declarations(robot, name, options), "]", "{"]
    lines += lines_of(_Writer(robot, options, parts).robot_node(), indent="  ")
    return "\n".join([*lines, "}", ""])


def _declarations(robot: Robot, name: str, options: ConvertOptions) -> list[str]:
    rows = [
        ("SFVec3f", "translation", " ".join(map(number_text, options.translation))),
        ("SFRotation", "rotation", " ".join(map(number_text, options.rotation))),
        ("SFString", "name", string_text(robot.name or name)),
        *_FIELDS,
    ]
    if options.tool_slot:
        rows.append(("MFNode", "toolSlot", "[]"))
    return [f"  field {kind:10} {field:15} {default}" for kind, field, default in rows]


class _Writer:
    def __init__(self, robot: Robot, options: ConvertOptions, parts: Parts) -> None:
        self._robot = robot
        self._options = options
        self._parts = parts
        self._defines: set[str] = set()
        self._joints: dict[str, list[Joint]] = {}
        for joint in robot.joints.values():
            self._joints.setdefault(joint.parent, []).append(joint)
        self._leaders = {joint.mimic.joint for joint in robot.joints.values() if joint.mimic is not None}

    def robot_node(self) -> NodeText:
        root = self._robot.links[self._robot.root]
        names = ("translation", "rotation", "name", *(name for _, name, _ in _FIELDS))
        passed: dict[str, Value] = {name: Is(name) for name in names}
        define = self._define(root.name, self._options.link_to_def)
        return NodeText("Robot", passed | self._link_fields(root), define)

    def _link_fields(self, link: Link) -> dict[str, Value]:
        """Return children, bounding object and physics of a link."""
        children = [self._parts.shape(visual) for visual in link.visuals]
        children += [sensor(other) for other in link.sensors]
        children += [self._joint(joint) for joint in self._joints.get(link.name, [])]
        has_slot = self._options.tool_slot == link.name
        if has_slot:
            children.append(NodeText("Group", {"children": Is("toolSlot")}))
        fields: dict[str, Value] = {"children": children} if children else {}
        if link.collisions:
            fields["boundingObject"] = self._parts.bounding_object(link.collisions)
        if not link.is_static and (link.mass is not None or link.collisions):
            fields["physics"] = physics(link.mass)
        return fields

    def _solid(self, link: Link, pose: Pose) -> NodeText:
        fields = pose_fields(pose) | self._link_fields(link)
        extra: dict[str, Value] = {"name": link.name}
        if link.is_force_sensor:
            extra |= {"type": "force-3d", "lookupTable": []}
        kind = "TouchSensor" if link.is_force_sensor else "Solid"
        return NodeText(kind, fields | extra, self._define(link.name, self._options.link_to_def))

    def _define(self, name: str, wanted: bool) -> str:
        """Return a DEF name that a file can have and that is not used yet."""
        if not wanted:
            return ""
        base = text = (
            "".join(character if character.isascii() and character.isalnum() else "_" for character in name)
            or "_"
        )
        base = text = text if not text[0].isdigit() else f"_{text}"
        number = 2
        while text in self._defines:
            text, number = f"{base}_{number}", number + 1
        self._defines.add(text)
        return text

    def _joint(self, joint: Joint) -> NodeText:
        """Return a joint with its end point; a fixed one is the solid itself."""
        child = self._robot.links[joint.child]
        if not joint.moves:
            return self._solid(child, joint.pose)
        define = self._define(joint.name, self._options.joint_to_def)
        end = self._solid(child, start_pose(joint))
        anchor = joint.pose.point(joint.anchor)
        if joint.type == "ball":
            parameters = NodeText("BallJointParameters", {"anchor": anchor} | _losses(joint))
            return NodeText("BallJoint", {"jointParameters": parameters, "endPoint": end}, define)
        node, kind, _, _ = _DEVICES[joint.type]
        fields: dict[str, Value] = {"axis": joint.pose.direction(joint.axis)}
        if joint.type == "hinge":
            fields["anchor"] = anchor
        if position := self._shifted(joint, joint.position):
            fields["position"] = position
        parameters = NodeText(kind, fields | self._stops(joint) | _losses(joint))
        devices = [self._motor(joint)] if joint.motor is not None else []
        devices.append(NodeText("PositionSensor", {"name": f"{joint.name}_sensor"}))
        return NodeText(node, {"jointParameters": parameters, "device": devices, "endPoint": end}, define)

    def _shifted(self, joint: Joint, position: float) -> float:
        """Return a position as Webots counts it: joints that follow others have no offset."""
        return position - (joint.mimic.offset if joint.mimic is not None else 0.0)

    def _stops(self, joint: Joint) -> dict[str, Value]:
        """Return the hard limits; a hinge has none beyond half a turn, where pi is written."""
        low, high = (self._shifted(joint, limit) for limit in (joint.lower, joint.upper))
        if not (math.isfinite(low) and math.isfinite(high)):
            return {}
        at, margin = self._shifted(joint, joint.position), (high - low) * _MARGIN
        low, high = min(low, at - margin), max(high, at + margin)
        if joint.mimic is not None and (limits := self._soft_limits(joint)) is not None:
            low, high = min(low, limits[0]), max(high, limits[1])
        if joint.type == "hinge":
            low, high = max(low, -math.pi), min(high, math.pi)
            if low >= high or high - low == 2 * math.pi:
                return {}
        return {"minStop": low, "maxStop": high}

    def _soft_limits(self, joint: Joint) -> tuple[float, float] | None:
        """Return the limits of a motor; those of a coupled one are its leader's, times its multiplier."""
        if joint.mimic is not None:
            leader = self._soft_limits(self._robot.joints[joint.mimic.joint])
            if leader is None:
                return None
            low, high = sorted(limit * joint.mimic.multiplier for limit in leader)
            return low, high
        motor = joint.motor
        low = joint.lower if motor is None or motor.lower is None else motor.lower
        high = joint.upper if motor is None or motor.upper is None else motor.upper
        if not math.isfinite(low) and not math.isfinite(high):
            return None
        return max(low, -_FAR), min(high, _FAR)

    def _motor(self, joint: Joint) -> NodeText:
        motor = joint.motor
        assert motor is not None, "the caller has checked this"
        name, velocity = motor.name or joint.name, motor.velocity
        fields: dict[str, Any] = {}
        if joint.mimic is not None:
            leader = self._robot.joints[joint.mimic.joint]
            above = leader.motor
            name = f"{(above.name if above else '') or leader.name}::{name}"
            speed = above.velocity if above is not None and above.velocity is not None else 10.0
            velocity = speed * abs(joint.mimic.multiplier)
            fields["multiplier"] = joint.mimic.multiplier
        elif joint.name in self._leaders:
            name = f"{name}::{name}"
        if velocity is not None:
            fields["maxVelocity"] = velocity
        if (limits := self._soft_limits(joint)) is not None:
            fields["minPosition"], fields["maxPosition"] = limits
        _, _, kind, strength = _DEVICES[joint.type]
        if motor.effort is not None:
            fields[strength] = motor.effort
        return NodeText(kind, {"name": name} | fields)


def _losses(joint: Joint) -> dict[str, Value]:
    """Return spring, damping and friction."""
    fields: dict[str, Value] = {}
    if joint.stiffness:
        fields["springConstant"] = joint.stiffness
    if joint.damping:
        fields["dampingConstant"] = joint.damping
    if joint.friction and joint.type != "ball":
        fields["staticFriction"] = joint.friction
    return fields
