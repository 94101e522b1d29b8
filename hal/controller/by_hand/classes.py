"""The classes of the object API by name, for modules that all of these classes build on."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["class_named", "is_class"]


def class_named(name: str) -> Any:
    """A class of the object API; its module is loaded when it is first used."""
    return getattr(import_module("hal.controller"), name)


def is_class(name: str) -> bool:
    """The object API has a class with this name."""
    return name in import_module("hal.controller").__all__
