"""Lazy access to the classes of the object API, for modules that these classes import."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from typing import Any

__all__ = ["class_named", "is_class"]


def class_named(name: str) -> Any:
    """A class of the object API; its module is loaded on first use."""
    return getattr(sys.modules["wbridge.hal.controller"], name)


def is_class(name: str) -> bool:
    """True if the object API has a class with this name."""
    return name in sys.modules["wbridge.hal.controller"].__all__
