"""The panel in which a person changes controllers, in Chromium.

Judge: what the changed controllers print.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from tests.live.test_browser import FIRST_STEP, LATEST_MS, drop, lines_of, project

pytestmark = pytest.mark.live


@pytest.fixture
def page(browser, address):
    """Open the code of a project whose controller fails in line 5."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(LATEST_MS)
    page.goto(address)
    page.wait_for_selector("main a")
    drop(page, project(f"{FIRST_STEP}print('first', flush=True)\n1 / 0\n"))
    lines_of(page, "ZeroDivisionError")
    page.evaluate("globalThis.page.bench.open('code')")
    page.wait_for_selector(".cm-content")
    yield page
    page.evaluate("() => globalThis.runInside?.end()")
    context.close()


def test_code_is_changed_kept_and_downloaded(page):
    page.wait_for_function(
        "() => document.querySelector('.code-panel [role=status]').textContent.startsWith('Line 5: Zero')"
    )
    page.click(".cm-content")
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(f"{FIRST_STEP}print('second', flush=True)\n")
    page.click("#save-code")
    lines_of(page, "second")
    with page.expect_download() as download:
        page.click("#load-project")
    archive = zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes()))
    assert b"second" in archive.read("controllers/mine/mine.py")
    page.evaluate("globalThis.runInside.restart()")
    page.wait_for_function(
        "() => globalThis.page.source.early.filter((one) => one.text.includes('second')).length > 1"
    )
