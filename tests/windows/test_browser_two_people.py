"""Two people at one run, each with a page: changes in one order, and one of them at the controls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.windows.browser import ROOT, run
from tests.windows.test_browser_building import HISTORY, drawn, drop, opened
from tests.windows.test_browser_workbench import STATES
from tests.windows.visit import Visit, until

MESHES = "window.page.world.view.world.meshes.length"
pytestmark = pytest.mark.browser


def workbench(visit: Visit, address: str) -> Any:
    page = visit.open(address)
    until(page, "window.page?.source?.run")
    return page


def test_changes_of_both_are_made_in_one_order(visit: Visit, tmp_path: Path):
    """Each sees what the other has added, and either takes back what was done last, whoever did it."""
    with opened(visit, tmp_path) as (on, first):
        second = workbench(visit, on.url)
        until(second, f"{HISTORY}?.count === 0")
        empty = drawn(first)
        drop(first, "Box", [0.0, 0.0, 0.0], "Add Box")
        until(
            second,
            f"{HISTORY}.undo === 'Add Box' && {MESHES} === {empty + 1}",
        )
        first.locator("body").press("Control+d")
        until(second, f"{HISTORY}.count === 2")
        for page in (first, second):  # both at once
            page.evaluate("for (let i = 0; i < 5; i += 1) window.page.world.building.add('Sphere')")
        for page in (first, second):
            until(page, f"{HISTORY}.count === 12 && {MESHES} === {empty + 12}")
        second.locator("body").press("Control+z")
        for page in (first, second):
            until(page, f"{HISTORY}.count === 11 && {HISTORY}.redo === 'Add Sphere'")
        first.locator("body").press("Control+Shift+z")
        for page in (first, second):
            until(page, f"{HISTORY}.count === 12 && {HISTORY}.redo === ''")


def test_a_page_says_that_another_one_drives(visit: Visit):
    """A page that drives must have the focus, as a person who drives looks at it."""
    with run(ROOT / "worlds" / "epuck_arena.wbt") as on:
        second, first = (workbench(visit, on.url) for _ in range(2))
        first.bring_to_front()
        first.get_by_label("Add a panel").click()
        first.get_by_role("menuitem", name="Drive").click()
        first.locator(".drive-panel").get_by_role("button", name="Take control").click()
        until(first, f"{STATES}[0].state.driver === 'window'")
        first.get_by_role("application").focus()
        first.keyboard.down("ArrowUp")
        until(second, f"{STATES}[0].state.driver === 'other'")
        second.get_by_text("another page drives").first.wait_for()
        assert first.evaluate(f"{STATES}[0].state.driver") == "window"
        first.keyboard.up("ArrowUp")
