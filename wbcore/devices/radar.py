"""The Radar: distance, received power, radial speed and azimuth of targets in its field of view.

Source: manual, chapter Radar: the received power is Pt G^2 l^2 s / ((4 pi)^3 d^4), with the transmitted power
Pt, the antenna's gain G, the wavelength l, the target's radar cross-section s and the distance d.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from wbridge.wbcore.devices.field_of_view import FieldOfView, Part, part_of
from wbridge.wbcore.devices.limits import limited
from wbridge.wbcore.devices.mounted import MountedSensor
from wbridge.wbcore.engine import mathematics
from wbridge.wbcore.physics.exact_sums import plain_sum
from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.pose import Vec3, dot, length, sub, unit

LIGHT_SPEED = 299792458.0
MILLIWATT = 0.001
MOST_DB = 500.0
"""Maximum absolute gain or power (dB); larger values are treated as mistakes."""
Target = tuple[float, float, float, float]


def _ratio(decibels: float) -> float:
    """Return the ratio of two powers."""
    return float(mathematics.power(10.0, decibels / 10))


class Echo(NamedTuple):
    """One target: distance (m), power (W), radial speed (m/s), azimuth (rad)."""

    distance: float
    power: float
    speed: float
    azimuth: float


class Radar(MountedSensor):
    """Measures positions and radial speeds of solids with a radarCrossSection."""

    MESSAGE = "targets"

    def constants(self) -> dict[str, object]:
        """The field of view (rad)."""
        return {"horizontal_fov": self._wide, "vertical_fov": self._high}

    def prepare(self) -> None:
        """Read the fields; convert powers and gain from dB."""
        self._near = limited(self, "minRange", 1, 0)
        self._far = limited(self, "maxRange", self._near + 1, self._near)
        self._wide = limited(self, "horizontalFieldOfView", 0.78, 0, 2 * math.pi)
        self._high = limited(self, "verticalFieldOfView", 0.1, 0, math.pi)
        self._slowest, self._fastest = limited(self, "minRadialSpeed", 0), limited(self, "maxRadialSpeed", 0)
        if (self._slowest or self._fastest) and self._fastest <= self._slowest:
            self._fastest = self._slowest + 1  # as Webots sets it
        self._least_speed = limited(self, "minAbsoluteRadialSpeed", 0, 0)
        self._cell, self._cell_speed = limited(self, "cellDistance", 0, 0), limited(self, "cellSpeed", 0, 0)
        self._noises = [limited(self, name, 0, 0) for name in ("rangeNoise", "speedNoise", "angularNoise")]
        self._occlusion = bool(self.node.get("occlusion"))
        # Radar equation: P = Pt G^2 lambda^2 sigma / ((4 pi)^3 r^4); sigma and r follow for each target.
        wavelength = LIGHT_SPEED / (limited(self, "frequency", 24, 1e-9) * 1e9)
        gain = _ratio(limited(self, "antennaGain", 20, -MOST_DB, MOST_DB))
        power = MILLIWATT * _ratio(limited(self, "transmittedPower", 20, -MOST_DB, MOST_DB))
        self._power = power * (gain * gain) * (wavelength * wavelength) / mathematics.power(4 * math.pi, 3)
        self._threshold = MILLIWATT * _ratio(limited(self, "minDetectableSignal", -100, -MOST_DB, MOST_DB))
        self._view = FieldOfView(self.conventions, self._wide, self._high, self._far)
        self._targets: list[SolidPlan] = []
        self._looks: object = None
        self._before: dict[SolidPlan, Vec3] = {}
        self._own_before: Vec3 | None = None

    def enabled(self, period: int) -> None:
        """Forget the last positions: speeds are known from the second sample on."""
        self._before, self._own_before = {}, None

    def reset(self) -> None:
        """Forget the last positions."""
        super().reset()
        self._before, self._own_before = {}, None

    def save_more(self) -> tuple[list[tuple[int, Vec3]], Vec3 | None]:
        """Return the last positions of the radar and its targets, by index among the solids."""
        numbers = {solid: i for i, solid in enumerate(self.simulation.physics.solids())}
        before = [(numbers[node], place) for node, place in self._before.items() if node in numbers]
        return before, self._own_before

    def load_more(self, state: tuple[list[tuple[int, Vec3]], Vec3 | None]) -> None:
        """See `save_more`."""
        solids = list(self.simulation.physics.solids())
        before, self._own_before = state
        self._before = {solids[number]: place for number, place in before}

    def measure(self, elapsed: float) -> tuple[object, ...]:
        """Return all targets: distance (m), power (dBm), speed (m/s), azimuth (rad)."""
        physics, looks = self.simulation.physics, self.simulation.edits.looks
        if self.mount.follow() or looks != self._looks:
            self._looks = looks
            self._find_targets()
        place = self.mount.position()
        now = {target: physics.solid_pose(target).position for target in self._targets}
        found = [self._echo(target, place, now[target], elapsed) for target in self._targets]
        self._before, self._own_before = now, place
        echoes = [echo for echo in found if echo is not None]
        if self._cell > 0:
            echoes = merged(echoes, self._cell, self._cell_speed)
        return ([_told(echo) for echo in echoes],)

    def _find_targets(self) -> None:
        own = self.node
        self._targets = [
            solid
            for solid in self.simulation.physics.solids()
            if solid.node is not own
            and "radarCrossSection" in solid.node.spec.fields
            and solid.node.get("radarCrossSection") > 0
        ]

    def _echo(self, target: SolidPlan, place: Vec3, there: Vec3, elapsed: float) -> Echo | None:
        """Return the echo of a target, or None if it is not detected."""
        gaussian = self.simulation.random.gaussian
        part = self._seen_part(target)
        if part is None:
            return None
        range_noise, speed_noise, angle_noise = self._noises
        distance = length(part.center) + range_noise * gaussian()
        if distance < self._near - part.depth / 2:
            return None
        distance = min(max(distance, self._near), self._far)
        square = distance * distance
        power = self._power * target.node.get("radarCrossSection") / (square * square) if square else math.inf
        if power < self._threshold:
            return None
        line = sub(there, place)
        speed = self._radial_speed(target, line, there, place, elapsed) + speed_noise * gaussian()
        if not self._is_wanted(speed) or (self._occlusion and self._is_hidden(target, part, place, line)):
            return None
        half = self._wide / 2
        azimuth = min(max(self._view.azimuth(self.mount.to_local(line)), -half), half)
        return Echo(distance, power, speed, azimuth + angle_noise * gaussian())

    def _seen_part(self, target: SolidPlan) -> Part | None:
        physics = self.simulation.physics
        relative = self.mount.pose().relative(physics.solid_pose(target).rigid)
        return part_of(target, relative, self._view)

    def _radial_speed(self, target: SolidPlan, line: Vec3, there: Vec3, place: Vec3, elapsed: float) -> float:
        """Return the radial speed (m/s, positive: receding) since the last sample; 0 at the first one."""
        before, own = self._before.get(target), self._own_before
        direction = unit(line)
        if before is None or own is None or direction is None or not 0 < elapsed < math.inf:
            return 0.0
        return dot(direction, sub(sub(there, before), sub(place, own))) / elapsed

    def _is_wanted(self, speed: float) -> bool:
        has_limits = self._slowest != 0 or self._fastest != 0
        if has_limits and not self._slowest <= speed <= self._fastest:
            return False
        return self._least_speed <= 0 or abs(speed) >= self._least_speed

    def _is_hidden(self, target: SolidPlan, part: Part, place: Vec3, line: Vec3) -> bool:
        """True if another object blocks the line to the target, in front of it by over half its depth."""
        direction = unit(line)
        if direction is None:
            return False
        physics = self.simulation.physics
        own = self.mount.solid.robot
        whole = length(line)
        rays = physics.engine.add_rays(
            [place], [direction], [whole], robot=own.number if own is not None else -1
        )
        rays.cast()
        hit, far = int(rays.geoms[0]), float(rays.distances[0])
        rays.remove()
        if hit < 0:
            return False
        solid = physics.handles.geoms[hit][0]
        return solid is not target and solid.parent is not target and whole - far > part.depth / 2


def merged(echoes: list[Echo], cell: float, cell_speed: float) -> list[Echo]:
    """Merge targets that are too close to be separated, weighted by their powers.

    Args:
        echoes: as measured.
        cell: least difference of distances (m).
        cell_speed: least difference of speeds (m/s); 0: speeds separate no targets.
    """
    left = list(echoes)
    at = 0
    while at < len(left) - 1:
        first = left[at]
        same = [
            echo
            for echo in left[at + 1 :]
            if abs(echo.distance - first.distance) < cell
            and (cell_speed <= 0 or abs(echo.speed - first.speed) < cell_speed)
        ]
        if not same:
            at += 1
            continue
        left[at] = _mean([first, *same])
        left[at + 1 :] = [echo for echo in left[at + 1 :] if echo not in same]
    return left


def _mean(echoes: list[Echo]) -> Echo:
    power = plain_sum(echo.power for echo in echoes)
    distance = plain_sum(echo.distance * echo.power for echo in echoes) / power
    speed = plain_sum(echo.speed * echo.power for echo in echoes) / power
    return Echo(distance, power, speed, plain_sum(echo.azimuth * echo.power for echo in echoes) / power)


def _told(echo: Echo) -> Target:
    return (echo.distance, 10 * mathematics.log10(echo.power / MILLIWATT), echo.speed, echo.azimuth)
