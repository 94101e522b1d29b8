"""Messages of devices to their controller, kept for observers."""

from __future__ import annotations

from collections import deque
from typing import Any

__all__ = ["MessageLog"]

MOST = 500


class MessageLog:
    """The newest values of sensors, and the newest messages of devices. What is not taken in time is gone."""

    def __init__(self) -> None:
        self.newest: dict[int, tuple[Any, ...]] = {}
        """Samples by tag."""
        self.messages: deque[tuple[int, str, tuple[Any, ...]]] = deque(maxlen=MOST)
        """Other messages: tag, name, values."""
