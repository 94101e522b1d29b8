"""Which page drives which robot by hand, and for how long.

A robot that a person drives must stop when the person is gone: the page is hidden, closed or frozen, the
network is silent, the computer sleeps, or the server is killed. So a page that drives says so several times
per second (the request `hold`), while it is visible and has the focus. If it falls silent for `HOLD_S`, the
motors stop.
"""

from __future__ import annotations

import time
from collections.abc import Callable

HOLD_S = 0.4
"""Time without a sign of life, in s, after which a page no longer drives; pages renew it each 0.1 s."""
NO_PAGE = 0
"""Requests of this program itself, which need no signs of life."""
KEYBOARD = -1
"""In place of a robot's number: keys that a page holds down."""


class DrivingPages:
    """The pages that drive, by robot."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """
        Args:
            clock: the real time, in s.
        """
        self._clock = clock
        self._pages: dict[int, tuple[int, float]] = {}
        """Page and the time until which it drives, by the number of the robot."""

    def take(self, robot: int, page: int) -> None:
        """Note that a page sets motors of a robot.

        Raises:
            ValueError: another page drives.
        """
        if page == NO_PAGE:
            return
        if self.is_driven_by_another(robot, page):
            raise ValueError("another page drives this robot; take control first")
        self._pages[robot] = page, self._clock() + HOLD_S

    def is_driven_by_another(self, robot: int, page: int) -> bool:
        """True if a page other than this one drives."""
        return page != NO_PAGE and robot in self._pages and self._pages[robot][0] != page

    def pages(self) -> dict[int, int]:
        """Return the pages that drive, by robot."""
        return {robot: page for robot, (page, _) in self._pages.items()}

    def hold(self, robot: int, page: int) -> None:
        """Renew the time of a page that drives; others are ignored."""
        if robot in self._pages and self._pages[robot][0] == page:
            self._pages[robot] = page, self._clock() + HOLD_S

    def let(self, robot: int) -> None:
        """Note that nobody drives a robot any more."""
        self._pages.pop(robot, None)

    def leave(self, page: int) -> list[int]:
        """Note that a page is gone; the robots that it drove."""
        driven = [robot for robot, (driver, _) in self._pages.items() if driver == page]
        for robot in driven:
            del self._pages[robot]
        return driven

    def expired(self) -> list[int]:
        """The robots whose pages have fallen silent since the last call."""
        if not self._pages:
            return []
        now = self._clock()
        silent = [robot for robot, (_, until) in self._pages.items() if now > until]
        for robot in silent:
            del self._pages[robot]
        return silent
