"""An MMA8653 accelerometer, with 10 bits at 100 Hz."""

from wb import axes, board

WHO_AM_I, NAME = 0x0D, b"\x5a"
RANGE, CONTROL_1 = 0x0E, 0x2A
STANDBY, RUNNING = 0x00, 0x19  # the range may change in standby; 100 Hz, active
DATA = 0x01
STEPS = (0.0383072265625, 0.076614453125, 0.15322890625)  # m/s^2


class Driver:
    """The accelerometer."""

    def __init__(self, settings, drivers):
        self._settings, self._ready = settings, False
        self._bus = board.bus(settings["sda"], settings["scl"])

    def _set_up(self):
        address = self._settings["address"]
        return (
            self._bus.read(address, WHO_AM_I, 1) == NAME
            and self._bus.write(address, bytes([CONTROL_1, STANDBY]))
            and self._bus.write(address, bytes([RANGE, self._settings["range"]]))
            and self._bus.write(address, bytes([CONTROL_1, RUNNING]))
        )

    def acceleration(self):
        """Return three values; None if the chip does not answer, or has to be set up again."""
        address = self._settings["address"]
        self._ready = self._ready or self._set_up()
        mode = self._bus.read(address, CONTROL_1, 1) if self._ready else None
        runs = mode is not None and mode[0] == RUNNING
        data = self._bus.read(address, DATA, 6) if runs else None
        self._ready = data is not None
        if data is None:
            return None
        step = STEPS[self._settings["range"]]
        measured = [int(board.word(data, k) / 64) * step for k in (0, 2, 4)]
        return axes.mapped(self._settings["axes"], measured, self._settings["lookup"])
