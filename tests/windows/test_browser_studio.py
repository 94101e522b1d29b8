"""The whole way in one page: an empty world, a robot from the shelf, its program, a crash, a file.

Judge: the saved world and the program drive the robot in a run without any page.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.windows.browser import run
from tests.windows.test_browser_building import HISTORY, WORLD, drop
from tests.windows.test_browser_code import NOTE
from tests.windows.test_browser_worlds import start_paused
from tests.windows.visit import Visit, picture, until
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import load_world

pytestmark = pytest.mark.browser
LOOP = """
while robot.step(step) != -1:
    left_wheel_motor.setVelocity(5.0)
    right_wheel_motor.setVelocity(5.0)
"""
CRASH = "    if robot.getTime() > 3: raise RuntimeError('out of fuel')\n"


def test_a_robot_is_built_programmed_crashed_mended_and_saved(visit: Visit, tmp_path: Path):
    world = tmp_path / "project" / "worlds" / "empty.wbt"
    world.parent.mkdir(parents=True)
    world.write_text(WORLD)
    options = ("--mode", "realtime", "--save-worlds", str(world.parent), "--edit-controllers")
    with run(world, *options) as on:
        page = visit.open(on.url)
        page.set_viewport_size({"width": 1500, "height": 900})
        start_paused(page)
        for name in ("Shelf", "Scene tree", "Code"):
            page.get_by_label("Add a panel").click()
            page.get_by_role("menuitem", name=name, exact=True).click()
        page.locator(".shelf-item").first.wait_for()
        drop(page, "Robot", [0.0, 0.0, 0.0], "Add Robot")
        drop(page, "Wheel with motor", [0.02, 0.045, 0.05], "Add Wheel with motor")
        drop(page, "Wheel with motor", [0.02, -0.045, 0.05], "Add Wheel with motor")
        drop(page, "DistanceSensor", [0.07, 0.0, 0.05], "Add DistanceSensor")
        page.locator(".new-controller summary").click()
        page.get_by_label("Name of the controller").fill("rover")
        page.get_by_role("button", name="Give").click()
        until(
            page, "document.querySelector('.plain-code').value.includes('left_wheel_motor.setVelocity(0.0)')"
        )
        area = page.locator(".plain-code")
        begin = area.input_value().split("\nwhile")[0]
        area.fill(begin + LOOP + CRASH)
        page.locator("#save-code").click()
        until(page, f"{NOTE} === 'Saved. The controller starts again.'")
        page.locator("#play").click()
        page.locator(".failure").wait_for()
        until(page, f"{NOTE}.includes('RuntimeError: out of fuel')")
        picture(page, "studio")
        area.fill(begin + LOOP)
        area.press("Control+s")
        until(page, f"{NOTE} === 'Saved. The controller starts again.'")
        until(page, "window.page.source.run.time > 4")
        page.locator("#play").click()
        page.get_by_label("Name of the new world").fill("rover.wbt")
        page.get_by_role("button", name="Save world").click()
        until(page, "document.querySelector('.saving p').textContent === 'saved rover.wbt'")
        assert page.evaluate(f"{HISTORY}.undo") == "Set controller of robot"
    with Runner(load_world(world.with_name("rover.wbt")), RunOptions(inline=True)) as runner:
        (robot,) = runner.simulation.robots.list
        before = robot.node.get("translation")[0]
        runner.limit = 125
        runner.run()
        runner.simulation.sync()
        travelled = 5.0 * 0.03 * 125 * 0.016
        assert robot.node.get("translation")[0] - before == pytest.approx(travelled, rel=0.1)
