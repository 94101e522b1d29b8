"""The manual's motor algorithm in plain Python (chapter Motor), to compare the engine's with."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass
class PlainMotor:
    """Targets and inner state of one motor; the derivative of the error has the usual sign."""

    p: float = 10
    i: float = 0
    d: float = 0
    acceleration: float = -1
    velocity: float = 10
    target: float = 0
    current: float = 0
    integral: float = 0
    previous: float = 0

    def step(self, position: float, ts: float) -> float:
        """Velocity for the step of length `ts` that starts at `position`."""
        if math.isinf(self.target):
            wanted = self.velocity
        else:
            error = self.target - position
            self.integral += error * ts
            derivative = (error - self.previous) / ts
            self.previous = error
            wanted = self.p * error + self.d * derivative + self.i * self.integral
            if abs(wanted) > abs(self.velocity):
                wanted = math.copysign(abs(self.velocity), wanted)
        if self.acceleration != -1:
            a = (wanted - self.current) / ts
            if abs(a) > self.acceleration:
                a = math.copysign(self.acceleration, a)
            wanted = self.current + a * ts
        self.current = wanted
        return wanted
