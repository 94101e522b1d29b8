"""The guided way from a world to a robot, in a real browser: ticks at what is done, a mark at what is next.

Judge: what the other panels report; tests of these panels show when they do so.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.windows.browser import run
from tests.windows.test_browser_building import WORLD
from tests.windows.visit import Visit, picture, until

pytestmark = pytest.mark.browser
OPEN = """async () => {
  const {GuidePanel} = await import('/pages/live/guide_panel.js');
  const {Run} = await import('/pages/live/run.js');
  // A run without a worker: what it keeps in this browser is its own.
  window.inside = Object.assign(Object.create(Run.prototype), {wanted: {key: 'test'}});
  window.opened = [];
  window.panel = new GuidePanel(window.inside, (name) => window.opened.push(name));
  document.body.replaceChildren(window.panel.root);
}"""
STATES = "[...document.querySelectorAll('[data-mark]')].map((one) => one.dataset.state).join(' ')"


def test_steps_are_ticked_as_they_are_done(visit: Visit, tmp_path: Path) -> None:
    world = tmp_path / "empty.wbt"
    world.write_text(WORLD)
    with run(world) as on:
        page = visit.open(on.url)
        page.evaluate(OPEN)
        until(page, f"{STATES} === 'next later later later later later'")
        page.evaluate("window.panel.take({run: {time: 1}})")
        assert page.evaluate(STATES).startswith("next")
        page.evaluate("window.panel.take({run: {time: 2.1}})")
        until(page, f"{STATES} === 'done next later later later later'")
        page.evaluate(
            "window.inside.keep('controllers/a/a.py', 'pass')"
        )  # the panel Code does so when it saves
        page.evaluate("window.inside.mark('heard')")  # out of order: also done
        until(page, f"{STATES} === 'done done next later done later'")
        picture(page, "guide")
        page.locator('[data-mark="wired"] button').click()
        assert page.evaluate("window.opened") == ["wiring"]
        assert page.locator('[aria-current="step"]').count() == 1
        page.evaluate(OPEN)
        until(page, f"{STATES} === 'done done next later done later'")  # another visit
        page.get_by_role("button", name="Begin again").click()
        until(page, f"{STATES} === 'next later later later later later'")
