"""The DistanceSensor: generic, infra-red, sonar and laser types."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi
from typing import Any

import numpy as np

from hal.catalogue import words_of
from wbcore.devices import fan, transparency
from wbcore.devices.infrared import InfraRed
from wbcore.devices.limits import limited
from wbcore.devices.mounted import MountedSensor
from wbcore.devices.response import response_of
from wbcore.devices.sensor_rays import ALL, SensorRays
from wbcore.engine import _engine
from wbcore.physics.pose import Vec3, dot

KINDS = words_of("DistanceSensor", "type")
ECHO = cos(pi / 8)
"""A sonar detects surfaces whose normal is within this angle of the ray (22.5 degrees)."""


class DistanceSensor(MountedSensor):
    """Measures distances (m) along rays and converts them with its lookup table."""

    def __init__(self, *arguments: Any) -> None:
        self._sensor_rays: SensorRays | None = None
        self._light: InfraRed | None = None
        super().__init__(*arguments)

    def constants(self) -> dict[str, Any]:
        """The type as its protocol number."""
        return {"type": KINDS.index(self._kind)}

    def prepare(self) -> None:
        """Read the fields and set the ray directions."""
        node = self.node
        kind = str(node.get("type")).lower()
        self._kind = "infra-red" if kind == "infrared" else kind if kind in KINDS else "sonar"
        self._respond = response_of(self)
        self._exact = self._respond.exact()
        self._read: Callable[[], float] = _MEASURES[self._kind].__get__(self)
        self._sensitivity = limited(self, "redColorSensitivity", 1, 0)
        count, aperture = 1, 0.0
        if self._kind != "laser":
            count = int(limited(self, "numberOfRays", 1, 1, fan.MOST_RAYS))
            aperture = limited(self, "aperture", 1.5708, 0, 2 * pi)
        width = limited(self, "gaussianWidth", 1, 1e-9)
        self._directions = fan.directions(count, aperture, self.conventions.z_up)
        weights = fan.weights(count, aperture, width)
        self._weights = np.array(weights)
        self._is_single = len(weights) == 1
        self._stop()
        self.mount.follow()
        self._scale = self.mount.scale or 1.0
        self._range = self._respond.rows[-1][0] * self._scale if self._respond.rows else 0.0
        if self._range <= 0:
            return
        if self._kind == "infra-red":
            self._light = InfraRed(self.simulation, self.mount)
            self._light.aim(self._directions, weights, self._range)
        else:
            mask = ALL & ~transparency.TRANSPARENT if self._kind == "laser" else ALL
            self._sensor_rays = SensorRays(self.simulation, self.mount, mask)
            self._sensor_rays.aim(self._directions, self._range)
        self.enabled(self.sampling.period)

    def _shorten(self) -> None:
        """Install a fast path for infra-red sensors with one ray and neither noise nor resolution."""
        self.__dict__.pop("measure", None)
        respond = self._exact
        if respond is not None and self._is_single and self._scale == 1 and self._light is not None:
            short = self._light.short_way(respond, self._sensitivity, self.measure)
            self.__dict__["measure"] = short

    def join(self, readings: _engine.Readings) -> bool:
        """Join the batch if the sensor has one ray and neither noise nor resolution."""
        beams = self._sensor_rays
        if beams is None or self._exact is None or not self._is_single:
            return False
        beams.follow()
        if beams.rays is None or self._kind == "sonar" or self._scale != 1:
            return False
        readings.add_ray(beams.rays, *self._respond.lines())
        return True

    def _stop(self) -> None:
        for one in (self._sensor_rays, self._light):
            if one is not None:
                one.drop()
        self._sensor_rays = self._light = None

    def enabled(self, period: int) -> None:
        """Cast rays only while the sensor is enabled."""
        if self._sensor_rays is not None:
            self._sensor_rays.start(period)
        if self._light is not None:
            self._light.start(period)
        self._shorten()

    def reset(self) -> None:
        """Make a sample due in the next step."""
        super().reset()
        if self._sensor_rays is not None:
            self._sensor_rays.restart()
        if self._light is not None and self.sampling.period:
            self.simulation.visual.forget_step()

    def save_more(self) -> Any:
        """Return the step in which rays are cast next."""
        return -1 if self._sensor_rays is None else self._sensor_rays.due

    def load_more(self, state: Any) -> None:
        """See `save_more`."""
        if self._sensor_rays is not None:
            self._sensor_rays.resume(state)

    def removed(self) -> None:
        """Remove the rays."""
        self._stop()

    def measure(self, elapsed: float) -> tuple[Any, ...]:
        """Return the converted distance; 0 without a lookup table."""
        if self._range <= 0:
            rows = self._respond.rows
            return (self._respond(rows[-1][0], self.simulation.random) if rows else 0.0,)
        distance = self._read()
        if self._scale != 1:
            distance /= self._scale
        if self._exact is not None:
            return (self._exact(distance),)
        return (self._respond(distance, self.simulation.random),)

    def _average(self) -> float:
        """Generic and laser: the weighted mean; misses count as the maximum range."""
        beams = self._sensor_rays
        if beams is None or not beams.read():
            return self._range
        if self._is_single:
            return beams.distances.item()
        return float(self._weights @ beams.distances)

    def _nearest(self) -> float:
        """Sonar: the distance of the nearest surface that reflects the sound."""
        beams = self._sensor_rays
        if beams is None or not beams.read() or beams.rays is None:
            return self._range
        nearest = self._range
        normals = beams.rays.normals.tolist()
        for far, normal, direction in zip(beams.distances.tolist(), normals, self._directions, strict=True):
            if far < nearest and abs(dot(self.mount.to_local(_vector(normal)), direction)) > ECHO:
                nearest = far
        return nearest

    def _seen(self) -> float:
        """Infra-red: the distance, increased by the share of light that is not reflected."""
        if self._light is None:
            return self._range
        distance, factor = self._light.measure()
        return distance + (distance / factor - distance) * self._sensitivity


def _vector(values: list[float]) -> Vec3:
    x, y, z = values
    return (x, y, z)


_MEASURES: dict[str, Any] = {
    "generic": DistanceSensor._average,
    "laser": DistanceSensor._average,
    "sonar": DistanceSensor._nearest,
    "infra-red": DistanceSensor._seen,
}
