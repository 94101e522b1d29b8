"""What those who attend to windows share: carrying out wishes, and saying what went wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

__all__ = ["PERIOD_S", "Attendant", "Audience", "Wish"]

PERIOD_S = 1 / 60
"""How often the state is published at most."""


class Wish(Protocol):
    """What a window asks for."""

    @property
    def name(self) -> str:
        """Of the request."""

    @property
    def robot(self) -> int:
        """Number of the robot; -1: the whole world."""

    @property
    def values(self) -> Mapping[str, Any]:
        """What goes with it."""


class Audience(Protocol):
    """Who watches; all of this can be used from this thread without waiting."""

    is_watched: bool
    has_commands: bool
    watched: frozenset[int]
    wants_places: bool

    def publish(
        self,
        run: Mapping[str, Any],
        robots: Mapping[int, Mapping[str, Any]],
        places: Mapping[str, Any] | None,
    ) -> None:
        """Give the newest state."""

    def say(self, text: str, kind: str = "info", robot: str = "") -> None:
        """Add to the log."""

    def send(self, robot: str, message: bytes) -> None:
        """Pass on what a controller sends to its window."""


class Attendant:
    """Carries out wishes: the method `_do_NAME` does what a wish NAME asks for."""

    def __init__(self, audience: Audience, take: Callable[[], list[Any]]) -> None:
        """
        Args:
            audience: who watches.
            take: gives the wishes (`Wish`) since the last call.
        """
        self.audience, self._take = audience, take
        self._doing: dict[str, Callable[[Any], None]] = {
            name.removeprefix("_do_"): getattr(self, name) for name in dir(self) if name.startswith("_do_")
        }

    def obey(self) -> None:
        """Carry out all wishes that have come; say which could not be."""
        for wish in self._take():
            try:
                self._doing.get(wish.name, _refuse)(wish)
            except ValueError as problem:
                self.audience.say(str(problem), "error")


def _refuse(wish: Wish) -> None:
    raise ValueError(f"{wish.name}: this is not possible here")
