"""When Python searches for cyclic garbage: not while a world is loaded or a state restored.

Both create many objects and hardly any garbage: a search would only take time, 10 ms for a small world.
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
