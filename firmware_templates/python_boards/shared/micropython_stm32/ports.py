"""PWM and the second serial line of STM32 boards. In MicroPython 1.27, their module `machine` has no PWM, and
its serial ports have fixed pins and no buffer for sending."""

from machine import UART, Pin
from pyb import Timer
from wb import chip, timers

MOST_TICKS = 65535  # of a period: timers count in 16 bits
_timers = {}


class Output:
    """A channel of a timer, whose channels have one frequency."""

    def __init__(self, name, hz):
        number, channel = timers.CHANNELS[name]
        if number not in _timers:
            timer = Timer(number, freq=hz)
            divider, ticks = _divided(timer.source_freq(), hz)
            timer.init(prescaler=divider - 1, period=ticks - 1)
            _timers[number] = timer, ticks
        timer, self._ticks = _timers[number]
        self._channel = timer.channel(channel, Timer.PWM, pin=Pin(chip.pin(name)), pulse_width=0)

    def duty_u16(self, duty):
        """Set the share of a period at which the pin is high, 0 to 65535."""
        self._channel.pulse_width((duty * self._ticks + 32767) // 65535)

    def duty_ns(self, width):
        """Set the time in a period of pulses at which the pin is high."""
        self._channel.pulse_width(width // 1000)


def _divided(source, hz):
    """Return the divider of a timer's clock and the ticks of a period: ticks of 1 us for pulses, which come
    at less than 100 Hz, and otherwise the finest."""
    divider = source // 1_000_000 if hz < 100 else (source - 1) // (hz * MOST_TICKS) + 1
    return divider, (source // divider + hz // 2) // hz


def pwm(name, hz):
    """Return a PWM output without pulses."""
    return Output(name, hz)


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
