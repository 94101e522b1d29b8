"""The C functions as `controller.wb` of Webots gives them: `wb.wb_robot_get_time()`, used like ctypes' ones.

Programs set `restype` and `argtypes` of the functions, and give texts as bytes and numbers as ctypes' types.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from hal import api
from hal.controller.by_hand.values import AnsiCodes

__all__ = ["Function", "Library", "constant", "wb"]


class Function:
    """One function of the C API."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.restype: Any = ctypes.c_int
        """What ctypes would take the result for; only `c_char_p` matters: the text comes as bytes."""
        self.argtypes: Any = None
        """Has no effect: values are checked by the function."""

    def __call__(self, *values: Any) -> Any:
        """Call it with plain values, or those of ctypes."""
        types = iter(self._function.__annotations__.values())
        found = self._function(*(_plain(value, next(types, None)) for value in values))
        return found.encode() if self.restype is ctypes.c_char_p and isinstance(found, str) else found


def _plain(value: Any, wanted: object) -> Any:
    """A value of ctypes as one of Python; bytes are a text where one is wanted."""
    given = getattr(value, "value", value) if isinstance(value, ctypes._SimpleCData) else value
    return given.decode() if isinstance(given, bytes) and wanted in ("str", str) else given


class Library:
    """All functions of the C API by their names."""

    def __getattr__(self, name: str) -> Function:
        """A function; the same object each time."""
        if not name.startswith(("wb_", "wbu_")) or not hasattr(api, name):
            raise AttributeError(f"{name}: the controller library has no such function")
        found = Function(getattr(api, name))
        setattr(self, name, found)
        return found


wb = Library()


def constant(name: str, type: type = int) -> Any:
    """A constant of the C API.

    Args:
        name: without WB_, for example CHANNEL_BROADCAST, or ANSI_RESET.
        type: int or str.

    Raises:
        ValueError: there is none of this name and type.
    """
    if name.startswith("ANSI_"):
        found = getattr(AnsiCodes, name.removeprefix("ANSI_"), None)
    else:
        found = getattr(api, f"WB_{name}", None)
    if not isinstance(found, type):
        raise ValueError(f"there is no constant {name} of type {type.__name__}")
    return found
