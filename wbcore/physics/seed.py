"""The seed of a simulation; imports nothing, so that controllers can start before the engine is loaded."""

from __future__ import annotations

import time


def seed_of(given: int) -> int:
    """Return the seed to use; a negative one selects a random seed."""
    return (given if given >= 0 else time.time_ns() // 1000) & 0xFFFFFFFF
