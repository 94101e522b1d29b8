"""The AK8963 magnetometer of an MPU-9250 as a compass."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import byte, low_words
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent
from wbridge.wbverify.coupling.magnetometer import Magnetometer
from wbridge.wbverify.part_settings import PartSetting

NAME, ITS_NAME, DATA = 0x00, 0x48, 0x03
HOST_POWER, SLEEPING = 0x6B, 0x40
MODE, MODE_BITS, CONTINUOUS = 0x0A, 0x1F, 0x16
"""16 bits, 100 Hz."""
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

    def settings(self) -> Sequence[PartSetting]:
        """See `SensorCoupling`."""
        source = "register map of the MPU-9250, RM-MPU-9250A-00"
        mode = f"I2C:{self.address}:{MODE}"
        return [
            PartSetting("sleep", f"I2C:{self._host}:{HOST_POWER}", SLEEPING, 0, f"{source}, 4.34"),
            PartSetting("mode", mode, MODE_BITS, CONTINUOUS, f"{source}, 5.7"),
        ]

    def events(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        name = byte(self.address, NAME, ITS_NAME)
        return [name, *low_words(self.address, DATA, self.counts)]


make = Compass
