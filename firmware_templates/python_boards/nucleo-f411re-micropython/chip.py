"""What is special to the STM32F411 of a Nucleo board under MicroPython."""

IRQ = {"hard": True}
ADC_OPTIONS = {}
UART = 6
TIMER = -1
CHANNELS = {
    "PA0": (5, 1),
    "PA1": (5, 2),
    "PA8": (1, 1),
    "PA9": (1, 2),
    "PA10": (1, 3),
    "PB0": (3, 3),
    "PB1": (3, 4),
    "PB3": (2, 2),
    "PB4": (3, 1),
    "PB5": (3, 2),
    "PB6": (4, 1),
    "PB7": (4, 2),
    "PB10": (2, 3),
}
"""Timers and their channels at pins."""


def pin(name):
    """Return the name of a pin."""
    return name


def code(adc):
    """Return a voltage in 12 bits."""
    return adc.read_u16() >> 4
