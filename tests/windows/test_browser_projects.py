"""Robot windows of other people's projects, unchanged in a real browser: pages, controllers, worlds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scripts.corpus import corpus_folder
from tests.windows.browser import run
from tests.windows.visit import Visit, until

pytestmark = pytest.mark.browser


def _world(path: str) -> Path:
    world = corpus_folder() / "windows" / path
    if not world.is_file():
        pytest.skip("the public projects are absent; fetch them with: make projects")
    return world


def _open(chromium: Any, url: str, window: str) -> tuple[Visit, Any]:
    """The window, as people come to it: what it loads from the internet does not come."""
    visit = Visit(chromium)
    page = visit.open(url)
    page.click(f"text=Window “{window}”")
    return visit, page


def test_a_window_of_r2022a_and_before(chromium: Any):
    """A referee of robot soccer: shows the field, and moves things in it."""
    with run(_world("iita-robotica/worlds/soccer.wbt")) as on:
        visit, page = _open(chromium, on.url, "rcj_soccer_referee_supervisor_window")
        until(page, "!isNaN(parseFloat(document.querySelector('#ball-x')?.innerText))")
        assert page.title() == "Fútbol de Robots!"
        # The controllers that it offers come as the answer to its "setup".
        until(page, "document.querySelectorAll('#yellow-team-controller option').length > 1")
        place = "[...document.querySelectorAll('#ball-x, #ball-y')].map((one) => one.innerText).join()"
        before = page.evaluate(place)
        page.click("#randomize-ball-button")
        until(page, f"{place} !== '{before}'")
        page.uncheck("#check_goal", force=True)
        other = visit.open(page.url)
        until(other, "!isNaN(parseFloat(document.querySelector('#ball-x')?.innerText))")
        until(other, "!document.querySelector('#check_goal').checked")
        assert visit.errors == []
        visit.context.close()


def test_a_window_of_r2022b_and_later(chromium: Any):
    """A benchmark: shows how near the robot is to its goal. The robot itself is a model of Webots."""
    with run(_world("robot-programming-benchmark/worlds/robot_programming.wbt"), "--allow-missing") as on:
        visit, page = _open(chromium, on.url, "robot_programming")
        page.wait_for_selector("#achievement:text-is('0.00%')", state="attached")
        assert visit.errors == []
        visit.context.close()
