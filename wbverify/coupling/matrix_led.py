"""An LED of a matrix, whose rows are on by turns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from wbridge.wbfirmware.bench import PinState
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import ActuatorCoupling, BoardNumbers, Commands, PinEvent, Values

TURN_S = 0.03
"""Time after which a command shows: all rows have had their turn (s)."""
MOST_MS = 50
"""Longest time between two turns of a row (ms)."""


class MatrixLed(ActuatorCoupling):
    """Lit or not, as it was whenever its row was on since the last step."""

    quantity = "lit"

    def __init__(self, wiring: Wiring) -> None:
        self.pins = (wiring.values["row"], wiring.values["column"])
        self._levels: set[bool] = set()
        """True for lit: those seen since the last step."""
        self._dark_ms = 0
        """Time since its row was on."""
        self._lit, self._for_s = False, 0.0
        """The command, and how long it has been in effect."""

    @property
    def watched(self) -> tuple[str, ...]:
        """See `ActuatorCoupling`."""
        return self.pins

    def react(self, shown: Mapping[str, PinState]) -> Sequence[PinEvent]:
        """See `ActuatorCoupling`: nothing follows."""
        row, column = (shown[pin] for pin in self.pins)
        self._dark_ms += 1
        if row.use == column.use == "output" and row.value != 0:
            self._levels.add(column.value == 0)
            self._dark_ms = 0
        return ()

    def wanted(self, said: Commands, seconds: float) -> float:
        """See `ActuatorCoupling`."""
        lit = said.get("set", (0,))[0] != 0
        self._for_s = self._for_s + seconds if lit == self._lit else 0.0
        self._lit = lit
        return float(lit)

    def found(self, shown: Mapping[str, PinState]) -> float:
        """See `ActuatorCoupling`: NaN if it flickers, or its row has no turns."""
        levels, self._levels = self._levels, set()
        if self._dark_ms > MOST_MS or (len(levels) > 1 and self._is_steady):
            return math.nan
        return float(levels == {True} if levels else self._lit)

    @property
    def _is_steady(self) -> bool:
        return self._for_s >= TURN_S

    def bound(self) -> float:
        """A level is a level, once a command has had time to show."""
        return 0.0 if self._is_steady else math.inf

    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """See `ActuatorCoupling`."""
        row, column = (shown[pin] for pin in self.pins)
        return [("set", (int(column.value == 0),))] if row.value != 0 else []


def make(wiring: Wiring, numbers: BoardNumbers) -> ActuatorCoupling:
    """See `wbridge.wbverify.coupling`."""
    return MatrixLed(wiring)
