"""What is special to the RP2040 under MicroPython."""

IRQ = {"hard": True}
ADC_OPTIONS = {}
UART = 0
TIMER = -1
SCRATCH = 0x4005800C
"""A register that resets keep: MicroPython's own reset() looks like one by the watchdog, too."""


def pin(name):
    """Return the number of a pin."""
    return int(name[2:])


def code(adc):
    """Return a voltage in 12 bits."""
    return adc.read_u16() >> 4
