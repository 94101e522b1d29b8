"""Texts on a canvas: one character after the other, as Webots places them."""

from __future__ import annotations

from wbridge.wbcore.drawing.canvas import Canvas
from wbridge.wbcore.drawing.fonts import Font


def draw_text(canvas: Canvas, font: Font, text: str, x: int, y: int) -> set[str]:
    """Draw a text with its upper left corner at (x, y); return the characters that the font does not have.

    A character outside of the canvas advances by the font's size instead of its width.
    """
    missing: set[str] = set()
    size = font.size
    for number, line in enumerate(text.split("\n")):
        row, column = y + number * font.line_height, x
        if row >= canvas.height:
            break
        if row + size < 0:
            continue
        for character in line:
            if column >= canvas.width:
                break
            if column + size < 0:
                column += size
                continue
            glyph = font.glyph(character)
            if glyph is None:
                missing.add(character)
                continue
            if not character.isspace():
                canvas.glyph(glyph.coverage, column + glyph.left, row - glyph.top + size)
            column += glyph.advance
    return missing
