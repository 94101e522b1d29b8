"""The LightSensor: irradiance from the lights of the world."""

from __future__ import annotations

from math import isfinite
from typing import Any

from wbcore.devices.mounted import MountedSensor
from wbcore.devices.response import response_of
from wbcore.physics.pose import Vec3, dot
from wbcore.visual.lights import Light, lights_of

FAR = 1000.0
"""Distance (m) up to which obstacles shadow a DirectionalLight."""
X: Vec3 = (1.0, 0.0, 0.0)


class LightSensor(MountedSensor):
    """Measures the irradiance (W/m^2) of all lights in front of it, along +x (manual, LightSensor)."""

    def prepare(self) -> None:
        """Read the lookup table, the filter and the occlusion flag."""
        node = self.node
        self._respond = response_of(self)
        self._filter: Vec3 = node.get("colorFilter")
        self._occlusion = bool(node.get("occlusion"))
        self._lights: list[Light] = []
        self._looks: object = None

    def measure(self, elapsed: float) -> tuple[Any, ...]:
        """Return the converted mean of the three filtered colors."""
        if self.mount.follow() or self._looks != self.simulation.edits.looks:
            self._looks = self.simulation.edits.looks
            self._lights = lights_of(self.simulation.physics)
        place, normal = self.mount.position(), self.mount.to_world(X)
        total = 0.0
        for light in self._lights:
            light.read()
            if light.is_on:
                total += dot(self._filter, self._from(light, place, normal))
        return (self._respond(total / 3, self.simulation.random),)

    def _from(self, light: Light, place: Vec3, normal: Vec3) -> Vec3:
        """Return the red, green and blue irradiance from one light."""
        toward, distance = light.seen_from(place)
        direct = light.intensity * max(0.0, dot(normal, toward)) * light.spot(toward)
        if direct > 0 and self._occlusion and self._is_hidden(place, toward, distance):
            direct = 0.0
        amount = light.attenuation(distance) * (light.ambient + direct)
        r, g, b = light.color
        return (amount * r, amount * g, amount * b)

    def _is_hidden(self, place: Vec3, toward: Vec3, distance: float) -> bool:
        """True if a bounding object of another robot or object blocks the way to a light."""
        robot = self.mount.solid.robot
        ray = self.simulation.physics.engine.add_rays(
            [place],
            [toward],
            [distance if isfinite(distance) else FAR],
            robot=robot.number if robot is not None else -1,
        )
        ray.cast()
        hit = int(ray.geoms[0])
        ray.remove()
        return hit >= 0
