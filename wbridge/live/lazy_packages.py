"""Packages and modules that a page loads when they are first used: most worlds need only a part of them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

__all__ = ["load_when_used"]


class LazyPackages(MetaPathFinder):
    """Loads an archive when Python looks for a package or module that it has."""

    def __init__(self, names: Mapping[str, str], folder: str, load: Callable[[str], object]) -> None:
        """
        Args:
            names: the archive of each package or module that is not loaded yet.
            folder: where they will be.
            load: writes the content of an archive, named by its argument, into the folder.
        """
        self._waiting = dict(names)
        self._folder = folder
        self._load = load

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of what is loaded here; None for all others."""
        if fullname not in self._waiting:
            return None
        archive = self._waiting[fullname]
        self._load(archive)
        self._waiting = {name: other for name, other in self._waiting.items() if other != archive}
        importlib.invalidate_caches()
        above = fullname.split(".")[:-1]
        return PathFinder.find_spec(fullname, ["/".join([self._folder, *above])], target)


def load_when_used(names: Mapping[str, str], folder: str, load: Callable[[str], object]) -> None:
    """Let packages and modules be imported that are loaded at the first use of what is imported.

    Args:
        names: the archive of each.
        folder: where they will be; Python searches it from now on.
        load: writes the content of an archive, named by its argument, into the folder.
    """

    def is_waiting(_importer: str, name: str, _names: tuple[str, ...] | None) -> bool:
        return name.partition(".")[0] in names

    sys.meta_path.append(LazyPackages(names, folder, load))
    sys.path.append(folder)
    # Python 3.15 and later (PEP 810), which the page has; this machine's need not
    getattr(sys, "set_lazy_imports_filter", lambda _: None)(is_waiting)
    getattr(sys, "set_lazy_imports", lambda _: None)("all")
