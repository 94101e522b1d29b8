"""A motor with an H bridge: PWM for the speed, one or two pins for the direction; or a dimmed LED."""

from __future__ import annotations

import math
from typing import Any

from wbridge.remote_controls.protocols.firmata import PinMode
from wbridge.remote_controls.wiring.part import INFINITY, STANDS, Part, WiringField, boolean, pin, positive

FULL = 255


class Wiring(Part):
    """`max_velocity` is the motor's velocity at full voltage; lower velocities are proportional."""

    TYPES = ("RotationalMotor", "LinearMotor", "LED")
    FIELDS = {
        "pwm": WiringField(pin, required=True),
        "forward": WiringField(pin),
        "backward": WiringField(pin),
        "max_velocity": WiringField(positive, 10.0),
        "invert": WiringField(boolean, False),
    }

    def __init__(self, fields: dict[str, Any]) -> None:
        super().__init__(fields)
        self._velocity, self._turning = 0.0, False
        self._light: int | None = None

    def modes(self) -> dict[str, int]:
        """Return PWM and direction pins with their modes."""
        directions = (self.fields[name] for name in ("forward", "backward"))
        return {
            self.fields["pwm"]: PinMode.PWM,
            **{pin: PinMode.OUTPUT for pin in directions if pin is not None},
        }

    def cannot_go_to(self, position: float) -> str:
        """Refuse all positions but infinity."""
        return f"a motor wired by pwm {STANDS}" if math.isfinite(position) else ""

    def set_position(self, position: float) -> None:
        """Turn if the position is infinite; other positions are not supported: the motor stops."""
        self._turning = position in (INFINITY, -INFINITY)

    def set_velocity(self, velocity: float) -> None:
        """In rad/s or m/s."""
        self._velocity = -velocity if self.fields["invert"] else velocity

    def set_light(self, value: int) -> None:
        """0 to 255."""
        self._light = max(0, min(FULL, value))

    def outputs(self) -> dict[str, int]:
        """Return duty and direction. Without a pin for backward, the motor only turns forward."""
        if self._light is not None:
            return {self.fields["pwm"]: self._light}
        duty = self._velocity / self.fields["max_velocity"] if self._turning else 0.0
        return self._bridge(max(-1.0, min(1.0, duty)))

    def stopped(self) -> dict[str, int]:
        """Return outputs without voltage; LEDs keep theirs."""
        return {} if self._light is not None else self._bridge(0.0)

    def _bridge(self, duty: float) -> dict[str, int]:
        forward, backward = self.fields["forward"], self.fields["backward"]
        one_way = forward is None and backward is None
        level = round(FULL * (max(duty, 0.0) if one_way else abs(duty)))
        out = {self.fields["pwm"]: level}
        if forward is not None:
            out[forward] = int(duty > 0)
        if backward is not None:
            out[backward] = int(duty < 0)
        return out
