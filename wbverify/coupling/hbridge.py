"""A DC motor with an H bridge: duty cycle and direction represent a velocity."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from wbverify.coupling.couplings import ActuatorCoupling, BoardNumbers, positions_before, sampling_share
from wbverify.coupling.quadrature_encoder import QuadratureEncoder

if TYPE_CHECKING:
    from wbfirmware.bench import PinState
    from wbfirmware.hardware import Wiring
    from wbverify.coupling.couplings import Commands, SensorCoupling, Values

__all__ = ["make"]

ROUND_S = 0.015
"""The driver's position loop runs every 10 ms, counted in whole ms, but never while the controller
computes."""


class HBridge(ActuatorCoupling):
    """In position control, the velocity follows from the encoder by the gain P, as in simulation."""

    quantity = "velocity"

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._pwm, self._forward, self._backward = (
            wiring.values[name] for name in ("pwm", "forward", "backward")
        )
        self.pins = (self._pwm, self._forward, self._backward)
        self._full, self._least = float(wiring.values["full_speed"]), float(wiring.values["least_duty"])
        self._max_velocity = float(wiring.device.constants["maxVelocity"])
        self._gain = float((wiring.device.constants.get("controlPID") or (0.0,))[0])
        self._encoder_name = str(wiring.values.get("encoder", ""))
        self._encoder: QuadratureEncoder | None = None
        self._senses: list[SensorCoupling] = []
        self._numbers = numbers
        self._slack = 0.0

    def connect_sensors(self, sensors: Mapping[str, SensorCoupling]) -> None:
        """See `ActuatorCoupling`."""
        self._senses = list(sensors.values())
        found = sensors.get(self._encoder_name)
        self._encoder = found if isinstance(found, QuadratureEncoder) else None

    def feedback_sensor(self, said: Commands) -> SensorCoupling | None:
        """See `ActuatorCoupling`: position control needs the encoder."""
        return None if math.isinf(said.get("set_position", (math.inf,))[0]) else self._encoder

    def unsupported_command(self, said: Commands) -> tuple[str, float] | None:
        """Position control is not supported without an encoder."""
        position = said.get("set_position", (math.inf,))[0]
        return None if self._encoder is not None or math.isinf(position) else ("set_position", position)

    def wanted(self, said: Commands, seconds: float) -> float:
        """See `ActuatorCoupling`."""
        self._slack = 0.0
        if "set_position" not in said and "set_velocity" not in said:
            return 0.0
        position = float(said.get("set_position", (0.0,))[0])
        velocity = float(said.get("set_velocity", (self._max_velocity,))[0])
        velocity = max(-self._full, min(velocity, self._full))
        if math.isinf(position):
            return velocity if position > 0 else -velocity
        if self._encoder is None:
            return 0.0
        return self._approach(self._encoder, position, abs(velocity), seconds)

    def _approach(self, encoder: QuadratureEncoder, position: float, most: float, seconds: float) -> float:
        """Return the middle of the velocities that the driver may have chosen last, and the maximum
        deviation."""
        begin = sampling_share(self._senses, 1000 * seconds)
        places = positions_before(encoder.course, seconds, begin, ROUND_S)
        velocities = [max(-most, min(self._gain * (position - seen), most)) for seen in places]
        low, high = min(velocities), max(velocities)
        self._slack = (high - low) / 2
        return (low + high) / 2

    def found(self, shown: Mapping[str, PinState]) -> float:
        """See `ActuatorCoupling`."""
        levels = [shown[pin] for pin in (self._forward, self._backward)]
        if any(one.use != "output" for one in levels) or (levels[0].value and levels[1].value):
            return math.nan
        share = self._numbers.duty(shown[self._pwm]) / self._numbers.duty_full
        if share > 0:
            share = (share - self._least) / (1 - self._least)
        return share * self._full * (levels[0].value - levels[1].value)

    def bound(self) -> float:
        """Half a step of the duty cycle plus rounding; in position control also the gain times the encoder's
        movement between two runs of the driver's loop."""
        half_step = 0.5 / self._numbers.duty_full / (1 - self._least)
        return self._full * (half_step + self._numbers.relative) + self._slack

    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """See `ActuatorCoupling`."""
        velocity = self.found(shown)
        return [("set_position", (math.inf,)), ("set_velocity", (0.0 if math.isnan(velocity) else velocity,))]


def make(wiring: Wiring, numbers: BoardNumbers) -> ActuatorCoupling:
    """See `wbverify.coupling`."""
    return HBridge(wiring, numbers)
