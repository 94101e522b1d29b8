"""Second visits in Chromium: Python goes on with a memory that the first visit has kept.

Judge: runs in this computer's Python, and what the browser asks for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.live.test_browser import LATEST_MS, drop, lines_of, natively, project
from tests.live.test_losses_in_browser import archive as project_with_imports

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.live

HAS_MEMORY = "html[data-memory=kept]"
MOVES = "() => globalThis.page?.source?.run?.time > 0"
ENDED = "html[data-result], .live-state button"
PACKED = {"code.zip.xz", "models.zip.xz"}
"""What only a start without a kept memory asks for."""
SPOIL = """async (part) => {
  const [name] = await caches.keys();
  const kept = await caches.open(name);
  const address = (await kept.keys()).map((one) => one.url).find((one) => one.endsWith(part));
  const data = await (await kept.match(address)).arrayBuffer();
  await kept.put(address, new Response(data.slice(0, data.byteLength / 2)));
}"""
WORLDS = ("two_wheels", "epuck_arena", "two_robots", "ball_on_a_ramp", "nao", "lidar_mapping")
"""One robot and several, a supervisor, many bodies, a lidar."""


@pytest.fixture(scope="module")
def visitor(browser, address) -> Iterator[BrowserContext]:
    """Return a browser that has been at the site once."""
    made = first_visit(browser, address)
    yield made
    made.close()


def first_visit(browser, address: str) -> BrowserContext:
    made = browser.new_context()
    made.set_default_timeout(LATEST_MS)
    page = made.new_page()
    page.goto(f"{address}?world=two_wheels")
    page.wait_for_selector(HAS_MEMORY)
    page.close()
    return made


def asked_files(visitor: BrowserContext) -> set[str]:
    """Return a set that gets the names of the files that pages ask for from now on."""
    names: set[str] = set()
    visitor.on("request", lambda request: names.add(urlsplit(request.url).path.rpartition("/")[2]))
    return names


def at(visitor: BrowserContext, address: str) -> Page:
    page = visitor.new_page()
    page.goto(address)
    return page


@pytest.mark.parametrize("world", WORLDS)
def test_a_second_visit_starts_from_the_kept_memory_and_ends_with_the_same_hash(world, visitor, address):
    steps, expected = natively(world)
    asked = asked_files(visitor)
    page = at(visitor, f"{address}?world={world}&steps={steps}")
    page.wait_for_selector(ENDED)
    assert json.loads(page.get_attribute("html", "data-result") or "{}")["hash"] == expected
    assert "pyodide.asm.wasm" in asked
    assert not PACKED & asked
    page.close()


def test_what_was_not_kept_is_loaded_when_it_is_used(visitor, address):
    """A template in Lua, and a part of NumPy that the controller imports."""
    page = at(visitor, address)
    page.wait_for_selector("main a")
    drop(page, project_with_imports())
    page.wait_for_function(MOVES)
    page.close()


def test_random_numbers_differ_from_visit_to_visit(visitor, address):
    numbers = set()
    for _ in range(2):
        page = at(visitor, address)
        page.wait_for_selector("main a")
        drop(page, project("import random\nprint('dice', random.random(), flush=True)\n"))
        numbers.add(lines_of(page, "dice ").partition("dice ")[2].split()[0])
        page.close()
    assert len(numbers) == 2


@pytest.mark.parametrize("part", ["/memory", "/memory.json", "/code.zip"])
def test_a_damaged_memory_is_replaced(part, browser, address):
    visitor = first_visit(browser, address)
    spoilt = at(visitor, address)
    spoilt.evaluate(SPOIL, part)
    spoilt.close()
    asked = asked_files(visitor)
    page = at(visitor, f"{address}?world=two_wheels")
    page.wait_for_function(MOVES)
    page.wait_for_selector(HAS_MEMORY)
    assert asked >= PACKED
    page.close()
    asked.clear()
    page = at(visitor, f"{address}?world=two_wheels")
    page.wait_for_function(MOVES)
    assert not PACKED & asked
    visitor.close()
