"""What a first visit loads before a world moves.

Judge: the bytes that the browser asks for, counted as a server that compresses sends them.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.project.files import CHECKOUT

pytestmark = pytest.mark.live

LATEST_MS = 240_000
"""For the wait; only a broken page takes longer."""
SITE = CHECKOUT / "build" / "live" / "site"
DONE = (".gz", ".zip", ".png")
"""The ends of files that servers do not compress again."""


def sent(file: Path) -> int:
    """Return the bytes that travel for a file."""
    data = file.read_bytes()
    return len(data if file.name.endswith(DONE) else gzip.compress(data))


def loaded_before_a_step(browser, address: str, query: str) -> dict[str, int]:
    """Open a world as a newcomer; return the files that were loaded until it has moved, with their bytes."""
    visitor = browser.new_context()
    page = visitor.new_page()
    page.set_default_timeout(LATEST_MS)
    files: dict[str, int] = {}

    def note(request) -> None:
        file = SITE / (urlsplit(request.url).path.lstrip("/") or "index.html")
        if request.url.startswith(address) and file.is_file():
            files[file.name] = sent(file)

    visitor.on("request", note)
    page.goto(f"{address}{query}")
    page.wait_for_function(
        "() => document.documentElement.dataset.result"
        " || (globalThis.page?.source?.run?.time > 0 && document.querySelector('canvas'))"
    )
    visitor.close()
    return files


@pytest.mark.parametrize(
    ("query", "most"),
    [("?world=two_wheels&steps=1", 8_000_000), ("?world=two_wheels", 10_200_000)],
    ids=["its first step", "its view"],
)
def test_the_smallest_world_needs_few_bytes_for(query, most, browser, address):
    files = loaded_before_a_step(browser, address, query)
    assert {"code.zip.gz", "pyodide.asm.wasm"} <= files.keys()
    assert ("numpy.zip.gz" in files) == ("steps" not in query)
    assert sum(files.values()) < most, files
