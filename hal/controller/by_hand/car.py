"""The car: a driver with access to the wheels."""

from __future__ import annotations

from wbridge.hal.controller.driver import Driver


class CarBase(Driver):
    """Base class of Car, which is also a Driver."""
