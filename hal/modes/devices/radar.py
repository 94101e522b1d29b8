"""A radar, which detects targets."""

from __future__ import annotations

from wbridge.hal.modes.device import Sensor
from wbridge.hal.readings import RadarTarget

__all__ = ["Radar"]


class Radar(Sensor):
    """A radar, which detects targets."""

    min_range = max_range = horizontal_fov = vertical_fov = 0.0
    targets: list[RadarTarget] = []

    def take_constants(self, min_range: float, max_range: float, horizontal: float, vertical: float) -> None:
        """Store the ranges and fields of view."""
        self.min_range, self.max_range = min_range, max_range
        self.horizontal_fov, self.vertical_fov = horizontal, vertical

    def take_targets(self, targets: list[tuple[float, float, float, float]]) -> None:
        """Store a new sample."""
        self.targets = [RadarTarget(*one) for one in targets]

    def get_number_of_targets(self) -> int:
        """The number of targets in the latest sample."""
        self.check_enabled("get_number_of_targets")
        return len(self.targets)

    def get_targets(self) -> list[RadarTarget]:
        """The targets in the latest sample."""
        self.check_enabled("get_targets")
        return list(self.targets)

    def get_target(self, index: int) -> RadarTarget | None:
        """The target at an index (from 0), or None."""
        return self.targets[index] if 0 <= index < len(self.targets) else None

    def get_min_range(self) -> float:
        """The minimum range, in m."""
        return self.min_range

    def get_max_range(self) -> float:
        """The maximum range, in m."""
        return self.max_range

    def get_horizontal_fov(self) -> float:
        """The horizontal field of view, in rad."""
        return self.horizontal_fov

    def get_vertical_fov(self) -> float:
        """The vertical field of view, in rad."""
        return self.vertical_fov
