"""A lamp."""

from __future__ import annotations

from hal.modes.device import Device

__all__ = ["LED"]

SET = 1


class LED(Device):
    """A lamp."""

    state = (SET,)
    value = 0

    def set(self, value: int) -> None:
        """Switch the lamp.

        Args:
            value: 0 is off; k is color k of the field `color`, or a color 0xRRGGBB if the LED is gradual.
        """
        self.value = int(value)
        self.command(SET, self.value)

    def get(self) -> int:
        """The value that was set; at first 0."""
        return self.value
