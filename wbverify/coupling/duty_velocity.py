"""Base class of DC motors on a motor driver: a duty cycle represents a velocity."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping

from wbridge.wbfirmware.bench import PinState
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import (
    SAMPLING_SHARE,
    ActuatorCoupling,
    BoardNumbers,
    Commands,
    SensorCoupling,
    Values,
    sampling_share,
)
from wbridge.wbverify.coupling.quadrature_encoder import QuadratureEncoder
from wbridge.wbverify.coupling.single_track_encoder import SingleTrackEncoder
from wbridge.wbverify.coupling.speed_control import SpeedControl

RAMP_LATE_S = 0.004
"""A ramp advances each millisecond, and a command arrives after the controller has computed it; observations
may be early or late by this time (s)."""


class DutyVelocity(ActuatorCoupling):
    """It follows velocities, or holds them if the hardware map sets gains. Subclasses read them from the pins
    (`measured`) with `share` and `velocity`; those that move to positions override `unsupported_command` and
    `approach`."""

    quantity = "velocity"

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._full, self._least = float(wiring.values["full_speed"]), float(wiring.values["least_duty"])
        self._max_velocity = float(wiring.device.constants["maxVelocity"])
        self._numbers = numbers
        self._encoder_name = str(wiring.values.get("encoder", ""))
        self._encoder: QuadratureEncoder | None = None
        self._senses: list[SensorCoupling] = []
        self._control = SpeedControl(wiring, self._full, numbers)
        self._name = wiring.device.name
        self._one_track: list[SingleTrackEncoder] = []
        """The encoders with one track on its axis."""
        self._slack = 0.0
        self._acceleration = float(wiring.values.get("acceleration", 0.0))
        self._ramped = self._aim = 0.0
        """The velocity on its way to a target, if the map limits the acceleration, and the target."""
        self._shown = 0.0
        """The velocity that the pins have shown last; NaN if they were invalid."""

    def connect_sensors(self, sensors: Mapping[str, SensorCoupling]) -> None:
        """See `ActuatorCoupling`."""
        self._senses = list(sensors.values())
        encoder = sensors.get(self._encoder_name)
        self._encoder = encoder if isinstance(encoder, QuadratureEncoder) else None
        self._control.connect(self._encoder)
        one_track = (sensor for sensor in sensors.values() if isinstance(sensor, SingleTrackEncoder))
        self._one_track = [sensor for sensor in one_track if sensor.motor == self._name]

    def note_direction(self, way: float) -> None:
        """Pass the direction at the pins, if there is any, to encoders with one track."""
        for encoder in self._one_track if way else ():
            encoder.heading = 1 if way > 0 else -1

    def feedback_sensor(self, said: Commands) -> SensorCoupling | None:
        """See `ActuatorCoupling`: speed control needs the encoder."""
        return self._encoder if self._control.is_used else None

    def unsupported_command(self, said: Commands) -> tuple[str, float] | None:
        """See `ActuatorCoupling`: it cannot move to positions."""
        position = said.get("set_position", (math.inf,))[0]
        return None if math.isinf(position) else ("set_position", position)

    def is_steady(self, said: Commands) -> bool:
        """See `ActuatorCoupling`: control loops change the duty cycle by themselves."""
        is_free = not self._control.is_used and not self._acceleration
        return is_free and math.isinf(said.get("set_position", (math.inf,))[0])

    def wanted(self, said: Commands, seconds: float) -> float:
        """See `ActuatorCoupling`."""
        self._slack = 0.0
        if "set_position" not in said and "set_velocity" not in said:
            return self._held(0.0, seconds)
        position = float(said.get("set_position", (0.0,))[0])
        velocity = float(said.get("set_velocity", (self._max_velocity,))[0])
        velocity = max(-self._full, min(velocity, self._full))
        if math.isinf(position):
            return self._held(velocity if position > 0 else -velocity, seconds)
        self._held(0.0, seconds)
        self._ramped = self._aim = 0.0
        return self.approach(position, abs(velocity), seconds)

    def _held(self, target: float, seconds: float) -> float:
        """Return the middle of the velocities that the driver may set to hold a target velocity, and note
        the maximum deviation."""
        if self._acceleration:
            return self._on_ramp(target, seconds)
        if not self._control.is_used:
            return target
        begin = sampling_share(self._senses, 1000 * seconds)
        shown = (-math.inf, math.inf)
        if self._shown:  # a motor that stands may have any duty below the least one
            shown = self._shown - self._resolution, self._shown + self._resolution
        low, high = self._control.velocities(target, 1000 * seconds, begin, shown)
        self._slack = (high - low) / 2
        return (low + high) / 2

    def _on_ramp(self, target: float, seconds: float) -> float:
        """Return the velocity on the way to a target, which the driver knows since the begin of the step."""
        most = self._acceleration * seconds
        begun = _led(self._ramped, self._aim, most * SAMPLING_SHARE)
        self._ramped, self._aim = _led(begun, target, most * (1 - SAMPLING_SHARE)), target
        is_moving = self._ramped != target or begun != target
        self._slack = self._acceleration * RAMP_LATE_S if is_moving else 0.0
        return self._ramped

    def approach(self, position: float, most: float, seconds: float) -> float:
        """Return the wanted velocity on the way to a position, `most` at most; 0 if it cannot move there."""
        return 0.0

    def share(self, shown: Mapping[str, PinState], pin: str) -> float:
        """Return the duty cycle of a pin, 0 to 1."""
        return self._numbers.duty(shown[pin]) / self._numbers.duty_full

    def velocity(self, share: float) -> float:
        """Return the velocity that a duty cycle, negative for the other direction, represents."""
        if share:
            above = (abs(share) - self._least) / (1 - self._least)
            share = above if share > 0 else -above
        return share * self._full

    def bound(self) -> float:
        """Half a step of the duty cycle plus rounding; with speed control also the range of `wanted`."""
        return self._resolution + self._slack

    @property
    def _resolution(self) -> float:
        half_step = 0.5 / self._numbers.duty_full / (1 - self._least)
        return self._full * (half_step + self._numbers.relative)

    def found(self, shown: Mapping[str, PinState]) -> float:
        """See `ActuatorCoupling`."""
        self._shown = self.measured(shown)
        return self._shown

    @abstractmethod
    def measured(self, shown: Mapping[str, PinState]) -> float:
        """Return the velocity that the pins show; NaN if they are invalid."""

    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """See `ActuatorCoupling`."""
        velocity = self.found(shown)
        return [("set_position", (math.inf,)), ("set_velocity", (0.0 if math.isnan(velocity) else velocity,))]


def _led(velocity: float, target: float, most: float) -> float:
    """Return a velocity after changing toward a target by at most a given amount."""
    return velocity + max(-most, min(target - velocity, most))
