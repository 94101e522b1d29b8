"""The whole way in one page: an empty world, a robot from the shelf, its program, a crash, the past, a file.

Judge: the bytes of files saved after each step, when it is undone and redone; and a run without any page, in
which the saved world and the program drive the robot.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

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


LINE = "window.page.world.messages.get('timeLine')"


def save(page: Any, name: str) -> None:
    page.get_by_label("Name of the new world").fill(name)
    page.get_by_role("button", name="Save world").click()
    until(page, f"document.querySelector('.saving p').textContent === 'saved {name}'")


def take_all_back_and_make_it_again(page: Any, folder: Path, steps: int) -> None:
    """Undo each step and redo it; at each place, the file has the same bytes."""
    save(page, f"undone{steps}.wbt")
    page.keyboard.press("Escape")
    page.locator(".stage canvas").click(position={"x": 40, "y": 300})
    for count in range(steps - 1, -1, -1):
        page.keyboard.press("Control+z")
        until(page, f"{HISTORY}.count === {count}")
        save(page, f"undone{count}.wbt")
        page.locator(".stage canvas").click(position={"x": 40, "y": 300})
    for count in range(1, steps + 1):
        page.keyboard.press("Control+Shift+Z")
        until(page, f"{HISTORY}.count === {count}")
        save(page, f"redone{count}.wbt")
        page.locator(".stage canvas").click(position={"x": 40, "y": 300})
    texts = [(folder / f"undone{count}.wbt").read_text("utf-8") for count in range(steps + 1)]
    assert texts[0] == WORLD and len(set(texts)) == steps + 1
    for count in range(1, steps + 1):
        assert (folder / f"redone{count}.wbt").read_text("utf-8") == texts[count]


def test_a_robot_is_built_programmed_crashed_mended_and_saved(visit: Visit, tmp_path: Path):
    world = tmp_path / "project" / "worlds" / "empty.wbt"
    world.parent.mkdir(parents=True)
    world.write_text(WORLD)
    options = ("--mode", "realtime", "--inline", "--save-worlds", str(world.parent), "--edit-controllers")
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
        take_all_back_and_make_it_again(page, world.parent, 5)
        area = page.locator(".plain-code")
        begin = area.input_value().split("\nwhile")[0]
        area.fill(begin + LOOP + CRASH)
        page.locator("#save-code").click()
        until(page, f"{NOTE} === 'Saved. The controller starts again.'")
        page.locator("#play").click()
        page.locator(".failure").wait_for()
        until(page, f"{NOTE}.includes('RuntimeError: out of fuel')")
        picture(page, "studio")
        page.get_by_role("button", name="Rewind 2 s").click()
        until(page, f"{LINE}.target === null && window.page.source.run.mode === 0")
        assert 0.9 < page.evaluate("window.page.source.run.time") < 1.1
        assert page.evaluate(LINE + ".note") == ""
        area.fill(begin + LOOP)
        area.press("Control+s")
        until(page, f"{NOTE} === 'Saved. The controller starts again.'")
        page.locator("#play").click()
        until(page, "window.page.source.run.time > 4")
        page.locator("#play").click()
        save(page, "rover.wbt")
        assert page.evaluate(f"{HISTORY}.undo") == "Set controller of robot"
    with Runner(load_world(world.with_name("rover.wbt")), RunOptions(inline=True)) as runner:
        (robot,) = runner.simulation.robots.list
        before = robot.node.get("translation")[0]
        runner.limit = 125
        runner.run()
        runner.simulation.sync()
        travelled = 5.0 * 0.03 * 125 * 0.016
        assert robot.node.get("translation")[0] - before == pytest.approx(travelled, rel=0.1)
