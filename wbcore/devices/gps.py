"""The GPS: position, speed and velocity."""

from __future__ import annotations

import math
from typing import ClassVar
from weakref import WeakKeyDictionary

from wbridge.wbcore.devices.drift import Drift, correlation
from wbridge.wbcore.devices.geodesy import reference
from wbridge.wbcore.devices.limits import limited
from wbridge.wbcore.devices.mounted import MountedSensor
from wbridge.wbcore.devices.response import rounded
from wbridge.wbcore.devices.surroundings import Surroundings
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.pose import Vec3, add, length, sub

_SHARED: WeakKeyDictionary[Surroundings, Drift] = WeakKeyDictionary()
"""The GPS noise of each simulation: it comes from the satellites, so all receivers share it."""
UNKNOWN: Vec3 = (math.nan, math.nan, math.nan)


class GPS(MountedSensor):
    """Measures its position, in m or as latitude and longitude, and its speed."""

    MESSAGE = "values"
    KEPT: ClassVar[tuple[str, ...]] = ("last_position",)
    _source: _engine.Position | None = None
    _last: Vec3 | None = None

    @property
    def last_position(self) -> Vec3 | None:
        """The position (m, world) at the last measurement; None if there was none."""
        return self._last if self._source is None else self._source.last

    @last_position.setter
    def last_position(self, position: Vec3 | None) -> None:
        """Compare the next measurement with another position."""
        self._last = position
        if self._source is not None:
            self._source.last = position

    def prepare(self) -> None:
        """Read accuracies and resolutions; releases before V8.4 have no speed fields."""
        node = self.node
        self._accuracy = limited(self, "accuracy", 0, 0)
        self._correlation = limited(self, "noiseCorrelation", 0, 0, 1)
        self._resolution = float(node.get("resolution"))
        self._speed_noise = limited(self, "speedNoise", 0, 0)
        self._speed_resolution = limited(self, "speedResolution", -1)

    def enabled(self, period: int) -> None:
        """Forget the last position: without a body, the speed is known from the second sample on."""
        self.last_position = None

    def save_more(self) -> list[float] | None:
        """Return the shared noise, with which the next one is correlated; None before the first sample."""
        drift = _SHARED.get(self.simulation)
        return drift.values if drift is not None and any(drift.values) else None

    def load_more(self, state: list[float] | None) -> None:
        """See `save_more`."""
        if state is None:
            _SHARED.pop(self.simulation, None)
        else:
            self._drift().restart(state)

    def reset(self) -> None:
        """Forget the last position."""
        super().reset()
        self.last_position = None

    def source(self) -> _engine.Source | None:
        """Return the measurement in meters; None in global coordinates."""
        self.mount.follow()
        physics, last = self.simulation.physics, self.last_position
        origin = reference(physics.plan.settings)
        self._source, self._last = None, last
        if origin.is_global:
            return None
        precision = self._resolution, self._speed_noise, self._speed_resolution
        noise = (self._drift(), self._accuracy, self._correlation) if self._accuracy > 0 else ()
        place = self.mount.dynamic, self.mount.native, origin.value
        self._source = _engine.Position(physics.engine, *place, *precision, *noise)
        self._source.last = last
        return self._source

    def _drift(self) -> Drift:
        return _SHARED.setdefault(self.simulation, Drift(3))

    def measure(self, elapsed: float) -> tuple[object, ...]:
        """Return position (m, or degrees and m), speed (m/s) and velocity (m/s, along the world's axes)."""
        self.mount.follow()
        position = self.mount.position()
        velocity = self._velocity(position, elapsed)
        return self._place(position, elapsed), self._speed(velocity), velocity

    def _velocity(self, position: Vec3, elapsed: float) -> Vec3:
        """Return the velocity of its point on the body; without a body, the mean since the last sample."""
        body, last, self.last_position = self.mount.dynamic, self.last_position, position
        if body is not None:
            return body.point_velocity(position)
        if last is None or not 0 < elapsed < math.inf:
            return UNKNOWN
        x, y, z = sub(position, last)
        return (x / elapsed, y / elapsed, z / elapsed)

    def _speed(self, velocity: Vec3) -> float:
        speed = length(velocity)
        if self._speed_noise > 0:
            speed *= 1 + self._speed_noise * self.simulation.random.gaussian()
        return rounded(speed, self._speed_resolution)

    def _place(self, position: Vec3, elapsed: float) -> Vec3:
        origin = reference(self.simulation.physics.plan.settings)
        place = origin.meters(position) if origin.is_global else add(position, origin.value)
        if self._accuracy > 0:
            kept = correlation(self._correlation, elapsed)
            a, b, c = self._drift().next(kept, self.simulation.random)
            x, y, z = place
            place = (x + self._accuracy * a, y + self._accuracy * b, z + self._accuracy * c)
        if self._resolution > 0:
            x, y, z = place
            place = (
                rounded(x, self._resolution), rounded(y, self._resolution), rounded(z, self._resolution)
            )  # fmt: skip
        return origin.degrees(place) if origin.is_global else place
