"""The registers of an MMA8653 accelerometer."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import READING_MS, AxisMapping, byte, word
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling, Values
from wbridge.wbverify.part_settings import PartSetting

NAME, ITS_NAME = 0x0D, 0x5A
CONTROL_1, STANDBY, RUNNING = 0x2A, 0x00, 0x19
"""The register of the mode, its content when the part is switched on, and at 100 Hz."""
RANGE, RANGE_BITS = 0x0E, 0x03
DATA = 0x01
STEPS_PER_G = (256, 128, 64)
"""By range."""
G = 9.80665
UNUSED_BITS, MOST = 6, 511
SHEET = "data sheet of the MMA8653FC"


class Mma8653(SensorCoupling):
    """Converts three values to 10-bit numbers, in the upper bits of two bytes."""

    reading_ms = READING_MS

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._address, self._real = int(wiring.values["address"]), numbers.real
        self._axes = AxisMapping(wiring, numbers)
        self._range = wiring.driver.parameters["range"].choices.index(wiring.values["range"])
        self._counts = [0, 0, 0]

    def start(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`: the part is in standby."""
        return [byte(self._address, CONTROL_1, STANDBY)]

    def power_up(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`: in standby, with the smallest range."""
        return [*self.start(), byte(self._address, RANGE, 0)]

    def settings(self) -> Sequence[PartSetting]:
        """See `SensorCoupling`."""
        part = f"I2C:{self._address}"
        return [
            PartSetting("rate", f"{part}:{CONTROL_1}", 0xFF, RUNNING, f"{SHEET}, CTRL_REG1"),
            PartSetting("range", f"{part}:{RANGE}", RANGE_BITS, self._range, f"{SHEET}, XYZ_DATA_CFG"),
        ]

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        step = G / STEPS_PER_G[self._range]
        measured = (round(value / step) for value in self._axes.to_part(values[0]))
        self._counts = [max(-MOST - 1, min(count, MOST)) for count in measured]
        real = self._real
        return (self._axes.to_device([real(count) * real(step) for count in self._counts]),)

    def events(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        data = [
            word(self._address, DATA + 2 * axis, count << UNUSED_BITS)
            for axis, count in enumerate(self._counts)
        ]
        return [byte(self._address, NAME, ITS_NAME), *data]


make = Mma8653
