"""The code panel of a run on this machine, in a real browser: write, crash, see the line, mend."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.windows.browser import Run, run
from tests.windows.visit import Visit, picture, until

pytestmark = pytest.mark.browser
WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 title "Code" }
Viewpoint { position -2 0 1 orientation 0 1 0 0.5 }
Robot { name "cart" controller "CONTROLLER" children [ GPS { } ] }
"""
CRASHING = """from controller import Robot
robot = Robot()
while robot.step(16) != -1:
    if robot.getTime() > 0.5:
        raise RuntimeError("no such gear")
"""
NOTE = "document.querySelector('.code-panel .hint').textContent"


@contextmanager
def opened(visit: Visit, folder: Path, controller: str, *options: str) -> Iterator[tuple[Run, Any]]:
    world = folder / "project" / "worlds" / "code.wbt"
    world.parent.mkdir(parents=True, exist_ok=True)
    world.write_text(WORLD.replace("CONTROLLER", controller))
    with run(world, "--mode", "realtime", "--view", *options) as on:
        page = visit.open(on.url)
        page.set_viewport_size({"width": 1400, "height": 860})
        page.get_by_label("Add a panel").click()
        page.get_by_role("menuitem", name="Code", exact=True).click()
        page.locator(".plain-code").wait_for()
        yield on, page


def program(folder: Path, name: str, text: str) -> Path:
    path = folder / "project" / "controllers" / name / f"{name}.py"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


def test_a_crashed_controller_is_mended_in_the_page(visit: Visit, tmp_path: Path):
    file = program(tmp_path, "gear", CRASHING)
    with opened(visit, tmp_path, "gear", "--edit-controllers") as (_, page):
        until(page, f"{NOTE} === 'Line 5: RuntimeError: no such gear'")
        wrong = page.locator(".line-numbers .wrong-line")
        assert wrong.inner_text() == "5" and wrong.get_attribute("title") == "RuntimeError: no such gear"
        picture(page, "workbench_code")
        area = page.locator(".plain-code")
        area.fill(CRASHING.replace("0.5", "500"))
        until(page, f"{NOTE} === 'Not saved.'")
        area.press("Control+s")
        until(page, f"{NOTE} === 'Saved. The controller starts again.'")
        until(page, "!document.querySelector('.failure')")
        assert "500" in file.read_text()
        area.press("Control+End")
        area.press_sequentially("# 2")
        page.locator("#save-code").click()
        until(page, f"{NOTE} === 'Saved. The controller starts again.'")
        assert file.read_text().endswith("# 2"), "the digest of the first save is known"
        file.write_text("# from another editor\n")
        area.press_sequentially("3")
        page.locator("#save-code").click()
        until(page, f"{NOTE}.includes('has changed on the disk')")
        assert area.input_value().endswith("# 23"), "what was typed stays"
        page.locator("#load-code").click()
        until(page, "document.querySelector('.plain-code').value === '# from another editor\\n'")


def test_without_the_option_code_is_shown_only(visit: Visit, tmp_path: Path):
    file = program(tmp_path, "gear", CRASHING.replace("0.5", "500"))
    with opened(visit, tmp_path, "gear") as (_, page):
        until(page, f"{NOTE}.includes('--edit-controllers')")
        assert page.locator(".plain-code").input_value() == file.read_text()
        assert page.locator(".plain-code").get_attribute("readonly") is not None
        assert page.locator("#save-code").is_disabled()


def test_a_robot_gets_its_first_controller_in_the_page(visit: Visit, tmp_path: Path):
    with opened(visit, tmp_path, "<none>", "--edit-controllers") as (_, page):
        page.locator(".new-controller summary").click()
        page.get_by_label("Name of the controller").fill("seeker")
        page.get_by_role("button", name="Give").click()
        until(page, "document.querySelector('.plain-code').value.includes('gps.enable(step)')")
        area = page.locator(".plain-code")
        area.press("Control+End")
        for _ in range(2):
            area.press("ArrowUp")
        area.press("End")
        area.press("Enter")
        area.press_sequentially('print("here", gps.getValues()[0])')
        area.press("Control+s")
        until(page, f"{NOTE} === 'Saved. The controller starts again.'")
        page.get_by_text("here 0.0").first.wait_for()
    text = (tmp_path / "project" / "controllers" / "seeker" / "seeker.py").read_text()
    assert '!= -1:\n    print("here", gps.getValues()[0])\n    pass\n' in text


VALUES = (
    "Object.fromEntries([...document.querySelectorAll('.debug-values dt')]"
    ".map((one) => [one.textContent, one.nextSibling.textContent]))"
)
COUNTING = """from controller import Robot
robot = Robot()
count = 0
while robot.step(16) != -1:
    count += 1
    double = 2 * count
"""


def test_a_breakpoint_pauses_the_world_and_shows_variables(visit: Visit, tmp_path: Path):
    program(tmp_path, "gear", COUNTING)
    with opened(visit, tmp_path, "gear", "--edit-controllers") as (_, page):
        page.locator(".line-numbers div").nth(5).click()
        page.locator(".line-numbers [data-stop]").wait_for()
        page.locator("#debug").click()
        page.locator(".line-numbers [data-here]").wait_for()
        assert page.locator(".line-numbers [data-here]").inner_text() == "6"
        until(page, f"{VALUES}.count === '1'")
        picture(page, "workbench_breakpoint")
        stopped = page.evaluate("window.page.source.run.time")
        page.get_by_role("button", name="Continue").click()
        until(page, f"{VALUES}.count === '2'")
        assert page.evaluate("window.page.source.run.time") == pytest.approx(stopped + 0.016)
        page.locator(".plain-code").press("F10")
        until(page, "document.querySelector('.line-numbers [data-here]').textContent === '4'")
        until(page, f"{VALUES}.double === '4'")
        page.locator(".line-numbers div").nth(5).click()
        page.get_by_role("button", name="Continue").click()
        until(page, f"window.page.source.run.time > {stopped} + 1")
        page.get_by_role("button", name="Pause at next line").click()
        page.locator(".line-numbers [data-here]").wait_for()
        page.locator("#debug").click()
        until(page, "document.querySelector('#debug').textContent === 'Debug'")
        later = page.evaluate("window.page.source.run.time")
        until(page, f"window.page.source.run.time > {later} + 0.5")
