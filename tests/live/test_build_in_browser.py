"""A program in C for an Arduino Uno, built in Chromium from a hardware map, and written to the board.

Judges: Arduino's own boot loader (optiboot) under simavr, whose flash is read, and the emulated board of
`wbridge firmware`, on which the program answers to the robot link.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import CHECKOUT
from tests.firmware.uno_loader import UnoLoader
from tests.live.bridged_port import PortBridge
from tests.live.test_browser import LATEST_MS
from wbridge.main import main
from wbridge.wbfirmware.flash.intel_hex import program_of
from wbridge.wbfirmware.flash.stk500 import UNO

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.live

WORLD = CHECKOUT / "worlds" / "two_wheels.wbt"


@pytest.fixture
def uno(tmp_path: Path) -> Iterator[UnoLoader]:
    """The board."""
    with UnoLoader(tmp_path) as board:
        yield board


@pytest.fixture
def page(browser: Browser, address: str, uno: UnoLoader) -> Iterator[Page]:
    """The form of a hardware map for the board, in a browser whose port is the board's."""
    bridge = PortBridge(lambda: uno.pipe, stays_open=True)
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(LATEST_MS)
    page.add_init_script(bridge.script)
    page.goto(f"{address}?world={WORLD.stem}&panel=wiring")
    page.wait_for_selector("#wiring-board:not([disabled])")
    page.select_option("#wiring-board", "arduino-uno")
    page.wait_for_selector("#save-program:not([disabled])")
    yield page
    page.evaluate("() => globalThis.runInside.end()")
    context.close()
    bridge.close()


def saved(page: Page, button: str, file: Path) -> Path:
    """Return what a button downloads."""
    with page.expect_download() as download:
        page.click(button)
    download.value.save_as(file)
    return file


def test_a_program_in_c_is_built_and_written(page: Page, uno: UnoLoader, tmp_path: Path):
    program = program_of(saved(page, "#save-program", tmp_path / "firmware.hex").read_text(), UNO.flash)
    assert "of 32256 bytes" in page.inner_text(".wiring-panel > .hint")
    page.click("#write-program")
    page.wait_for_function(
        """() => document.querySelector('.wiring-panel > .hint').textContent.endsWith('the program runs.')"""
    )
    assert uno.flash()[: len(program)] == program
    # The same project, compiled by the compiler of this computer, has the same C and the same board.
    with zipfile.ZipFile(saved(page, "#save-project", tmp_path / "project.zip")) as archive:
        texts = {name: archive.read(name) for name in archive.namelist()}
    map_file = tmp_path / "hardware.toml"
    map_text = page.input_value(".wiring-text")
    map_file.write_text(map_text.replace(f'"../worlds/{WORLD.name}"', f'"{WORLD.as_posix()}"'))
    assert main(["-q", "firmware", "build", str(map_file), "--out", str(tmp_path / "firmware")]) == 0
    assert texts == {name: (tmp_path / "firmware" / name).read_bytes() for name in texts}


def test_the_map_is_kept_over_a_reload(page: Page):
    field = '[data-key="left wheel motor full_speed"]'
    page.fill(field, "17.5")
    page.press(field, "Tab")
    page.wait_for_function("() => document.querySelector('.wiring-text').value.includes('full_speed = 17.5')")
    page.reload()
    page.wait_for_selector(field)
    page.wait_for_function("() => document.querySelector('.wiring-text').value.includes('full_speed = 17.5')")
    assert page.input_value("#wiring-board") == "arduino-uno"


def test_what_the_compiler_refuses_is_said(page: Page):
    page.evaluate("""async () => {
      const project = JSON.parse(await globalThis.runInside.ask('project'));
      project.files['main.c'] = 'int main(void) { return nothing; }';
      const compiled = globalThis.runInside.compiled(project, () => {});
      globalThis.said = await compiled.catch((problem) => problem.message);
    }""")
    said = page.evaluate("globalThis.said")
    assert "main.c:1:" in said
    assert "'nothing' undeclared" in said.replace("‘", "'").replace("’", "'")
