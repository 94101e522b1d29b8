"""Packages that a page loads when they are first used: most worlds need only a part of them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

__all__ = ["load_when_used"]


class LazyPackages(MetaPathFinder):
    """Loads a package when Python looks for it."""

    def __init__(self, names: Iterable[str], folder: str, load: Callable[[str], object]) -> None:
        """
        Args:
            names: of the packages that are not loaded yet.
            folder: where they will be.
            load: writes a package, named by its argument, into the folder.
        """
        self._waiting = set(names)
        self._folder = folder
        self._load = load

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a package's specification after loading it; None for all others."""
        if path is not None or fullname not in self._waiting:
            return None
        self._load(fullname)
        self._waiting.discard(fullname)
        importlib.invalidate_caches()
        return PathFinder.find_spec(fullname, [self._folder], target)


def load_when_used(names: Sequence[str], folder: str, load: Callable[[str], object]) -> None:
    """Let packages be imported that are loaded at the first use of what is imported.

    Args:
        names: of the packages.
        folder: where they will be; Python searches it from now on.
        load: writes a package, named by its argument, into the folder.
    """

    def is_waiting(_importer: str, name: str, _names: tuple[str, ...] | None) -> bool:
        return name.partition(".")[0] in names

    sys.meta_path.append(LazyPackages(names, folder, load))
    sys.path.append(folder)
    # Python 3.15 and later (PEP 810), which the page has; this machine's need not
    getattr(sys, "set_lazy_imports_filter", lambda _: None)(is_waiting)
    getattr(sys, "set_lazy_imports", lambda _: None)("all")
