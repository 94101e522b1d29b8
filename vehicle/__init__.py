"""The face under which Webots controllers import the vehicle library: `from vehicle import Car, Driver`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wbridge.hal.controller.car import Car
    from wbridge.hal.controller.driver import Driver

__all__ = ["Car", "Driver"]


def __getattr__(name: str) -> object:
    """A class of the vehicle library, whose module is loaded when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module 'vehicle' has no class {name!r}")
    return getattr(import_module(f"wbridge.hal.controller.{name.lower()}"), name)
