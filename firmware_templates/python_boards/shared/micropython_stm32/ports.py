"""PWM and the second serial line of STM32 boards. In MicroPython 1.27, their module `machine` has no PWM, and
its serial ports have fixed pins and no buffer for sending."""

from machine import UART, Pin
from pyb import Timer
from wb import chip, timers

TICKS = 255  # of a period of PWM
SERVO_TICKS_HZ = 1_000_000
_timers = {}


class Output:
    """A channel of a timer: duties in 255 ticks, or pulses in ticks of 1 us."""

    def __init__(self, name, ticks_hz, ticks):
        number, channel = timers.CHANNELS[name]
        if number not in _timers:
            timer = _timers[number] = Timer(number, freq=ticks_hz // ticks)
            timer.init(prescaler=timer.source_freq() // ticks_hz - 1, period=ticks - 1)
        self._channel = _timers[number].channel(channel, Timer.PWM, pin=Pin(chip.pin(name)), pulse_width=0)

    def duty_u16(self, duty):
        """Set the share of a period at which the pin is high, 0 to 65535."""
        self._channel.pulse_width(duty * TICKS // 65535)

    def duty_ns(self, width):
        """Set the time in a period at which the pin is high."""
        self._channel.pulse_width(width // 1000)


def pwm(name, hz):
    """Return a PWM output without pulses; below 100 Hz it is for pulses, otherwise for duties."""
    return Output(name, SERVO_TICKS_HZ, SERVO_TICKS_HZ // hz) if hz < 100 else Output(name, hz * TICKS, TICKS)


class Line:
    """A serial line. Sending waits, so a call sends at most what the line takes in a millisecond."""

    def __init__(self, uart, baud):
        self._uart, self._most = uart, baud // 10000 + 1
        self.any, self.read = uart.any, uart.read

    def write(self, data):
        """Send some bytes; return how many."""
        return self._uart.write(data[: self._most])


def line(baud, size, pins):
    """Return the serial line, whose pins the port knows."""
    return Line(UART(chip.UART, baud, timeout=100, rxbuf=size), baud)
