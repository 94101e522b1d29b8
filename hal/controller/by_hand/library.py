"""The C functions as in Webots' `controller.wb`: `wb.wb_robot_get_time()`, used like functions of ctypes.

Programs set `restype` and `argtypes` of functions, and pass strings as bytes and numbers as ctypes objects.
"""

from __future__ import annotations

import ctypes

from wbridge.hal import api
from wbridge.hal.controller.by_hand.values import AnsiCodes

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Function:
    """A function of the C API."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        self.restype: Any = ctypes.c_int
        """The result type as for ctypes; only `c_char_p` has an effect: strings are returned as bytes."""
        self.argtypes: Any = None
        """No effect: the function checks its arguments."""

    def __call__(self, *values: object) -> Any:
        """Call the function with Python values or ctypes objects."""
        types = iter(self._function.__annotations__.values())
        found = self._function(*(_plain(value, next(types, None)) for value in values))
        return found.encode() if self.restype is ctypes.c_char_p and isinstance(found, str) else found


def _plain(value: object, wanted: object) -> Any:
    """Convert a ctypes object to a Python value, and bytes to a string if the parameter is one."""
    given = getattr(value, "value", value) if isinstance(value, ctypes._SimpleCData) else value
    return given.decode() if isinstance(given, bytes) and wanted in ("str", str) else given


class Library:
    """All functions of the C API by name."""

    def __getattr__(self, name: str) -> Function:
        """The function with a name, the same object for each call."""
        if not name.startswith(("wb_", "wbu_")) or not hasattr(api, name):
            raise AttributeError(f"{name}: the controller library has no such function")
        found = Function(getattr(api, name))
        setattr(self, name, found)
        return found


wb = Library()


def constant(name: str, type: type = int) -> Any:
    """A constant of the C API.

    Args:
        name: name without WB_, for example CHANNEL_BROADCAST or ANSI_RESET.
        type: int or str.

    Raises:
        ValueError: no constant has this name and type.
    """
    if name.startswith("ANSI_"):
        found = getattr(AnsiCodes, name.removeprefix("ANSI_"), None)
    else:
        found = getattr(api, f"WB_{name}", None)
    if not isinstance(found, type):
        raise ValueError(f"unknown constant {name} of type {type.__name__}")
    return found
