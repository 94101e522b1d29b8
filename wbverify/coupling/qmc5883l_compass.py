"""A QMC5883L magnetometer as a compass."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import byte, low_words
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling
from wbridge.wbverify.coupling.magnetometer import Magnetometer
from wbridge.wbverify.part_settings import PartSetting

NAME, ITS_NAME = 0x0D, 0xFF
COUNTS_PER_GAUSS = {2.0: 12000, 8.0: 3000}
"""By the measuring range."""


SHEET = "data sheet of the QMC5883L, 13-52-04 rev A"
CONTROL, MODE_BITS, CONTINUOUS, RANGE_BITS = 0x09, 0x03, 0x01, 0x30


class Compass(Magnetometer):
    """The registers of the part, low bytes first."""

    def settings(self) -> Sequence[PartSetting]:
        """See `SensorCoupling`."""
        control = f"I2C:{self.address}:{CONTROL}"
        return [
            PartSetting("sleep", control, MODE_BITS, CONTINUOUS, f"{SHEET}, 9.2.4"),
            PartSetting("range", control, RANGE_BITS, self.range << 4, f"{SHEET}, 9.2.4"),
        ]

    def events(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        name = byte(self.address, NAME, ITS_NAME)
        return [name, *low_words(self.address, 0, self.counts)]


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbridge.wbverify.coupling`."""
    return Compass(wiring, numbers, COUNTS_PER_GAUSS[wiring.values["range"]] // 2)
