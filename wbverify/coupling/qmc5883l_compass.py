"""A QMC5883L magnetometer as a compass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wbverify.coupling.bus_parts import byte
from wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling
from wbverify.coupling.magnetometer import Magnetometer

if TYPE_CHECKING:
    from wbfirmware.hardware import Wiring

__all__ = ["make"]

NAME, ITS_NAME = 0x0D, 0xFF
COUNTS_PER_GAUSS = {2.0: 12000, 8.0: 3000}
"""By the measuring range."""


class Compass(Magnetometer):
    """The registers of the part, low bytes first."""

    def events(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        found = [byte(self.address, NAME, ITS_NAME)]
        for axis, one in enumerate(self.counts):
            found += [
                byte(self.address, 2 * axis, one & 0xFF),
                byte(self.address, 2 * axis + 1, one >> 8 & 0xFF),
            ]
        return found


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbverify.coupling`."""
    return Compass(wiring, numbers, COUNTS_PER_GAUSS[wiring.values["range"]] // 2)
