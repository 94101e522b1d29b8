"""The accelerometer of an LSM303AGR or a LIS3DH, with 12 bits at 100 Hz."""

from wb import axes, board, i2c_registers

WHO_AM_I, NAME = 0x0F, 0x33
CONTROL_1, RUNNING = 0x20, 0x57  # 100 Hz, three axes
CONTROL_4, FINE = 0x23, 0x88  # 12 bits; both bytes of a number are of one measurement
DATA, MANY = 0x28, 0x80  # MANY: the next byte is of the next register
STEPS = (0.009610517, 0.0191229675, 0.038245935, 0.114933938)  # m/s^2


class Driver(i2c_registers.Part):
    """The accelerometer."""

    def _set_up(self):
        return (
            self._holds(WHO_AM_I, NAME)
            and self._write(CONTROL_1, RUNNING)
            and self._write(CONTROL_4, FINE | self._settings["range"] << 4)
        )

    def _measurement(self):
        return self._read(DATA | MANY, 6) if self._holds(CONTROL_1, RUNNING) else None

    def acceleration(self):
        """Return three values; None if the chip does not answer, or has to be set up again."""
        data = self._measured()
        if data is None:
            return None
        step = STEPS[self._settings["range"]]
        measured = [int(board.low_word(data, k) / 16) * step for k in (0, 2, 4)]
        return axes.mapped(self._settings["axes"], measured, self._settings["lookup"])
