"""A MAG3110 magnetometer as a compass: the direction of the magnetic field, whatever its strength."""

from wb import board, field

DATA = 0x01  # x, y, z, high bytes first
WHO_AM_I, NAME = 0x07, 0xC4
CONTROL_1, STANDBY, RUNNING = 0x10, 0x00, 0x01  # settings may change in standby; 80 Hz, 16 measurements each
CONTROL_2, RESETS = 0x11, 0x80  # the sensor is reset before each measurement


class Driver(field.Compass):
    """The compass."""

    def _set_up(self):
        return (
            self._holds(WHO_AM_I, NAME)
            and self._write(CONTROL_1, STANDBY)
            and self._write(CONTROL_2, RESETS)
            and self._write(CONTROL_1, RUNNING)
        )

    def _measurement(self):
        data = self._read(DATA, 6) if self._holds(CONTROL_1, RUNNING) else None
        return data and [board.word(data, k) for k in (0, 2, 4)]
