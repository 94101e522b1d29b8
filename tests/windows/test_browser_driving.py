"""A robot stops when the page in a real browser that drives it is gone, hidden, frozen, or hangs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from tests.bridge.conftest import HEAD
from tests.windows.browser import started
from tests.windows.visit import Visit, generic, picture
from tests.windows.wire import MOTOR, WiredRobot
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.tables.device_tables import device_tables

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


WHEEL = (
    "HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 1 0 }} device [ "
    'RotationalMotor {{ name "{0} wheel motor" maxVelocity 10 }} ] endPoint Solid {{ name "{0}" }} }}'
)
CART = HEAD + f'Robot {{ name "cart" children [ {WHEEL.format("left")} {WHEEL.format("right")} ] }}'


def test_on_a_phone_a_real_robot_is_driven_at_once(chromium: Any):
    """The first thing on the page is the pad and a large button that stops."""
    phone = Visit(chromium, is_mobile=True, has_touch=True)
    (table,) = device_tables(load_text(CART))
    with WiredRobot(table) as wired, started("window", wired.url) as on:
        phone.context.set_default_timeout(20000)
        page = phone.context.new_page()
        page.set_viewport_size({"width": 390, "height": 760})
        page.goto(on.url)
        pad, stop = page.locator(".pad"), page.get_by_role("button", name="Stop", exact=True)
        pad.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        box, button = pad.bounding_box(), stop.bounding_box()
        assert box["width"] >= 250 and button["width"] >= 250 and button["height"] >= 60
        wire = phone.context.new_cdp_session(page)
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 6}
        wire.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        wired.until(lambda robot: robot.state.get("right wheel motor.velocity", 0) > 3)
        stop.dispatch_event("click")
        wired.until(lambda robot: not robot.state.get("right wheel motor.velocity"))
        wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        picture(page, "workbench_phone_drive")
        manifest = page.evaluate(
            "fetch(document.querySelector('link[rel=manifest]').href).then((one) => one.json())"
        )
        assert manifest["display"] == "standalone"
        assert page.evaluate("(icon) => fetch(icon).then((one) => one.ok)", manifest["icons"][0]["src"])
    phone.context.close()
