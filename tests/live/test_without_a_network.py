"""The site without a network, after a first visit.

Judge: the browser, which is told that there is no network.
"""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.live

LATEST_MS = 240_000
"""For one wait; only a broken page takes longer."""
MOVES = "() => globalThis.page?.source?.run?.time > 0"
KEPT = """() => {
  const wanted = ['pyodide.asm.wasm', 'three.js', 'worlds.json'];
  caches.keys().then(async ([name]) => {
    const kept = name ? (await (await caches.open(name)).keys()).map((one) => one.url) : [];
    globalThis.isKept = wanted.every((end) => kept.some((one) => one.endsWith(end)));
  });
  return globalThis.isKept;
}"""
"""Whether the service worker has what a visit needs: in the end, asked again and again."""


def test_a_second_visit_needs_no_network(browser, address):
    visitor = browser.new_context()
    page = visitor.new_page()
    page.set_default_timeout(LATEST_MS)
    page.goto(f"{address}?world=two_wheels")
    page.wait_for_function(MOVES)
    page.wait_for_function(KEPT)
    page.close()
    visitor.set_offline(True)
    again = visitor.new_page()
    again.set_default_timeout(LATEST_MS)
    again.goto(f"{address}?world=two_wheels")
    again.wait_for_function(MOVES)
    again.wait_for_selector("canvas")
    again.goto(address)
    again.wait_for_selector("main a")
    visitor.close()
