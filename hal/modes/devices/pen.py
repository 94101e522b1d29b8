"""A pen, which draws on the ground."""

from __future__ import annotations

from wbridge.hal.modes.device import DeviceHandle
from wbridge.hal.reports import messages

__all__ = ["Pen"]

WRITE, LIFT, INK = 1, 2, 4


class Pen(DeviceHandle):
    """A pen, which draws on the ground."""

    state = (WRITE, LIFT, INK)

    def write(self, write: bool) -> None:
        """Put the pen down (True) or lift it (False)."""
        on, off = (WRITE, LIFT) if write else (LIFT, WRITE)
        for commands in (self.pending, self.lasting):
            commands.pop(off, None)
        self.command(on)

    def set_ink_color(self, color: int, density: float) -> None:
        """Set the color and density of the ink.

        Args:
            color: 0xRRGGBB.
            density: from 0 (transparent) to 1 (opaque).
        """
        if not 0 <= density <= 1:
            self.error("set_ink_color", messages.invalid_density(density))
            return
        color = int(color)
        self.command(INK, color >> 16 & 255, color >> 8 & 255, color & 255, float(density))
