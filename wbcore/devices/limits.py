"""Range checks of number fields, which a supervisor may set to any value."""

from __future__ import annotations

from math import inf, isfinite

from wbridge.wbcore.devices.device import Device
from wbridge.wbcore.scene.ranges import snapped


def limited(device: Device, name: str, fallback: float, low: float = -inf, high: float = inf) -> float:
    """Return a field's number, or the fallback, with a warning, if it is not finite or out of range.

    The fallback also applies to releases without the field.
    """
    if name not in device.node.spec.fields:
        return fallback
    value = snapped(float(device.node.get(name)), low, high)
    if isfinite(value) and low <= value <= high:
        return value
    allowed = f"{low:g} to {high:g}" if high < inf else f"{low:g} or more" if low > -inf else "any number"
    device.robot.warn(f"{device.path}: {name} is {value:g}; allowed: {allowed}; {fallback:g} is used")
    return fallback
