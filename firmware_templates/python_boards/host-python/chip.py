"""What is special to the board that is a program on this computer."""

IRQ = {}
ADC_OPTIONS = {}
UART = 0
TIMER = -1
SCRATCH = None


def pin(name):
    """Return the number of a pin."""
    return int(name[2:])


def code(adc):
    """Return a voltage in 12 bits."""
    return adc.read_u16() >> 4
