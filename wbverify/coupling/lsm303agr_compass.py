"""The magnetometer of an LSM303AGR as a compass."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import byte, low_words
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent
from wbridge.wbverify.coupling.magnetometer import Magnetometer
from wbridge.wbverify.part_settings import PartSetting

NAME, ITS_NAME, DATA = 0x4F, 0x40, 0x68
CONFIG_A, IDLE, CONTINUOUS = 0x60, 0x03, 0x8C
"""The register of the mode, its content when the part is switched on, and at 100 Hz."""
CONFIG_C, WHOLE = 0x62, 0x10
STRENGTH = 333
"""Counts of half a gauss, 1.5 thousandths of a gauss each."""
SHEET = "data sheet of the LSM303AGR, DocID027765"


class Compass(Magnetometer):
    """The registers of the part, low bytes first."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        super().__init__(wiring, numbers, STRENGTH)
        self._data = numbers.sequence(DATA)

    def start(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`: the part is idle."""
        return [byte(self.address, CONFIG_A, IDLE)]

    def power_up(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        return [*self.start(), byte(self.address, CONFIG_C, 0)]

    def settings(self) -> Sequence[PartSetting]:
        """See `SensorCoupling`."""
        part = f"I2C:{self.address}"
        return [
            PartSetting("rate", f"{part}:{CONFIG_A}", 0xFF, CONTINUOUS, f"{SHEET}, 8.28"),
            PartSetting("whole numbers", f"{part}:{CONFIG_C}", WHOLE, WHOLE, f"{SHEET}, 8.30"),
        ]

    def events(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        name = byte(self.address, NAME, ITS_NAME)
        return [name, *low_words(self.address, self._data, self.counts)]


make = Compass
