"""Fonts of displays: TrueType files of the project, and a free one that stands in for those of Webots.

Source: manual, chapter Display, `wb_display_set_font`. As in Webots, FreeType renders one character at a time
at 100 dpi; characters advance by the whole pixels of their unhinted width.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import ImageFont

from wbridge.hal.archives import packed_folder
from wbridge.wbcore.scene.diagnostics import did_you_mean

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["DEFAULT_FONT", "STANDARD_FONTS", "Font", "FontError", "Glyph", "find_font", "load_font"]

DEFAULT_FONT = "Lucida Console"
STANDARD_FONTS = (
    *("Arial", "Arial Black", "Comic Sans MS", "Courier New", "Georgia", "Impact", "Lucida Console"),
    *("Lucida Sans Unicode", "Palatino Linotype", "Tahoma", "Times New Roman", "Trebuchet MS", "Verdana"),
)
"""The fonts of Webots. They are not free: DejaVu Sans Mono stands in for them."""
FREE_FONT = "DejaVu Sans Mono"
_FREE_FILE = "DejaVuSansMono.ttf"
PIXELS_PER_POINT = 100 / 72
LARGEST_SIZE = 500
LARGEST_FILE = 2**25
MISSING = "\U0010ffff"
"""A character that no font has."""


class FontError(ValueError):
    """A font does not exist, cannot be read, or has not this size."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character: coverage (height, width) from 0 to 255, its place, and the next one's (pixels)."""

    coverage: NDArray[np.uint8]
    left: int
    """From the current column to the left side of `coverage`."""
    top: int
    """From the base line up to the upper side of `coverage`."""
    advance: int


class Font:
    """A font at one size."""

    def __init__(self, path: Path, size: int, is_smooth: bool) -> None:
        """
        Args:
            path: a TrueType file.
            size: as `wb_display_set_font` takes it.
            is_smooth: with anti-aliasing.

        Raises:
            FontError: the file or the size cannot be used.
        """
        if not 1 <= size <= LARGEST_SIZE:
            raise FontError(f"a font size of {size}; allowed: 1 to {LARGEST_SIZE}")
        self.size = size
        self._mode = "L" if is_smooth else "1"
        pixels = size * PIXELS_PER_POINT
        try:
            self._face = _face(path, pixels)
            self.units, height = _metrics(path)
            self._design = _face(path, self.units)
        except (OSError, ValueError, struct.error) as problem:
            raise FontError(f"{path}: not a readable TrueType font: {problem}") from None
        self._scale = pixels / self.units
        self.line_height = int(height * self._scale)
        """The distance of two lines (pixels)."""
        self._glyphs: dict[str, Glyph | None] = {}

    def glyph(self, character: str) -> Glyph | None:
        """Return a character; None if the font does not have it."""
        if character not in self._glyphs:
            self._glyphs[character] = self._render(character)
        return self._glyphs[character]

    def _render(self, character: str) -> Glyph | None:
        mask, (left, below) = self._face.getmask2(character, self._mode, anchor="ls")
        if character != MISSING and not character.isspace() and self._is_missing(character):
            return None
        columns, rows = mask.size
        coverage = np.frombuffer(bytes(mask), dtype=np.uint8).reshape(rows, columns)
        return Glyph(coverage, left, -below, int(self._design.getlength(character) * self._scale))

    def _is_missing(self, character: str) -> bool:
        picture, other = (bytes(self._face.getmask2(text, self._mode)[0]) for text in (character, MISSING))
        return picture == other


def _face(path: Path, pixels: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), pixels, layout_engine=ImageFont.Layout.BASIC)


def _metrics(path: Path) -> tuple[int, int]:
    """Return the units per em, and the distance of two lines in these units.

    Without vertical metrics in the file, FreeType takes the typographic height of the table OS/2.
    """
    data = path.read_bytes()
    (count,) = struct.unpack_from(">4xH", data)
    tables = {}
    for i in range(count):
        name, start = struct.unpack_from(">4s4xI", data, 12 + 16 * i)
        tables[name] = start
    if b"head" not in tables:
        raise ValueError("it has no table 'head'")
    (units,) = struct.unpack_from(">H", data, tables[b"head"] + 18)
    name, offset = (b"OS/2", 68) if b"OS/2" in tables else (b"hhea", 4)
    if not 16 <= units <= 16384 or name not in tables:
        raise ValueError("its measures are damaged")
    high, low = struct.unpack_from(">hh", data, tables[name] + offset)
    return units, max(high - low, 0)


def find_font(name: str, folder: Path | None) -> Path:
    """Return the file of a font: `fonts/NAME.ttf` of the project's folder, or the free font.

    Raises:
        FontError: there is none.
    """
    own = {file.stem: file for file in _files(folder)}
    if name in own:
        if own[name].stat().st_size > LARGEST_FILE:
            raise FontError(f'the font "{name}" has more than {LARGEST_FILE} bytes')
        return own[name]
    if name in STANDARD_FONTS or name == FREE_FONT:
        return packed_folder(Path(__file__).resolve().parent, "fonts", "fonts") / _FREE_FILE
    known = [*own, *STANDARD_FONTS, FREE_FONT]
    where = folder / "fonts" if folder is not None else "the project's folder fonts"
    raise FontError(
        f'unknown font "{name[:80]}"{did_you_mean(name, known)}; '
        f"allowed: {', '.join(sorted(known))}, or a TrueType file in {where}"
    )


def _files(folder: Path | None) -> list[Path]:
    if folder is None or not (folder / "fonts").is_dir():
        return []
    return sorted(file for file in (folder / "fonts").glob("*.ttf") if file.is_file())


@lru_cache(maxsize=32)
def load_font(path: Path, size: int, is_smooth: bool) -> Font:
    """Return a font of a file; displays share it.

    Raises:
        FontError: see `Font`.
    """
    return Font(path, size, is_smooth)
