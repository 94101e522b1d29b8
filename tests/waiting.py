"""Waiting for what other threads and processes do."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 30.0
"""Seconds after which a test no longer waits."""
LOOK = 0.002
"""Seconds between two looks."""


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something is the case.

    Raises:
        AssertionError: it never was.
    """
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(LOOK)
