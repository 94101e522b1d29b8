"""Time from opening the window of a running e-puck to its first sensor value."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.case import Case, Unavailable

CHECKOUT = Path(__file__).resolve().parent.parent
WORLD = CHECKOUT / "worlds" / "epuck_arena.wbt"
VISITS = 9
PATIENCE_S = 20.0
SHOWS_VALUE = """
const look = () => {
  const shown = [...document.querySelectorAll('.card .value b')].some((one) => /\\d/.test(one.textContent));
  if (shown) requestAnimationFrame(() => { window.firstValue = performance.now(); });
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""Records the time in ms since navigation; a value is on the screen one frame after it is in the page."""


def first_value_s() -> float:
    """Seconds until the first sensor value is on the screen: the median of several visits."""
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
            return median(_visit(playwright, path, url) for _ in range(VISITS))
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
    return [Case("first value of a window, new browser", first_value_s, 1.0, "s")]
