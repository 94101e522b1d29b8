"""What is special to the pyboard v1.1 (STM32F405) under MicroPython."""

IRQ = {"hard": True}
ADC_OPTIONS = {}
UART = 6
TIMER = -1
CHANNELS = {
    "X1": (2, 1),
    "X2": (2, 2),
    "X3": (2, 3),
    "X4": (2, 4),
    "X7": (3, 1),
    "X8": (3, 2),
    "Y3": (4, 3),
    "Y4": (4, 4),
    "Y7": (12, 1),
    "Y8": (12, 2),
    "Y11": (3, 3),
    "Y12": (3, 4),
}
"""Timers and their channels at pins."""


def pin(name):
    """Return the name of a pin."""
    return name


def code(adc):
    """Return a voltage in 12 bits."""
    return adc.read_u16() >> 4
