"""Commands that reach a simulated robot some basic time steps after its controller gave them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from wbridge.hal.link.numbering import LinkChannel


class DelayedCommands:
    """Hands commands on after a number of basic time steps."""

    def __init__(self, set_channel: Callable[[LinkChannel, object], None], steps: int) -> None:
        """
        Args:
            set_channel: carries out a command.
            steps: 0 or more.
        """
        self._set, self._delay = set_channel, steps
        self._waiting: deque[tuple[int, LinkChannel, Any]] = deque()

    def give(self, now: int, channel: LinkChannel, value: object) -> None:
        """Take a command that the controller gave after `now` steps."""
        self._waiting.append((now + self._delay, channel, value))

    def apply(self, now: int) -> None:
        """Carry out what is due in the basic time step that begins after `now` steps."""
        while self._waiting and self._waiting[0][0] <= now:
            _, channel, value = self._waiting.popleft()
            self._set(channel, value)
