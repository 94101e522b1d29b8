"""Messages of devices to their controller, kept for observers."""

from __future__ import annotations

from collections import deque

MOST = 500


class MessageLog:
    """The newest samples and messages of devices. A full log drops the oldest messages."""

    def __init__(self) -> None:
        self.newest: dict[int, tuple[object, ...]] = {}
        """Newest samples, by tag."""
        self.messages: deque[tuple[int, str, tuple[object, ...]]] = deque(maxlen=MOST)
        """Other messages: tag, name, values."""
