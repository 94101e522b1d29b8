"""Maps the axes of a three-axis part to those of the robot's device."""

from wb import curve


def mapped(axes, measured, lookup):
    """Return the device's values; axes are 1, 2, 3 for x, y, z, negative if reversed."""
    turned = [measured[one - 1] if one > 0 else -measured[-one - 1] for one in axes]
    return [curve.at(lookup, one) for one in turned]
