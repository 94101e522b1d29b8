"""MPU-6050, MPU-6500 and MPU-9250: accelerometer and gyro on the I2C bus."""

from wb import axes, board, i2c_registers

CONFIG, POWER, WHO_AM_I = 0x1A, 0x6B, 0x75
AWAKE = 0x01  # clock source: the gyro
NAMES = (0x68, 0x70, 0x71, 0x73)  # real-time clocks use the same addresses
FULL_SCALE = 32768.0


class Part(i2c_registers.Part):
    """One of the two sensors of a chip. Subclasses define its registers `RANGE` and `FIRST`, and `SMALLEST`,
    the smallest range."""

    def _set_up(self):
        """Wake the chip and set its filter and range."""
        name = self._read(WHO_AM_I, 1)
        return (
            name is not None
            and name[0] in NAMES
            and self._write(POWER, AWAKE)
            and self._write(CONFIG, self._settings["bandwidth"])
            and self._write(self.RANGE, self._settings["range"] << 3)
        )

    def _measurement(self):
        return self._read(self.FIRST, 6) if self._holds(POWER, AWAKE) else None

    def measured(self):
        """Return three numbers in the chip's axes, in SI units; None if the chip does not answer, or has to
        be set up again."""
        data = self._measured()
        if data is None:
            return None
        full = self.SMALLEST * (1 << self._settings["range"])
        return [board.word(data, k) / FULL_SCALE * full for k in (0, 2, 4)]

    def values(self, measured):
        """Return the device's values of them."""
        if measured is None:
            return None
        return axes.mapped(self._settings["axes"], measured, self._settings["lookup"])
