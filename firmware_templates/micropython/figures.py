"""Lines, ovals and polygons on the picture of a display: the same pixels as in simulation, as figures.c."""

from wb.canvas import HEIGHT, bar

FARTHEST = 16383  # the largest coordinate and semi-axis, as on boards with C


def near(coordinate):
    """Limit a coordinate to FARTHEST in both directions."""
    return max(-FARTHEST, min(int(coordinate), FARTHEST))


def line(x1, y1, x2, y2, lit):
    """Draw a line."""
    wide, high = abs(x2 - x1), abs(y2 - y1)
    step_x, step_y = 1 if x2 > x1 else -1, 1 if y2 > y1 else -1
    is_flat = wide > high
    count, beside = (wide, high) if is_flat else (high, wide)
    total = count  # after i steps, floor(i * slope + 1/2) of them were also sideways
    for _ in range(count):
        bar(x1, y1, x1, y1, lit)
        total += 2 * beside
        both = total >= 2 * count
        if both:
            total -= 2 * count
        if is_flat or both:
            x1 += step_x
        if not is_flat or both:
            y1 += step_y
    bar(x1, y1, x1, y1, lit)


def _oval_rows(x, y, n, inner, outer, lit):
    for row in (y - n, y + n):
        bar(x - outer, row, x - inner, row, lit)
        bar(x + inner, row, x + outer, row, lit)


def oval(x, y, a, b, fill, lit):
    """Draw or fill an oval with the semi-axes a and b."""
    a2, b2 = a * a, b * b
    _oval_rows(x, y, 0, 0 if fill else a, a, lit)
    # The widest column of row n is the largest one with b^2 x (x - 1) < a^2 (b^2 - n (n - 1)).
    widest = a
    for n in range(1, b + 1):
        if widest <= 0:
            return
        limit = a2 * (b2 - n * (n + 1))  # of the next row
        below = widest
        while below > 0 and b2 * below * (below - 1) >= limit:
            below -= 1
        inner, outer = (below, widest - 1) if below < widest else (widest, widest)
        _oval_rows(x, y, n, 0 if fill else inner, outer, lit)
        widest = below


def _crossing(from_x, from_y, to_x, to_y, row):
    """Return where an edge crosses a row; C's division rounds toward zero."""
    over, rise = (row - to_y) * (from_x - to_x), from_y - to_y
    size = abs(over) // abs(rise)
    return to_x + (size if (over < 0) == (rise < 0) else -size)


def polygon(xs, ys, fill, lit):
    """Draw or fill a polygon: pairs of edges, and the level edges."""
    corners = [(near(x), near(y)) for x, y in zip(xs, ys)]
    edges = list(zip(corners[-1:] + corners[:-1], corners))
    for row in range(HEIGHT):
        columns = []
        for (from_x, from_y), (to_x, to_y) in edges:
            if (to_y < row) != (from_y < row):
                columns.append(_crossing(from_x, from_y, to_x, to_y, row))
            if from_y == row and to_y == row:
                bar(min(from_x, to_x), row, max(from_x, to_x), row, lit)
        columns.sort()
        for k in range(0, len(columns) - 1, 2):
            # A pair that begins where the one before it ends begins one pixel later.
            left, right = columns[k] + int(k > 0 and columns[k] == columns[k - 1]), columns[k + 1]
            bar(left, row, right if fill else left, row, lit)
            if not fill:
                bar(right, row, right, row, lit)
