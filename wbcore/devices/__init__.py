"""Device models: one class per device kind, in a module of the same name, loaded on first use."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from wbridge.hal.protocol.devices import key_of
from wbridge.wbcore.devices.device import Device

__all__ = ["Device", "device_class"]


@cache
def device_class(node_type: str) -> type[Device]:
    """Return the class that simulates devices of a node type; types without a model get `Device`.

    Args:
        node_type: a built-in node type, for example "DistanceSensor".
    """
    name = f"{__name__}.{key_of(node_type)}"
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            return Device
        raise
    kind: type[Device] = getattr(module, node_type)
    return kind
