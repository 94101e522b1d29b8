"""Lazy access to the classes of the object API, for modules that these classes import."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["class_named", "is_class"]


def class_named(name: str) -> Any:
    """A class of the object API; its module is loaded on first use."""
    return getattr(import_module("hal.controller"), name)


def is_class(name: str) -> bool:
    """True if the object API has a class with this name."""
    return name in import_module("hal.controller").__all__
