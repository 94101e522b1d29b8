"""The gyro of an MPU-6050."""

from wb import bias, mpu6050


class Driver(mpu6050.Part):
    """The gyro."""

    RANGE, FIRST = 0x1B, 0x43
    SMALLEST = 4.363323129985824  # rad/s: 250 degrees per second

    def __init__(self, settings, drivers):
        super().__init__(settings, drivers)
        self._bias = bias.Bias(settings["bias_time"])

    def angular_velocity(self):
        """Return three values; None if the chip does not answer."""
        measured = self.measured()
        return None if measured is None else self.values(self._bias.remove(measured))
