"""A program for an Arduino Uno, built in Chromium and compared there with the controller of the world.

Judge: the same comparison with this computer's simavr, which GCC compiled.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import CHECKOUT
from tests.live.test_browser import LATEST_MS
from wbridge.live.verification import Comparison, verified
from wbridge.wbcore.controllers.runner import RunOptions
from wbridge.wbcore.scene.load import load_world

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.live

WORLD = CHECKOUT / "worlds" / "four_wheel_robot.wbt"
STEPS = 1000


def test_the_step_table_is_that_of_this_computer(browser: Browser, address: str, tmp_path: Path):
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(LATEST_MS)
    page.goto(f"{address}?world={WORLD.stem}&panel=wiring")
    page.wait_for_selector("#wiring-board:not([disabled])")
    page.select_option("#wiring-board", "arduino-uno")
    page.wait_for_selector("#verify-program:not([disabled])")
    page.evaluate("""() => {
      const compiled = globalThis.runInside.compiled.bind(globalThis.runInside);
      globalThis.runInside.compiled = async (...words) => (globalThis.program = await compiled(...words));
    }""")
    page.click("#verify-program")
    page.wait_for_selector("#save-table:not([hidden])")
    said = page.inner_text(".wiring-panel > .hint")
    with page.expect_download() as download:
        page.click("#save-table")
    download.value.save_as(tmp_path / "steps.csv")
    program = bytes(page.evaluate("Array.from(globalThis.program.elf)"))
    map_text = page.input_value(".wiring-text")
    context.close()
    comparison = Comparison(map_text, program, STEPS)
    expected = json.loads(verified(lambda: load_world(WORLD), comparison, lambda _: RunOptions(inline=True)))
    assert said.startswith("Arduino Uno: agrees in ")
    assert said.endswith(f"{STEPS} steps")
    table = (tmp_path / "steps.csv").read_text()
    assert expected == {"agrees": True, "text": said, "table": table}
