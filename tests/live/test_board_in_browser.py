"""An Arduino Uno in Chromium: a program is written to it from the page.

Judge: Arduino's own boot loader (optiboot), which writes the flash of an ATmega328P under simavr.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.uno_loader import UnoLoader
from tests.live.bridged_port import PortBridge
from tests.live.test_browser import LATEST_MS
from tests.waiting import wait_for

pytestmark = pytest.mark.live

PROGRAM = b"\xff\xcf" + bytes(k % 251 for k in range(4000))
"""Jumps to its own begin for ever."""
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


def test_a_program_is_written_also_after_the_cable_was_pulled(
    browser, address: str, uno: UnoLoader, uno_bridge: PortBridge, tmp_path: Path
):
    (tmp_path / "program.hex").write_text(hex_of(PROGRAM))
    bridge = uno_bridge
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(LATEST_MS)
    page.add_init_script(bridge.script)
    page.goto(f"{address}?world=two_wheels")
    page.wait_for_function("() => globalThis.page?.source?.run?.time > 0.1")
    page.evaluate("globalThis.page.bench.open('board')")
    page.set_input_files("#board-program", str(tmp_path / "program.hex"))
    page.click("#flash-board:not([disabled])")
    page.wait_for_function("() => document.querySelector('.board-note').textContent.startsWith('Writing')")
    bridge.pull()
    note = "document.querySelector('.board-note').textContent"
    page.wait_for_function(f"() => {note}.includes('Its boot loader is whole')")
    wait_for(lambda: bridge.is_free)
    bridge.is_plugged = True
    page.click("#flash-board:not([disabled])")
    page.wait_for_function(f"() => {note}.endsWith('the program runs.')")
    assert bridge.signals[-2:] == RESET
    page.evaluate("() => globalThis.runInside.end()")
    context.close()
    written = uno.flash()
    assert written[: len(PROGRAM)] == PROGRAM
