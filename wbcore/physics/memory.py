"""What outlives building a part anew: velocities of its bodies, commands of its motors, travel of its
belts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbcore.engine import _engine
from wbcore.scene.node import Node

from .plan import Part
from .pose import Vec3

if TYPE_CHECKING:
    from .world import PhysicsWorld


class MotorMemory:
    """The commands that a motor follows."""

    def __init__(self, motor: _engine.Motor) -> None:
        factor = motor.multiplier
        self._position = motor.target_position / factor
        self._velocity = motor.target_velocity / factor
        self._available = motor.available_force
        self._force = motor.wanted_force / factor if motor.force_control else None
        self._acceleration = motor.acceleration
        self._pid = tuple(motor.pid)

    def give_back(self, motor: _engine.Motor) -> None:
        """Repeat the commands to the motor that took its place."""
        motor.set_pid(*self._pid)
        motor.set_acceleration(self._acceleration)
        motor.set_position(self._position)
        motor.set_velocity(self._velocity)
        motor.set_available_force(self._available)
        if self._force is not None:
            motor.set_force(self._force)


class Memory:
    """Taken before a part is removed, given to the nodes that are still there when it is built again."""

    def __init__(self, physics: PhysicsWorld, part: Part) -> None:
        h = physics.handles
        self._velocities: dict[Node, tuple[Vec3, Vec3]] = {
            body.root.node: (tuple(h.bodies[body].linear_velocity), tuple(h.bodies[body].angular_velocity))
            for body in part.bodies
            if body in h.bodies and body.is_dynamic
        }
        motors = [motor.node for motor in part.motors() if motor.node in h.motors]
        self._motors = {node: MotorMemory(h.motors[node]) for node in motors}
        self._travel = {one.node: h.tracks[one.node].position for one in part.tracks}

    def give_back(self, physics: PhysicsWorld) -> None:
        """Give velocities and commands back."""
        h = physics.handles
        for body, made in h.bodies.items():
            kept = self._velocities.get(body.root.node)
            if kept is not None and body.is_dynamic:
                made.linear_velocity, made.angular_velocity = kept
        for node, motor in self._motors.items():
            if node in h.motors:
                motor.give_back(h.motors[node])
        for node, travel in self._travel.items():
            if node in h.tracks:
                h.tracks[node].position = travel
