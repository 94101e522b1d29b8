"""A load cell with an HX711, which has a value 10 or 80 times a second."""

from time import ticks_diff, ticks_ms

from wb import board, curve

BITS = 24
TIMEOUT = 600  # ms without a measurement; after power-up the first one takes 400 ms


class Driver:
    """The load cell."""

    def __init__(self, settings, drivers):
        self._settings = settings
        self._clock = board.output(settings["clock"])
        self._data = board.input(settings["data"], True)  # without a part: no value is ready
        self._forget()

    def _forget(self):
        self._counts, self._since = None, ticks_ms()
        self._gain_set = False  # the gain applies to the measurement after the reading that selects it

    def _shift_in(self):
        """Read a value; further pulses select the gain of the next one."""
        bits = 0
        for _ in range(BITS):
            board.pulse(self._clock)
            bits = bits << 1 | self._data.value()
        for _ in range(self._settings["gain"] + 1):
            board.pulse(self._clock)
        return bits - (1 << BITS) if bits >> (BITS - 1) else bits

    def value(self):
        """Return the value; None before the first measurement."""
        now = ticks_ms()
        if not self._data.value():
            counts = self._shift_in()
            if self._gain_set:
                self._counts = counts
            self._gain_set, self._since = True, now
        elif ticks_diff(now, self._since) > TIMEOUT:
            self._forget()
        if self._counts is None:
            return None
        force = (self._counts - self._settings["zero"]) / self._settings["scale"]
        return curve.at(self._settings["lookup"], force)
