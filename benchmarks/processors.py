"""Which processors programs of the benchmarks run on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["processor"]


@contextmanager
def processor(number: int) -> Iterator[None]:
    """Let this thread, and programs that it starts meanwhile, run on one processor, where that can be."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    usable = sorted(allowed)
    os.sched_setaffinity(0, {usable[number % len(usable)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
