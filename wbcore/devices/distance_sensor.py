"""The DistanceSensor: generic, infra-red, sonar and laser types."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

from wbridge.hal import table
from wbridge.hal.catalogue import words_of
from wbridge.wbcore.devices import fan, transparency
from wbridge.wbcore.devices.device import DeviceRobot
from wbridge.wbcore.devices.infrared import InfraRed
from wbridge.wbcore.devices.limits import limited
from wbridge.wbcore.devices.mounted import MountedSensor
from wbridge.wbcore.devices.response import response_of
from wbridge.wbcore.devices.sensor_rays import ALL, SensorRays
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.pose import Vec3, add, scaled
from wbridge.wbcore.scene.tables.rules import Place
from wbridge.wbcore.scene.version import Version

if TYPE_CHECKING:
    from wbridge.wbcore.visual.laser_spots import LaserHit

KINDS = words_of("DistanceSensor", "type")
FIRST_THROUGH_CLEAR = Version.parse("R2022a")
"""The release from which infra-red rays go through what is wholly transparent (Webots' change log, #3726);
until then it reflects 0.2."""


class DistanceSensor(MountedSensor):
    """Measures distances (m) along rays and converts them with its lookup table."""

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        self._bodies: SensorRays | None = None
        """Rays that hit bounding objects."""
        self._looks: InfraRed | None = None
        """Rays that hit visible shapes."""
        super().__init__(place, entry, robot)

    def constants(self) -> dict[str, object]:
        """The type as its protocol number."""
        return {"type": KINDS.index(self._kind)}

    def prepare(self) -> None:
        """Read the fields and aim the rays."""
        node = self.node
        kind = str(node.get("type")).lower()
        self._kind = "infra-red" if kind == "infrared" else kind if kind in KINDS else "sonar"
        self._respond = response_of(self)
        self._sensitivity = limited(self, "redColorSensitivity", 1, 0)
        count, aperture, self._spot_m = 1, 0.0, 0.0
        if self._kind != "laser":
            count = int(limited(self, "numberOfRays", 1, 1, fan.MOST_RAYS))
            aperture = limited(self, "aperture", 1.5708, 0, 2 * pi)
        else:
            self._spot_m = max(float(node.get("aperture")), 0.0)
        directions = fan.directions(count, aperture, self.conventions.z_up)
        self._weights = fan.weights(count, aperture, limited(self, "gaussianWidth", 1, 1e-9))
        self._stop()
        self._directions = directions
        self.mount.follow()
        self._scale = self.mount.scale or 1.0
        self._range = self._respond.rows[-1][0] * self._scale if self._respond.rows else 0.0
        if self._range <= 0:
            return
        if self._kind == "infra-red":
            passes_clear = self.conventions.version >= FIRST_THROUGH_CLEAR
            self._looks = InfraRed(self.simulation, self.mount, directions, self._range, passes_clear)
        else:
            mask = ALL & ~transparency.TRANSPARENT if self._kind == "laser" else ALL
            self._bodies = SensorRays(self.simulation, self.mount, directions, self._range, mask)
        self.enabled(self.sampling.period)

    def source(self) -> _engine.Source | None:
        """Return the measurement along the current rays; None without a range."""
        if self._looks is not None:
            rays = self._looks.rays()
            return _engine.Reflection(rays, *self._conversion(), self._sensitivity)
        rays_in_engine = None if self._bodies is None else self._bodies.rays()
        if rays_in_engine is None:
            return None
        make = _engine.Echo if self._kind == "sonar" else _engine.MeanDistance
        return make(rays_in_engine, *self._conversion())

    def _conversion(self) -> tuple[list[float], float, float, _engine.Response]:
        return self._weights, self._range, self._scale, self._respond.native

    def _stop(self) -> None:
        self.simulation.lasers.pop(self, None)
        if self._bodies is not None:
            self._bodies.drop()
        self._bodies = self._looks = None

    def enabled(self, period: int) -> None:
        """Cast rays, and show the spot of a laser, only while the sensor is enabled."""
        self.simulation.lasers.pop(self, None)
        if self._bodies is not None:
            self._bodies.start(period)
            if period > 0 and self._spot_m > 0:
                self.simulation.lasers[self] = None

    def reset(self) -> None:
        """Make a sample due in the next step."""
        super().reset()
        if self._bodies is not None:
            self._bodies.restart()
        if self._looks is not None and self.sampling.period:
            self.simulation.visual.forget_step()

    def save_more(self) -> int:
        """Return the step in which rays are cast next."""
        return -1 if self._bodies is None else self._bodies.due

    def load_more(self, state: int) -> None:
        """See `save_more`."""
        if self._bodies is not None:
            self._bodies.resume(state)

    def removed(self) -> None:
        """Remove the rays."""
        self._stop()

    def shown_rays(self) -> tuple[Vec3, float, list[tuple[Vec3, float]]]:
        """Return the rays for drawings; a sensor that is off meets nothing.

        Returns:
            origin (m, world), length (m), and of each ray its direction and the distance of what it met (m).
        """
        mount, length = self.mount, max(self._range, 0.0)
        mount.follow()
        rays = self._looks.rays() if self._looks is not None else None
        if self._bodies is not None:
            rays = self._bodies.rays()  # type: ignore[assignment]
        count = len(self._directions)
        is_on = rays is not None and self.sampling.period > 0 and length > 0
        met = rays.distances.tolist() if is_on and rays is not None else [length] * count
        aimed = [mount.to_world(direction) for direction in self._directions]
        return mount.position(), length, list(zip(aimed, met, strict=True))

    def laser_hit(self) -> LaserHit | None:
        """Return where the beam of a laser ends; None if it is off, or hits nothing within its range."""
        rays = self._bodies.rays() if self._bodies is not None and self.sampling.period > 0 else None
        if rays is None or not rays.distances[0] < self._range:
            return None
        from wbridge.wbcore.visual.laser_spots import LaserHit  # start-up: few worlds have lasers

        source, way = self.mount.position(), self.mount.to_world(self._directions[0])
        x, y, z = (float(number) for number in rays.normals[0])
        return LaserHit(source, add(source, scaled(way, float(rays.distances[0]))), (x, y, z), self._spot_m)

    def measure(self, elapsed: float) -> tuple[object, ...]:
        """Return the converted distance: without a range that of the last row, 0 without a lookup table."""
        source = self.source()
        if source is not None:
            return source.measure(elapsed)
        rows = self._respond.rows
        if not rows:
            return (0.0,)
        return (self._respond(rows[-1][0], self.simulation.random),)
