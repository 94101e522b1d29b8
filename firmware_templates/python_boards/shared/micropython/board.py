"""Pins, bus and clock of a board, by MicroPython's module `machine`."""

from time import sleep_ms, sleep_us

from machine import (
    ADC,
    WDT,
    WDT_RESET,
    Pin,
    SoftI2C,
    Timer,
    bitstream,
    disable_irq,
    enable_irq,
    mem32,
    reset_cause,
)
from wb import chip, ports, table

DUTY_FULL = 255
ADC_TOP = 4095
PWM_HZ, SERVO_HZ = 1000, 50
BUS_HZ = 400_000
# Of a WS2812: high and low times of a 0 and of a 1.
BIT_NS = (400, 850, 800, 450)
# Of the buffers of a serial line.
LINE_BYTES = 512
WATCHDOG_MS = 500
# In chip.SCRATCH: the watchdog is this program's.
MARK = 0x77626600
_buses = {}
_lines = []
_timers = []


def input(name, pull_up):
    """Return a pin as an input, with or without a pull-up."""
    return Pin(chip.pin(name), Pin.IN, Pin.PULL_UP) if pull_up else Pin(chip.pin(name), Pin.IN)


def output(name):
    """Return a pin as an output; it is low."""
    return Pin(chip.pin(name), Pin.OUT, value=0)


def drive(pin, level):
    """Make a pin an output at once with a level."""
    pin.init(Pin.OUT, value=level)


def release(pin):
    """Make a pin an input without a pull-up; functions that watch it stay."""
    pin.init(Pin.IN, None)


def pulse(pin):
    """Output a short pulse, which no interrupt prolongs."""
    state = disable_irq()
    pin.value(1)
    pin.value(0)
    enable_irq(state)


def pixels(pin, data):
    """Send the bytes of a chain of WS2812 LEDs: green, red, blue of each. Interrupts wait 30 us per LED."""
    bitstream(pin, 0, BIT_NS, data)


def watch(pin, changed):
    """Call a function at each change of a pin."""
    pin.irq(changed, Pin.IRQ_RISING | Pin.IRQ_FALLING, **chip.IRQ)


class Analog:
    """An analog input."""

    def __init__(self, name, samples=1):
        self._adc, self._samples = ADC(Pin(chip.pin(name)), **chip.ADC_OPTIONS), samples

    def code(self):
        """Return the voltage, 0 to ADC_TOP: the mean of some conversions."""
        total = chip.code(self._adc)
        for _ in range(self._samples - 1):
            total += chip.code(self._adc)
        return total / self._samples


class Duty:
    """A PWM output."""

    def __init__(self, name, hertz=0):
        self._pwm = ports.pwm(name, hertz or PWM_HZ)

    def set(self, duty):
        """Set the duty, 0 to DUTY_FULL."""
        self._pwm.duty_u16(duty * 257)


class Pulse:
    """Servo pulses at 50 Hz; none at first."""

    def __init__(self, name):
        self._pwm = ports.pwm(name, SERVO_HZ)

    def set(self, microseconds):
        """Set the length of the pulses."""
        self._pwm.duty_ns(1000 * microseconds)


class Bus:
    """An I2C bus."""

    def __init__(self, sda, scl):
        self._data, self._clock = Pin(chip.pin(sda)), Pin(chip.pin(scl))
        self._i2c = SoftI2C(scl=self._clock, sda=self._data, freq=BUS_HZ, timeout=5000)

    def _check(self):
        """Free a data line that a part holds, as one does that was interrupted within a byte, by up to 9
        clock pulses. While it is low, all addresses are acknowledged, and readings are zeros.

        Raises:
            OSError: the line was held.
        """
        if self._data.value():
            return
        for _ in range(9):
            if not self._data.value():
                # SoftI2C has made it an output with an open drain.
                self._clock.value(0)
                sleep_us(5)
                self._clock.value(1)
                sleep_us(5)
        raise OSError

    def write(self, address, data):
        """Write to a part. Returns False if it does not answer."""
        try:
            self._check()
            self._i2c.writeto(address, data)
        except OSError:
            return False
        return True

    def read(self, address, register, size):
        """Return bytes of a part; None if it does not answer."""
        try:
            self._check()
            return self._i2c.readfrom_mem(address, register, size)
        except OSError:
            return None


def bus(sda, scl):
    """Return the bus at two pins."""
    if (sda, scl) not in _buses:
        _buses[sda, scl] = Bus(sda, scl)
    return _buses[sda, scl]


def line(baud):
    """Return the second serial line, at the pins of the robot's emitter and receiver."""
    if not _lines:
        found = [own for _, own in table.DRIVERS.values() if "baud" in own]
        pins = {name: own[name] for own in found for name in ("tx", "rx") if name in own}
        _lines.append(ports.line(baud, LINE_BYTES, pins))
    return _lines[0]


def word(data, place):
    """Return a signed number of two bytes, the high byte first."""
    value = data[place] << 8 | data[place + 1]
    return value - 65536 if value > 32767 else value


def low_word(data, place):
    """Return a signed number of two bytes, the low byte first."""
    value = data[place] | data[place + 1] << 8
    return value - 65536 if value > 32767 else value


def every(milliseconds, function):
    """Call a function regularly, also while the controller computes and after its end."""
    timer = Timer(chip.TIMER if chip.TIMER < 0 else chip.TIMER + len(_timers))
    timer.init(period=milliseconds, mode=Timer.PERIODIC, callback=function)
    _timers.append(timer)


def was_hung():
    """Return whether the watchdog of this program has reset the board; False when asked again."""
    is_ours = chip.SCRATCH is None or mem32[chip.SCRATCH] == MARK
    if chip.SCRATCH is not None:
        mem32[chip.SCRATCH] = 0
    return is_ours and reset_cause() == WDT_RESET


def watchdog():
    """Start the watchdog; return the function that feeds it. Nothing can stop it, not even Ctrl+C."""
    if chip.SCRATCH is not None:
        mem32[chip.SCRATCH] = MARK
    return WDT(timeout=WATCHDOG_MS).feed


def idle(milliseconds):
    """Sleep."""
    sleep_ms(milliseconds)
