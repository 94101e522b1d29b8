"""User input: keys, mouse and joystick, as reported by a program (a browser page, a test).

    user = simulation.robots.user
    user.keyboard.press("UP")
    user.keyboard.press("a", shift=True)
    user.mouse.move(0.5, 0.5)
    user.joystick.plug("Pad", axes=2, buttons=4)

A controller that enabled an input device receives its state at each sample. A key pressed since the previous
sample counts as pressed even if it was released in between, so that each press is reported at least once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import nan
from typing import Generic, NamedTuple, TypeVar

from wbridge.wbcore.scene.diagnostics import did_you_mean

SHIFT, CONTROL, ALT = 0x10000, 0x20000, 0x40000
KEY = 0xFFFF
KEYS = {
    "TAB": 1,
    "BACKTAB": 2,
    "BACKSPACE": 3,
    "ENTER": 4,
    "NUMPAD_ENTER": 5,
    "INSERT": 6,
    "DELETE": 7,
    "ESCAPE": 27,
    **{f"F{number}": 47 + number for number in range(1, 13)},
    "END": 312,
    "HOME": 313,
    "LEFT": 314,
    "UP": 315,
    "RIGHT": 316,
    "DOWN": 317,
    "PAGEUP": 366,
    "PAGEDOWN": 367,
    "NUMPAD_HOME": 375,
    "NUMPAD_LEFT": 376,
    "NUMPAD_UP": 377,
    "NUMPAD_RIGHT": 378,
    "NUMPAD_DOWN": 379,
    "NUMPAD_END": 382,
}
"""Keys without a character; those from 312 on are named like the constants `WB_KEYBOARD_...`.

Source: WbRobot.cpp: Webots passes on the low 16 bits of the codes of Qt::Key. Those of F1 to F12 are also the
codes of the characters from 0 on. That of Escape would be 0, so it has its ASCII code here; Webots keeps this
key for its 3D view.
"""
OTHER_NAMES = {
    "RETURN": "ENTER",
    "SPACEBAR": "SPACE",
    "CTRL": "CONTROL",
    **{f"ARROW{mark}{side}": side for mark in ("", "_") for side in ("LEFT", "UP", "RIGHT", "DOWN")},
}
"""What keys are called elsewhere, for messages."""
MOST_KEYS = 7
"""Keys that are reported together."""
CLICK, MOVE, KEYBOARD, BUTTON, AXIS, POV = 1, 2, 4, 8, 16, 32
"""Events, with the values of `WB_EVENT_...`."""
LARGEST = 32767
K = TypeVar("K", int, str)
EventListener = Callable[[int], None]


class Presses(Generic[K]):
    """Numbers the presses of keys or buttons, so that each observer finds those since its last look."""

    def __init__(self) -> None:
        self.count = 0
        """Number of presses so far."""
        self._last: dict[K, int] = {}

    def note(self, key: K) -> None:
        """Record that a key was pressed."""
        self.count += 1
        self._last[key] = self.count

    def since(self, seen: int, down: Collection[K]) -> list[K]:
        """Return the keys that are down or were pressed after the first `seen` presses, in order."""
        found = {key for key, number in self._last.items() if number > seen or key in down}
        return sorted(found, key=self._last.__getitem__)


class Keyboard:
    """The state of the keyboard."""

    def __init__(self, notify: EventListener) -> None:
        self._notify = notify
        self._down: dict[int, int] = {}
        self._flags: dict[int, int] = {}
        self.presses: Presses[int] = Presses()

    @property
    def keys(self) -> list[int]:
        """At most 7 pressed keys in the order of pressing, combined with the modifiers pressed with them."""
        return self.keys_since(self.presses.count)

    def keys_since(self, seen: int) -> list[int]:
        """Return the keys that are down or were pressed after the first `seen` presses.

        At most 7, in the order of pressing, combined with the modifiers pressed with them.
        """
        found = self.presses.since(seen, self._down)
        return [key | self._flags[key] for key in found][:MOST_KEYS]

    def press(self, key: str | int, *, shift: bool = False, control: bool = False, alt: bool = False) -> None:
        """Press a key, or change its modifiers.

        Args:
            key: one character, a name of `KEYS`, or a code (1 to 65535).
            shift: Shift is down.
            control: Ctrl is down.
            alt: Alt is down.

        Raises:
            ValueError: the key does not exist.
        """
        code = code_of(key)
        if code not in self._down:  # otherwise it is a repetition
            self.presses.note(code)
        self._down[code] = self._flags[code] = shift * SHIFT | control * CONTROL | alt * ALT
        self._notify(KEYBOARD)

    def release(self, key: str | int) -> None:
        """Release a key.

        Raises:
            ValueError: the key does not exist.
        """
        self._down.pop(code_of(key), None)

    def release_all(self) -> None:
        """Release all keys."""
        self._down.clear()


def code_of(key: str | int) -> int:
    """Return the code of a key.

    Raises:
        ValueError: the key does not exist.
    """
    if isinstance(key, int):
        if not 1 <= key <= KEY:
            raise ValueError(f"no key {key}; allowed: 1 to {KEY}")
        return key
    if len(key) == 1 and ord(key) <= KEY:
        return ord(key.upper()) if len(key.upper()) == 1 else ord(key)
    if key.upper() in KEYS:
        return KEYS[key.upper()]
    raise ValueError(f'no key "{key}"{_nearest(key.upper())}')


def _nearest(name: str) -> str:
    """Return the key that a user means, for a message, or all keys."""
    meant = OTHER_NAMES.get(name) or name.removeprefix("WB_").removeprefix("KEYBOARD").lstrip("._")
    if meant in KEYS or meant in OTHER_NAMES.values():
        return f"; did you mean '{meant}'?"
    return did_you_mean(name, KEYS) or f"; allowed: one character, SPACE, or {', '.join(KEYS)}"


class MouseState(NamedTuple):
    """Buttons, position in the view (0 to 1 from the left and the top), position in the world (m)."""

    left: bool = False
    middle: bool = False
    right: bool = False
    u: float = nan
    v: float = nan
    x: float = nan
    y: float = nan
    z: float = nan


class Mouse:
    """The pointer's position in the 3D view, and the mouse buttons."""

    BUTTONS = ("left", "middle", "right")

    def __init__(self, notify: EventListener) -> None:
        self._notify = notify
        self.state = MouseState()
        self.presses: Presses[str] = Presses()

    def state_since(self, seen: int) -> MouseState:
        """Return the state, with buttons pressed after the first `seen` presses counted as down."""
        return self.state._replace(**dict.fromkeys(self.presses.since(seen, ()), True))

    def move(self, u: float, v: float, point: Sequence[float] = (nan, nan, nan)) -> None:
        """Move the pointer.

        Args:
            u: position from the left of the view, 0 to 1.
            v: position from the top of the view, 0 to 1.
            point: (3,) position in the world under the pointer (m); NaN: none.

        Raises:
            ValueError: the position is outside of the view.
        """
        if not (0 <= u <= 1 and 0 <= v <= 1):
            raise ValueError(f"({u}, {v}) is outside of the view; allowed: 0 to 1")
        x, y, z = point
        self.state = self.state._replace(u=u, v=v, x=x, y=y, z=z)
        self._notify(MOVE)

    def leave(self) -> None:
        """Move the pointer out of the view and release all buttons."""
        self.state = MouseState()

    def press(self, button: str) -> None:
        """Press "left", "middle" or "right".

        Raises:
            ValueError: the button does not exist.
        """
        self._set(button, True)
        self.presses.note(button)
        self._notify(CLICK)

    def release(self, button: str) -> None:
        """Release a button (see `press`)."""
        self._set(button, False)

    def _set(self, button: str, down: bool) -> None:
        if button not in self.BUTTONS:
            raise ValueError(f'no button "{button}"; allowed: {", ".join(self.BUTTONS)}')
        self.state = self.state._replace(**{button: down})


class Joystick:
    """One joystick, which may be unplugged."""

    def __init__(self, notify: EventListener) -> None:
        self._notify = notify
        self.plugged = 0
        """Number of times that a joystick was plugged or unplugged."""
        self.model = ""
        self.axes: list[int] = []
        """Axis positions, -32768 to 32767."""
        self.povs: list[int] = []
        """Directions of the hats (POVs), as bits."""
        self.buttons: list[int] = []
        """Buttons that are down."""
        self.presses: Presses[int] = Presses()
        self.pushes: Presses[int] = Presses()
        """The number of pushes of hats so far."""
        self._pushed: dict[int, int] = {}
        """The last direction in which each hat was pushed."""
        self.number_of_buttons = 0

    def plug(self, model: str, axes: int = 2, buttons: int = 0, povs: int = 0) -> None:
        """Plug in a joystick with all axes centered.

        Raises:
            ValueError: it has no axis, or a count is negative.
        """
        if axes < 1 or buttons < 0 or povs < 0:
            given = f"a joystick with {axes} axes, {buttons} buttons and {povs} hats"
            raise ValueError(f"{given}; allowed: at least 1 axis, no negative numbers")
        self.unplug()
        self.model, self.axes, self.povs = model, [0] * axes, [0] * povs
        self.number_of_buttons = buttons

    def unplug(self) -> None:
        """Unplug the joystick."""
        self.model, self.number_of_buttons = "", 0
        self.axes, self.povs, self.buttons = [], [], []
        self.presses, self.pushes = Presses(), Presses()
        self.plugged += 1

    @property
    def description(self) -> tuple[int, int, int, str]:
        """Numbers of axes, buttons and hats, and the model; the numbers are -1 without a joystick."""
        if not self.axes:
            return -1, -1, -1, ""
        return len(self.axes), self.number_of_buttons, len(self.povs), self.model

    def buttons_since(self, seen: int) -> list[int]:
        """Return the buttons that are down or were pressed after the first `seen` presses."""
        return self.presses.since(seen, self.buttons)

    def povs_since(self, seen: int) -> list[int]:
        """Return the directions of the hats, including pushes after the first `seen` ones."""
        pushed = self.pushes.since(seen, ())
        return [value or (self._pushed[pov] if pov in pushed else 0) for pov, value in enumerate(self.povs)]

    def move(self, axis: int, value: int) -> None:
        """Move an axis, numbered from 0, to a position from -32768 to 32767.

        Raises:
            ValueError: the axis does not exist, or the position is out of range.
        """
        if not (0 <= axis < len(self.axes) and -LARGEST - 1 <= value <= LARGEST):
            raise ValueError(
                f"axis {axis} at {value}; allowed: axes 0 to {len(self.axes) - 1}, values -32768 to 32767"
            )
        self.axes[axis] = value
        self._notify(AXIS)

    def push(self, pov: int, value: int) -> None:
        """Push a hat, numbered from 0, in directions given as bits.

        Raises:
            ValueError: the hat does not exist.
        """
        if not 0 <= pov < len(self.povs):
            raise ValueError(f"no hat {pov}; the joystick has {len(self.povs)}")
        self.povs[pov] = value
        if value:
            self._pushed[pov] = value
            self.pushes.note(pov)
        self._notify(POV)

    def press(self, button: int) -> None:
        """Press a button, numbered from 0.

        Raises:
            ValueError: the button does not exist.
        """
        if not 0 <= button < self.number_of_buttons:
            raise ValueError(f"no button {button}; the joystick has {self.number_of_buttons}")
        if button not in self.buttons:
            self.buttons.append(button)
            self.presses.note(button)
        self._notify(BUTTON)

    def release(self, button: int) -> None:
        """Release a button."""
        if button in self.buttons:
            self.buttons.remove(button)


class User:
    """Keyboard, mouse and joystick of one user."""

    def __init__(self) -> None:
        self._listeners: list[EventListener] = []
        self.keyboard = Keyboard(self._notify)
        self.mouse = Mouse(self._notify)
        self.joystick = Joystick(self._notify)

    def listen(self, listener: EventListener) -> None:
        """Call a function with the kind of each event."""
        self._listeners.append(listener)

    def _notify(self, event: int) -> None:
        for listener in self._listeners:
            listener(event)
