"""An HMC5883L magnetometer as a compass: the direction of the magnetic field, whatever its strength."""

from wb import board, field

CONFIG_A, MODE, DATA, IDENTIFICATION = 0x00, 0x02, 0x03, 0x0A
AVERAGED = 0x78  # average of 8 measurements, at 75 Hz
CONTINUOUS = 0x00
PLACES = (DATA, DATA + 4, DATA + 2)  # x, y, z: the part stores z before y
OVERFLOW = -4096


class Driver(field.Compass):
    """The compass."""

    def _set_up(self):
        setup = bytes([CONFIG_A, AVERAGED, self._settings["range"] << 5, CONTINUOUS])
        return self._read(IDENTIFICATION, 3) == b"H43" and self._bus.write(self._settings["address"], setup)

    def _measurement(self):
        data = self._read(CONFIG_A, DATA + 6)
        if data is None or data[CONFIG_A] != AVERAGED or data[MODE] != CONTINUOUS:
            return None
        counts = [board.word(data, place) for place in PLACES]
        return () if OVERFLOW in counts else counts
