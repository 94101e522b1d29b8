"""What a page's Python imports before its memory is kept for the next visit."""

from __future__ import annotations

import gc
import importlib
import json
import random
import sys
from types import ModuleType

__all__ = ["Present", "fit_for_use", "import_all", "imported"]

OWN = ("/wbridge/hal/", "/wbridge/wbcore/", "/wbridge/wbridge/", "/wbridge/robot_windows/", "/packages/")
"""Folders of modules that are part of the site; those of worlds change."""
LIBRARY = "/lib/python"


class Present:
    """In place of what loads archives: those that are there need nothing."""

    def __init__(self, names: str) -> None:
        """
        Args:
            names: of the archives that are there, as JSON.
        """
        self._names = frozenset(json.loads(names))

    def __call__(self, archive: str) -> None:
        """Do nothing if an archive is there.

        Raises:
            ImportError: it is not.
        """
        if archive not in self._names:
            raise ImportError(f"{archive} is not loaded yet")


def imported() -> str:
    """Return the modules of the site and of the library that are imported, as JSON."""
    return json.dumps([name for name, module in list(sys.modules.items()) if _is_part(name, module)])


def _is_part(name: str, module: ModuleType) -> bool:
    file = getattr(module, "__file__", None) or ""
    return name != "__main__" and str(file).startswith((*OWN, LIBRARY))


def import_all(names: str) -> None:
    """Import modules, by JSON's list of their names; those that cannot be imported yet are left out."""
    for name in json.loads(names):
        try:
            importlib.import_module(name)
        except ImportError:
            continue
    gc.collect()
    gc.freeze()  # what is imported stays


def fit_for_use() -> None:
    """Make a memory that was kept one of its own: random numbers begin anew."""
    random.seed()
