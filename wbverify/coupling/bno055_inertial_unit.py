"""A BNO055 as an inertial unit: the orientation as four numbers of 16 bits."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import LARGEST, READING_MS, byte
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling, Values

NAME, ITS_NAME, QUATERNION = 0x00, 0xA0, 0x20
MODE, WITHOUT_COMPASS, WITH_COMPASS = 0x3D, 0x08, 0x0C
ONE = 16384


class InertialUnit(SensorCoupling):
    """The registers of the part: w, x, y, z, low bytes first. It has its mode from the start."""

    reading_ms = READING_MS

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._address, self._real = int(wiring.values["address"]), numbers.real
        self._mode = WITH_COMPASS if wiring.values["compass"] else WITHOUT_COMPASS
        self._counts = [0, 0, 0, 0]

    def start(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        return [byte(self._address, NAME, ITS_NAME), byte(self._address, MODE, self._mode)]

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        self._counts = [max(-LARGEST - 1, min(round(ONE * number), LARGEST)) for number in values[0]]
        real = self._real
        return (tuple(float(real(count) / real(ONE)) for count in self._counts),)

    def events(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        x, y, z, w = self._counts
        data = [part >> shift & 0xFF for part in (w, x, y, z) for shift in (0, 8)]
        return [byte(self._address, QUATERNION + place, number) for place, number in enumerate(data)]


make = InertialUnit
