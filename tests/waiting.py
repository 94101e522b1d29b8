"""Waiting for what other threads and processes do."""

from __future__ import annotations

import os
import select
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


def read_whole(file: int, size: int) -> bytes:
    """Read bytes that arrive piece by piece, as those of a terminal do.

    Raises:
        AssertionError: they do not come, or the other side has closed the file.
    """
    data = b""
    while len(data) < size:
        assert select.select([file], [], [], PATIENCE)[0], data
        piece = os.read(file, size - len(data))
        assert piece, data
        data += piece
    return data
