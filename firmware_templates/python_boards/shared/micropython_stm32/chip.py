"""What is special to STM32 boards under MicroPython."""

IRQ = {"hard": True}
ADC_OPTIONS = {}
UART = 6
TIMER = -1
SCRATCH = None


def pin(name):
    """Return the name of a pin."""
    return name


def code(adc):
    """Return a voltage in 12 bits."""
    return adc.read_u16() >> 4
