"""An Arduino Uno in Chromium: a program is written to it from the page.

Judge: Arduino's own boot loader (optiboot), which writes the flash of an ATmega328P under simavr.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.firmware.uno_loader import UnoLoader
from tests.live.bridged_port import PortBridge
from tests.live.test_browser import LATEST_MS
from tests.waiting import wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.live

PROGRAM = b"\xff\xcf" + bytes(k % 251 for k in range(4000))
"""Jumps to its own begin for ever."""
WRITE_PAGE = b"d"
"""The first byte of STK500's command (Atmel's note AVR061: 0x64)."""
RESET = [f'{{"dataTerminalReady":{on},"requestToSend":{on}}}' for on in ("false", "true")]


def hex_of(program: bytes) -> str:
    """Return a program in Intel's hexadecimal format."""
    lines = []
    for begin in range(0, len(program), 16):
        data = program[begin : begin + 16]
        record = bytes([len(data)]) + begin.to_bytes(2, "big") + b"\0" + data
        lines.append(f":{record.hex()}{-sum(record) % 256:02x}")
    return "\n".join([*lines, ":00000001FF", ""])


@pytest.fixture
def uno(tmp_path: Path) -> Iterator[UnoLoader]:
    """The board."""
    with UnoLoader(tmp_path) as board:
        yield board


@pytest.fixture
def uno_bridge(uno: UnoLoader) -> Iterator[PortBridge]:
    """What leads pages to the board."""
    bridge = PortBridge(lambda: uno.pipe, stays_open=True)
    yield bridge
    bridge.close()


def opened(context: BrowserContext, address: str, bridge: PortBridge) -> Page:
    """Open a world with its panel for boards, in a browser whose port is the board's."""
    page = context.new_page()
    page.set_default_timeout(LATEST_MS)
    page.add_init_script(bridge.script)
    page.goto(f"{address}?world=two_wheels")
    page.wait_for_function("() => globalThis.page?.source?.run?.time > 0.1")
    page.evaluate("globalThis.page.bench.open('board')")
    return page


@pytest.fixture
def page(browser: Browser, address: str, uno_bridge: PortBridge) -> Iterator[Page]:
    """The page."""
    context = browser.new_context(bypass_csp=True)
    page = opened(context, address, uno_bridge)
    yield page
    page.evaluate("() => globalThis.runInside.end()")  # a busy worker would keep the page open
    context.close()


ENDED = """() => {
  const panel = document.querySelector('.board-panel');
  globalThis.ended = '';
  const observer = new MutationObserver((changes) => {
    if (panel.dataset.state !== 'none' || !changes.some((one) => one.oldValue === 'board')) return;
    globalThis.ended = panel.querySelector('.board-note').textContent;
    observer.disconnect();
  });
  observer.observe(panel, {attributeFilter: ['data-state'], attributeOldValue: true});
}"""
"""Notes what the panel says when the board is left; a look now and then could miss it."""


def written(page: Page) -> str:
    """Let the page write the chosen program; return what it says at the end, whatever that is."""
    page.wait_for_selector("#flash-board:not([disabled])")
    page.evaluate(ENDED)
    page.click("#flash-board")
    return str(page.wait_for_function("() => globalThis.ended").json_value())


def nth_page(number: int) -> Callable[[bytes], bool]:
    """Return what recognizes a command to write a page: the one with this number, from 1."""
    left = [number]

    def is_it(data: bytes) -> bool:
        is_page = data[:1] == WRITE_PAGE
        left[0] -= is_page
        return is_page and left[0] == 0

    return is_it


def test_a_program_is_written_also_after_the_cable_was_pulled(
    page: Page, uno: UnoLoader, uno_bridge: PortBridge, tmp_path: Path
):
    (tmp_path / "program.hex").write_text(hex_of(PROGRAM))
    page.set_input_files("#board-program", str(tmp_path / "program.hex"))
    uno_bridge.pulls_at = nth_page(10)
    said = written(page)
    assert f"{9 * 128} of {len(PROGRAM)} bytes" in said
    assert "Its boot loader is whole" in said
    wait_for(lambda: uno_bridge.is_free)
    uno_bridge.is_plugged = True
    assert written(page).endswith("the program runs.")
    assert uno_bridge.signals[-2:] == RESET
    assert uno.flash()[: len(PROGRAM)] == PROGRAM


def test_a_second_tab_does_not_take_a_board_that_is_being_written(
    page: Page, address: str, uno: UnoLoader, uno_bridge: PortBridge, tmp_path: Path
):
    """The first tab waits in the middle of the program until the second one has been told."""
    (tmp_path / "program.hex").write_text(hex_of(PROGRAM))
    second = opened(page.context, address, uno_bridge)
    for tab in (page, second):
        tab.set_input_files("#board-program", str(tmp_path / "program.hex"))
    is_tenth, is_half, goes_on = nth_page(10), threading.Event(), threading.Event()

    def hold(data: bytes) -> bool:
        if is_tenth(data):
            is_half.set()
            goes_on.wait()
        return False

    uno_bridge.pulls_at = hold
    page.wait_for_selector("#flash-board:not([disabled])")
    page.evaluate(ENDED)
    page.click("#flash-board")
    wait_for(is_half.is_set)
    second.click("#flash-board")
    second.wait_for_function(
        "() => document.querySelector('.board-note').textContent.includes('Wait until it has ended')"
    )
    second.evaluate("() => globalThis.runInside.end()")
    goes_on.set()
    assert str(page.wait_for_function("() => globalThis.ended").json_value()).endswith("the program runs.")
    assert uno.flash()[: len(PROGRAM)] == PROGRAM


def test_a_tab_that_listens_is_told_that_another_one_took_the_board(
    page: Page, address: str, uno_bridge: PortBridge
):
    page.wait_for_selector("#monitor-board:not([disabled])")
    page.click("#monitor-board")
    page.wait_for_selector("#leave-board:not([hidden])")
    second = opened(page.context, address, uno_bridge)
    second.wait_for_selector("#monitor-board:not([disabled])")
    second.click("#monitor-board")
    page.wait_for_function("() => document.querySelector('.board-note').textContent.includes('Another tab')")
    second.wait_for_selector("#leave-board:not([hidden])")
    second.evaluate("() => globalThis.runInside.end()")
