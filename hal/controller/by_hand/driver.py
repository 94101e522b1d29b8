"""The driver of a car: how it begins, steps and ends."""

from __future__ import annotations

from typing import Any

from hal.controller.supervisor import Supervisor
from hal.modes.vehicle import current
from hal.modes.vehicle.driver import UNDEFINED

__all__ = ["DriverBase"]


class DriverBase(Supervisor):
    """What a driver does in its own way."""

    api: Any = None
    """Old: Webots keeps its library here."""

    def __init__(self) -> None:
        """Connect to the simulator that the environment names, and find the car.

        Raises:
            SystemExit: there is no simulator.
            VehicleError: the robot is no car.
        """
        super().__init__()
        current.begin_driver()

    def step(self, time_step: int | None = None) -> int:
        """Let the simulation run for a basic time step: blink, drive and brake as commanded.

        Args:
            time_step: without it, or equal to the basic time step; others are not possible.

        Returns:
            -1 when the simulation ends; else what `Robot.step` does.

        Raises:
            ValueError: another time step.
        """
        period = current.car().period
        if time_step not in (None, period):
            raise ValueError(f"a driver steps by the basic time step, {period} ms, not by {time_step} ms")
        return current.driver().step()

    @property
    def control_mode(self) -> int | None:
        """What is controlled: `SPEED`, `TORQUE`, or None while nothing is yet."""
        mode = current.driver().get_control_mode()
        return None if mode == UNDEFINED else mode

    def getControlMode(self) -> int | None:
        """What is controlled: `SPEED`, `TORQUE`, or None while nothing is yet."""
        return self.control_mode

    @staticmethod
    def isInitialisationPossible() -> bool:
        """True when the robot is a car. Connects to the simulator, unless that is done."""
        return current.is_car()

    @staticmethod
    def loadApi() -> None:
        """Old: load Webots' library; here there is nothing to load."""
