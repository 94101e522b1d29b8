"""Processor affinity for benchmarks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["processor"]


@contextmanager
def processor(number: int) -> Iterator[None]:
    """Run this thread, and processes that it starts, on one processor, if the system supports it."""
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
