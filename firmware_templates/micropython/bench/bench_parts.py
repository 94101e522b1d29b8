"""Parts at the pins of an emulated board, in its virtual time: ultrasonic sensors, load cells with an HX711,
capacitors of line sensors, stepper motors and drivers, H bridges, and chains of WS2812 LEDs. They watch and
drive pins as the real ones do."""

import bench

SENDING_US = 450  # until an ultrasonic sensor has sent its sound
CONVERSION_US, OFF_US, BITS = 12500, 60, 24  # of an HX711 at 80 measurements a second
GAINS = {25: 128, 26: 32, 27: 64}  # by the clock pulses of a reading
SHOWING_US = 280  # a pause after which a chain shows its colors
CHAIN = 64
FIELDS = (1, 3, 2, 6, 4, 12, 8, 9)  # coils on at the 8 half steps; bit 0 is the first one
LONGEST_GAP_US = 1_000_000
BIT_NS, OFF_NS = (400, 850, 800, 450), 150  # high and low times of a 0 and of a 1, and their tolerance


class Echo:
    """An ultrasonic sensor: a pulse at the trigger is answered by a pulse at the echo pin."""

    def __init__(self, trigger, echo):
        self.measured, self._echo = 0, echo  # us; 0: no echo
        trigger.watchers.append(self._triggered)

    def _triggered(self, before, level):
        if before and not level and self.measured:
            bench.after(SENDING_US, self._begin)

    def _begin(self):
        bench.after(self.measured, lambda: self._echo.drive(0))
        self._echo.drive(1)


class Cell:
    """An HX711 (data sheet): data is low while a value waits; 24 rising edges of the clock shift it out, the
    highest bit first; one, two or three more select the next gain; a clock that is high for 60 us switches
    the chip off."""

    def __init__(self, data, clock):
        self.measured, self._data = 0, data  # counts at a gain of 128
        self._shifted = self._pulses = self._last = self._rose = 0
        self._gain = 128
        data.drive(1)
        clock.watchers.append(self._clocked)
        bench.after(CONVERSION_US, self._end)

    def _end(self):
        """End a conversion."""
        bench.after(CONVERSION_US, self._end)
        if 0 < self._pulses <= BITS:  # it is being read
            return
        if self._pulses > BITS:
            self._last, self._gain = self._pulses, GAINS.get(self._pulses, 64)
        self._pulses = 0
        self._shifted = int(self.measured / (128 // self._gain))
        self._data.drive(0)

    def _clocked(self, before, level):
        if level and not before:
            self._rose = bench.now
            self._pulses += 1
            self._data.drive(1 if self._pulses > BITS else self._shifted >> (BITS - self._pulses) & 1)
        elif before and not level and bench.now - self._rose > OFF_US:
            self._pulses, self._gain = 0, 128
            self._data.drive(1)

    def show(self):
        """Return the clock pulses of the last reading."""
        return f"pulses {self._last}"


class Capacitor:
    """A capacitor that a high output charges, and that discharges while the pin is an input."""

    def __init__(self, pin):
        self.measured, self._pin = 0, pin  # us
        self._discharges = 0
        pin.released = self._released

    def _released(self):
        self._discharges += 1
        this = self._discharges
        self._pin.drive(1)
        bench.after(max(self.measured, 1), lambda: self._discharged(this))

    def _discharged(self, which):
        if which == self._discharges and self._pin.use == "input":
            self._pin.drive(0)


class Chain:
    """A chain of LEDs; a pause shows their colors and begins with the first LED."""

    def __init__(self):
        self._next, self._sent, self._faults = 0, 0, 0
        self._colors = [0] * CHAIN  # 0xRRGGBB

    def send(self, encoding, timing, data):
        """Take the bits of `machine.bitstream`."""
        if encoding != 0 or any(abs(one - wanted) > OFF_NS for one, wanted in zip(timing, BIT_NS)):
            self._faults += 1
        if bench.now - self._sent >= SHOWING_US:
            self._next = 0
        for first in range(0, len(data), 3):
            green, red, blue = data[first : first + 3]
            if self._next < CHAIN:
                self._colors[self._next] = red << 16 | green << 8 | blue
            self._next += 1
        self._sent = bench.now

    def show(self, place):
        """Return the color of an LED."""
        return f"faults {self._faults}" if self._faults else f"color {self._colors[place]}"


class Stepper:
    """A stepper driver (data sheet of the A4988): a step for each rising edge of the step input; the level of
    the direction input gives its sign."""

    def __init__(self, step, direction):
        self._direction, self._steps = direction, 0
        step.watchers.append(self._stepped)

    def _stepped(self, before, level):
        if level and not before:
            self._steps += 1 if self._direction.level() else -1

    def show(self):
        """Return the steps."""
        return f"steps {self._steps}"


class Rotor:
    """A stepper motor with four coils: its rotor moves if its new place is beside it."""

    def __init__(self, *coils):
        self._coils, self._steps = coils, 0
        on = self._on()
        self._at = FIELDS.index(on) if on in FIELDS else 0
        for one in coils:
            one.watchers.append(self._switched)

    def _on(self):
        return sum(1 << k for k, one in enumerate(self._coils) if one.level())

    def _switched(self, before, level):
        on = self._on()
        if on in FIELDS:
            place = FIELDS.index(on)
            turn = (place - self._at) % len(FIELDS)
            if turn in (1, len(FIELDS) - 1):
                self._steps += 1 if turn == 1 else -1
                self._at = place

    def show(self):
        """Return the half steps."""
        return f"steps {self._steps}"


class Bridge:
    """The direction inputs of an H bridge: the shortest time (us) for which both were low before one rose."""

    def __init__(self, *inputs):
        self._gap = 0 if all(one.level() for one in inputs) else LONGEST_GAP_US
        self._fell = [bench.now - LONGEST_GAP_US] * len(inputs)
        for k, one in enumerate(inputs):
            one.watchers.append(self._watcher(k, 1 - k, inputs[1 - k]))

    def _watcher(self, k, other, opposite):
        """Return what sees the changes of an input."""

        def switched(before, level):
            if not level:
                self._fell[k] = bench.now
            elif not before:
                self._gap = 0 if opposite.level() else min(self._gap, bench.now - self._fell[other])

        return switched

    def show(self):
        """Return the time."""
        return f"gap {self._gap}"


KINDS = {"ECHO": (Echo, 2), "HX711": (Cell, 2), "RC": (Capacitor, 1)}
COUNTERS = {"STEPPER": (Stepper, 2), "COILS": (Rotor, 4), "BRIDGE": (Bridge, 2)}
"""Parts that measure nothing."""
_known = {}
_chains = {}


def chain(pin):
    """Return the chain at a pin."""
    return _chains.setdefault(pin, Chain())


def _part(name, kinds):
    """Return the part of a name; None if it is of another kind or its pins do not exist."""
    kind, *words = name.split(":")
    make, count = kinds.get(kind, (None, 0))
    if make is None or len(words) != count or any(one not in bench.pins for one in words):
        return None
    if name not in _known:
        _known[name] = make(*(bench.pins[one] for one in words))
    return _known[name]


def drive(name, value):
    """Set what a part measures: ECHO:TRIGGER:ECHO (us), HX711:DATA:CLOCK (counts), RC:PIN (us). Return False
    for other names."""
    part = _part(name, KINDS)
    if part is not None:
        part.measured = int(value)
    return part is not None


def show(name):
    """Return the state of a part in words, such as STEPPER:STEP:DIRECTION or COILS:IN1:IN2:IN3:IN4, which
    count from the first call on; None for other names."""
    kind, *words = name.split(":")
    if kind == "WS2812" and len(words) == 2 and words[0] in bench.pins and words[1].isdigit():
        place = int(words[1])
        return chain(bench.pins[words[0]]).show(place) if place < CHAIN else None
    part = _known.get(name) or _part(name, COUNTERS)
    return part.show() if hasattr(part, "show") else None
