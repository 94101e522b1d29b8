"""Texts on the picture of a display: one character after the other, as in simulation, as font.c."""

from struct import unpack_from

from wb.canvas import HEIGHT, WIDTH, bar
from wb.fonts import FONTS

GLYPH, GLYPH_BYTES = "<HbbBBBH", 9  # code, left, top, advance, columns, rows, first byte


def _glyph(glyphs, code):
    for place in range(0, len(glyphs), GLYPH_BYTES):
        if glyphs[place] | glyphs[place + 1] << 8 == code:
            return unpack_from(GLYPH, glyphs, place)
    return None


def _draw_glyph(bits, glyph, x, y, lit):
    _, left, top, _, columns, rows, first = glyph
    for bit in range(columns * rows):
        if bits[first + (bit >> 3)] & 0x80 >> (bit & 7):
            column, row = x + left + bit % columns, y - top + bit // columns
            bar(column, row, column, row, lit)


def draw(number, text, x, y, lit):
    """Draw a text with its upper left corner at a point. Returns False if a character is missing."""
    _, size, _, line_height, glyphs, bits = FONTS[number]
    is_complete = True
    for line, one in enumerate(text.split("\n")):
        row, column = y + line * line_height, x
        if row >= HEIGHT:
            break
        if row + size < 0:
            continue
        for character in one:
            if column >= WIDTH:
                break
            if column + size < 0:
                column += size
                continue
            glyph = _glyph(glyphs, ord(character))
            if glyph is None:
                is_complete = False
                continue
            _draw_glyph(bits, glyph, column, row + size, lit)
            column += glyph[3]
    return is_complete
