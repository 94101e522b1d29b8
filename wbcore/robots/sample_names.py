"""Names of the numbers in the samples of a sensor."""

from __future__ import annotations

from wbridge.hal.protocol.layout import NUMBERS
from wbridge.wbcore.devices.sensor import Sensor

AXES = {3: ("x", "y", "z"), 4: ("x", "y", "z", "w")}
"""Names of the parts of a value, by their number: a vector, a quaternion."""


def sample_names(sensor: Sensor) -> tuple[str, ...]:
    """Return the names of a sample's numbers: SENSOR, SENSOR.x, SENSOR.VALUE or SENSOR.VALUE.x; () for
    samples that are no fixed number of numbers."""
    code = None if sensor.codec is None else sensor.codec.message_codes.get(sensor.MESSAGE)
    if sensor.codec is None or code is None:
        return ()
    layout = sensor.codec.messages[code].layout
    names: list[str] = []
    for value, kind in zip(layout.names, layout.types or (), strict=False):
        element, _, count = kind.partition("*")
        if element not in NUMBERS:
            return ()  # texts, bytes and lists have no fixed size
        path = sensor.name if len(layout.names) == 1 else f"{sensor.name}.{value}"
        size = int(count or 1)
        names += [path] if size == 1 else [f"{path}.{axis}" for axis in AXES.get(size, range(size))]
    return tuple(names)
