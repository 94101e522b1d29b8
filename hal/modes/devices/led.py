"""An LED."""

from __future__ import annotations

from wbridge.hal.modes.device import DeviceHandle

__all__ = ["LED"]

SET = 1


class LED(DeviceHandle):
    """An LED."""

    state = (SET,)
    value = 0

    def set(self, value: int) -> None:
        """Switch the LED.

        Args:
            value: 0 for off, k for the k-th color of the field `color`, or 0xRRGGBB if the LED is gradual.
        """
        self.value = value = int(value)
        self.command(SET, value)

    def get(self) -> int:
        """The last value set; initially 0."""
        return self.value
