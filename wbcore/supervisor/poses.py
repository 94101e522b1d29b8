"""Pose queries: positions, orientations, centers of mass and velocities of nodes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from wbridge.hal.protocol.codec import HEAD
from wbridge.hal.protocol.packet import write_request
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.changes import frame_above
from wbridge.wbcore.physics.errors import UnknownNodeError
from wbridge.wbcore.physics.pose import ZERO, Pose, Vec3, matrix
from wbridge.wbcore.physics.tree import is_frame, node_path, pose_of
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.supervisor.command_group import CommandGroup
from wbridge.wbcore.world.node_ids import ROOT

Numbers = tuple[float, ...]
MOST_QUESTIONS = 4096
"""Limit of stored queries: a supervisor that varies them must not fill the memory."""


class Poses(CommandGroup):
    """Answers with current positions, orientations, poses, centers of mass and velocities."""

    def on_get_position(self, number: int) -> None:
        """Send where the origin of a node is (m)."""
        node = self.frame(number)
        if not self._answer_from_body("position", node, (number,), _position):
            self.robot.send("position", self.place(node).position)

    def on_get_orientation(self, number: int) -> None:
        """Send the axes of a node: a 3 x 3 matrix, row by row."""
        node = self.frame(number)
        if not self._answer_from_body("orientation", node, (number,), _rotation):
            rows = matrix(self.place(node).orientation)
            self.robot.send("orientation", rows[0] + rows[1] + rows[2])

    def _answer_from_body(
        self, message: str, node: Node, question: tuple[int, ...], read: Callable[[_engine.Body], Numbers]
    ) -> bool:
        """Answer from the body of a solid, and cache the query so that it is not parsed again.

        Returns:
            False if the node has no body of its own.
        """
        own = self.simulation.bodies.own
        body = own(node)
        if body is None:
            return False
        values = read(body)
        self.robot.send(message, values)
        codec, questions, command = self.robot.codec, self.robot.questions, bytearray()
        codec.write_command(command, codec.command_codes[f"get_{message}"], question)
        head = HEAD.pack(0, codec.message_codes[message])
        pack = struct.Struct(f"<{len(values)}d").pack

        def ask() -> bytes | None:
            now = own(node)
            return head + pack(*read(now)) if now is not None else None

        if len(questions) >= MOST_QUESTIONS:
            questions.clear()
        questions[write_request(0, [(0, bytes(command))])] = ask
        return True

    def connect(self) -> None:
        """Drop cached queries, since the new controller may use another dialect."""
        self.robot.questions.clear()

    def on_get_pose(self, from_: int, number: int) -> None:
        """Send place and axes in the frame of another node: a 4 x 4 matrix, row by row."""
        self.robot.send("pose", *self.pose(from_, number))

    def pose(self, from_: int, number: int) -> tuple[int, int, Numbers]:
        """Return the message with a pose.

        Raises:
            ValueError: a node does not exist or has no pose.
        """
        node = self.frame(number)
        body = self.simulation.bodies.own(node)
        if body is not None and from_ == ROOT:
            (a, b, c, d, e, f, g, h, i), (x, y, z) = body.rotation, body.position
            return from_, number, (a, b, c, x, d, e, f, y, g, h, i, z, 0.0, 0.0, 0.0, 1.0)
        place = self.place(node).rigid
        if from_ != ROOT:
            place = self.place(self.frame(from_)).rigid.relative(place)
        return from_, number, _cells(place)

    def frame(self, number: int) -> Node:
        """Return the node with a number, which must have a translation and a rotation.

        Raises:
            ValueError: the node does not exist or has no pose.
        """
        node = self.node(number)
        if not is_frame(node.root):
            raise ValueError(f"{node_path(node)} has no place: it is not a Pose")
        return node

    def place(self, node: Node) -> Pose:
        """Return the current pose of a node in the world."""
        try:
            return self.simulation.physics.pose(node)
        except UnknownNodeError:
            return frame_above(node.root) @ pose_of(node.root)

    def on_get_center_of_mass(self, number: int) -> None:
        """Send the center of mass of a solid with all that hangs on it (m); zeros without Physics."""
        node = self.solid(number)
        found = center_of_mass(self, node) if node.root.get("physics") is not None else None
        self.robot.send("center_of_mass", found or ZERO)

    def on_get_velocity(self, number: int) -> None:
        """Send the velocity (m/s) and angular velocity (rad/s) of a solid: of its center of mass if it is a
        body's first solid, else of its origin."""
        node, physics = self.solid(number), self.simulation.physics
        body = physics.solid(node).body
        made = physics.handles.bodies.get(body)
        if made is not None and body.is_dynamic and body.root.node is node.root:
            if not self._answer_from_body("velocity", node, (number,), _velocity):
                self.robot.send("velocity", _velocity(made))
            return
        linear, angular = physics.velocity(node)
        self.robot.send("velocity", (*linear, *angular))


def _position(body: _engine.Body) -> Numbers:
    return body.position


def _rotation(body: _engine.Body) -> Numbers:
    return body.rotation


def _velocity(body: _engine.Body) -> Numbers:
    return body.linear_velocity + body.angular_velocity


def center_of_mass(group: CommandGroup, node: Node) -> Vec3 | None:
    """Return the center of mass (m, world) of all solids with Physics in a tree, or None without any.

    sum(m_i c_i) / sum(m_i) over the solids' own masses and centers.
    """
    physics = group.simulation.physics
    mass, moment = 0.0, [0.0, 0.0, 0.0]
    for solid in solids_below(group, node):
        own = solid.mass
        if own is None:
            continue
        at = physics.solid_pose(solid).rigid.point(own.center)
        mass += own.mass
        for axis in range(3):
            moment[axis] += own.mass * at[axis]
    return (moment[0] / mass, moment[1] / mass, moment[2] / mass) if mass > 0 else None


def solids_below(group: CommandGroup, node: Node) -> list[Any]:
    """Return the plans of a solid and its descendants, in tree order."""
    physics = group.simulation.physics
    top = physics.solid(node)
    part = next(part for part in physics.plan.parts if top in part.solids)
    below = {id(top)}
    found = [top]
    for solid in part.solids:
        if solid.parent is not None and id(solid.parent) in below:
            below.add(id(solid))
            found.append(solid)
    return found


def _cells(place: Pose) -> Numbers:
    (a, b, c), (x, y, z) = matrix(place.orientation), place.position
    return (*a, x, *b, y, *c, z, 0.0, 0.0, 0.0, 1.0)
