"""The accelerometer of an LSM303AGR or a LIS3DH, with 12 bits at 100 Hz."""

from wb import axes, board

WHO_AM_I, NAME = 0x0F, b"\x33"
CONTROL_1, RUNNING = 0x20, 0x57  # 100 Hz, three axes
CONTROL_4, FINE = 0x23, 0x88  # 12 bits; both bytes of a number are of one measurement
DATA, MANY = 0x28, 0x80  # MANY: the next byte is of the next register
STEPS = (0.009610517, 0.0191229675, 0.038245935, 0.114933938)  # m/s^2


class Driver:
    """The accelerometer."""

    def __init__(self, settings, drivers):
        self._settings, self._ready = settings, False
        self._bus = board.bus(settings["sda"], settings["scl"])

    def _set_up(self):
        address = self._settings["address"]
        return (
            self._bus.read(address, WHO_AM_I, 1) == NAME
            and self._bus.write(address, bytes([CONTROL_1, RUNNING]))
            and self._bus.write(address, bytes([CONTROL_4, FINE | self._settings["range"] << 4]))
        )

    def acceleration(self):
        """Return three values; None if the chip does not answer, or has to be set up again."""
        address = self._settings["address"]
        self._ready = self._ready or self._set_up()
        mode = self._bus.read(address, CONTROL_1, 1) if self._ready else None
        runs = mode is not None and mode[0] == RUNNING
        data = self._bus.read(address, DATA | MANY, 6) if runs else None
        self._ready = data is not None
        if data is None:
            return None
        step = STEPS[self._settings["range"]]
        measured = [int(board.low_word(data, k) / 16) * step for k in (0, 2, 4)]
        return axes.mapped(self._settings["axes"], measured, self._settings["lookup"])
