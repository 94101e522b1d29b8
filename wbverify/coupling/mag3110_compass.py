"""A MAG3110 magnetometer as a compass."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import byte, word
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling
from wbridge.wbverify.coupling.magnetometer import Magnetometer
from wbridge.wbverify.part_settings import PartSetting

NAME, ITS_NAME, DATA = 0x07, 0xC4, 0x01
CONTROL_1, STANDBY, RUNNING = 0x10, 0x00, 0x01
"""The register of the mode, its content when the part is switched on, and at 80 Hz."""
CONTROL_2, RESETS = 0x11, 0x80
STRENGTH = 500
"""Counts of half a gauss, a thousandth of a gauss each."""
SHEET = "data sheet of the MAG3110"


class Compass(Magnetometer):
    """The registers of the part, high bytes first."""

    def start(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`: the part is in standby."""
        return [byte(self.address, CONTROL_1, STANDBY)]

    def power_up(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`: in standby, without resets of the sensor."""
        return [*self.start(), byte(self.address, CONTROL_2, 0)]

    def settings(self) -> Sequence[PartSetting]:
        """See `SensorCoupling`."""
        part = f"I2C:{self.address}"
        return [
            PartSetting("rate", f"{part}:{CONTROL_1}", 0xFF, RUNNING, f"{SHEET}, CTRL_REG1"),
            PartSetting("resets", f"{part}:{CONTROL_2}", RESETS, RESETS, f"{SHEET}, CTRL_REG2"),
        ]

    def events(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        name = byte(self.address, NAME, ITS_NAME)
        return [name, *(word(self.address, DATA + 2 * axis, count) for axis, count in enumerate(self.counts))]


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbridge.wbverify.coupling`."""
    return Compass(wiring, numbers, STRENGTH)
