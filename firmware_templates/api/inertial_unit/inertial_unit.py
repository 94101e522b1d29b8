"""InertialUnit: orientation as a quaternion or as roll, pitch and yaw."""

from math import asin, atan2

from wb import channels
from wb.device import Sensor

NUE = 1  # y is up


class InertialUnit(Sensor):
    """An inertial unit of a robot on a board."""

    def get_quaternion(self):
        """Return the orientation (x, y, z, w)."""
        value = channels.read(self._row["value"])
        return value if isinstance(value, list) else [channels.NAN] * 4

    def get_roll_pitch_yaw(self):
        """Return the angles in rad, as wb_inertial_unit.c computes them."""
        x, y, z, w = self.get_quaternion()
        y_up = self._row["coordinate_system"] == NUE
        if y_up:  # y and z are exchanged, and rotations are reversed
            y, z = -z, y
        sine = 2 * (w * y - z * x)
        roll = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        pitch = asin(min(max(sine, -1.0), 1.0))
        yaw = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        return [roll, -pitch if y_up else pitch, yaw]

    def get_noise(self):
        """Return the field `noise`."""
        return self._row["noise"]
