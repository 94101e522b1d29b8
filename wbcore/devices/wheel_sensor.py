"""The wheel encoder of DifferentialWheels: rotation angle (rad), positive forward.

With encoderNoise n above 0, the rotation in each basic step is multiplied by a random factor from 1 - n to
1 + n (8.3.1 manual, chapter DifferentialWheels). The controller's encoders use this value.
"""

from __future__ import annotations

from typing import ClassVar

from wbridge.hal import table
from wbridge.wbcore.devices.device import DeviceRobot
from wbridge.wbcore.devices.position_sensor import HasPosition, PositionSensor
from wbridge.wbcore.devices.wheels import Wheel
from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.scene.tables.rules import Place


class WheelSensor(PositionSensor):
    """Measures the rotation of the left or the right wheel."""

    KEPT: ClassVar[tuple[str, ...]] = ("_counted", "_last")

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        self.wheel = Wheel(robot.surroundings.physics, robot.node, entry.name)
        super().__init__(place, entry, robot)
        self._counted = self._last = 0.0
        self._read_fields()

    def _read_fields(self) -> None:
        self._noise, self._resolution = 0.0, -1.0
        self._slip = number(self.robot.node, "encoderNoise")
        self.set_active(self._slip > 0)

    def measured(self) -> HasPosition:
        """The device itself, which accumulates the rotation."""
        return self

    @property
    def angle(self) -> float:
        """The wheel's rotation angle (rad), without noise."""
        drive = self.wheel.drive
        if drive is not None:
            return drive.travel[self.wheel.side]
        axis = self.wheel.axis
        return axis.position if axis is not None else 0.0

    @property
    def position(self) -> float:
        """The encoder's angle (rad), with noise."""
        return self._counted if self._slip > 0 else self.angle

    def after_step(self) -> None:
        """Add the rotation of this step, with noise."""
        angle, n = self.angle, self._slip
        factor = 1 - n + 2 * n * self.simulation.random.uniform()
        self._counted += (angle - self._last) * factor
        self._last = angle

    def reset(self) -> None:
        """Restore the initial angle."""
        super().reset()
        self._counted = self._last = 0.0
