"""The picture of a monochrome display, as its memory holds it, and the bytes that have changed."""

from wb import table

WIDTH = 128
_wired = [table.DEVICES[tag] for tag, (driver, _) in table.DRIVERS.items() if driver == "ssd1306"]
HEIGHT = _wired[0]["height"] if _wired else 0
PART = 24  # maximum bytes sent at once
data = bytearray(WIDTH * HEIGHT // 8)
"""A byte is 8 pixels of a column, the upper one in bit 0; a page has one byte for each column."""
_changed = [[0, 0] for _ in range(HEIGHT // 8)]
"""The columns between which each page has changed."""
shown = False
"""True while the display shows the picture, as its driver notes. Test benches read it."""


def _put(page, column, byte):
    global shown
    place = page * WIDTH + column
    if data[place] == byte:
        return
    data[place] = byte
    shown = False
    span = _changed[page]
    if span[0] == span[1]:
        span[0], span[1] = column, column + 1
    span[0], span[1] = min(span[0], column), max(span[1], column + 1)


def bar(left, top, right, bottom, lit):
    """Light or darken a rectangle with its corners included; what is outside of the picture is not drawn."""
    left, top, right, bottom = max(left, 0), max(top, 0), min(right, WIDTH - 1), min(bottom, HEIGHT - 1)
    while top <= bottom:
        page, low = top >> 3, top | 7
        bits = (0xFF << (top & 7)) & 0xFF
        if bottom < low:
            bits &= 0xFF >> (low - bottom)
        for x in range(left, right + 1):
            old = data[page * WIDTH + x]
            _put(page, x, old | bits if lit else old & ~bits)
        top = low + 1


def changed():
    """Return page, column and number of changed bytes, at most PART; None if there are none."""
    for page, (first, end) in enumerate(_changed):
        if first < end:
            return page, first, min(end - first, PART)
    return None


def sent(page, count):
    """Note that so many of the changed bytes of a page were sent."""
    _changed[page][0] += count


def touch():
    """Mark all bytes as changed."""
    for span in _changed:
        span[0], span[1] = 0, WIDTH
