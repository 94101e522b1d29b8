"""TouchSensor: a bumper, the force along the sensor's axis, or a 3D force."""

from wb.device import Sensor


class TouchSensor(Sensor):
    """A touch sensor of a robot on a board."""

    def get_type(self):
        """Return the type: 0 bumper, 1 force, 2 force-3d."""
        return self._row["type"]
