"""The wheel motor of DifferentialWheels (8.3.1 manual, chapter DifferentialWheels).

With Physics it drives the wheel's joint, without a velocity limit, as in Webots; without Physics it sets
the target of the drive controller. A speed of 1 is `speedUnit` rad/s.
"""

from __future__ import annotations

import math

from wbridge.hal import table
from wbridge.wbcore.devices.device import DeviceRobot
from wbridge.wbcore.devices.motor import Motor
from wbridge.wbcore.devices.wheels import Wheel
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.differential import UNLIMITED
from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.rules import Place


class WheelMotor(Motor):
    """Drives the left or the right wheel."""

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        self.wheel = Wheel(robot.surroundings.physics, robot.node, entry.name)
        super().__init__(place, entry, robot)

    @property
    def joint_node(self) -> Node | None:
        """The solid whose joint the motor drives."""
        return self.wheel.node

    def engine_motor(self) -> _engine.Motor | None:
        """The motor of the wheel's joint; None without Physics."""
        node = self.wheel.node
        return self._physics.handles.motors.get(node) if node is not None else None

    def _idle_motor(self) -> _engine.Motor:
        motor = super()._idle_motor()
        motor.max_velocity = UNLIMITED
        motor.set_velocity(0.0)
        return motor

    def constants(self) -> dict[str, object]:
        """The maximum speed comes from the field; the wheels start at rest."""
        velocity = self.target
        return super().constants() | {
            "max_velocity": self.entry.constants["maxVelocity"],
            "velocity": velocity,
        }

    @property
    def target(self) -> float:
        """The target speed (rad/s), positive forward."""
        motor = self.engine
        return motor.target_velocity if math.isinf(motor.target_position) else 0.0

    def on_set_position(self, position: float) -> None:
        """Set the target angle of a wheel with Physics; infinity selects velocity control."""
        super().on_set_position(position)
        self._set_drive()
        if not math.isinf(position) and self.wheel.drive is not None and "angle" not in self._told:
            self._told.add("angle")
            self.robot.warn(f'motor "{self.name}": position control of a wheel needs Physics; set a velocity')

    def on_set_velocity(self, velocity: float) -> None:
        """Set the speed in units of `speedUnit`."""
        super().on_set_velocity(velocity)
        self._set_drive()

    def engine_target(self, command: str) -> tuple[_engine.Motor, bool] | None:
        """Return the engine's motor of a wheel with Physics; a drive has to see each command."""
        return super().engine_target(command) if self.wheel.drive is None else None

    def _set_drive(self) -> None:
        drive = self.wheel.drive
        if drive is not None:
            drive.set_speed(self.wheel.side, self.target if self.robot.has_power else 0.0)

    def consumption(self) -> float:
        """Return half of `motorConsumption` (W) times the speed in rad/s."""
        return number(self.robot.node, "motorConsumption") * abs(self.target) / 2

    def set_power(self, on: bool) -> None:
        """React to an empty battery (False) or to restored energy (True)."""
        super().set_power(on)
        self._set_drive()

    def field_changed(self, name: str) -> None:
        """React to a change of one of the robot's fields."""
        if name in ("maxSpeed", "maxForce", "speedUnit"):
            super().field_changed(name)
