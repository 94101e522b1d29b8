"""The sensor of an emulated robot's camera: it sees pictures from files, else colored bars."""

from __future__ import annotations

import struct
from pathlib import Path

from PIL import Image, ImageDraw

from wbridge.remote_controls.emulators.base import SettingError

BARS = ("white", "yellow", "cyan", "lime", "magenta", "red", "blue", "black")
"""What it sees without pictures: vertical bars, from the left."""
SUFFIXES = (".jpg", ".jpeg", ".png")


class SensorArray:
    """Pixels in rows and columns."""

    def __init__(self, width: int, height: int) -> None:
        """
        Args:
            width: count of columns.
            height: count of rows.
        """
        self.size = (width, height)
        self._seen = [_bars(width, height)]
        self._rate = 1.0

    def show(self, path: Path, rate: float = 10.0) -> None:
        """Let it see a picture, or those of a folder one after the other, again and again.

        Args:
            path: file or folder.
            rate: pictures per second.

        Raises:
            SettingError: there is none, or one cannot be read.
        """
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        usable = [file for file in files if file.suffix.lower() in SUFFIXES and file.is_file()]
        if not usable:
            raise SettingError(f"{path}: no pictures ({', '.join(SUFFIXES)})")
        self._seen, self._rate = [self._read(file) for file in usable], rate

    def _read(self, file: Path) -> Image.Image:
        try:
            with Image.open(file) as opened:
                picture: Image.Image = opened.convert("RGB").resize(self.size)
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as problem:
            raise SettingError(f"{file}: {problem}") from None
        return picture

    def take(self, time: float, left: int, top: int, width: int, height: int, zoom: int) -> Image.Image:
        """Return a picture.

        Args:
            time: in s.
            left: first column of the sensor.
            top: first row of the sensor.
            width: width of the picture in pixels.
            height: height of the picture in pixels.
            zoom: columns and rows from one pixel of the picture to the next.
        """
        seen = self._seen[int(time * self._rate) % len(self._seen)]
        region = (left, top, left + width * zoom, top + height * zoom)
        return seen.crop(region).resize((width, height), Image.Resampling.NEAREST)


def rgb565(picture: Image.Image) -> bytes:
    """Return 16 bits per pixel, high byte first: 5 bits of red, 6 of green, 5 of blue."""
    data = picture.convert("RGB").tobytes()
    words = (
        r >> 3 << 11 | g >> 2 << 5 | b >> 3
        for r, g, b in zip(data[0::3], data[1::3], data[2::3], strict=True)
    )
    return struct.pack(f">{len(data) // 3}H", *words)


def _bars(width: int, height: int) -> Image.Image:
    picture = Image.new("RGB", (width, height))
    pen = ImageDraw.Draw(picture)
    for k, color in enumerate(BARS):
        pen.rectangle((k * width // len(BARS), 0, (k + 1) * width // len(BARS) - 1, height), fill=color)
    return picture
