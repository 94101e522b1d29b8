"""Numbers of a device's fields that a supervisor may have set to anything."""

from __future__ import annotations

from math import inf, isfinite

from wbcore.devices.device import Device

__all__ = ["limited"]


def limited(device: Device, name: str, fallback: float, low: float = -inf, high: float = inf) -> float:
    """The number in a field, or with a warning the fallback for one that is not finite or out of bounds.

    Releases that do not have the field have the fallback.
    """
    if name not in device.node.spec.fields:
        return fallback
    value = float(device.node.get(name))
    if isfinite(value) and low <= value <= high:
        return value
    allowed = f"{low:g} to {high:g}" if high < inf else f"{low:g} or more" if low > -inf else "any number"
    device.robot.warn(f"{device.path}: {name} is {value:g}; allowed: {allowed}; {fallback:g} is used")
    return fallback
