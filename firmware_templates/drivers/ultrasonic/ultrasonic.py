"""An ultrasonic distance sensor, as ultrasonic.c reads it: interrupts measure the echo without blocking."""

from time import sleep_us, ticks_diff, ticks_us

from wb import board, curve

MEASUREMENT_PERIOD = 60  # ms between measurements of a sensor, until echoes have faded
GAP = 30  # ms between measurements of two sensors, which would hear each other's echoes
TRIGGER_PULSE = 10  # us
MOST_MISSED = 3  # measurements without any answer after which a sensor is not connected
LONGEST_ECHO = 300  # ms: sensors end an echo that has not come earlier
METERS_PER_US = 0.0001715  # half the speed of sound at 20 degrees Celsius, for the way there and back
NO_ECHO = -1


class Driver:
    """The sensor."""

    sensors = []
    turn = 0
    since_any = 0  # ms since the last trigger of any sensor

    def __init__(self, settings, drivers):
        self._settings = settings
        self._width = None  # us; None before the first measurement, and if it is not connected
        self._rise = self._since = self._missed = (
            0  # us; ms since the trigger; measurements without an answer
        )
        self._high = self._triggered = self._answered = False
        self._place = len(Driver.sensors)
        Driver.sensors.append(self)
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
            self._answered = True
        else:
            self._width = ticks_diff(now, self._rise)
            self._missed = 0

    def _end_measurement(self):
        """Look at the last measurement when the next one is due; return False if its pulse has not ended. A
        sensor that hears nothing ends its pulse late; one that does not even begin it is not connected."""
        if self._high and self._since < LONGEST_ECHO:
            self._width = NO_ECHO
            return False
        if self._high or (self._triggered and not self._answered):
            self._missed = min(self._missed + 1, MOST_MISSED)
            if self._high or self._missed == MOST_MISSED:
                self._width = None
        self._answered, self._triggered = False, True
        return True

    def update(self, elapsed):
        """Start the next measurement when the last one is over."""
        self._since += elapsed
        if self._place == 0:
            Driver.since_any += elapsed
        if Driver.turn != self._place or Driver.since_any < GAP or self._since < MEASUREMENT_PERIOD:
            return
        Driver.turn = (self._place + 1) % len(Driver.sensors)
        if not self._end_measurement():
            return  # another one may measure meanwhile
        self._since = Driver.since_any = 0
        self._trigger.value(1)
        sleep_us(TRIGGER_PULSE)
        self._trigger.value(0)

    def value(self):
        """Return the value; None before the first measurement, and if the sensor does not answer."""
        width, farthest = self._width, self._settings["range"]
        if width is None:
            return None
        meters = farthest if width == NO_ECHO else min(width * METERS_PER_US, farthest)
        return curve.at(self._settings["lookup"], meters)
