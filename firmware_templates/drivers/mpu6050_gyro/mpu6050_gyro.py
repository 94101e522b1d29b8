"""The gyro of an MPU-6050."""

from wb import bias, mpu6050

RANGE_REGISTER, FIRST_REGISTER = 0x1B, 0x43
SMALLEST_RANGE = 4.363323129985824  # rad/s: 250 degrees per second


class Driver:
    """The gyro."""

    def __init__(self, settings, drivers):
        self._part = mpu6050.Part(settings, RANGE_REGISTER, FIRST_REGISTER, SMALLEST_RANGE)
        self._bias = bias.Bias(settings["bias_time"])

    def angular_velocity(self):
        """Return three values; None if the chip does not answer."""
        measured = self._part.measured()
        return None if measured is None else self._part.values(self._bias.remove(measured))
