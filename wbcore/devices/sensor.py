"""The base class of sensors: devices sampled with a period that the controller sets."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from wbridge.hal import table
from wbridge.wbcore.devices.device import Device, DeviceRobot
from wbridge.wbcore.scene.tables.rules import Place

if TYPE_CHECKING:
    from wbridge.wbcore.engine import _engine

SLACK_MS = 1e-6
"""Tolerance (ms) for times, which are sums of steps and not exact binary fractions."""


class Sampling:
    """A sampling schedule: `period` in ms (0: off), counted from the moment it was set. As in Webots, a
    sample is due at the end of a basic step if at least one period has passed since the last one."""

    __slots__ = ("last", "period")

    def __init__(self) -> None:
        self.period = 0
        self.last = -math.inf

    def start(self, period: int, now: float) -> None:
        """Set the period in ms; the first sample is due one period from now (ms)."""
        self.period, self.last = period, now

    def is_due(self, now: float) -> bool:
        """True if a sample is due at this time (ms)."""
        return self.period > 0 and now - self.last >= self.period - SLACK_MS

    def take(self, now: float) -> float:
        """Record a sample at this time (ms); return the seconds since the last one (infinite after reset)."""
        elapsed = (now - self.last) / 1000
        self.last = now
        return elapsed


class Sensor(Device):
    """A device with one sampling period. Subclasses override `measure`."""

    MESSAGE = "value"
    """The message that carries a sample."""
    WORKS_REMOTELY = False
    """Whether it is sampled while the controller drives a real robot."""

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        self.sampling = Sampling()
        super().__init__(place, entry, robot)

    @property
    def message_code(self) -> int:
        """The message code of a sample."""
        assert self.codec is not None, "only sensors with a codec are sampled"
        return self.codec.message_codes[self.MESSAGE]

    def on_enable(self, period: int) -> None:
        """Set the sampling period in ms; 0 disables the sensor."""
        self.sampling.start(period, self.simulation.time_ms)
        self.robot.listen(self, period > 0)
        self.enabled(period)

    def enabled(self, period: int) -> None:
        """Prepare measurements after the sampling period was set (ms; 0: off)."""

    def sample(self, now: float) -> None:
        """Measure if a sample is due; the newest value goes into the next answer."""
        if self.sampling.is_due(now):
            values = self.measure(self.sampling.take(now))
            if values is not None:
                self.send_newest(self.MESSAGE, *values)

    def measure(self, elapsed: float) -> tuple[object, ...] | None:
        """Return the current values of the message.

        Args:
            elapsed: seconds since the last measurement, or since enabling; infinite after a reset.

        Returns:
            the values, or None if there is no message.
        """
        source = self.source()
        if source is None:
            raise NotImplementedError
        return source.measure(elapsed)

    def source(self) -> _engine.Source | None:
        """Return the engine's measurement, which is sampled without Python; None if there is none.

        It measures what `measure` would return. Valid until `physics.structure` changes,
        `robot.forget_routine` is called, or it is not usable any more.
        """
        return None

    def connect(self) -> None:
        """Disable sampling for a new controller."""
        super().connect()
        self.sampling = Sampling()
        self.robot.listen(self, False)
        self.enabled(0)

    def reset(self) -> None:
        """Make samples of enabled sensors due at the end of the next step."""
        self.sampling.last = -math.inf
        self.outbox = []
