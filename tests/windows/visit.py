"""A real browser, and one user's pages in it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import absent, require_tool
from tests.windows.browser import Run

__all__ = [
    "ABOVE",
    "Visit",
    "chromium",
    "from_above",
    "generic",
    "is_drawn",
    "picture",
    "state",
    "until",
    "until_drawn",
    "visit",
]

PATIENCE_MS = 20_000
ABOVE = "window.page.bench.panels.get('above')?.view"
"""The view from above in the workbench."""
SCREENSHOTS = os.environ.get("WBRIDGE_SCREENSHOTS")
"""A folder for pictures of the pages, for docs/images."""
SHARP = """() => {
  const sharpness = window.page?.world?.view?.sharpness;
  if (sharpness) Object.assign(sharpness, {ratio: sharpness.most, isSlow: false, measure() {}});
}"""
"""Draws a moving 3D view with all pixels, however long that takes."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    path = require_tool("chromium", "windows are looked at with it; make test-windows installs it")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent("playwright is not installed: it drives the browser; make test-windows installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


class Visit:
    """One user's browser; what goes wrong in its pages is an error of the test."""

    def __init__(self, chromium: Any, **options: Any) -> None:
        # Nothing may come from the internet.
        self.context = chromium.new_context(viewport={"width": 1240, "height": 900}, offline=False, **options)
        self.context.set_default_timeout(PATIENCE_MS)
        self.foreign: list[str] = []
        self.errors: list[str] = []
        self.context.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), self._refuse)

    def _refuse(self, route: Any) -> None:
        self.foreign.append(route.request.url)
        route.abort()

    def open(self, url: str) -> Any:
        """A new page."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(url)
        return page


@pytest.fixture
def visit(chromium: Any) -> Iterator[Visit]:
    made = Visit(chromium)
    yield made
    made.context.close()
    assert not made.errors, made.errors
    assert not made.foreign, made.foreign


def picture(page: Any, name: str, **options: Any) -> None:
    if SCREENSHOTS:
        # Paths of this machine are no part of a picture.
        page.evaluate("document.querySelectorAll('.log').forEach((one) => one.replaceChildren())")
        page.evaluate(SHARP)
        page.wait_for_timeout(500)
        page.screenshot(path=f"{SCREENSHOTS}/{name}.png", **options)


def generic(visit: Visit, on: Run, name: str) -> Any:
    visit.open(on.url)
    page = visit.open(on.window("generic", name))
    until(page, "window.page?.now")
    return page


def from_above(page: Any) -> Any:
    """The workbench with the view from above in front."""
    page.get_by_role("tab", name="From above").click()
    until(page, f"{ABOVE}?.places")
    return page


def state(page: Any, expression: str) -> Any:
    return page.evaluate(f"window.page.{expression}")


def until(page: Any, condition: str) -> None:
    """Wait for the value of an expression; the pages themselves allow no text to be run."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not page.evaluate(f"Boolean({condition})"):
        assert time.monotonic() < deadline, condition
        page.wait_for_timeout(20)


def is_drawn(page: Any, selector: str) -> bool:
    """True when a canvas is not of one color."""
    found: bool = page.evaluate(
        """(selector) => {
          const canvas = document.querySelector(selector);
          if (!canvas || !canvas.width) return false;
          const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size > 2;
        }""",
        selector,
    )
    return found


def until_drawn(page: Any, selector: str) -> None:
    """Wait until a canvas is not of one color."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not is_drawn(page, selector):
        assert time.monotonic() < deadline, selector
        page.wait_for_timeout(50)
