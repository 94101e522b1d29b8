"""The registers of an MPU-6050."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import LARGEST, READING_MS, AxisMapping, byte, word
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling, Values
from wbridge.wbverify.part_settings import PartSetting

NAME, ITS_NAME = 0x75, 0x68
POWER, ASLEEP, CYCLES = 0x6B, 0x40, 0x20
"""The power register, and its content when the part is switched on."""
FILTER, RANGES = 0x1A, {0x43: 0x1B, 0x3B: 0x1C}
"""Registers of the filter, and of the range by that of the first axis."""
FILTER_BITS, RANGE_BITS = 0x07, 0xF8
"""The range's register also has bits for self-tests."""
SHEET = "register map of the MPU-6050, RM-MPU-6000A-00"
FULL = 32768


class Mpu6050(SensorCoupling):
    """Converts three values to 16-bit shares of the selected range."""

    reading_ms = READING_MS

    def __init__(self, wiring: Wiring, numbers: BoardNumbers, first: int, smallest_range: float) -> None:
        """
        Args:
            wiring: wiring of the device.
            numbers: numbers of the board.
            first: register of the first axis.
            smallest_range: full scale of the first range, in the device's unit.
        """
        self._address, self._first = int(wiring.values["address"]), first
        self._axes, self._real = AxisMapping(wiring, numbers), numbers.real
        ranges = wiring.driver.parameters["range"].choices
        self._scale = self._real(smallest_range) * self._real(1 << ranges.index(wiring.values["range"]))
        self._range = ranges.index(wiring.values["range"])
        filters = wiring.driver.parameters["bandwidth"].choices
        self._filter = filters.index(wiring.values["bandwidth"])
        self._counts = [0, 0, 0]

    def start(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`: the part sleeps."""
        return [byte(self._address, POWER, ASLEEP)]

    def power_up(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`: the part sleeps, with the smallest range and without a filter."""
        settings = (FILTER, RANGES[self._first])
        return [*self.start(), *(byte(self._address, setting, 0) for setting in settings)]

    def settings(self) -> Sequence[PartSetting]:
        """See `SensorCoupling`."""
        part = f"I2C:{self._address}"
        return [
            PartSetting("sleep", f"{part}:{POWER}", ASLEEP | CYCLES, 0, f"{SHEET}, 4.28"),
            PartSetting("filter", f"{part}:{FILTER}", FILTER_BITS, self._filter, f"{SHEET}, 4.3"),
            PartSetting(
                *("range", f"{part}:{RANGES[self._first]}", RANGE_BITS, self._range << 3),
                source=f"{SHEET}, 4.4 and 4.5",
            ),
        ]

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        shares = [share / float(self._scale) for share in self._axes.to_part(values[0])]
        self._counts = [max(-FULL, min(round(FULL * share), LARGEST)) for share in shares]
        real = self._real
        return (self._axes.to_device([real(count) / real(FULL) * self._scale for count in self._counts]),)

    def events(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        axes = [word(self._address, self._first + 2 * k, count) for k, count in enumerate(self._counts)]
        return [byte(self._address, NAME, ITS_NAME), *axes]
