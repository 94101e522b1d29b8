"""An HMC5883L magnetometer as a compass."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import byte, word
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling
from wbridge.wbverify.coupling.magnetometer import Magnetometer
from wbridge.wbverify.part_settings import PartSetting

NAME = {0x0A: ord("H"), 0x0B: ord("4"), 0x0C: ord("3")}
AXES = (0x03, 0x07, 0x05)
"""Registers of x, y and z: the part stores z before y."""
STRENGTH = 545
"""Counts of half a gauss in the range of 1.3 gauss."""


SHEET = "data sheet of the HMC5883L, 900405 rev E"
AVERAGED, GAIN_BITS, MODE_BITS = 0x78, 0xE0, 0x03
"""Configuration A for 8 samples at 75 Hz without bias; bits of configuration B and of the mode."""


class Compass(Magnetometer):
    """The registers of the part."""

    def settings(self) -> Sequence[PartSetting]:
        """See `SensorCoupling`."""
        part = f"I2C:{self.address}"
        return [
            PartSetting("filter", f"{part}:0", 0x7F, AVERAGED, f"{SHEET}, tables 3 to 6"),
            PartSetting("range", f"{part}:1", GAIN_BITS, self.range << 5, f"{SHEET}, table 9"),
            PartSetting("sleep", f"{part}:2", MODE_BITS, 0, f"{SHEET}, table 12"),
        ]

    def events(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        name = [byte(self.address, register, value) for register, value in NAME.items()]
        return name + [word(self.address, at, count) for at, count in zip(AXES, self.counts, strict=False)]


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbridge.wbverify.coupling`."""
    return Compass(wiring, numbers, STRENGTH)
