"""Time from opening the window of a running e-puck to its first sensor value, relative to a page that is one
text."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from functools import partial
from typing import Any

from benchmarks.case import Case, Reading, Unavailable, alternate
from benchmarks.checkout import CHECKOUT

WORLD = CHECKOUT / "worlds" / "epuck_arena.wbt"
VISITS = 9
PATIENCE_S = 60.0
PLAIN = "data:text/html,<div class='card'><p class='value'><b>1</b></p></div>"
"""The smallest page with a value."""
SHOWS_VALUE = """
const look = () => {
  const shown = [...document.querySelectorAll('.card .value b')].some((one) => /\\d/.test(one.textContent));
  if (shown) requestAnimationFrame(() => { window.firstValue = performance.now(); });
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""Records the time in ms since navigation; a value is on the screen one frame after it is in the page."""


def first_value() -> Reading:
    """Milliseconds until the first sensor value is on the screen, and until that of the plain page is."""
    path = shutil.which("chromium")
    if path is None:
        raise Unavailable("chromium is not installed; run: make test-windows")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Unavailable("playwright is not installed; run: make test-windows") from None
    command = [sys.executable, "-m", "wbridge", "run", str(WORLD), "--windows"]
    with (
        subprocess.Popen(
            command, cwd=CHECKOUT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as run,
        sync_playwright() as playwright,
    ):
        try:
            origin, token = _address(run)
            url = f"{origin}/robot_windows/generic/generic.html?name=e-puck&token={token}"
            own, plain = (partial(_visit, playwright, path, page) for page in (url, PLAIN))
            return alternate(own, plain, VISITS, per=1e-3)
        finally:
            run.terminate()


def _address(run: subprocess.Popen[str]) -> tuple[str, str]:
    assert run.stderr is not None
    for line in run.stderr:
        found = re.search(r"windows: (\S+)/\?token=(\S+)", line)
        if found:
            return found[1], found[2]
    raise AssertionError("the run ended")


def _visit(playwright: Any, path: str, url: str) -> float:
    """Open the page in a new browser, without any cache."""
    browser = playwright.chromium.launch(executable_path=path)
    try:
        page = browser.new_page()
        page.add_init_script(SHOWS_VALUE)
        page.goto(url)
        deadline = time.monotonic() + PATIENCE_S
        while not (found := page.evaluate("window.firstValue")):
            assert time.monotonic() < deadline, "no value is shown"
            page.wait_for_timeout(20)
        return float(found) / 1000
    finally:
        browser.close()


def cases() -> list[Case]:
    """The measurements of this file."""
    return [Case("first value of a window, new browser", first_value, 9, "ms", "a page that is one text")]
