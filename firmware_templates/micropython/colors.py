"""The color of an LED by its value, as colors.c finds it."""

FULL = 255


def of(settings, value):
    """Return the color of a device's value: the number of a color from 1; for a gradual LED the brightness of
    its color, or 0xRRGGBB if it has none."""
    listed = settings["colors"]
    if not settings["gradual"]:
        return listed[value - 1] if 1 <= value <= len(listed) else (0, 0, 0)
    if not listed:
        return [value >> shift & FULL for shift in (16, 8, 0)]
    return [one * min(max(value, 0), FULL) // FULL for one in listed[0]]
