"""A robot at a wire in a real browser: alone, and driven by its controller."""

from __future__ import annotations

import pytest

from tests.bridge.conftest import HEAD, ROVER
from tests.windows.browser import ROOT, bridged, started
from tests.windows.visit import Visit, generic, is_drawn, picture, state, until
from tests.windows.wire import WiredRobot
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.tables.device_tables import device_tables

pytestmark = pytest.mark.browser

FOUR_WHEELS = ROOT / "worlds" / "four_wheel_robot.wbt"


def test_the_dashboard_of_a_robot_at_a_wire(visit: Visit):
    """No world, no controller: the robot tells what it has."""
    with bridged(FOUR_WHEELS) as url, started("window", url) as on:
        page = generic(visit, on, "four-wheel robot")
        assert page.locator("#play").count() == 0
        page.wait_for_selector(".status:has-text('real robot, live')")
        page.check("#enable-2")
        page.wait_for_selector("#device-2 .plot", state="attached")
        page.locator("#device-2 .plot").scroll_into_view_if_needed()
        page.wait_for_selector("#device-2 canvas")
        assert not page.locator("#control").is_visible()
        assert not page.locator("#keys").is_visible()
        page.locator("#device-1 input[type=range]").first.fill("8")
        until(page, "window.page.now.acts[1].at > 2")
        assert is_drawn(page, "#device-2 canvas")
        page.click("#stop")
        until(page, "window.page.now.acts[1].velocity === 0")
        before = state(page, "now.acts[1].at")
        page.wait_for_timeout(300)
        assert state(page, "now.acts[1].at") == pytest.approx(before, abs=0.5)
        picture(page, "window_real")
        assert page.locator("#device-2").inner_text().splitlines()[2] == "PositionSensor · rad"


def test_the_dashboard_of_a_robot_and_its_controller(visit: Visit):
    with bridged(FOUR_WHEELS) as url, started("remote", str(FOUR_WHEELS), "--url", url, "--windows") as on:
        page = generic(visit, on, "four-wheel robot")
        page.wait_for_selector("#driver:has-text('The controller drives')")
        until(page, "window.page.now.acts[1].velocity > 0")
        until(page, "Object.keys(window.page.now.values).length >= 4")
        assert is_drawn(page, "canvas.square")  # its distance sensors, around its outline
        assert page.locator("#device-1 input[type=range]").first.is_disabled()
        page.click("#control")
        page.wait_for_selector("#driver:has-text('You drive')")
        page.locator("#device-1 input[type=range]").first.fill("-5")
        until(page, "window.page.now.acts[1].velocity === -5")
        page.click("#stop")
        until(page, "window.page.now.acts[1].velocity === 0")
        page.click("#control")
        page.wait_for_selector("#driver:has-text('The controller drives')")
        until(page, "window.page.now.acts[1].velocity !== 0")


def test_a_robot_that_is_gone_is_told(visit: Visit):
    with bridged(FOUR_WHEELS) as url:
        with started("window", url) as on:
            page = generic(visit, on, "four-wheel robot")
            workbench = visit.open(on.url)
            workbench.wait_for_selector("text=Devices")
            assert workbench.get_by_role("tab").all_inner_texts() == ["Devices", "Plot", "Console"]
            page.wait_for_selector("[data-state=connected]")
        page.wait_for_selector("[data-state=ended]")
    with WiredRobot() as wired, started("window", wired.url) as on:
        page = generic(visit, on, "rover")
        wired.hangs.set()
        page.wait_for_selector(".status:has-text('the robot does not answer')")
        wired.hangs.clear()
        page.wait_for_selector(".status:has-text('real robot, live')")


def test_what_a_camera_sees_is_shown(visit: Visit):
    camera = 'Camera { name "camera" width 8 height 4 }'
    text = ROVER.replace("children [", f"children [ {camera}", 1)
    with WiredRobot(device_tables(load_text(HEAD + text))[0]) as wired:
        wired.robot.values["camera.image"] = bytes((0, 0, 255, 255)) * 16 + bytes((255, 0, 0, 255)) * 16
        with started("window", wired.url) as on:
            page = generic(visit, on, "rover")
            page.check("#enable-1")
            page.wait_for_selector("#device-1 img.picture")
            until(page, "document.querySelector('img.picture').naturalWidth === 8")
            colors = page.evaluate(
                """() => {
                  const canvas = document.createElement('canvas');
                  const pen = canvas.getContext('2d');
                  pen.drawImage(document.querySelector('img.picture'), 0, 0);
                  return [0, 3].map((row) => [...pen.getImageData(1, row, 1, 1).data]);
                }"""
            )
            assert colors == [[255, 0, 0, 255], [0, 0, 255, 255]]
            page.uncheck("#enable-1")
            page.wait_for_selector("#device-1 img.picture", state="hidden")
