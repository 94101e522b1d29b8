"""The registers of an LSM303AGR's accelerometer."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import READING_MS, AxisMapping, byte, low_words
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling, Values
from wbridge.wbverify.part_settings import PartSetting

NAME, ITS_NAME = 0x0F, 0x33
CONTROL_1, OFF, RUNNING = 0x20, 0x07, 0x57
"""The register of the data rate, its content when the part is switched on, and at 100 Hz."""
CONTROL_4, RANGE_AND_BITS = 0x23, 0xB8
DATA = 0x28
"""The first of six registers."""
STEPS = (0.009610517, 0.0191229675, 0.038245935, 0.114933938)
"""m/s^2 of a step by range: 0.98, 1.95, 3.9 and 11.72 thousandths of g (data sheet of the LSM303AGR, table
3)."""
MOST = 2047
SHEET = "data sheet of the LSM303AGR, DocID027765"


class Lsm303agr(SensorCoupling):
    """Converts three values to 12-bit numbers, in the upper bits of two bytes."""

    reading_ms = READING_MS

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._address, self._real = int(wiring.values["address"]), numbers.real
        self._data = numbers.sequence(DATA)
        self._axes = AxisMapping(wiring, numbers)
        self._range = wiring.driver.parameters["range"].choices.index(wiring.values["range"])
        self._counts = [0, 0, 0]

    def start(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`: the part is off."""
        return [byte(self._address, CONTROL_1, OFF)]

    def power_up(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`: the part is off, with the smallest range and 10 bits."""
        return [*self.start(), byte(self._address, CONTROL_4, 0)]

    def settings(self) -> Sequence[PartSetting]:
        """See `SensorCoupling`."""
        part, fine = f"I2C:{self._address}", 0x88 | self._range << 4
        return [
            PartSetting("rate", f"{part}:{CONTROL_1}", 0xFF, RUNNING, f"{SHEET}, 8.10"),
            PartSetting("range and bits", f"{part}:{CONTROL_4}", RANGE_AND_BITS, fine, f"{SHEET}, 8.13"),
        ]

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        step = STEPS[self._range]
        rounded = (round(count / step) for count in self._axes.to_part(values[0]))
        self._counts = [max(-MOST - 1, min(count, MOST)) for count in rounded]
        real = self._real
        return (self._axes.to_device([real(count) * real(step) for count in self._counts]),)

    def events(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        data = low_words(self._address, self._data, [count << 4 for count in self._counts])
        return [byte(self._address, NAME, ITS_NAME), *data]


make = Lsm303agr
