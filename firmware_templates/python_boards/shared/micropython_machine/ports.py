"""PWM and the second serial line, of ports of MicroPython whose module `machine` has both."""

from machine import PWM, UART, Pin
from wb import chip


def pwm(name, hz):
    """Return a PWM output without pulses."""
    return PWM(Pin(chip.pin(name)), freq=hz, duty_u16=0)


def line(baud, size, pins):
    """Return the serial line.

    Args:
        baud: rate in bits per second.
        size: bytes of the buffers.
        pins: names of the pins `tx` and `rx`, if they are used.
    """
    used = {key: Pin(chip.pin(name)) for key, name in pins.items()}
    return UART(chip.UART, baudrate=baud, txbuf=size, rxbuf=size, **used)
