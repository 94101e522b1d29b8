"""A monochrome display with an SSD1306: the pixels of its glass."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers, PictureOutput

WIDTH = 128
FULL = 255
WEIGHTS = {16: 299, 8: 587, 0: 114}
"""Of red, green and blue in the luminance, in thousandths, by their place in a pixel."""
THRESHOLD = 500 * FULL * FULL
"""Half of white."""


class Oled(PictureOutput):
    """Its glass shows the pixels of the simulated display of at least half of white's luminance."""

    current = "canvas_shown"
    emulators = ("program", "simavr", "rp2040", "micropython")

    def __init__(self, wiring: Wiring) -> None:
        values = wiring.values
        self.name = f"SSD1306:{values['address']:#x}:{wiring.device.constants['height']}"
        self._upside_down = bool(values["upside_down"])

    def wanted(self, picture: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """See `PictureOutput`."""
        return lit(picture)

    def found(self, data: bytes) -> NDArray[np.bool_]:
        """See `PictureOutput`."""
        pages = np.frombuffer(data, np.uint8).reshape(-1, 1, WIDTH)
        bits = np.unpackbits(pages, axis=1, bitorder="little").reshape(-1, WIDTH).astype(bool)
        return bits[::-1, ::-1] if self._upside_down else bits


def lit(picture: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Return which pixels (0xAARRGGBB) are lit: luminance times alpha is at least half of white's."""
    wide = picture.astype(np.int64)
    luminance = sum(weight * (wide >> place & FULL) for place, weight in WEIGHTS.items())
    return np.asarray(luminance * (wide >> 24) >= THRESHOLD)


def make(wiring: Wiring, numbers: BoardNumbers) -> PictureOutput:
    """See `wbridge.wbverify.coupling`."""
    return Oled(wiring)
