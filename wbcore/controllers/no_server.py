"""In place of the server of a run without sockets, such as one in a web page: all controllers run inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from wbridge.wbcore.controllers.program_types import CannotStart
from wbridge.wbcore.controllers.server import Endpoint, Server
from wbridge.wbcore.controllers.user_events import tell_events


class NoServer(Server):
    """Opens nothing, and waits where a server would wait for its sockets."""

    def __init__(self, wait: Callable[[float], object]) -> None:
        """
        Args:
            wait: waits for a time in s; 0: gives way to what else is due.
        """
        super().__init__(on_demand=True)
        self._wait = wait

    def open_endpoint(self, name: str, kind: str) -> Endpoint:
        """Refuse a controller that would be a program of its own.

        Raises:
            CannotStart: always.
        """
        _refuse(kind)

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Wait up to `timeout` seconds; nothing ever comes."""
        soonest = tell_events(self.sessions)
        longest = LONGEST_S if timeout is None else timeout
        self._wait(longest if soonest is None else min(longest, soonest))
        if soonest is not None:
            tell_events(self.sessions)
        return False


LONGEST_S = 0.5
"""Of a wait (s) without a limit: its caller looks again."""


def _refuse(kind: str) -> NoReturn:
    what = "an extern controller" if kind == "extern" else "a controller that is not in Python"
    raise CannotStart(f"{what} cannot run here: there are no other programs and no network")
