"""An encoder with one track: one edge per count, in the direction of its motor's command."""

from __future__ import annotations

import math

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling, Values


class SingleTrackEncoder(SensorCoupling):
    """The board cannot see which way the axis turns: it counts the way that its motor was last commanded."""

    is_gradual = True
    is_exact = False
    reading = "position"

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._pin, self._numbers = str(wiring.values["pin"]), numbers
        self._counts = float(wiring.values["counts"])
        self._linear = wiring.device.constants.get("type") == "linear"
        self.motor = str(wiring.values["motor"])
        """Name of the motor on the same axis."""
        self.heading = 1
        """The motor's last direction at the pins, 1 or -1; the motor's coupling sets it."""
        self._count = self._shown = self._counted = 0
        self._edges = self._seen = 0
        """All so far, and those that `expected` has taken."""

    def start(self) -> list[PinEvent]:
        """See `SensorCoupling`: high, as a pin with a pull-up."""
        return [PinEvent(self._pin, 1.0)]

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        turns = values[0] if self._linear else values[0] / math.tau
        self._count = 0 if math.isnan(turns) else round(turns * self._counts)
        return values

    def events(self) -> list[PinEvent]:
        """See `SensorCoupling`."""
        edges = abs(self._count - self._shown)
        self._shown, self._edges = self._count, self._edges + edges
        first = self._edges - edges
        return [PinEvent(self._pin, float((first + k) % 2)) for k in range(edges)]

    def expected(self, read: float, passed_ms: float) -> tuple[float, float]:
        """See `SensorCoupling`: the edges of the step came after its commands."""
        self._counted += self.heading * (self._edges - self._seen)
        self._seen = self._edges
        turns = self._counted / self._counts
        wanted = turns if self._linear else turns * math.tau
        return wanted, self._numbers.relative * abs(wanted)


make = SingleTrackEncoder
