"""Preserve state while a part is rebuilt: body velocities, motor and brake commands, belt travel, and force
feedback of joints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.build import Handles
from wbridge.wbcore.physics.plan import Part
from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.scene.node import Node

T = TypeVar("T")


class MotorState:
    """Stores the commands of one motor."""

    def __init__(self, motor: _engine.Motor) -> None:
        factor = motor.multiplier
        self._position = motor.target_position / factor
        self._velocity = motor.target_velocity / factor
        self._available = motor.available_force
        self._force = motor.wanted_force / factor if motor.force_control else None
        self._acceleration = motor.acceleration
        self._pid = tuple(motor.pid)

    def give_back(self, motor: _engine.Motor) -> None:
        """Repeat the commands to the motor that replaces it."""
        motor.set_pid(*self._pid)
        motor.set_acceleration(self._acceleration)
        motor.set_position(self._position)
        motor.set_velocity(self._velocity)
        motor.set_available_force(self._available)
        if self._force is not None:
            motor.set_force(self._force)


class PartState:
    """Stores the state of a part before it is removed, and restores it when the part is rebuilt.

    If the nodes changed but their number did not, they are matched by their order.
    """

    def __init__(self, h: Handles, part: Part) -> None:
        self._velocities: dict[Node, tuple[Vec3, Vec3]] = {
            node: (body.linear_velocity, body.angular_velocity) for node, body in _bodies(h, part).items()
        }
        motors = [motor.node for motor in part.motors() if motor.node in h.motors]
        self._motors = {node: MotorState(h.motors[node]) for node in motors}
        self._travel = {track.node: float(h.tracks[track.node].position) for track in part.tracks}
        self._measured = {node: h.joints[node].feedback for node in _joints(h, part)}
        self._brakes = {node: h.axes[node].brake for node in _brakes(h, part)}
        self._belt_brakes = {track.node: h.tracks[track.node].brake for track in part.tracks}

    def give_to(self, h: Handles, part: Part) -> None:
        """Restore velocities, commands and travel in a rebuilt part."""
        bodies = _bodies(h, part)
        for node, velocity in _matched(self._velocities, list(bodies)):
            bodies[node].linear_velocity, bodies[node].angular_velocity = velocity
        for node, motor in _matched(
            self._motors, [motor.node for motor in part.motors() if motor.node in h.motors]
        ):
            motor.give_back(h.motors[node])
        for node, travel in _matched(self._travel, [track.node for track in part.tracks]):
            h.tracks[node].position = travel
        for node, constant in _matched(self._belt_brakes, [track.node for track in part.tracks]):
            h.tracks[node].brake = constant
        for node, measured in _matched(self._measured, _joints(h, part)):
            if measured:  # rebuilt joints may measure for a reason of their own
                h.joints[node].feedback = True
        for node, constant in _matched(self._brakes, _brakes(h, part)):
            h.axes[node].brake = constant


def _joints(h: Handles, part: Part) -> list[Node]:
    return [joint.node for joint in part.joints if joint.node in h.joints]


def _brakes(h: Handles, part: Part) -> list[Node]:
    """Return the brakes at axes of joints."""
    found = (axis.brake for joint in part.joints for axis in joint.axes)
    return [brake for brake in found if brake is not None and brake in h.axes]


def _bodies(h: Handles, part: Part) -> dict[Node, _engine.Body]:
    """Return the bodies with mass by their root node."""
    return {body.root.node: h.bodies[body] for body in part.bodies if body.is_dynamic and body in h.bodies}


def _matched(kept: dict[Node, T], nodes: list[Node]) -> Iterator[tuple[Node, T]]:
    """Match what was stored to nodes: by node, or by position in a list of the same length."""
    if len(kept) == len(nodes) and not any(node in kept for node in nodes):
        yield from zip(nodes, kept.values(), strict=True)
    else:
        yield from ((node, kept[node]) for node in nodes if node in kept)
