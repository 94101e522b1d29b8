"""Every page of the documentation's site can be used by everybody: checked by axe-core, and with the keyboard
alone. `make test-docs` builds the site first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.conftest import absent
from tests.windows.browser import ROOT
from tests.windows.test_browser_access import problems_of_each
from tests.windows.visit import chromium, until

__all__ = ["chromium"]

pytestmark = pytest.mark.browser
SITE = ROOT / "build" / "site"
DOCUMENTS = sorted(path.stem for path in (ROOT / "docs").glob("*.md"))
LONGEST_WAY = 3000
"""Presses of Tab through a page."""
CONTROLS = """() => [...document.querySelectorAll('a[href], button, input, [tabindex="0"], pre > code')]
  .filter((item) => item.checkVisibility({visibilityProperty: true}) && item.tabIndex >= 0)
  .filter((item) => item.getClientRects().length && !item.closest('[hidden]') && item.type !== 'radio')
  .map((item, i) => { item.dataset.tabbed = i; return item.outerHTML.slice(0, 99); })"""
"""Numbers what Tab may reach; radio buttons are a group with a single stop."""

FOCUSED = """() => document.activeElement === document.body ? -1
  : Number(document.activeElement.dataset.tabbed ?? -2)"""
"""The number of what has the focus; -1 behind the last control of the page."""


class Quiet(SimpleHTTPRequestHandler):
    """A web server that prints nothing."""

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    """The address of a web server with the site."""
    if not SITE.is_dir():
        absent("the site is not built: make docs builds it")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def page(chromium: Any, host: str) -> Iterator[Any]:
    """A page of a browser, in which no errors may appear, and nothing comes from other servers."""
    with chromium.new_context() as context:
        page = context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.on("request", lambda request: wrong.append(request.url) if _is_far(request.url) else None)
        yield page
        assert wrong == []


def _is_far(url: str) -> bool:
    """True for what does not come from the site itself."""
    return not url.startswith((SITE.as_uri(), "http://127.0.0.1:", "data:", "blob:"))


def problems_at(page: Any, url: str) -> list[str]:
    """Return what axe-core finds at an address, with colors that change at once."""
    page.goto(url)
    page.wait_for_load_state()
    page.add_style_tag(content="*, *::before, *::after { transition: none !important }")
    return problems_of_each(page)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_page_has_no_barriers(document: str, page: Any, host: str):
    assert problems_at(page, f"{host}/{document}.html") == []


def test_the_other_files_of_the_site_have_no_barriers(page: Any, host: str):
    """Pages of Markdown outside of docs/ to which pages link, and the page for wrong addresses."""
    found, others = {}, [path.relative_to(SITE) for path in SITE.rglob("*.html")]
    others = [path for path in others if path.parent != Path() or path.stem not in DOCUMENTS]
    others = [path for path in others if not (ROOT / path.relative_to(*path.parts[:1])).is_file()]
    assert len(others) > 3 and Path("404.html") in others
    for path in others:
        found[path.as_posix()] = problems_at(page, f"{host}/{path.as_posix()}")
    assert {name: problems for name, problems in found.items() if problems} == {}


def test_a_reader_finds_a_page_with_the_keyboard_alone(page: Any):
    """Also in pages that are opened as files, without a server."""
    page.goto((SITE / "index.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent.trim()") == "Skip to content"
    page.keyboard.press("/")
    until(page, "document.activeElement.matches('.md-search__input')")
    page.keyboard.type("inverse kinematics")
    page.wait_for_selector(".md-search-result__link")
    page.keyboard.press("ArrowDown")
    until(page, "document.activeElement.matches('.md-search-result__link')")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "index.html" not in url)
    until(page, "document.querySelector('article').textContent.toLowerCase().includes('inverse kinematics')")


@pytest.mark.parametrize("document", ["index", "tutorial-first-robot", "ten-tasks"])
def test_each_control_is_reached_and_left_by_tab(document: str, page: Any, host: str):
    """Also code that scrolls, the buttons that copy it, and the button for dark colors."""
    page.set_viewport_size({"width": 1240, "height": 900})
    page.goto(f"{host}/{document}.html")
    page.wait_for_load_state()
    controls = page.evaluate(CONTROLS)
    reached: set[int] = set()
    for _ in range(LONGEST_WAY):
        page.keyboard.press("Tab")
        number = page.evaluate(FOCUSED)
        if number == -1 or (number == 0 and reached):
            break
        reached.add(number)
    else:
        raise AssertionError("Tab does not leave the page")
    assert [text for number, text in enumerate(controls) if number not in reached] == []
