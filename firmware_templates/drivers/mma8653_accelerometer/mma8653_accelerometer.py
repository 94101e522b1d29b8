"""An MMA8653 accelerometer, with 10 bits at 100 Hz."""

from wb import axes, board, i2c_registers

WHO_AM_I, NAME = 0x0D, 0x5A
RANGE, CONTROL_1 = 0x0E, 0x2A
STANDBY, RUNNING = 0x00, 0x19  # the range may change in standby; 100 Hz, active
DATA = 0x01
STEPS = (0.0383072265625, 0.076614453125, 0.15322890625)  # m/s^2


class Driver(i2c_registers.Part):
    """The accelerometer."""

    def _set_up(self):
        return (
            self._holds(WHO_AM_I, NAME)
            and self._write(CONTROL_1, STANDBY)
            and self._write(RANGE, self._settings["range"])
            and self._write(CONTROL_1, RUNNING)
        )

    def _measurement(self):
        return self._read(DATA, 6) if self._holds(CONTROL_1, RUNNING) else None

    def acceleration(self):
        """Return three values; None if the chip does not answer, or has to be set up again."""
        data = self._measured()
        if data is None:
            return None
        step = STEPS[self._settings["range"]]
        measured = [int(board.word(data, k) / 64) * step for k in (0, 2, 4)]
        return axes.mapped(self._settings["axes"], measured, self._settings["lookup"])
