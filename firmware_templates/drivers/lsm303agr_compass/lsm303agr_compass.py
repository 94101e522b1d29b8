"""The magnetometer of an LSM303AGR as a compass: the direction of the magnetic field, whatever its
strength."""

from wb import board, field

WHO_AM_I, NAME = 0x4F, 0x40
CONFIG_A, CONTINUOUS = 0x60, 0x8C  # 100 Hz, compensated for the temperature
CONFIG_B, CANCELED = 0x61, 0x02  # without the part's own offset
CONFIG_C, WHOLE = 0x62, 0x10  # both bytes of a number are of one measurement
DATA, MANY = 0x68, 0x80  # MANY: the next byte is of the next register


class Driver(field.Compass):
    """The compass."""

    def _set_up(self):
        return (
            self._holds(WHO_AM_I, NAME)
            and self._write(CONFIG_C, WHOLE)
            and self._write(CONFIG_B, CANCELED)
            and self._write(CONFIG_A, CONTINUOUS)
        )

    def _measurement(self):
        data = self._read(DATA | MANY, 6) if self._holds(CONFIG_A, CONTINUOUS) else None
        return data and [board.low_word(data, k) for k in (0, 2, 4)]
