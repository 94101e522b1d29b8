"""PositionSensor: the position of a joint."""

from wb import robot
from wb.device import Sensor


class PositionSensor(Sensor):
    """A position sensor of a robot on a board."""

    def get_type(self):
        """Return 0 for a rotational, 1 for a linear sensor."""
        return self._row["type"]

    def get_motor(self):
        """Return the motor of the joint, or None."""
        return robot.device(self._row["motor"])

    def get_brake(self):
        """Return the brake of the joint, or None."""
        return robot.device(self._row["brake"])
