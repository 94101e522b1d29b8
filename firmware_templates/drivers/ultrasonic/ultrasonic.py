"""An ultrasonic distance sensor, as ultrasonic.c reads it: interrupts measure the echo without blocking."""

from time import sleep_us, ticks_diff, ticks_us

from wb import board, curve

MEASUREMENT_PERIOD = 60  # ms between measurements, until echoes have faded
TRIGGER_PULSE = 10  # us
METERS_PER_US = 0.0001715  # half the speed of sound at 20 degrees Celsius, for the way there and back
NO_ECHO = -1


class Driver:
    """The sensor."""

    def __init__(self, settings, drivers):
        self._settings = settings
        self._width = None  # us; None before the first measurement
        self._rise = self._since = 0  # us; ms since the trigger
        self._high = self._triggered = self._received = False
        self._trigger = board.output(settings["trigger"])
        self._echo = board.input(settings["echo"], False)
        board.watch(self._echo, self._changed)

    def _changed(self, _pin):
        """Measure the echo. Runs in an interrupt, where nothing can be allocated."""
        high = bool(self._echo.value())
        if high == self._high:
            return
        self._high = high
        now = ticks_us()
        if high:
            self._rise = now
        else:
            self._width = ticks_diff(now, self._rise)
            self._received = True

    def update(self, elapsed):
        """Start the next measurement when the last one is over."""
        self._since += elapsed
        if self._since < MEASUREMENT_PERIOD:
            return
        if self._triggered and not self._received:  # nothing in range
            self._width = NO_ECHO
        self._received, self._triggered, self._since = False, True, 0
        self._trigger.value(1)
        sleep_us(TRIGGER_PULSE)
        self._trigger.value(0)

    def value(self):
        """Return the value; None before the first measurement."""
        width, farthest = self._width, self._settings["range"]
        if width is None:
            return None
        meters = farthest if width == NO_ECHO else min(width * METERS_PER_US, farthest)
        return curve.at(self._settings["lookup"], meters)
