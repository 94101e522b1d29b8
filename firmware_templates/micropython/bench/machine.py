"""MicroPython's module `machine` on an emulated board."""

import bench
import bench_bus
import bench_parts

STM32, PORT = "stm32", bench.config["port"]
PWRON_RESET, WDT_RESET = 1, 3
mem32 = {0x4005800C: bench.config.get("scratch", 0)}


def reset_cause():
    """Return the cause of the last reset."""
    return WDT_RESET if bench.config.get("hung") else PWRON_RESET


class WDT:
    """The watchdog. Where it would reset the board, all pins become inputs, and the program ends."""

    def __init__(self, timeout):
        self._timeout = 1000 * timeout
        self.feed()
        bench.timers.append(self)

    def feed(self):
        """Start its time again."""
        self.due = bench.now + self._timeout

    def fire(self):
        """The time is over."""
        bench.timers.remove(self)
        for pin in bench.pins.values():
            pin.set_mode("input", False)
        print("the watchdog resets the board")
        raise SystemExit


class Pin:
    """A digital pin."""

    IN, OUT, PULL_UP = 0, 1, 2
    IRQ_FALLING, IRQ_RISING = 2, 1

    def __init__(self, number, mode=None, pull=None, value=None):
        self.state = bench.pins[bench.NAMES[number]]
        self.init(mode, pull, value)

    def init(self, mode=None, pull=None, value=None):
        """Set the mode; an output with a value has it at once."""
        if mode is not None:
            self.state.set_mode("output" if mode == Pin.OUT else "input", pull == Pin.PULL_UP)
        if value is not None:
            self.value(value)

    def value(self, value=None):
        """Return or set the level."""
        if value is None:
            return self.state.level()
        self.state.set(int(bool(value)))
        return None

    def irq(self, handler, trigger, hard=False):
        """Call a function at changes of the pin."""
        assert trigger == Pin.IRQ_FALLING | Pin.IRQ_RISING
        self.state.changed, self.state.handler = self, handler


class PWM:
    """A PWM output."""

    def __init__(self, pin, freq, duty_u16):
        self._state, self._freq = pin.state, freq
        self._state.hertz = freq
        self.duty_u16(duty_u16)

    def duty_u16(self, duty):
        """Set the share of a period at which the pin is high, 0 to 65535."""
        assert 0 <= duty <= 65535
        self._state.use, self._state.value = "servo" if self._freq == 50 else "pwm", duty / 65535

    def duty_ns(self, width):
        """Set the time in a period at which the pin is high."""
        self._state.use, self._state.value = "servo", width / 1000


class ADC:
    """An analog input."""

    ATTN_11DB = 3

    def __init__(self, pin, atten=None):
        self._state = pin.state
        self._state.use = "input"

    def _volts(self):
        return min(max(self._state.driven or 0.0, 0.0), bench.SUPPLY)

    def read_u16(self):
        """Return 12 bits, stretched to 16."""
        code = int(self._volts() / bench.SUPPLY * 4095)
        return code << 4 | code >> 8

    def read_uv(self):
        """Return microvolts."""
        return int(self._volts() * 1e6)


class SoftI2C:
    """An I2C bus."""

    def __init__(self, scl, sda, freq, timeout):
        for pin in (scl, sda):
            pin.init(Pin.IN, Pin.PULL_UP)

    def writeto(self, address, data):
        """Write to registers; the first byte is the number of the first one."""
        bench_bus.write(address, data)

    def readfrom_mem(self, address, register, size):
        """Read registers."""
        return bench_bus.read(address, register, size)


class UART:
    """The second serial line; its bytes take no time."""

    def __init__(self, number, baudrate, rxbuf, **more):
        assert set(more) <= ({"timeout"} if PORT == STM32 else {"txbuf", "tx", "rx"})

    def write(self, data):
        """Send bytes; return how many were taken."""
        bench.line_out.extend(data)
        return len(data)

    def any(self):
        """Return the number of bytes that wait."""
        return len(bench.line_in)

    def read(self, size):
        """Return bytes that wait."""
        data = bytes(bench.line_in[:size])
        bench.line_in = bench.line_in[size:]
        return data


class Timer:
    """A timer that calls a function regularly."""

    PERIODIC = 1

    def __init__(self, number):
        pass

    def init(self, period, mode, callback):
        """Start it; the period is in ms."""
        self._period, self._callback = 1000 * period, callback
        self.due = bench.now + self._period
        bench.timers.append(self)

    def fire(self):
        """The time has come."""
        self.due += self._period
        self._callback(self)

    def deinit(self):
        """Stop it."""
        bench.timers.remove(self)


def bitstream(pin, encoding, timing, data):
    """Send bits as pulses; timing is in ns: high and low times of a 0 and of a 1."""
    pin.state.use = "output"
    bench_parts.chain(pin.state).send(encoding, timing, data)


def disable_irq():
    """Disable interrupts; there are none while a program computes."""
    return 0


def enable_irq(state):
    """Enable interrupts."""


if PORT == STM32:
    del PWM
