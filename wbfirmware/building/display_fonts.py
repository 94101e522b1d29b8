"""The fonts of a display on a board: bitmaps of those that the controller uses, as the simulator has them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbridge.wbfirmware.building.project import FirmwareError
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import robot_of

if TYPE_CHECKING:
    from wbridge.wbcore.drawing.fonts import Font

DRIVER = "ssd1306"
ASCII = ("\t", *map(chr, range(ord(" "), ord("~") + 1)))
LARGEST_CODE = 0xFFFF
MOST_BYTES = 0xFFFF
"""Of the bitmaps of a font: the place of a character in them has 16 bits."""
FONT_ARGUMENTS = ("font", "size", "anti_aliasing")
"""Of `setFont` in Python."""
LARGEST_SIZE = 48
"""Larger characters do not fit on the display."""
HALF = 128
"""A pixel belongs to a character that covers at least half of it."""
_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*")', re.DOTALL)
_TEXT = re.compile(r"\b(?:wb_display_draw_text|drawText)\b")
_CALL = re.compile(r"\b(wb_display_set_font|setFont)\s*\(")
_LITERALS = re.compile(
    r'(?:[^,"();]*(?:\([^()]*\))?[^,"();]*,)?\s*"((?:\\.|[^"\\\n])*)"\s*,\s*(\d+)\s*,\s*(true|false|[01])\s*\)'
)


class FontUse(NamedTuple):
    """A font as `wb_display_set_font` selects it."""

    name: str
    size: int
    is_smooth: bool


class BoardGlyph(NamedTuple):
    """A character: its code, its place as in `wbridge.wbcore.drawing.fonts.Glyph`, its size, its first
    byte."""

    code: int
    left: int
    top: int
    advance: int
    columns: int
    rows: int
    first: int


class BoardFont(NamedTuple):
    """The bitmaps of a font."""

    name: str
    size: int
    is_smooth: bool
    line_height: int
    """Pixels."""
    glyphs: list[BoardGlyph]
    """Sorted by code."""
    bits: bytes
    """Rows of the characters, bit by bit; each character begins with a byte."""


def canvas_pages(hardware: Hardware) -> int:
    """Return the height of the board's display in units of 8 pixels; 0: it has none."""
    drawings = (wiring for wiring in hardware.wirings if wiring.driver.name == DRIVER)
    return max((int(wiring.device.constants["height"]) // 8 for wiring in drawings), default=0)


def fonts_of(hardware: Hardware) -> list[BoardFont]:
    """Return the fonts that the controller uses: the first one is that of texts before any is selected.

    Raises:
        FirmwareError: a font is unknown, too large, or not written as literals; with the place of the call.
    """
    controller = hardware.controller
    if controller is None or not canvas_pages(hardware):
        return []
    uses: dict[FontUse, str] = {}
    wanted = set(ASCII)
    for name, text in controller.texts().items():
        wanted |= {character for character in text if character > "~" and ord(character) <= LARGEST_CODE}
        read = python_font_uses if name.endswith(".py") else font_uses
        for use, place in read(text, str(controller.folder / name)):
            uses.setdefault(use, place)
    project = robot_of(hardware.path)[0].parent.parent
    ordered = sorted(uses.items(), key=lambda use: use[0] != _default())
    return [board_font(use, wanted, project, place) for use, place in ordered]


def _default() -> FontUse:
    """Return the font of texts before any is selected."""
    from wbridge.wbcore.drawing.fonts import DEFAULT_FONT  # start-up: 60 ms, only displays need it

    return FontUse(DEFAULT_FONT, 8, True)


def font_uses(text: str, name: str) -> Iterator[tuple[FontUse, str]]:
    """Iterate over the fonts that a C or C++ source uses, with the places of the calls.

    Args:
        text: the source.
        name: its name, for the places.

    Raises:
        FirmwareError: a font is not written as literals.
    """
    plain = _COMMENT.sub(lambda match: match[1] or re.sub(r"[^\n]", " ", match[0]), text)
    if drawn := _TEXT.search(plain):
        yield _default(), _place(name, plain, drawn.start())
    for call in _CALL.finditer(plain):
        place = _place(name, plain, call.start(1))
        literal = _LITERALS.match(plain, call.end())
        if literal is None:
            raise _not_literal(place, call[1])
        yield FontUse(literal[1], int(literal[2]), literal[3] in ("true", "1")), place


def python_font_uses(text: str, name: str) -> Iterator[tuple[FontUse, str]]:
    """See `font_uses`, for a source in Python that has been parsed before."""
    nodes = list(ast.walk(ast.parse(text)))
    calls = {node.func: node for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        if not isinstance(node, ast.Attribute):
            continue
        place = f"{name}:{node.lineno}:{node.col_offset + 1}"
        if node.attr == "drawText":
            yield _default(), place
        elif node.attr == "setFont":
            use = _python_font(calls[node]) if node in calls else None
            if use is None:
                raise _not_literal(place, node.attr)
            yield use, place


def _python_font(call: ast.Call) -> FontUse | None:
    """Return the font that a call of `setFont` selects; None if it is not written as literals."""
    arguments = dict(zip(FONT_ARGUMENTS, call.args, strict=False))
    arguments |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    values = [
        argument.value for key in FONT_ARGUMENTS if isinstance(argument := arguments.get(key), ast.Constant)
    ]
    if len(values) != len(FONT_ARGUMENTS) or len(call.args) + len(call.keywords) != len(FONT_ARGUMENTS):
        return None
    name, size, is_smooth = values
    if not isinstance(name, str) or not isinstance(size, int) or isinstance(size, bool):
        return None
    return FontUse(name, size, bool(is_smooth))


def _not_literal(place: str, function: str) -> FirmwareError:
    return FirmwareError(
        f"{place}: {function}: the board has only the fonts that the controller names; write name, size and "
        f'smoothing there, for example {function}(..., "Lucida Console", 8, false)'
    )


def board_font(use: FontUse, characters: set[str], project: Path, place: str) -> BoardFont:
    """Return the bitmaps of a font.

    Args:
        use: the font.
        characters: those to include, as far as the font has them.
        project: the folder of the world's project, which may have fonts.
        place: of the call, for messages.

    Raises:
        FirmwareError: the font is unknown, or it or its characters are too large.
    """
    from wbridge.wbcore.drawing.fonts import FontError, find_font, load_font  # start-up: as above

    if use.size > LARGEST_SIZE:
        raise FirmwareError(f"{place}: a font size of {use.size}; boards allow 1 to {LARGEST_SIZE}")
    try:
        font = load_font(find_font(use.name, project), use.size, use.is_smooth)
    except FontError as problem:
        raise FirmwareError(f"{place}: {problem}") from None
    bits = bytearray()
    glyphs = [
        glyph for character in sorted(characters) if (glyph := _glyph(font, character, bits)) is not None
    ]
    if len(bits) > MOST_BYTES:
        raise FirmwareError(
            f'{place}: the characters of "{use.name}" in size {use.size} take {len(bits)} bytes; boards '
            f"allow {MOST_BYTES} for a font; use a smaller size, or fewer different characters in the "
            "controller"
        )
    return BoardFont(use.name, use.size, use.is_smooth, font.line_height, glyphs, bytes(bits))


def _glyph(font: Font, character: str, bits: bytearray) -> BoardGlyph | None:
    """Return a character, and append its bits; None if the font does not have it."""
    glyph = font.glyph(character)
    if glyph is None:
        return None
    rows, columns = (0, 0) if character.isspace() else glyph.coverage.shape
    covered = glyph.coverage.ravel().tolist()[: rows * columns]
    first, size = len(bits), -(-len(covered) // 8)
    digits = "".join("01"[coverage >= HALF] for coverage in covered).ljust(8 * size, "0")
    bits += int(digits or "0", 2).to_bytes(size, "big")
    return BoardGlyph(ord(character), glyph.left, glyph.top, glyph.advance, columns, rows, first)


def _place(name: str, plain: str, at: int) -> str:
    """Return name, line and column."""
    return f"{name}:{plain.count(chr(10), 0, at) + 1}:{at - plain.rfind(chr(10), 0, at)}"
