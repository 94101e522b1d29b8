"""The accelerometer of an MPU-6050."""

from wb import mpu6050

RANGE_REGISTER, FIRST_REGISTER = 0x1C, 0x3B
SMALLEST_RANGE = 19.6133  # m/s^2: 2 g


class Driver:
    """The accelerometer."""

    def __init__(self, settings, drivers):
        self._part = mpu6050.Part(settings, RANGE_REGISTER, FIRST_REGISTER, SMALLEST_RANGE)

    def acceleration(self):
        """Return three values; None if the chip does not answer."""
        return self._part.values(self._part.measured())
