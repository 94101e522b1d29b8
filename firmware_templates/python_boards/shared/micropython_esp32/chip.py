"""What is special to the ESP32, its C3 and its S3 under MicroPython."""

from machine import ADC

IRQ = {}
ADC_OPTIONS = {"atten": ADC.ATTN_11DB}
UART = 1
TIMER = 0
SCRATCH = None
FULL_UV = 3_300_000


def pin(name):
    """Return the number of a pin."""
    return int(name[2:])


def code(adc):
    """Return a voltage in 12 bits, corrected by the chip's own calibration."""
    return min(adc.read_uv() * 4095 // FULL_UV, 4095)
