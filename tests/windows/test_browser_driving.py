"""A robot stops when the page in a real browser that drives it is gone, hidden, frozen, or hangs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from tests.windows.browser import started
from tests.windows.visit import Visit, generic
from tests.windows.wire import MOTOR, WiredRobot

pytestmark = pytest.mark.browser

HIDDEN = """() => {
  Object.defineProperty(document, 'visibilityState', {get: () => 'hidden'});
  document.dispatchEvent(new Event('visibilitychange'));
}"""
UNFOCUSED = "() => { document.hasFocus = () => false; dispatchEvent(new Event('blur')); }"
HANGS = "() => { setTimeout(() => { for (;;); }); }"


def freeze(page: Any) -> None:
    """No script of the page runs any more, as in pages that a browser freezes in the background."""
    session = page.context.new_cdp_session(page)
    session.send("Debugger.enable")
    session.send("Debugger.pause")


def crash(page: Any) -> None:
    """End the process of the page."""
    with suppress(Exception):  # there is no answer
        page.goto("chrome://crash", timeout=5000)


WAYS: dict[str, Callable[[Any], object]] = {
    "closed": lambda page: page.close(),
    "left": lambda page: page.goto("about:blank"),
    "hidden": lambda page: page.evaluate(HIDDEN),
    "unfocused": lambda page: page.evaluate(UNFOCUSED),
    "frozen": freeze,
    "hanging": lambda page: page.evaluate(HANGS),
    "crashed": crash,
}
"""How a page that drives can be lost."""


@pytest.mark.parametrize("way", WAYS)
def test_a_robot_stops_without_the_page_that_drives_it(way: str, visit: Visit):
    with WiredRobot() as wired, started("window", wired.url) as on:
        page = generic(visit, on, "rover")
        page.bring_to_front()
        page.locator(f"#device-{MOTOR} input[type=range]").first.fill("3")
        wired.until(lambda robot: robot.state.get("motor.velocity") == 3.0)
        WAYS[way](page)
        wired.until(lambda robot: not robot.state.get("motor.velocity"))
