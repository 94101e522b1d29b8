"""A BNO055 as an inertial unit: its own processor computes the orientation."""

from wb import board

IDENTIFICATION, NAME = 0x00, b"\xa0"
QUATERNION = 0x20  # w, x, y, z, low bytes first
MODE, WITHOUT_COMPASS, WITH_COMPASS = 0x3D, 0x08, 0x0C
PLACES = (2, 4, 6, 0)  # x, y, z, w
ONE = 16384.0


class Driver:
    """The inertial unit."""

    def __init__(self, settings, drivers):
        self._address = settings["address"]
        self._mode = WITH_COMPASS if settings["compass"] else WITHOUT_COMPASS
        self._bus = board.bus(settings["sda"], settings["scl"])

    def _computes(self):
        """Tell whether the chip computes; after power-up it waits for its mode."""
        if self._bus.read(self._address, IDENTIFICATION, 1) != NAME:
            return False
        mode = self._bus.read(self._address, MODE, 1)
        if mode is None:
            return False
        if mode[0] & 0x0F == self._mode:
            return True
        self._bus.write(self._address, bytes([MODE, self._mode]))
        return False  # the first orientation is ready at a later call

    def orientation(self):
        """Return the quaternion; None if it is unknown."""
        data = self._bus.read(self._address, QUATERNION, 8) if self._computes() else None
        if data is None or not any(data):  # all are 0 until the first orientation
            return None
        return [board.low_word(data, place) / ONE for place in PLACES]
