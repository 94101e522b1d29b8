"""A touch sensor of the type "bumper", "force" or "force-3d"."""

from __future__ import annotations

from wbridge.hal.modes.device import NAN, LookupSensor
from wbridge.hal.reports import messages

__all__ = ["TouchSensor"]

FORCE_3D = 2


class TouchSensor(LookupSensor):
    """A touch sensor of the type "bumper", "force" or "force-3d"."""

    type = 0
    value = NAN
    values = (NAN, NAN, NAN)

    def take_constants(self, type_: int, lookup_table: list[tuple[float, float, float]]) -> None:
        """Store the type of sensor and the lookup table."""
        self.type, self.lookup_table = type_, lookup_table

    def take_value(self, value: float) -> None:
        """Store a new sample of a "bumper" or "force" sensor."""
        self.value = value

    def take_values(self, values: tuple[float, float, float]) -> None:
        """Store a new sample of a "force-3d" sensor."""
        self.values = values

    def get_value(self) -> float:
        """For a "bumper" 1 if it touches an object, else 0; for a "force" sensor the force in N.

        The lookup table applies. NaN before the first sample and for the type "force-3d".
        """
        self.check_enabled("get_value")
        if self.type == FORCE_3D:
            self.error("get_value", messages.not_for_vectors())
        return self.value

    def get_values(self) -> list[float]:
        """The force along the axes of a "force-3d" sensor, in N, by the lookup table; else NaN."""
        self.check_enabled("get_values")
        if self.type != FORCE_3D:
            self.error("get_values", messages.only_for_vectors())
        return list(self.values)

    def get_type(self) -> int:
        """The type: 0 bumper, 1 force, 2 force-3d."""
        return self.type
