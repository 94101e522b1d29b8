"""Modules by their former names: `import hal.link` gives `wbridge.hal.link`, and a warning.

The folder `former` beside this file comes last on Python's path (`wbridge_robotics.pth`): a module of the
user, or of another package, with such a name hides what is there.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType


def forward(package: str) -> None:
    """Let a package be the one of this name below wbridge, and its modules, too.

    Args:
        package: the name of the module that is being imported.
    """
    _warn(package, 4)
    if not any(isinstance(one, _Finder) for one in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    sys.modules[package] = import_module(f"wbridge.{package}")


class _Finder:
    """Finds modules of forwarded packages; the new and the former name are the same module."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}
        """What modules say of themselves, which an import by another name replaces for a moment."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`."""
        package = name.partition(".")[0]
        ours = sys.modules.get(f"wbridge.{package}")
        if path is None or ours is None or sys.modules.get(package) is not ours:
            return None
        if find_spec(f"wbridge.{name}") is None:
            return None
        _warn(name, 3)
        return ModuleSpec(name, self)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """See `importlib.abc.Loader`."""
        module = import_module(f"wbridge.{spec.name}")
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """See `importlib.abc.Loader`: the module has been executed."""
        former = module.__spec__
        if former is not None:
            module.__spec__ = self._specs.pop(former.name)


def _warn(name: str, level: int) -> None:
    warnings.warn(
        f"{name} is now wbridge.{name}; the former name works for one more minor version",
        DeprecationWarning,
        stacklevel=level,
    )
