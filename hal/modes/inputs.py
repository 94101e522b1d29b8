"""The controller's keyboard, mouse and joystick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.hal.modes.device import MAX_PERIOD
from wbridge.hal.readings import MouseState
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from wbridge.hal.modes.exchange import Exchange

__all__ = ["Joystick", "Keyboard", "Mouse"]

ENABLE_KEYBOARD, ENABLE_JOYSTICK, ENABLE_MOUSE, MOUSE_3D = 34, 35, 36, 39
FORCE, FORCE_DURATION, CENTERING, RESISTANCE, FORCE_AXIS = 41, 42, 43, 44, 45
NO_KEY = -1


class Input:
    """Base class of the input devices."""

    prefix, enable_code = "", 0

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self.sampling_period = 0

    def error(self, method: str, text: str) -> None:
        """Report an invalid call of a method on stderr."""
        report.error(self.prefix + method, text)

    def enable(self, sampling_period: int) -> None:
        """Enable the device.

        Args:
            sampling_period: in ms; 0 disables the device.
        """
        period = int(sampling_period)
        if not 0 <= period <= MAX_PERIOD:
            self.error("enable", messages.invalid_input_period(period, MAX_PERIOD))
            return
        self.sampling_period = period
        self._exchange.command(self.enable_code, period)

    def disable(self) -> None:
        """Disable the device."""
        self.enable(0)

    def get_sampling_period(self) -> int:
        """The sampling period in ms, or 0 if it is disabled."""
        return self.sampling_period


class Keyboard(Input):
    """The keyboard."""

    prefix, enable_code = "wb_keyboard_", ENABLE_KEYBOARD

    def __init__(self, exchange: Exchange) -> None:
        super().__init__(exchange)
        self.keys: list[int] = []

    def take_keys(self, keys: list[int]) -> None:
        """Store a new sample."""
        self.keys = list(keys)

    def get_key(self) -> int:
        """The next pressed key of the current sample, or -1 if there are no more.

        The low 16 bits hold the character code of the key (upper case for letters) or a constant such as
        `Keyboard.UP`, combined with the pressed modifiers `Keyboard.SHIFT`, `CONTROL` and `ALT`.
        """
        if self.sampling_period <= 0:
            report.warning("wb_keyboard_get_key", messages.disabled_keyboard())
        return self.keys.pop(0) if self.keys else NO_KEY


class Mouse(Input):
    """The mouse in the 3D view."""

    prefix, enable_code = "wb_mouse_", ENABLE_MOUSE

    def __init__(self, exchange: Exchange) -> None:
        super().__init__(exchange)
        self.state = MouseState()
        self.with_position = False

    def take_mouse(
        self, left: bool, middle: bool, right: bool, u: float, v: float, x: float, y: float, z: float
    ) -> None:
        """Store a new sample."""
        self.state = MouseState(u, v, x, y, z, bool(left), bool(middle), bool(right))

    def get_state(self) -> MouseState:
        """The latest sample."""
        return self.state

    def get_state_pointer(self) -> MouseState:
        """The latest sample; in C a pointer to it, not a copy."""
        return self.state

    def enable_3d_position(self) -> None:
        """Enable the 3D position of the object under the pointer, which takes additional time."""
        self._find(True)

    def disable_3d_position(self) -> None:
        """Disable the 3D position of the object under the pointer."""
        self._find(False)

    def _find(self, on: bool) -> None:
        self.with_position = on
        self._exchange.command(MOUSE_3D, on)

    def is_3d_position_enabled(self) -> bool:
        """True if the 3D position is enabled."""
        return self.with_position


class Joystick(Input):
    """The first joystick."""

    prefix, enable_code = "wb_joystick_", ENABLE_JOYSTICK

    def __init__(self, exchange: Exchange) -> None:
        super().__init__(exchange)
        self.axes: list[int] = []
        self.povs: list[int] = []
        self.buttons: list[int] = []
        self.number_of_axes = self.number_of_povs = -1
        self.model = ""

    def take_joystick(self, axes: int, buttons: int, povs: int, model: str) -> None:
        """Store the properties of the joystick."""
        self.number_of_axes, self.number_of_povs, self.model = axes, povs, model

    def take_joystick_state(self, buttons: list[int], axes: list[int], povs: list[int]) -> None:
        """Store a new sample."""
        self.buttons, self.axes, self.povs = list(buttons), axes, povs

    def is_connected(self) -> bool:
        """True if a joystick is connected."""
        return self.number_of_axes > 0

    def get_model(self) -> str:
        """The model name of the joystick, or "" if none is connected."""
        return self.model

    def get_number_of_axes(self) -> int:
        """The number of axes, or -1 if no joystick is connected."""
        return self.number_of_axes

    def get_axis_value(self, axis: int) -> int:
        """The position of an axis (counted from 0): -32768 to 32767; 0 for an axis that does not exist."""
        return self._value("get_axis_value", self.axes, axis)

    def get_number_of_povs(self) -> int:
        """The number of points of view (hats), or -1 if no joystick is connected."""
        return self.number_of_povs

    def get_pov_value(self, pov: int) -> int:
        """The directions in which a point of view (hat) is pushed, as bits; 0: none."""
        return self._value("get_pov_value", self.povs, pov)

    def _value(self, method: str, values: list[int], index: int) -> int:
        if 0 <= index < len(values):
            return values[index]
        if self.is_connected():
            self.error(method, messages.invalid_index(index))
        return 0

    def get_pressed_button(self) -> int:
        """The next pressed button of the current sample, or -1 if there are no more."""
        return self.buttons.pop(0) if self.buttons else NO_KEY

    def set_constant_force(self, level: int) -> None:
        """Apply a constant force; the joystick's driver defines the range of levels."""
        self._exchange.command(FORCE, int(level) & MAX_PERIOD)

    def set_constant_force_duration(self, duration: float) -> None:
        """Set the duration of the constant force, in s."""
        self._exchange.command(FORCE_DURATION, float(duration))

    def set_auto_centering_gain(self, gain: float) -> None:
        """Set the gain of the auto-centering effect: 0 to 1."""
        self._exchange.command(CENTERING, float(gain))

    def set_resistance_gain(self, gain: float) -> None:
        """Set the gain of the resistance effect: 0 to 1."""
        self._exchange.command(RESISTANCE, float(gain))

    def set_force_axis(self, axis: int) -> None:
        """Select the axis on which force effects act."""
        self._exchange.command(FORCE_AXIS, int(axis))
