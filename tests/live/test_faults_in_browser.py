"""What a person sees when an archive is a bomb, or a part of the site is lost on the way, in Chromium.

Judge: the browser, from which single files are kept.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.live.test_browser import LATEST_MS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.live


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a newcomer."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.set_default_timeout(LATEST_MS)
    yield page
    page.evaluate("() => globalThis.runInside?.end()")
    context.close()


def test_a_bomb_is_refused(page: Page, address: str) -> None:
    """300 MiB of zeros in an archive of 300 kB."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("worlds/a.wbt", bytes(300 << 20))
    page.goto(address)
    page.wait_for_selector("main a")
    page.set_input_files(
        "#project", {"name": "bomb.zip", "mimeType": "application/zip", "buffer": file.getvalue()}
    )
    page.wait_for_selector(".live-state button")
    assert "the project unpacks to 300 MiB; allowed: 256 MiB" in page.inner_text(".live-state")


@pytest.mark.parametrize("name", ["pyodide.asm.wasm", "code.zip.xz", "packages.json"])
def test_a_part_that_is_lost_is_named_and_loaded_again(name: str, page: Page, address: str) -> None:
    page.route(f"**/{name}", lambda route: route.abort())
    page.goto(f"{address}?world=two_wheels&steps=1")
    page.wait_for_selector(".live-state button")
    assert f"{name} could not be loaded; look at the network connection" in page.inner_text(".live-state")
    page.unroute(f"**/{name}")
    page.click(".live-state button")
    page.wait_for_selector("html[data-result]")


def test_a_workbench_that_is_lost_is_told(page: Page, address: str) -> None:
    page.route("**/workbench.js", lambda route: route.abort())
    page.goto(f"{address}?world=two_wheels")
    page.wait_for_selector(".live-state button")
    assert "The workbench could not be loaded" in page.inner_text(".live-state")


def test_a_page_without_its_program_says_what_to_do(page: Page, address: str) -> None:
    page.route("**/run.js", lambda route: route.abort())
    page.goto(f"{address}?world=two_wheels")
    assert "load this page again" in page.inner_text("body")
