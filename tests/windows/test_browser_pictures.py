"""Pictures of simulated devices in a real browser."""

from __future__ import annotations

import math

import pytest

from tests.controllers.project import Project, robot
from tests.windows.browser import ROOT, run
from tests.windows.visit import Visit, generic, picture, until

pytestmark = pytest.mark.browser


def test_a_lidar_shows_its_picture_while_it_is_on(visit: Visit):
    with run(ROOT / "worlds" / "lidar_mapping.wbt", "--mode", "realtime", "--no-controllers") as on:
        page = generic(visit, on, "TurtleBot3Burger")
        card = page.locator(".card:has-text('LDS-01')").filter(has=page.locator("img.picture")).first
        image = card.locator("img.picture")
        assert image.is_hidden()
        card.locator("input[type=checkbox]").check()
        image.wait_for(state="visible")
        until(page, "[...document.querySelectorAll('img.picture')].some((one) => one.naturalWidth >= 120)")
        first = image.get_attribute("src")
        page.wait_for_function("(old) => document.querySelector('img.picture').src !== old", arg=first)
        image.scroll_into_view_if_needed()
        picture(page, "window_lidar")
        card.locator("input[type=checkbox]").uncheck()
        image.wait_for(state="hidden")


def test_a_display_shows_what_the_controller_draws(visit: Visit):
    """The star painter's display: a sheet of paper (0xF4F1E8) with blue lines, and text above."""
    with run(ROOT / "worlds" / "star_painter.wbt", "--mode", "realtime") as on:
        page = generic(visit, on, "painter")
        shown = "document.querySelector('img[alt=\"content of display\"]')"
        page.locator("img[alt='content of display']").wait_for(state="visible")
        until(page, f"{shown}.naturalWidth === 96")
        color = page.evaluate(
            f"""() => {{
              const pen = document.createElement('canvas').getContext('2d');
              pen.drawImage({shown}, 0, 0);
              return [...pen.getImageData(48, 90, 1, 1).data];
            }}"""
        )
        assert color == [0xF4, 0xF1, 0xE8, 255]
        page.locator("img[alt='content of display']").scroll_into_view_if_needed()
        picture(page, "window_display")


SHOWER = """
import sys, types
cv2 = sys.modules["cv2"] = types.ModuleType("cv2")
import numpy as np
from controller import Robot
robot = Robot()
picture = np.zeros((6, 8, 3), np.uint8)
picture[..., 2] = 255
while robot.step(16) != -1:
    cv2.imshow("red", picture)
    cv2.waitKey(1)
"""


def test_pictures_of_opencv_have_panels(visit: Visit, project: Project, monkeypatch: pytest.MonkeyPatch):
    """A controller without a display shows a red picture of 8 x 6 pixels."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    project.write(robot("r", "shower"), shower=SHOWER)
    with run(project.world) as on:
        page = visit.open(on.url)
        image = page.locator(".picture-panel img[alt='picture of red']")
        image.wait_for(state="visible")
        until(page, "document.querySelector('.picture-panel img').naturalWidth === 8")
        color = image.evaluate(
            """(one) => {
              const pen = document.createElement('canvas').getContext('2d');
              pen.drawImage(one, 0, 0);
              return [...pen.getImageData(4, 3, 1, 1).data];
            }"""
        )
        assert color == [255, 0, 0, 255]
        branch = page.get_by_role("region", name="r", exact=True)
        assert branch.get_by_text("red", exact=True).count() == 1
        assert page.locator(".picture-panel").count() == 1


WALLS = (
    "Solid { translation 1 0 0 children [ DEF WALL Shape { geometry Box { size 0.2 4 1 } } ] "
    "boundingObject USE WALL }\n"
    'Solid { name "left" translation 0 0.5 0 children [ DEF SIDE Shape { geometry Box { size 4 0.1 1 } } ] '
    "boundingObject USE SIDE }\n"
    'Robot { name "scanner" controller "<none>" children [ Lidar { horizontalResolution 90 fieldOfView 3.1 '
    "numberOfLayers 1 minRange 0.05 maxRange 2 } ] }\n"
)


def test_a_lidar_is_shown_from_above(visit: Visit, project: Project):
    """A wall 0.9 m ahead, and one 0.45 m to the left."""
    project.write(WALLS)
    with run(project.world, "--mode", "realtime") as on:
        page = visit.open(on.url)
        until(page, "window.page?.source?.run")
        page.get_by_role("checkbox", name="lidar").check()
        state = "window.page.source.robots[0].state"
        until(page, f"Object.keys({state}?.pictures ?? {{}}).length > 0")  # the only one: nothing moves
        page.get_by_role("button", name="Show the picture of lidar").click()
        canvas = page.get_by_label("ranges of lidar from above")
        canvas.wait_for(state="visible")
        panel = "[...window.page.bench.dock.panels.values()].map((one) => one.panel).find((one) => one.polar)"
        until(page, f"{panel}.polar.points.length > 40")
        points = page.evaluate(f"{panel}.polar.points")
        ahead = [point for point in points if abs(point[1]) < 0.3]
        left = [point for point in points if abs(point[0]) < 0.3 and point[1] > 0]
        assert len(ahead) > 5 and len(left) > 5
        step = 2 / 255
        assert all(0.9 - 1.5 * step < x < 0.9 + 1.5 * step for x, _ in ahead)
        assert all(0.45 - 1.5 * step < y < 0.45 + 1.5 * step for _, y in left)
        picture(page, "workbench_lidar")
        page.get_by_label("View of lidar").select_option("picture")
        page.locator("img[alt='picture of lidar']").wait_for(state="visible")


TARGETS = (
    'Solid { name "parked" translation 4 -3 0 radarCrossSection 10 boundingObject Sphere { radius 0.1 } }\n'
    'Solid { name "flying" translation 2 1 0 radarCrossSection 10 linearVelocity 1 0.5 0 '
    "boundingObject Sphere { radius 0.1 } physics Physics { mass 1 damping Damping { linear 0 } } }\n"
    'Robot { name "watcher" controller "<none>" children [ Radar { minRange 0.1 maxRange 50 '
    "horizontalFieldOfView 2 verticalFieldOfView 1 } ] }\n"
)


def test_targets_of_a_radar_are_shown_from_above(visit: Visit, project: Project):
    """One stands 4 m ahead and 3 m to the right; another flies away from the radar at sqrt(1.25) m/s."""
    project.write(TARGETS)
    text = project.world.read_text(encoding="utf-8")
    project.world.write_text(text.replace("WorldInfo {", "WorldInfo { gravity 0", 1), encoding="utf-8")
    with run(project.world, "--mode", "realtime") as on:
        page = visit.open(on.url)
        until(page, "window.page?.source?.run")
        page.get_by_role("checkbox", name="radar").check()
        page.get_by_role("button", name="Show the picture of radar").click()
        page.get_by_label("targets of radar from above").wait_for(state="visible")
        panel = "[...window.page.bench.dock.panels.values()].map((one) => one.panel).find((one) => one.polar)"
        until(page, f"{panel}.polar.points.filter((one) => Math.abs(one[2]) > 1).length === 1")
        parked, flying = sorted(page.evaluate(f"{panel}.polar.points"), key=lambda point: point[1])
        assert parked == pytest.approx([4, -3, 0], abs=0.15)
        assert flying[1] == pytest.approx(flying[0] / 2, abs=0.05)
        assert flying[2] == pytest.approx(math.sqrt(1.25), abs=0.01)
        picture(page, "workbench_radar")
