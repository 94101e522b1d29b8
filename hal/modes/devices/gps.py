"""A GPS, which measures its position and speed."""

from __future__ import annotations

from wbridge.hal.modes.device import NAN, Sensor

__all__ = ["GPS"]


class GPS(Sensor):
    """A GPS, which measures its position and speed."""

    coordinate_system = 0
    values = speed_vector = (NAN, NAN, NAN)
    speed = NAN

    def take_constants(self, coordinate_system: int) -> None:
        """Store the coordinate system."""
        self.coordinate_system = coordinate_system

    def take_values(
        self, values: tuple[float, float, float], speed: float, speed_vector: tuple[float, float, float]
    ) -> None:
        """Store a new sample."""
        self.values, self.speed, self.speed_vector = values, speed, speed_vector

    def get_values(self) -> list[float]:
        """The position: x, y, z in m, or latitude and longitude in degrees and altitude in m.

        The coordinate system (see `get_coordinate_system`) decides which. NaN before the first sample.
        """
        self.check_enabled("get_values")
        return list(self.values)

    def get_speed(self) -> float:
        """The speed, in m/s; NaN before the first sample."""
        self.check_enabled("get_speed")
        return self.speed

    def get_speed_vector(self) -> list[float]:
        """The velocity along the world's axes, in m/s; NaN before the first sample."""
        self.check_enabled("get_speed_vector")
        return list(self.speed_vector)

    def get_coordinate_system(self) -> int:
        """The coordinate system: 0 local (world coordinates, in m), 1 WGS84."""
        return self.coordinate_system

    @staticmethod
    def convert_to_degrees_minutes_seconds(decimal_degrees: float) -> str:
        """Format an angle as degrees, minutes and seconds, for example 46° 30′ 36″.

        All parts of a negative angle are negative, as in Webots.
        """
        degrees = int(decimal_degrees)
        minutes = int((decimal_degrees - degrees) * 60)
        seconds = int(((decimal_degrees - degrees) * 60 - minutes) * 60)
        return f"{degrees}° {minutes}′ {seconds}″"
