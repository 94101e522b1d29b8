"""A servo at a PCA9685: counts in the chip's registers represent a position."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping

from wbridge.wbfirmware.bench import PinState
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import byte
from wbridge.wbverify.coupling.couplings import BoardNumbers, Commands, PinEvent
from wbridge.wbverify.coupling.servo import Servo

MODE1, PRESCALER, FIRST_OUTPUT, OUTPUT_BYTES = 0x00, 0xFE, 0x06, 4
RESET_MODE, RESET_PRESCALE = 0x11, 0x1E
"""After power-up: it sleeps."""
SLEEPS, FULL_OFF = 0x10, 0x10
CLOCK_MHZ = 25.0
SENDING_S = 0.022
"""Longest time between two transfers of a moving servo (s)."""


class ChipServo(Servo):
    """A servo whose pulses the chip makes: as one at a pin, but in counts, and sent once in 20 ms."""

    emulators = ("program", "simavr", "rp2040", "micropython")

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._address = int(wiring.values["address"])
        first = FIRST_OUTPUT + OUTPUT_BYTES * int(wiring.values["channel"])
        super().__init__(wiring, numbers)
        self._registers = [f"I2C:{self._address}:{index}" for index in range(first, first + OUTPUT_BYTES)]
        self._mode, self._prescaler = (f"I2C:{self._address}:{register}" for register in (MODE1, PRESCALER))
        self.pins = (self._mode, self._prescaler, *self._registers)
        self._us_per_count = 0.0
        self._past: deque[float] = deque()
        self._first = max(float(wiring.values["low"]), min(0.0, float(wiring.values["high"])))

    def start(self) -> list[PinEvent]:
        """See `ActuatorCoupling`: the chip after power-up."""
        return [
            byte(self._address, MODE1, RESET_MODE),
            byte(self._address, PRESCALER, RESET_PRESCALE),
            *(PinEvent(name, FULL_OFF if name == self._registers[-1] else 0) for name in self._registers),
        ]

    def pulse(self, shown: Mapping[str, PinState]) -> float:
        """See `Servo`: 0 without pulses."""
        mode, prescale = int(shown[self._mode].value), int(shown[self._prescaler].value)
        on_low, on_high, off_low, off_high = (int(shown[name].value) for name in self._registers)
        self._us_per_count = (prescale + 1) / CLOCK_MHZ
        if mode & SLEEPS or off_high & FULL_OFF:
            return 0.0
        counts = ((off_high << 8 | off_low) - (on_high << 8 | on_low)) % 4096
        frame = 4096 * self._us_per_count
        return counts * self._us_per_count if math.isclose(frame, 20000, rel_tol=0.01) else 0.0

    def wanted(self, said: Commands, seconds: float) -> float:
        """See `ActuatorCoupling`; the chip may still have a position of the time between two transfers."""
        now = super().wanted(said, seconds)
        self._past.append(now)
        while len(self._past) > 2 + SENDING_S // seconds:
            self._past.popleft()
        if not math.isnan(now):
            places = (self._first if math.isnan(place) else place for place in self._past)
            self.slack = max([self.slack, *(abs(now - place) for place in places)])
        return now

    def resolution(self) -> float:
        """See `Servo`: half a count (us)."""
        return self._us_per_count / 2


make = ChipServo
