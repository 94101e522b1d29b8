"""Geographic coordinates of points: WorldInfo.gpsReference, and UTM to latitude and longitude.

Source: manual, WorldInfo.gpsCoordinateSystem and gpsReference; the series of J. P. Snyder, Map Projections: A
Working Manual (1987), chapter 8, on the WGS84 ellipsoid.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from wbridge.wbcore.engine import mathematics
from wbridge.wbcore.engine.mathematics import power
from wbridge.wbcore.physics.plan import Settings
from wbridge.wbcore.physics.pose import Vec3, cross, dot

__all__ = ["Reference", "from_utm", "reference", "to_utm", "zone_of"]

RADIUS = 6378137.0
FLATTENING = 1 / 298.2572236
SCALE = 0.9996
FALSE_EAST = 500000.0
FALSE_NORTH = 1e7
"""UTM's false northing (m) in the southern hemisphere."""
E2 = FLATTENING * (2 - FLATTENING)
E4, E6 = power(E2, 2), power(E2, 3)
EP2 = E2 / (1 - E2)
E1 = (1 - math.sqrt(1 - E2)) / (1 + math.sqrt(1 - E2))


def zone_of(longitude: float) -> int:
    """Return the UTM zone (1 to 60) of a longitude (degrees)."""
    return int((longitude + 180) // 6) % 60 + 1


def _meridian(latitude: float) -> float:
    """Length (m) of the meridian from the equator to a latitude (rad)."""
    # Snyder (3-21).
    return RADIUS * (
        (1 - E2 / 4 - 3 * E4 / 64 - 5 * E6 / 256) * latitude
        - (3 * E2 / 8 + 3 * E4 / 32 + 45 * E6 / 1024) * mathematics.sin(2 * latitude)
        + (15 * E4 / 256 + 45 * E6 / 1024) * mathematics.sin(4 * latitude)
        - 35 * E6 / 3072 * mathematics.sin(6 * latitude)
    )


def to_utm(latitude: float, longitude: float, zone: int) -> tuple[float, float]:
    """Convert latitude and longitude (degrees) to easting and northing (m) in a zone."""
    phi = math.radians(latitude)
    sine, cosine, tangent = mathematics.sin(phi), mathematics.cos(phi), mathematics.tan(phi)
    # Snyder (8-9) to (8-15): series in a, the difference to the central meridian times cos(latitude).
    n = RADIUS / math.sqrt(1 - E2 * sine * sine)
    t, c = tangent * tangent, EP2 * cosine * cosine
    a = cosine * math.radians(longitude - (6 * zone - 183))
    east = a + (1 - t + c) * power(a, 3) / 6 + (5 - 18 * t + t * t + 72 * c - 58 * EP2) * power(a, 5) / 120
    north = (
        a * a / 2
        + (5 - t + 9 * c + 4 * c * c) * power(a, 4) / 24
        + (61 - 58 * t + t * t + 600 * c - 330 * EP2) * power(a, 6) / 720
    )
    northing = SCALE * (_meridian(phi) + n * tangent * north)
    return SCALE * n * east + FALSE_EAST, northing + (FALSE_NORTH if latitude < 0 else 0.0)


def from_utm(east: float, north: float, zone: int, southern: bool) -> tuple[float, float]:
    """Convert easting and northing (m) in a zone to latitude and longitude (degrees)."""
    m = (north - (FALSE_NORTH if southern else 0.0)) / SCALE
    mu = m / (RADIUS * (1 - E2 / 4 - 3 * E4 / 64 - 5 * E6 / 256))
    # The footpoint latitude, whose meridian length is m: Snyder (3-26) and (7-19).
    phi = (
        mu
        + (3 * E1 / 2 - 27 * power(E1, 3) / 32) * mathematics.sin(2 * mu)
        + (21 * power(E1, 2) / 16 - 55 * power(E1, 4) / 32) * mathematics.sin(4 * mu)
        + 151 * power(E1, 3) / 96 * mathematics.sin(6 * mu)
        + 1097 * power(E1, 4) / 512 * mathematics.sin(8 * mu)
    )
    sine, cosine, tangent = mathematics.sin(phi), mathematics.cos(phi), mathematics.tan(phi)
    t, c = tangent * tangent, EP2 * cosine * cosine
    n = RADIUS / math.sqrt(1 - E2 * sine * sine)
    r = RADIUS * (1 - E2) / power(1 - E2 * sine * sine, 1.5)
    d = (east - FALSE_EAST) / (n * SCALE)
    # Snyder (8-17) and (8-18): series in d, the easting in units of the radius of curvature.
    latitude = phi - n * tangent / r * (
        d * d / 2
        - (5 + 3 * t + 10 * c - 4 * c * c - 9 * EP2) * power(d, 4) / 24
        + (61 + 90 * t + 298 * c + 45 * t * t - 252 * EP2 - 3 * c * c) * power(d, 6) / 720
    )
    longitude = (
        d
        - (1 + 2 * t + c) * power(d, 3) / 6
        + (5 - 2 * c + 28 * t - 3 * c * c + 8 * EP2 + 24 * t * t) * power(d, 5) / 120
    ) / cosine
    return math.degrees(latitude), 6 * zone - 183 + math.degrees(longitude)


@dataclass(frozen=True, slots=True)
class Reference:
    """A world's geographic reference: axes, coordinate system and origin."""

    is_global: bool
    """True for WGS84: latitude and longitude in degrees, height in m."""
    value: Vec3
    """The field gpsReference: an offset to positions (local) or the world origin's location (WGS84)."""
    east: Vec3
    north: Vec3
    up: Vec3

    @property
    def height(self) -> float:
        """The height of the world's origin (m)."""
        return self.value[2] if self.is_global else dot(self.value, self.up)

    def meters(self, position: Vec3) -> tuple[float, float, float]:
        """Convert a point of the world to UTM: northing, easting, height (m)."""
        latitude, longitude, height = self.value
        east, north = to_utm(latitude, longitude, zone_of(longitude))
        return (
            north + dot(position, self.north),
            east + dot(position, self.east),
            height + dot(position, self.up),
        )

    def degrees(self, meters: tuple[float, float, float]) -> Vec3:
        """Convert northing, easting and height (m) to latitude, longitude (degrees) and height (m)."""
        north, east, height = meters
        latitude, longitude, _ = self.value
        position = from_utm(east, north, zone_of(longitude), latitude < 0)
        return (position[0], position[1], height)


def reference(settings: Settings) -> Reference:
    """Return the reference from the current WorldInfo fields."""
    node, north, up = settings.node, settings.north, settings.up
    names = (
        str(node.get("coordinateSystem")) if node is not None and _has(settings, "coordinateSystem") else ""
    )
    # In EUN north is +z, so east is opposite to that of a right-handed frame.
    east = (1.0, 0.0, 0.0) if names == "EUN" else cross(north, up)
    if node is None or not _has(settings, "gpsReference"):
        return Reference(False, (0.0, 0.0, 0.0), east, north, up)
    return Reference(node.get("gpsCoordinateSystem") == "WGS84", node.get("gpsReference"), east, north, up)


def _has(settings: Settings, name: str) -> bool:
    return settings.node is not None and name in settings.node.spec.fields
