"""A GPS module: sentences arrive at the second serial port."""

from __future__ import annotations

from typing import Any

import numpy as np

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers, SensorCoupling, SerialBytes, Values

METERS, DEGREES, RADIANS, KNOT = 0.011131949079327358, 1e-7, 0.017453292519943295, 0.0005144444444444445
"""See nmea_gps.c."""
MINUTE = 100_000
"""Parts of a minute that the module sends."""


def sentence(text: str) -> bytes:
    """Return a sentence with its checksum: the exclusive or of all characters between dollar and star."""
    value = 0
    for byte in text.encode("ascii"):
        value ^= byte
    return f"${text}*{value:02X}\r\n".encode("ascii")


class GpsModule(SensorCoupling):
    """Sends GGA and RMC for each reading."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        values = wiring.values
        self._real = numbers.real
        self._origin = tuple(self._real(values[name]) for name in ("latitude", "longitude", "altitude"))
        self._is_local = wiring.device.constants.get("coordinateSystem") == "local"
        self._place: tuple[int, int, int] | None = None
        """Latitude and longitude in parts of minutes, altitude in mm."""
        self._knots = 0
        """Speed in 1e-3 knots."""

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`: the position in whole parts of minutes and mm."""
        north, east, up = self._degrees(values[0])
        self._place = round(north * 60 * MINUTE), round(east * 60 * MINUTE), round(up * 1000)
        self._knots = round(float(values[1]) / KNOT)
        real = self._real
        return (self._position(*self._place), float(real(self._knots) * real(KNOT)), values[2])

    def _degrees(self, place: Any) -> tuple[float, float, float]:
        if not self._is_local:
            return float(place[0]), float(place[1]), float(place[2])
        latitude, longitude, altitude = (float(number) for number in self._origin)
        east = float(place[0]) / (METERS * float(self._cosine())) * DEGREES
        return latitude + float(place[1]) / METERS * DEGREES, longitude + east, altitude + float(place[2])

    def _cosine(self) -> Any:
        unit = self._real(1)
        angle = self._origin[0] * self._real(RADIANS)
        square, parts = angle * angle, (self._real(number) for number in (56, 30, 12, 2))
        value = unit
        for part in parts:
            value = unit - square / part * value
        return value

    def _position(self, latitude: int, longitude: int, up: int) -> tuple[float, float, float]:
        """Return what the driver computes, in its numbers."""
        real = self._real
        north, east = (_tenth_microdegrees(degrees) for degrees in (latitude, longitude))
        meters = real(up) / real(1000)
        if not self._is_local:
            return float(real(north) * real(DEGREES)), float(real(east) * real(DEGREES)), float(meters)
        origin = [int(float(number / real(DEGREES))) for number in self._origin[:2]]
        return (
            float(real(east - origin[1]) * real(METERS) * self._cosine()),
            float(real(north - origin[0]) * real(METERS)),
            float(meters - self._origin[2]),
        )

    def events(self) -> list[SerialBytes]:
        """See `SensorCoupling`."""
        if self._place is None:
            return []
        latitude, longitude, up = self._place
        sign = "-" if up < 0 else ""
        north = f"{_angle(latitude, 2)},{'S' if latitude < 0 else 'N'}"
        east = f"{_angle(longitude, 3)},{'W' if longitude < 0 else 'E'}"
        height = f"{sign}{abs(up) // 1000}.{abs(up) % 1000:03d}"
        knots = f"{self._knots // 1000}.{self._knots % 1000:03d}"
        place = sentence(f"GNGGA,120000.00,{north},{east},1,08,0.9,{height},M,0.0,M,,")
        return [SerialBytes(place + sentence(f"GNRMC,120000.00,A,{north},{east},{knots},,010126,,,A"))]


def _tenth_microdegrees(parts: int) -> int:
    """Return parts of minutes in 1e-7 degrees, as the driver rounds them."""
    degrees, minutes = divmod(abs(parts), 60 * MINUTE)
    return int(np.sign(parts)) * (degrees * 10_000_000 + (minutes * 5 + 1) // 3)


def _angle(parts: int, digits: int) -> str:
    degrees, rest = divmod(abs(parts), 60 * MINUTE)
    return f"{degrees:0{digits}d}{rest // MINUTE:02d}.{rest % MINUTE:05d}"


make = GpsModule
