"""An exercise in a real browser; Python's rubric answers the panel as in a run inside of the page.

Judge: the points of `wbridge.live.exercise`; tests/live/test_exercises.py compares them with `wbridge grade`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.live.test_exercises import ROOT, SOLUTIONS, program
from tests.windows.browser import run
from tests.windows.test_browser_building import WORLD
from tests.windows.visit import Visit, picture, until
from wbridge.live.exercise import checked, described

pytestmark = pytest.mark.browser
OPEN = """async () => {
  const {ExercisePanel} = await import('/pages/live/exercise_panel.js');
  const inside = {ask: () => window.askPython('ask'), check: () => window.askPython('check')};
  document.body.replaceChildren(new ExercisePanel(inside).root);
}"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "exercises" / "pick_and_place", tmp_path / "crane"))


@pytest.fixture
def page(visit: Visit, tmp_path: Path, project: Path) -> Iterator[Any]:
    """A page with the panel alone."""
    world = tmp_path / "empty.wbt"
    world.write_text(WORLD)
    with run(world) as on:
        opened = visit.open(on.url)
        opened.expose_function("askPython", lambda what: (described if what == "ask" else checked)(project))
        opened.evaluate(OPEN)
        opened.locator("[data-criterion]").first.wait_for()
        yield opened


def test_a_person_checks_a_program_and_improves_it(page: Any, project: Path) -> None:
    assert page.locator("h3").all_inner_texts() == ["Take the box", "Put it down", "Make room"]
    page.get_by_role("button", name="Check", exact=True).click()
    until(page, "document.querySelector('.exercise-panel .hint').textContent === '1 of 10 points.'")
    missed = page.locator('[data-criterion="lifts the box"]')
    assert missed.get_attribute("data-state") == "missed"
    assert "wanted at least 0.1" in missed.inner_text()
    picture(page, "exercise")
    program(project).write_text(SOLUTIONS["pick_and_place"])
    page.get_by_role("button", name="Check", exact=True).click()
    until(page, "document.querySelector('.exercise-panel .hint').textContent === 'All 10 points: done.'")
    assert page.locator('[data-state="met"]').count() == 5
