"""MicroPython's module `pyb` of STM32 boards on an emulated board: timers with PWM."""

SOURCE_HZ = 84_000_000
SERVO_HZ = 50


class Timer:
    """A timer of which all channels have one frequency."""

    PWM = 0

    def __init__(self, number, freq):
        self._ticks_hz, self._period = SOURCE_HZ, SOURCE_HZ // freq

    def init(self, prescaler, period):
        """Set the frequency: the source is divided by both numbers plus 1."""
        assert 0 <= prescaler <= 0xFFFF and 0 <= period <= 0xFFFF
        self._ticks_hz, self._period = SOURCE_HZ / (prescaler + 1), period + 1

    def source_freq(self):
        """Return the frequency that is divided."""
        return SOURCE_HZ

    def channel(self, number, mode, pin, pulse_width):
        """Return a channel with a pin."""
        assert 1 <= number <= 4 and mode == Timer.PWM
        made = Channel(pin.state, self._ticks_hz, self._period)
        made.pulse_width(pulse_width)
        return made


class Channel:
    """A channel of a timer."""

    def __init__(self, state, ticks_hz, period):
        self._state, self._ticks_hz, self._period = state, ticks_hz, period
        state.hertz = hz = ticks_hz / period
        self._is_servo = SERVO_HZ - 1 < hz < SERVO_HZ + 1

    def pulse_width(self, ticks):
        """Set how long the pin is high."""
        self._state.use = "servo" if self._is_servo else "pwm"
        if self._is_servo:
            self._state.value = ticks / self._ticks_hz * 1e6
        else:
            self._state.value = min(ticks / self._period, 1.0)
