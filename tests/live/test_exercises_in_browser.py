"""Exercises and hardware maps on the site itself, in Chromium: one worker checks, another one builds.

Judges: the points and the program that this machine's Python gives for the same files.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.live.test_browser import LATEST_MS
from wbridge.live.exercise import checked
from wbridge.live.page_hardware import PageHardware
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.scene.load import load_world

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.live
ROOT = Path(__file__).parents[2]
RUNS = "() => globalThis.page?.source?.run?.time > 0.1"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(bypass_csp=True, viewport={"width": 1400, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(LATEST_MS)
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    opened.evaluate("() => globalThis.runInside.end()")
    context.close()
    assert errors == []


def test_an_exercise_opens_with_its_text_and_is_checked(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("link", name="pick and place").click()
    page.wait_for_function(RUNS)
    page.locator(".exercise-panel [data-criterion]").first.wait_for()
    page.get_by_role("button", name="Check", exact=True).click()
    points = json.loads(checked(ROOT / "exercises" / "pick_and_place"))
    words = f"{points['points']:g} of {points['of']:g} points."
    page.wait_for_function(
        "(words) => document.querySelector('.exercise-panel .hint').textContent === words", arg=words
    )
    for result in points["results"]:
        shown = page.locator(f'[data-criterion="{result["name"]}"]').inner_text()
        assert all(note in shown for note in result["notes"])
    before = page.evaluate("globalThis.page.source.run.time")
    page.wait_for_function("(time) => globalThis.page.source.run.time > time", arg=before)  # the run goes on


def test_the_guide_leads_to_a_program_for_a_board(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(address)
    page.get_by_role("link", name="From a world to a robot on your desk").click()
    page.wait_for_function(RUNS)
    page.wait_for_function("() => document.querySelector('[data-mark=seen]')?.dataset.state === 'done'")
    page.locator('[data-mark="wired"] button').click()
    page.locator("#wiring-board option").nth(20).wait_for(state="attached")
    page.locator("#wiring-board").select_option("pico-micropython")
    page.locator(".wiring-device").nth(13).wait_for()
    page.wait_for_function("() => document.querySelector('[data-mark=wired]').dataset.state === 'done'")
    with page.expect_download() as download:
        page.locator("#save-program").click()
    download.value.save_as(tmp_path / "firmware.zip")
    with Runner(load_world(ROOT / "worlds" / "four_wheel_robot.wbt")) as runner:
        hardware = PageHardware(runner)
        number = json.loads(hardware.choices())["robots"][0]["number"]
        hardware.begin(number, "pico-micropython")
        (tmp_path / "own.zip").write_bytes(hardware.build())
        hardware.close()
    built = [zipfile.ZipFile(tmp_path / name) for name in ("firmware.zip", "own.zip")]
    files = [{name: archive.read(name) for name in archive.namelist()} for archive in built]
    assert "main.py" in files[0]
    assert {name for name in files[0] | files[1] if files[0].get(name) != files[1].get(name)} == set()
    for archive in built:
        archive.close()
