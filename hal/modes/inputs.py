"""Keyboard, mouse and joystick as the controller sees them; their events come with the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hal.modes import report
from hal.modes.device import MAX_PERIOD

if TYPE_CHECKING:
    from hal.modes.exchange import Exchange

__all__ = ["Joystick", "Keyboard", "Mouse", "MouseState"]

ENABLE_KEYBOARD, ENABLE_JOYSTICK, ENABLE_MOUSE, MOUSE_3D = 34, 35, 36, 39
FORCE, FORCE_DURATION, CENTERING, RESISTANCE, FORCE_AXIS = 41, 42, 43, 44, 45
NO_KEY = -1


class Input:
    """What the three have in common."""

    prefix, enable_code = "", 0

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self.sampling_period = 0

    def error(self, method: str, text: str) -> None:
        """Tell that a call was wrong."""
        report.error(self.prefix + method, text)

    def enable(self, sampling_period: int) -> None:
        """Start sampling.

        Args:
            sampling_period: between two samples, in ms; 0 stops sampling.
        """
        period = int(sampling_period)
        if not 0 <= period <= MAX_PERIOD:
            self.error(
                "enable", f"called with an invalid sampling period ({period}); allowed are 0 to {MAX_PERIOD}."
            )
            return
        self.sampling_period = period
        self._exchange.command(self.enable_code, period)

    def disable(self) -> None:
        """Stop sampling."""
        self.enable(0)

    def get_sampling_period(self) -> int:
        """The sampling period in ms; 0 when it is off."""
        return self.sampling_period


class Keyboard(Input):
    """The keys that are pressed."""

    prefix, enable_code = "wb_keyboard_", ENABLE_KEYBOARD

    def __init__(self, exchange: Exchange) -> None:
        super().__init__(exchange)
        self.keys: list[int] = []

    def take_keys(self, keys: list[int]) -> None:
        """A new sample."""
        self.keys = list(keys)

    def get_key(self) -> int:
        """One of the keys that are pressed; each call gives the next one, -1 when there are no more.

        The low 16 bits are the key: the code of its character (upper case for letters) or a constant such
        as `Keyboard.UP`; added to it are `Keyboard.SHIFT`, `CONTROL` and `ALT` when they are pressed.
        """
        if self.sampling_period <= 0:
            report.warning(
                "wb_keyboard_get_key", "called for the disabled keyboard; please call wb_keyboard_enable()."
            )
        return self.keys.pop(0) if self.keys else NO_KEY


class MouseState(NamedTuple):
    """Where the mouse points, and its buttons."""

    u: float = float("nan")
    """From the left of the 3D view, 0 to 1; NaN outside of it."""
    v: float = float("nan")
    """From the top of the 3D view, 0 to 1."""
    x: float = float("nan")
    """Of the thing it points at, in m; NaN when there is none or this is not enabled."""
    y: float = float("nan")
    z: float = float("nan")
    left: bool = False
    middle: bool = False
    right: bool = False


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
        """A new sample."""
        self.state = MouseState(u, v, x, y, z, bool(left), bool(middle), bool(right))

    def get_state(self) -> MouseState:
        """The newest sample."""
        return self.state

    def get_state_pointer(self) -> MouseState:
        """The newest sample (for C, where it is not a copy)."""
        return self.state

    def enable_3d_position(self) -> None:
        """Find the place in the world that the mouse points at; this costs time."""
        self._find(True)

    def disable_3d_position(self) -> None:
        """Stop finding the place in the world that the mouse points at."""
        self._find(False)

    def _find(self, on: bool) -> None:
        self.with_position = on
        self._exchange.command(MOUSE_3D, on)

    def is_3d_position_enabled(self) -> bool:
        """True when the place in the world is found."""
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
        """A joystick was found, or none."""
        self.number_of_axes, self.number_of_povs, self.model = axes, povs, model

    def take_joystick_state(self, buttons: list[int], axes: list[int], povs: list[int]) -> None:
        """A new sample."""
        self.buttons, self.axes, self.povs = list(buttons), axes, povs

    def is_connected(self) -> bool:
        """True when there is a joystick."""
        return self.number_of_axes > 0

    def get_model(self) -> str:
        """The name of the joystick; "" without one."""
        return self.model

    def get_number_of_axes(self) -> int:
        """Number of axes; -1 without a joystick."""
        return self.number_of_axes

    def get_axis_value(self, axis: int) -> int:
        """The position of an axis, from 0 on: -32768 to 32767; 0 for an axis that is not there."""
        return self._value("get_axis_value", self.axes, axis)

    def get_number_of_povs(self) -> int:
        """Number of hats; -1 without a joystick."""
        return self.number_of_povs

    def get_pov_value(self, pov: int) -> int:
        """The directions in which a hat is pushed, as bits; 0: none."""
        return self._value("get_pov_value", self.povs, pov)

    def _value(self, method: str, values: list[int], index: int) -> int:
        if 0 <= index < len(values):
            return values[index]
        if self.is_connected():
            self.error(method, f"called with an invalid index ({index}).")
        return 0

    def get_pressed_button(self) -> int:
        """One of the buttons that are pressed; each call gives the next one, -1 when there are no more."""
        return self.buttons.pop(0) if self.buttons else NO_KEY

    def set_constant_force(self, level: int) -> None:
        """Push with a constant force; the range of levels is the driver's."""
        self._exchange.command(FORCE, int(level) & MAX_PERIOD)

    def set_constant_force_duration(self, duration: float) -> None:
        """Set how long the constant force lasts, in s."""
        self._exchange.command(FORCE_DURATION, float(duration))

    def set_auto_centering_gain(self, gain: float) -> None:
        """Set how strongly the stick returns to its middle: 0 to 1."""
        self._exchange.command(CENTERING, float(gain))

    def set_resistance_gain(self, gain: float) -> None:
        """Set how strongly the stick resists: 0 to 1."""
        self._exchange.command(RESISTANCE, float(gain))

    def set_force_axis(self, axis: int) -> None:
        """Choose the axis on which forces act."""
        self._exchange.command(FORCE_AXIS, int(axis))
