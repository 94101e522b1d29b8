"""What devices tell their controller, kept for somebody who looks on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

__all__ = ["Heard"]

MOST = 500


class Heard:
    """The newest values of sensors, and the newest messages of devices. What is not taken in time is gone."""

    def __init__(self) -> None:
        self.newest: dict[int, tuple[Any, ...]] = {}
        """Samples by tag."""
        self.messages: deque[tuple[int, str, tuple[Any, ...]]] = deque(maxlen=MOST)
        """Other messages: tag, name, values."""

    def note(self, tags: Iterable[int], positions: Iterable[float]) -> None:
        """Keep positions of the sensors with these tags (none or all)."""
        for tag, value in zip(tags, positions, strict=False):
            self.newest[tag] = (value,)
