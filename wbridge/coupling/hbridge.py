"""A DC motor at an H bridge: duty and direction are a velocity."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from wbridge.coupling.wires import Act, BoardNumbers

if TYPE_CHECKING:
    from hal.firmware.bench import Shown
    from hal.firmware.hardware import Wiring
    from wbridge.coupling.wires import Said, Values

__all__ = ["make"]


class HBridge(Act):
    """Velocity control only: on the way to a position the driver decides by itself."""

    quantity = "velocity"

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._pwm, self._forward, self._backward = (
            wiring.values[name] for name in ("pwm", "forward", "backward")
        )
        self.pins = (self._pwm, self._forward, self._backward)
        self._full, self._least = float(wiring.values["full_speed"]), float(wiring.values["least_duty"])
        self._max_velocity = float(wiring.device.constants["maxVelocity"])
        self._numbers = numbers

    def wanted(self, said: Said, seconds: float) -> float | None:
        """See `Act`."""
        if "set_position" not in said and "set_velocity" not in said:
            return 0.0
        position = said.get("set_position", (0.0,))[0]
        if not math.isinf(position):
            return None
        velocity = float(said.get("set_velocity", (self._max_velocity,))[0])
        velocity = max(-self._full, min(velocity, self._full))
        return velocity if position > 0 else -velocity

    def found(self, shown: Mapping[str, Shown]) -> float:
        """See `Act`."""
        levels = [shown[pin] for pin in (self._forward, self._backward)]
        if any(one.use != "output" for one in levels) or (levels[0].value and levels[1].value):
            return math.nan
        share = self._numbers.duty(shown[self._pwm]) / self._numbers.duty_full
        if share > 0:
            share = (share - self._least) / (1 - self._least)
        return share * self._full * (levels[0].value - levels[1].value)

    def bound(self) -> float:
        """Half a step of the duty, and what computing it may lose."""
        half_step = 0.5 / self._numbers.duty_full / (1 - self._least)
        return self._full * (half_step + self._numbers.relative)

    def commands(self, shown: Mapping[str, Shown]) -> list[tuple[str, Values]]:
        """See `Act`."""
        velocity = self.found(shown)
        return [("set_position", (math.inf,)), ("set_velocity", (0.0 if math.isnan(velocity) else velocity,))]


def make(wiring: Wiring, numbers: BoardNumbers) -> Act:
    """See `wbridge.coupling`."""
    return HBridge(wiring, numbers)
