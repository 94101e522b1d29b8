"""Feels contacts: a bumper, a force along its axis, or a force in space."""

from __future__ import annotations

from hal.modes.device import NAN, LookupSensor

__all__ = ["TouchSensor"]

FORCE_3D = 2


class TouchSensor(LookupSensor):
    """Feels contacts: a bumper, a force along its axis, or a force in space."""

    type = 0
    value = NAN
    values = (NAN, NAN, NAN)

    def take_constants(self, type_: int, lookup_table: list[tuple[float, float, float]]) -> None:
        """Kind of sensor and lookup table."""
        self.type, self.lookup_table = type_, lookup_table

    def take_value(self, value: float) -> None:
        """A new sample of a bumper or a force."""
        self.value = value

    def take_values(self, values: tuple[float, float, float]) -> None:
        """A new sample of a force in space."""
        self.values = values

    def get_value(self) -> float:
        """1 or 0 for a bumper that touches or not, else the force in N through the lookup table.

        NaN before the first sample and for the type "force-3d".
        """
        self.check_enabled("get_value")
        if self.type == FORCE_3D:
            self.error("get_value", "can only be used for bumper and force types; use get_values.")
        return self.value

    def get_values(self) -> list[float]:
        """The force on a "force-3d" sensor along its axes, in N through the lookup table; else NaN."""
        self.check_enabled("get_values")
        if self.type != FORCE_3D:
            self.error("get_values", 'can only be used for the type "force-3d"; use get_value.')
        return list(self.values)

    def get_type(self) -> int:
        """The kind: 0 bumper, 1 force, 2 force-3d."""
        return self.type
