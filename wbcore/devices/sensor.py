"""Sensors: devices that are sampled at the period that the controller sets."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from wbcore.devices.device import Device

if TYPE_CHECKING:
    from wbcore.engine import _engine

__all__ = ["Sampling", "Sensor"]

SLACK_MS = 1e-6
"""Times are sums of steps whose length may be no binary fraction."""


class Sampling:
    """When to sample: `period` in ms (0: never), counted from the moment it was set (webots-like rule: a
    sample is due at the end of a basic step when the time since the last one is the period or more)."""

    __slots__ = ("last", "period")

    def __init__(self) -> None:
        self.period = 0
        self.last = -math.inf

    def start(self, period: int, now: float) -> None:
        """Set the period in ms; the first sample comes one period from now (ms)."""
        self.period, self.last = period, now

    def is_due(self, now: float) -> bool:
        """True when a sample has to be taken at this time (ms)."""
        return self.period > 0 and now - self.last >= self.period - SLACK_MS

    def take(self, now: float) -> float:
        """Note a sample at this time (ms); returns the seconds since the last one, infinite after a reset."""
        elapsed = (now - self.last) / 1000
        self.last = now
        return elapsed


class Sensor(Device):
    """A device with one sampling period. A kind of sensor overrides `measure`."""

    MESSAGE = "value"
    """The message that carries a sample."""
    WORKS_REMOTELY = False
    """Whether it is sampled while the controller drives a real robot."""

    def __init__(self, *args: Any) -> None:
        self.sampling = Sampling()
        super().__init__(*args)

    @property
    def message_code(self) -> int:
        """The code of the message that carries a sample."""
        assert self.codec is not None, "only sensors with a codec are sampled"
        return self.codec.message_codes[self.MESSAGE]

    def on_enable(self, period: int) -> None:
        """Set the sampling period in ms; 0 turns the sensor off."""
        self.sampling.start(period, self.simulation.time_ms)
        self.robot.listen(self, period > 0)
        self.enabled(period)

    def enabled(self, period: int) -> None:
        """The sampling period was set (ms; 0: off), for sensors that prepare their measurements."""

    def sample(self, now: float) -> None:
        """Measure if it is due; the newest value goes with the next answer."""
        if self.sampling.is_due(now):
            values = self.measure(self.sampling.take(now))
            if values is not None:
                self.send_newest(self.MESSAGE, *values)

    def measure(self, elapsed: float) -> tuple[Any, ...] | None:
        """The values of the message now.

        Args:
            elapsed: seconds since the last measurement, or since enabling; infinite after a reset.

        Returns:
            the values, or None if there is no message.
        """
        raise NotImplementedError

    def join(self, readings: _engine.Readings) -> bool:
        """For speed: let the engine read what `measure` would give, together with other sensors, if it can.

        It holds until `physics.structure` changes or `robot.forget_routine` is called.
        """
        return False

    def connect(self) -> None:
        """A controller has connected: all sampling periods are off."""
        super().connect()
        self.sampling = Sampling()
        self.robot.listen(self, False)
        self.enabled(0)

    def reset(self) -> None:
        """Enabled sensors measure at the end of the next step."""
        self.sampling.last = -math.inf
        self.outbox = []
