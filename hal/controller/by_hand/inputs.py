"""Keyboard, mouse and joystick, which are enabled on creation."""

from __future__ import annotations

from wbridge.hal.api import constants
from wbridge.hal.client.session import current

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from typing import Any

NAMES = "END HOME LEFT UP RIGHT DOWN PAGEUP PAGEDOWN".split()
NUMPAD = "HOME LEFT UP RIGHT DOWN END".split()
SPOKEN = {"PAGEUP": "page up", "PAGEDOWN": "page down"}
KEYS = {getattr(constants, f"WB_KEYBOARD_{name}"): SPOKEN.get(name, name.lower()) for name in NAMES}
KEYS |= {getattr(constants, f"WB_KEYBOARD_NUMPAD_{name}"): f"numpad {name.lower()}" for name in NUMPAD}
MODIFIERS = {getattr(constants, f"WB_KEYBOARD_{name}"): name.lower() for name in ("SHIFT", "CONTROL", "ALT")}


class InputBase:
    """Base class of the input devices."""

    sampling_period: Any

    def __init__(self, sampling_period: int | None = None) -> None:
        """
        Args:
            sampling_period: in ms; None: the basic time step; 0: do not enable the device.
        """
        if sampling_period != 0:
            step = int(current().get_basic_time_step())
            self.sampling_period = step if sampling_period is None else sampling_period


class KeyboardBase(InputBase):
    """Hand-written methods of Keyboard."""

    def getKeyCode(self) -> int:
        """Alias of `getKey`."""
        return current().keyboard.get_key()

    def get_key(self) -> str:
        """The next pressed key as text, for example "shift-A" or "page up", or ""."""
        key = current().keyboard.get_key()
        if key < 0:
            return ""
        code = key & constants.WB_KEYBOARD_KEY
        words = [name for flag, name in MODIFIERS.items() if key & flag]
        return "-".join([*words, KEYS.get(code) or chr(code)])


class MouseBase(InputBase):
    """Hand-written methods of Mouse."""


class JoystickBase(InputBase):
    """Hand-written methods of Joystick."""
