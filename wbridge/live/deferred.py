"""Packages that a page does not have: importing them works, using them says that they are missing."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any, NoReturn

__all__ = ["allow_missing"]

PARTS = {"numpy": ("typing", "lib", "linalg"), "PIL": ("Image", "ImageDraw", "ImageFont")}
"""Packages that the simulator imports before it needs them, and their modules."""


class Missing(ModuleType):
    """A package that is not there."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = ModuleSpec(name, None, is_package=True)
        self.__path__ = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _refuse(self.__name__.partition(".")[0])


def _refuse(package: str) -> NoReturn:
    raise ModuleNotFoundError(
        f"this needs the Python package {package}, which this page does not have", name=package
    )


def allow_missing() -> None:
    """Let the packages be imported that are not there."""
    for package, parts in PARTS.items():
        if package in sys.modules or find_spec(package) is not None:
            continue
        sys.modules[package] = Missing(package)
        for part in parts:
            sys.modules[f"{package}.{part}"] = Missing(f"{package}.{part}")
