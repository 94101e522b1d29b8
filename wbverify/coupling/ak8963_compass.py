"""The AK8963 magnetometer of an MPU-9250 as a compass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wbverify.coupling.bus_parts import byte
from wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling
from wbverify.coupling.magnetometer import Magnetometer

if TYPE_CHECKING:
    from wbfirmware.hardware import Wiring

__all__ = ["make"]

NAME, ITS_NAME, DATA = 0x00, 0x48, 0x03
HOST_POWER, SLEEPING = 0x6B, 0x40
COUNTS_PER_GAUSS = 667
"""0.15 microtesla each."""


class Compass(Magnetometer):
    """The registers of the part, low bytes first; its host answers, too."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        super().__init__(wiring, numbers, COUNTS_PER_GAUSS // 2)
        self._host = int(wiring.values["host"])

    def start(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        return [byte(self._host, HOST_POWER, SLEEPING)]

    def events(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        found = [byte(self.address, NAME, ITS_NAME)]
        for axis, one in enumerate(self.counts):
            found += [
                byte(self.address, DATA + 2 * axis, one & 0xFF),
                byte(self.address, DATA + 2 * axis + 1, one >> 8 & 0xFF),
            ]
        return found


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbverify.coupling`."""
    return Compass(wiring, numbers)
