"""An LED."""

from __future__ import annotations

from wbridge.hal.modes.device import DeviceHandle

__all__ = ["LED"]

SET = 1


class LED(DeviceHandle):
    """An LED."""

    state = (SET,)
    value = 0
    is_set = False
    """True once the controller has set a value."""

    def set(self, value: int) -> None:
        """Switch the LED.

        Args:
            value: 0 for off, k for the k-th color of the field `color`, or 0xRRGGBB if the LED is gradual.
        """
        self.value = value = int(value)
        self.is_set = True
        self.numbers[self.key + SET] = value  # `command_number`, in each step of many controllers

    def resend_lasting(self) -> None:
        """Add all commands that set a lasting state to the next packet."""
        super().resend_lasting()
        if self.is_set:
            self.command(SET, self.value)

    def get(self) -> int:
        """The last value set; initially 0."""
        return self.value
