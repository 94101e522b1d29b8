"""When Python searches for cyclic garbage: not while a world is loaded, and not when the process ends.

Loading creates many objects and hardly any garbage, and a process returns all its memory when it ends: these
searches would only take time, 10 and 30 ms for a small world.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def suspended() -> Iterator[None]:
    """Do not search in the block, until `resume` is called."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def resume() -> None:
    """Search from now on."""
    gc.enable()


def keep_all() -> None:
    """Search none of the objects that exist now, because the process is about to end."""
    gc.freeze()
