"""A reflectance sensor with a capacitor, as qtr_rc.c reads it: the pin charges it, a phototransistor
discharges it. Interrupts measure the time until the pin is low, without blocking."""

from time import ticks_diff, ticks_us

from wb import board

CHARGING, DISCHARGING, DISCHARGED = 0, 1, 2


class Driver:
    """The sensor."""

    def __init__(self, settings, drivers):
        self._settings = settings
        self._width = None  # us; infinite: too slow; None before the first measurement
        self._left = self._begin = 0  # ms until the discharge is too slow; us
        self._pin = board.output(settings["pin"])
        self._charge()
        board.watch(self._pin, self._changed)

    def _charge(self):
        self._phase = CHARGING
        board.drive(self._pin, 1)

    def _changed(self, _pin):
        """End the measurement. Runs in an interrupt, where nothing can be allocated."""
        if self._phase == DISCHARGING and not self._pin.value():
            self._width = ticks_diff(ticks_us(), self._begin)
            self._phase = DISCHARGED

    def update(self, elapsed):
        """Charge for a millisecond, then wait for the discharge."""
        if self._phase == CHARGING:
            self._left = int(self._settings["longest"]) // 1000 + 2
            self._begin, self._phase = ticks_us(), DISCHARGING
            board.release(self._pin)
            return
        self._left -= elapsed
        if self._left > 0:
            return
        if self._phase == DISCHARGING:
            self._width = float("inf")
        self._charge()

    def value(self):
        """Return the value; None before the first measurement."""
        width, own = self._width, self._settings
        if width is None:
            return None
        share = width / own["longest"] if width < own["longest"] else 1.0
        return own["low"] + (own["high"] - own["low"]) * share
