"""Windows in a real browser: made from worlds of the package, and of projects written for Webots."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import absent, require_tool
from tests.controllers.project import Project, robot
from tests.windows.browser import ROOT, Run, run

pytestmark = pytest.mark.browser

FOUR_WHEELS = ROOT / "worlds" / "four_wheel_robot.wbt"
EPUCK = ROOT / "worlds" / "epuck_arena.wbt"
PATIENCE_MS = 20_000
SCREENSHOTS = os.environ.get("WBRIDGE_SCREENSHOTS")
"""A folder for pictures of the pages, for docs/images."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    path = require_tool("chromium", "windows are looked at with it; make test-windows installs it")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent("playwright is not installed: it drives the browser; make test-windows installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


class Visit:
    """One user's browser; what goes wrong in its pages is an error of the test."""

    def __init__(self, chromium: Any, **options: Any) -> None:
        # Nothing may come from the internet.
        self.context = chromium.new_context(viewport={"width": 1240, "height": 900}, offline=False, **options)
        self.context.set_default_timeout(PATIENCE_MS)
        self.foreign: list[str] = []
        self.errors: list[str] = []
        self.context.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), self._refuse)

    def _refuse(self, route: Any) -> None:
        self.foreign.append(route.request.url)
        route.abort()

    def open(self, url: str) -> Any:
        """A new page."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(url)
        return page


@pytest.fixture
def visit(chromium: Any) -> Iterator[Visit]:
    made = Visit(chromium)
    yield made
    made.context.close()
    assert made.errors == []
    assert made.foreign == []


def _picture(page: Any, name: str, **options: Any) -> None:
    if SCREENSHOTS:
        # Paths of this machine are no part of a picture.
        page.evaluate("document.querySelectorAll('.log').forEach((one) => one.replaceChildren())")
        page.screenshot(path=f"{SCREENSHOTS}/{name}.png", **options)


def _generic(visit: Visit, on: Run, name: str) -> Any:
    visit.open(on.url)
    page = visit.open(on.window("generic", name))
    _until(page, "window.page?.now")
    return page


def _state(page: Any, expression: str) -> Any:
    return page.evaluate(f"window.page.{expression}")


def _until(page: Any, condition: str) -> None:
    """Wait for the value of an expression; the pages themselves allow no text to be run."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not page.evaluate(f"Boolean({condition})"):
        assert time.monotonic() < deadline, condition
        page.wait_for_timeout(20)


def _is_drawn(page: Any, selector: str) -> bool:
    """True when a canvas is not of one color."""
    found: bool = page.evaluate(
        """(selector) => {
          const canvas = document.querySelector(selector);
          if (!canvas || !canvas.width) return false;
          const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size > 2;
        }""",
        selector,
    )
    return found


def test_the_overview_shows_the_world_and_runs_it(visit: Visit):
    with run(FOUR_WHEELS) as on:
        page = visit.open(on.url)
        _until(page, "window.page?.view?.places")
        assert "token" not in page.url
        assert page.locator("text=four-wheel robot").count() >= 1
        _until(page, "window.page.run.time > 0.5")
        assert _is_drawn(page, "canvas.top-view")
        page.wait_for_selector(".log li:has-text('four_wheel_avoider.py')")
        _picture(page, "overview")
        page.click("#play")
        _until(page, "window.page.run.mode === 0")
        stopped = _state(page, "run.time")
        page.click("#step")
        _until(page, f"window.page.run.time > {stopped}")
        assert _state(page, "run.time") == pytest.approx(stopped + 0.016)
        page.select_option("#speed", "null")
        _until(page, "window.page.run.factor > 1.5")
        page.click("#reset")
        _until(page, "window.page.run.time < 1 || window.page.run.steps > 100")


def test_the_window_of_the_four_wheeled_robot(visit: Visit):
    """A sensor and its plot, a motor and the robot that moves, stop, recording."""
    with run(FOUR_WHEELS) as on:
        page = _generic(visit, on, "four-wheel robot")
        page.check("#enable-2")
        page.wait_for_selector("#device-2 canvas")
        assert _state(page, "now.own") == [2]
        page.locator("#device-2 .plot").scroll_into_view_if_needed()
        card = "cards.find((one) => one.device.tag === 2)"
        _until(page, f"window.page.{card}.plot.plot?.data[0].length > 20")
        first = _state(page, f"{card}.plot.plot.data[1].at(-1)")
        _until(page, f"Math.abs(window.page.{card}.plot.plot.data[1].at(-1) - {first}) > 0.2")
        assert _is_drawn(page, "#device-2 canvas")
        assert page.locator("#device-1 input[type=range]").first.is_disabled()
        page.click("#control")
        _until(page, "window.page.now.driver === 'window'")
        page.click("#stop")
        _until(page, "window.page.now.acts[1].velocity === 0")
        page.click("#record")
        start = _state(page, "now.acts[1].at")
        page.locator("#device-1 input[type=range]").first.fill("8")
        _until(page, f"window.page.now.acts[1].at > {start} + 2")
        page.click("#stop")
        _until(page, "window.page.now.acts[1].velocity === 0")
        _until(page, "!document.querySelector('#download').disabled")
        with page.expect_download() as download:
            page.click("#download")
        header, *rows = Path(download.value.path()).read_text("utf-8").splitlines()
        assert header.startswith("time,front left motor.position")
        at = [float(row.split(",")[1]) for row in rows]
        assert len(rows) > 10 and max(at) > at[0] + 2
        _picture(page, "window_four_wheels")
        page.click("#control")
        _until(page, "window.page.now.driver === 'controller'")


def test_the_robot_moves_in_the_world_when_a_slider_is_moved(visit: Visit):
    with run(EPUCK, "--no-controllers") as on:
        page = _generic(visit, on, "e-puck")
        above = visit.open(on.url)
        _until(above, "window.page?.view?.places")
        before = above.evaluate("window.page.view.places.robots[0]")
        assert _state(page, "now.driver") == "nobody"
        page.bring_to_front()
        for name in ("left", "right"):
            page.get_by_label(f"{name} wheel motor velocity").fill("3.14")
        _until(
            above,
            f"Math.hypot(window.page.view.places.robots[0][0] - {before[0]}, "
            f"window.page.view.places.robots[0][1] - {before[1]}) > 0.01 || "
            f"Math.abs(window.page.view.places.robots[0][2] - {before[2]}) > 0.3",
        )


def test_the_window_of_the_epuck_in_two_pages(visit: Visit):
    with run(EPUCK) as on:
        one, two = (_generic(visit, on, "e-puck") for _ in range(2))
        one.click("#enable-all")
        _until(two, "window.page.now.own.length > 5")
        two.click("#control")
        _until(one, "window.page.now.driver === 'window'")
        two.close()
        one.wait_for_selector("#driver:has-text('You drive')")
        _until(one, "window.page.run.time > 2")
        assert _is_drawn(one, "canvas.square")
        one.locator("h2:text-is('accelerometer')").scroll_into_view_if_needed()
        one.wait_for_selector(".u-wrap canvas")
        one.evaluate("scrollTo(0, 0)")
        _until(one, "window.page.cards.some((card) => card.plot?.plot)")
        _picture(one, "window_epuck")
        one.locator("h2:text-is('accelerometer')").scroll_into_view_if_needed()
        _until(one, "window.page.cards.filter((card) => card.plot?.plot).length >= 6")
        _picture(one, "plots")


def test_keys_pressed_in_the_page_reach_the_controller(visit: Visit, tmp_path: Path):
    from tests.windows.test_desk import KEYS

    project = Project(tmp_path / "project")
    with run(project.write(robot("a", "keys"), keys=KEYS)) as on:
        page = _generic(visit, on, "a")
        page.check("#keys")
        page.keyboard.down("ArrowLeft")
        _until(page, "window.page.now.customData === '314'")
        page.keyboard.up("ArrowLeft")
        page.keyboard.down("w")
        _until(page, "window.page.now.customData === '87'")


def test_a_page_finds_back_after_a_restart(visit: Visit):
    with run(FOUR_WHEELS) as on:
        page = _generic(visit, on, "four-wheel robot")
        _until(page, "window.page.run.time > 1")
    page.wait_for_selector("[data-state=lost]")
    with run(FOUR_WHEELS, "--port-windows", str(on.port)):
        page.wait_for_selector("[data-state=connected]")
        _until(page, "window.page.run.time < 1")
        _until(page, "window.page.run.time > 1")


def test_the_page_fits_a_phone_and_is_quick(chromium: Any):
    phone = Visit(chromium, color_scheme="dark", is_mobile=True)
    with run(EPUCK) as on:
        page = _generic(phone, on, "e-puck")
        page.set_viewport_size({"width": 390, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.reload()
        _until(page, "window.page?.now && document.querySelector('.time').textContent.includes(' s')")
        assert page.evaluate("performance.now()") < 5000
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)"
        _picture(page, "window_phone")
    phone.context.close()


def test_all_can_be_reached_by_the_keyboard(visit: Visit):
    with run(FOUR_WHEELS) as on:
        page = _generic(visit, on, "four-wheel robot")
        page.focus("#control")
        page.keyboard.press("Enter")
        _until(page, "window.page.now.driver === 'window'")
        page.locator("#device-1 input[type=range]").first.focus()
        page.keyboard.press("Home")
        _until(page, "window.page.now.acts[1].velocity === -20")
        nameless = page.evaluate(
            "[...document.querySelectorAll('button, input, select')].filter((one) => "
            "!one.textContent.trim() && !one.ariaLabel && !one.labels?.length && !one.title).length"
        )
        assert nameless == 0


# Windows made for Webots.

WWI = """
from controller import Robot
robot = Robot()
robot.wwiSendText('said before')
while robot.step(16) != -1:
    text = robot.wwiReceiveText()
    while text:
        robot.wwiSendText('got ' + text)
        text = robot.wwiReceiveText()
"""
NEW_PAGE = """<!DOCTYPE html>
<html><head><script type="module">
import RobotWindow from 'https://cyberbotics.com/wwi/R2023b/RobotWindow.js';
window.robotWindow = new RobotWindow();
window.robotWindow.setTitle('My window');
window.robotWindow.receive = function(message, robot) {
  document.querySelector('#out').innerHTML += robot + ': ' + message + '<br>';
};
</script></head><body><p id="out"></p>
<button onclick="window.robotWindow.send('a &quot;b&quot; \\\\ c')">send</button></body></html>
"""
OLD_PAGE = """<html><body><p id="out"></p>
<script src="qwebchannel.js"></script>
<script>
window.onload = function() {
  window.robotWindow = webots.window('old');
  window.robotWindow.setTitle('My window', 'tab');
  window.robotWindow.receive = function(message, robot) {
    document.querySelector('#out').innerHTML += robot + ': ' + message + '<br>';
  };
  window.robotWindow.send('loaded', 'a');
};
</script><button onclick="window.robotWindow.send('a &quot;b&quot; \\\\ c')">send</button></body></html>
"""


@pytest.mark.parametrize(("name", "text"), [("new", NEW_PAGE), ("old", OLD_PAGE)])
def test_windows_made_for_webots_work_as_they_are(visit: Visit, tmp_path: Path, name: str, text: str):
    project = Project(tmp_path / "project")
    world = project.write(robot("a", "wwi", f'window "{name}"'), wwi=WWI)
    folder = project.folder / "plugins" / "robot_windows" / name
    folder.mkdir(parents=True)
    (folder / f"{name}.html").write_text(text)
    with run(world) as on:
        overview = visit.open(on.url)
        overview.click(f"text=Window “{name}”")
        overview.wait_for_selector("#out:has-text('a: said before')")
        assert overview.title() == "My window"
        overview.click("button")
        overview.wait_for_selector("#out:has-text('a: got a \"b\" \\\\ c')")
        other = visit.open(on.window(name, "a"))
        other.click("button")
        for page in (overview, other):
            _until(page, "document.querySelector('#out').textContent.split('got a').length >= 2")
