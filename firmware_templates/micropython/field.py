"""Magnetometers, and the direction of a magnetic field."""

from math import sqrt

from wb import axes, i2c_registers


def direction(counts, settings):
    """Convert a magnetometer's counts to the device's values, without the robot's own iron.

    Return None without a field.
    """
    x, y, z = (one - offset for one, offset in zip(counts, settings["offset"]))
    length = sqrt(x * x + y * y + z * z)
    if length == 0:
        return None
    return axes.mapped(settings["axes"], [one / length for one in (x, y, z)], settings["lookup"])


class Compass(i2c_registers.Part):
    """A magnetometer as a compass. Its `_measurement` returns counts, or () if the field is too strong."""

    def north(self):
        """Return the direction; None if it is unknown."""
        counts = self._measured()
        return direction(counts, self._settings) if counts else None
