"""The accelerometer of an MPU-6050."""

from wb import mpu6050


class Driver(mpu6050.Part):
    """The accelerometer."""

    RANGE, FIRST = 0x1C, 0x3B
    SMALLEST = 19.6133  # m/s^2: 2 g

    def acceleration(self):
        """Return three values; None if the chip does not answer."""
        return self.values(self.measured())
