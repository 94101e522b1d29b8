"""The rays of a DistanceSensor: directions about its axis, and weights.

Source: manual, chapter DistanceSensor (numberOfRays, aperture, gaussianWidth); the arrangement of rays
follows Webots' drawings. A ray is an angle about the axis (0 is up) and a fraction of half the aperture.
"""

from __future__ import annotations

from math import pi

from wbridge.wbcore.engine.mathematics import cos, exp, sin
from wbridge.wbcore.physics.exact_sums import plain_sum
from wbridge.wbcore.physics.pose import Vec3

__all__ = ["MOST_RAYS", "directions", "weights"]

MOST_RAYS = 10000
"""Maximum number of rays; larger numbers are treated as mistakes."""
Ray = tuple[float, float]


def _circle(count: int, share: float = 1.0, start: float = 0.0) -> list[Ray]:
    return [(start + 2 * pi * i / count, share) for i in range(count)]


_AXIS: list[Ray] = [(0.0, 0.0)]
_THREE = 2 * pi / 3
_SMALL: dict[int, list[Ray]] = {
    1: _AXIS,
    2: [(pi / 2, 1), (-pi / 2, 1)],
    3: [(0, 1), (_THREE, 1), (-_THREE, 1)],
    4: [*_AXIS, (0, 1), (_THREE, 1), (-_THREE, 1)],
    5: [*_AXIS, (0, 1), (pi / 2, 1), (pi, 1), (-pi / 2, 1)],
    6: _AXIS + _circle(5),
    7: _AXIS + _circle(6),
    8: _AXIS + _circle(7),
    9: [(0, 0.3), (_THREE, 0.3), (-_THREE, 0.3), *_circle(6)],
    10: [*_AXIS, (0, 0.5), (_THREE, 0.5), (-_THREE, 0.5), *_circle(6)],
}


def _orbits(count: int) -> list[Ray]:
    """Return circles of 1, 4, 7, ... rays, the last with the remainder; ray angles count over all circles."""
    shares: list[tuple[float, int]] = []
    orbit = 0
    while len(shares) < count:
        size = min(3 * orbit + 1, count - len(shares))
        shares += [(2 * pi * (len(shares) + i) / size, orbit) for i in range(size)]
        orbit += 1
    return [(angle, number / (orbit - 1)) for angle, number in shares]


def directions(count: int, aperture: float, z_up: bool) -> list[Vec3]:
    """Return unit vectors in the sensor's axes.

    Args:
        count: number of rays; an aperture of 0 gives one ray.
        aperture: full angle of the cone (rad).
        z_up: False for files before R2022a, where y is up and the first side axis is z.
    """
    rays = _SMALL[1] if count <= 1 or aperture == 0 else _SMALL.get(count) or _orbits(min(count, MOST_RAYS))
    directions: list[Vec3] = []
    for angle, share in rays:
        tilt = share * aperture / 2
        up, side = sin(tilt) * cos(angle), sin(tilt) * sin(angle)
        directions.append((cos(tilt), side, up) if z_up else (cos(tilt), up, side))
    return directions


def weights(count: int, aperture: float, gaussian_width: float) -> list[float]:
    """Return the weight of each ray: a Gaussian of its angle to the axis, normalized to sum 1."""
    if count <= 1 or aperture == 0:
        return [1.0]
    rays = _SMALL.get(count) or _orbits(min(count, MOST_RAYS))
    # An angle is `share * aperture / 2`, so the aperture cancels out. Beyond half a turn, a ray is as far
    # from the axis as its mirror image.
    angles = [_to_axis(share * aperture / 2) for _, share in rays]
    width = aperture * gaussian_width
    weights = [exp(-(angle / width) * (angle / width)) for angle in angles]
    total = plain_sum(weights)
    return [weight / total for weight in weights] if total > 0 else [1 / len(weights)] * len(weights)


def _to_axis(tilt: float) -> float:
    return tilt if tilt <= pi else 2 * pi - tilt
