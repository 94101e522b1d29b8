"""What those who attend to windows share: when to publish, carrying out wishes, keys, and what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, Protocol

from wbcore.robots.user import Keyboard

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
    watched: frozenset[int]
    wants_places: bool

    @property
    def has_commands(self) -> bool:
        """There are wishes that wait."""

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
        self._next = 0.0
        self._doing: dict[str, Callable[[Any], None]] = {
            name.removeprefix("_do_"): getattr(self, name) for name in dir(self) if name.startswith("_do_")
        }

    def attend(self) -> None:
        """To be called often: carry out wishes, and publish what is new."""
        if self.audience.has_commands:
            self.obey()
        if self.audience.is_watched and perf_counter() >= self._next:
            now = perf_counter()
            self._next = now + PERIOD_S
            self.publish(now)

    def publish(self, now: float) -> None:
        """Give the newest state; `now` is a time of `time.perf_counter`, in s."""
        raise NotImplementedError

    @property
    def keyboard(self) -> Keyboard | None:
        """What the controller takes for the user's keyboard; None: there is no controller."""
        raise NotImplementedError

    def obey(self) -> None:
        """Carry out all wishes that have come; say which could not be."""
        for wish in self._take():
            try:
                self._doing.get(wish.name, _refuse)(wish)
            except ValueError as problem:
                self.audience.say(str(problem), "error")

    def say_driven(self, on: bool, robot: str) -> None:
        """Tell that a robot was taken from its controller, or given back."""
        self.audience.say("taken from the controller" if on else "given back", "info", robot)

    def _do_key(self, wish: Wish) -> None:
        keyboard, values = self.keyboard, wish.values
        if keyboard is None:
            return
        if values["down"]:
            keyboard.press(values["key"], shift=values["shift"], control=values["control"], alt=values["alt"])
        else:
            keyboard.release(values["key"])

    def _do_release(self, wish: Wish) -> None:
        if self.keyboard is not None:
            self.keyboard.release_all()


def _refuse(wish: Wish) -> None:
    raise ValueError(f"{wish.name}: this is not possible here")
