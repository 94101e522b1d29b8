"""Linear interpolation in tables, as Webots interpolates lookup tables."""


def at(points, x):
    """Return the value of a curve; without points, x."""
    if not points:
        return x
    if x <= points[0][0]:
        return points[0][1]
    for k in range(1, len(points)):
        x0, y0 = points[k - 1]
        x1, y1 = points[k]
        if x <= x1:
            return y0 + (x - x0) / (x1 - x0) * (y1 - y0)
    return points[-1][1]
