"""Device classes, one per node type, each in a module named after the node type."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from wbridge.hal.modes.device import DeviceHandle
from wbridge.hal.protocol.devices import key_of

__all__ = ["device_class"]


@cache
def device_class(node_type: str) -> type[DeviceHandle]:
    """The device class of a node type that has a codec."""
    motor = node_type in ("RotationalMotor", "LinearMotor")
    name = "Motor" if motor else node_type
    found: type[DeviceHandle] = getattr(import_module(f"{__name__}.{key_of(name)}"), name)
    return found
