"""The position sensor of a wheel of DifferentialWheels: how far it has turned (rad), forward counts positive.

With encoderNoise n above 0 each basic step's turn counts times a random factor from 1 - n to 1 + n (8.3.1
manual, chapter DifferentialWheels). The encoders of the controller are made from it.
"""

from __future__ import annotations

from typing import Any, ClassVar

from wbcore.devices.position_sensor import HasPosition, PositionSensor
from wbcore.devices.wheels import Wheel
from wbcore.physics.tree import number

__all__ = ["WheelSensor"]


class WheelSensor(PositionSensor):
    """Measures the left or the right wheel."""

    KEPT: ClassVar[tuple[str, ...]] = ("_counted", "_last")

    def __init__(self, *arguments: Any) -> None:
        place, entry, robot = arguments
        self.wheel = Wheel(robot.simulation.physics, robot.node, entry.name)
        super().__init__(*arguments)
        self._counted = self._last = 0.0
        self._read_fields()

    def _read_fields(self) -> None:
        self._noise, self._resolution = 0.0, -1.0
        self._slip = number(self.robot.node, "encoderNoise")
        self.let_work(self._slip > 0)

    def source(self) -> HasPosition:
        """The device itself: it counts."""
        return self

    @property
    def angle(self) -> float:
        """How far the wheel has turned (rad), without noise."""
        drive = self.wheel.drive
        if drive is not None:
            return drive.travel[self.wheel.side]
        axis = self.wheel.axis
        return axis.position if axis is not None else 0.0

    @property
    def position(self) -> float:
        """How far it has turned as the encoder sees it (rad)."""
        return self._counted if self._slip > 0 else self.angle

    def after_step(self) -> None:
        """Count the step's turn with noise."""
        angle, n = self.angle, self._slip
        factor = 1 - n + 2 * n * self.simulation.random.uniform()
        self._counted += (angle - self._last) * factor
        self._last = angle

    def reset(self) -> None:
        """The wheel stands as at the start."""
        super().reset()
        self._counted = self._last = 0.0
