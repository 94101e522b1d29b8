"""Fingers on the 3D view: select, orbit, pan, zoom, menu, move and handles, by touch events of Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from math import dist
from pathlib import Path
from typing import Any

import pytest

from tests.windows.test_browser_building import handle
from tests.windows.test_browser_editing import opened, place, selected, world
from tests.windows.test_browser_worlds import start_paused
from tests.windows.visit import Visit, until

pytestmark = pytest.mark.browser
__all__ = ["world"]
NODE = "window.page.world.messages.get('selected')?.node"
SIDE = 16
"""Pixels beside a handle: the width of a finger's touch."""


class Fingers:
    """Touches of a page with the small world: a box on a floor."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self._wire = page.context.new_cdp_session(page)

    def put(self, *places: tuple[float, float]) -> None:
        """Put fingers down at places of the page (CSS pixels)."""
        self._send("touchStart", places)

    def lift(self) -> None:
        """Lift all fingers."""
        self._send("touchEnd", ())

    def drag(self, begin: list[tuple[float, float]], end: list[tuple[float, float]], steps: int = 5) -> None:
        """Put fingers down, drag them along lines, and lift them."""
        self.put(*begin)
        for step in range(1, steps + 1):
            share = step / steps
            pairs = zip(begin, end, strict=True)
            self._send("touchMove", [(a + share * (c - a), b + share * (d - b)) for (a, b), (c, d) in pairs])
        self.lift()

    def _send(self, kind: str, places: Any) -> None:
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
        self._wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    @property
    def eye(self) -> list[float]:
        """Where the camera is."""
        found: list[float] = self.page.evaluate("window.page.world.view.camera.position.toArray()")
        return found

    @property
    def target(self) -> list[float]:
        """What the camera turns around."""
        found: list[float] = self.page.evaluate("window.page.world.view.orbit.target.toArray()")
        return found


@pytest.fixture
def fingers(chromium: Any, world: Path) -> Iterator[Fingers]:
    phone = Visit(chromium, has_touch=True, is_mobile=True)
    with opened(phone, world, width=390, height=760) as (_, page):
        start_paused(page)
        yield Fingers(page)
    phone.context.close()
    assert not phone.errors


def test_one_finger_selects_and_orbits(fingers: Fingers):
    """Judge: an orbit keeps the distance to the point that was touched."""
    x, y = place(fingers.page, "box")
    fingers.put((x, y))
    fingers.lift()
    until(fingers.page, NODE)
    eye = fingers.eye
    fingers.drag([(x, y)], [(x + 60, y + 20)])
    assert dist(fingers.eye, eye) > 0.3
    assert dist(fingers.eye, fingers.target) == pytest.approx(dist(eye, fingers.target), rel=1e-6)


def test_two_fingers_zoom_and_pan(fingers: Fingers):
    """Judge: fingers twice as far apart bring the eye to half of its distance; both at once move it aside."""
    x, y = place(fingers.page, "box")
    fingers.put((x, y))  # to turn around the box
    fingers.lift()
    fingers.drag([(x, y)], [(x + 20, y)])
    x, y = place(fingers.page, "box")
    before = dist(fingers.eye, fingers.target)
    fingers.drag([(x - 30, y), (x + 30, y)], [(x - 60, y), (x + 60, y)], steps=40)
    assert dist(fingers.eye, fingers.target) == pytest.approx(before / 2, rel=0.03)
    eye, target = fingers.eye, fingers.target
    fingers.drag([(x - 30, y), (x + 30, y)], [(x - 30, y + 50), (x + 30, y + 50)], steps=40)
    assert dist(fingers.eye, eye) == pytest.approx(dist(fingers.target, target), rel=0.05)
    assert dist(fingers.eye, eye) > 0.05


def test_a_finger_that_stays_opens_the_menu(fingers: Fingers):
    page = fingers.page
    x, y = place(page, "box")
    fingers.put((x, y))
    entry = page.get_by_role("menuitem", name="Copy beside it")
    entry.wait_for()
    fingers.lift()
    until(page, NODE)
    page.touchscreen.tap(*(lambda box: (box["x"] + 10, box["y"] + 8))(entry.bounding_box()))
    until(page, "window.page.world.messages.get('history')?.undo === 'Copy box'")


def test_a_finger_moves_and_takes_handles(fingers: Fingers):
    page = fingers.page
    page.get_by_role("button", name="Move", exact=True).tap()
    x, y = place(page, "box")
    fingers.drag([(x, y)], [(x + 60, y)])
    until(page, "Math.abs(window.page.world.messages.get('selected')?.position[1]) > 0.2")
    until(page, "window.page.world.view.drawings.kinds.get('handles')?.length === 7")
    page.wait_for_timeout(400)
    before = selected(page, "position")
    x, y = handle(page, "arrow", "z")
    fingers.drag([(x + SIDE, y)], [(x + SIDE, y - 60)])
    until(page, f"window.page.world.messages.get('selected').position[2] > {before[2] + 0.2}")
    after = selected(page, "position")
    assert after[:2] == pytest.approx(before[:2], abs=1e-3)
