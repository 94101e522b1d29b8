"""The car: a driver who also sees the wheels."""

from __future__ import annotations

from hal.controller.driver import Driver

__all__ = ["CarBase"]


class CarBase(Driver):
    """What a car is beside its own methods: it can be driven, too."""
