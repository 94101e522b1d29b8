"""The driver of a car: initialization, steps and cleanup."""

from __future__ import annotations

from wbridge.hal.client import vehicle
from wbridge.hal.controller.supervisor import Supervisor

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from typing import Any

UNDEFINED = -1


class DriverBase(Supervisor):
    """Hand-written methods of Driver."""

    api: Any = None
    """Old: Webots stores its library here."""

    def __init__(self) -> None:
        """Connect to the simulator that the environment variables name, and create the car.

        Raises:
            SystemExit: no simulator was found.
            VehicleError: the robot is not a car.
        """
        super().__init__()
        vehicle.begin_driver()

    def step(self, time_step: int | None = None) -> int:
        """Apply the driver's commands and simulate for one basic time step.

        Args:
            time_step: the basic time step, which is the default; others are invalid.

        Returns:
            -1 when the simulation ends; else what `Robot.step` does.

        Raises:
            ValueError: another time step.
        """
        period = int(self._wb_robot.get_basic_time_step())
        if time_step not in (None, period):
            raise ValueError(
                f"invalid time step {time_step} ms; a driver requires the basic time step, {period} ms"
            )
        return vehicle.driver().step()

    @property
    def control_mode(self) -> int | None:
        """The control mode: `SPEED`, `TORQUE`, or None if undefined."""
        mode = vehicle.driver().get_control_mode()
        return None if mode == UNDEFINED else mode

    def getControlMode(self) -> int | None:
        """The control mode: `SPEED`, `TORQUE`, or None if undefined."""
        return self.control_mode

    @staticmethod
    def isInitialisationPossible() -> bool:
        """True if the robot is a car. Connects to the simulator, unless connected."""
        return vehicle.is_car()

    @staticmethod
    def loadApi() -> None:
        """Old: load Webots' library; no effect."""
