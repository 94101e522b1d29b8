"""Mathematical functions with the same bits on every system, for controllers inside of this process.

Controllers in a process of their own get them by `hal/startup/sitecustomize.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

try:
    from wbridge.hal.startup import _portable_math
except ImportError:  # the build lacks the functions' sources, and says so
    _portable_math = None  # type: ignore[assignment]

__all__ = ["PortableMath"]

COPIES = ("random", "statistics")
"""Modules of Python that take functions of `math` when they are imported."""


class PortableMath:
    """Puts the functions into `math`, and for the operator **, while at least one user wants them."""

    def __init__(self) -> None:
        self._users = 0

    def enter(self) -> None:
        """Begin to use them."""
        self._users += 1
        if self._users == 1 and _portable_math is not None:
            _replace(_portable_math.install())

    def leave(self) -> None:
        """End a use; after the last one, all is as before."""
        self._users -= 1
        if self._users == 0 and _portable_math is not None:
            _replace(_portable_math.restore())


def _replace(changes: Mapping[Callable[..., float], Callable[..., float]]) -> None:
    for module in filter(None, map(sys.modules.get, COPIES)):
        names = vars(module)
        own = {name: changes[value] for name, value in names.items() if callable(value) and value in changes}
        names.update(own)


portable_math = PortableMath()
