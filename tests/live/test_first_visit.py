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
DONE = (".gz", ".xz", ".zip", ".png")
"""The ends of files that servers do not compress again."""


def sent(file: Path) -> int:
    """Return the bytes that travel for a file."""
    data = file.read_bytes()
    return len(data if file.name.endswith(DONE) else gzip.compress(data))


MOVED = (
    "document.documentElement.dataset.result"
    " || (globalThis.page?.source?.run?.time > 0 && document.querySelector('canvas'))"
)
CAN_CONNECT = "document.querySelector('#connect-robot:not([disabled])')"


def loaded_until(condition: str, browser, address: str, query: str) -> dict[str, int]:
    """Open a world as a newcomer; return the files that were loaded until something is the case, with their
    bytes."""
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
    page.wait_for_function(f"() => {condition}")
    visitor.close()
    return files


@pytest.mark.parametrize(
    ("query", "most"),
    [("?world=two_wheels&steps=1", 8_000_000), ("?world=two_wheels", 10_200_000)],
    ids=["its first step", "its view"],
)
def test_the_smallest_world_needs_few_bytes_for(query, most, browser, address):
    files = loaded_until(MOVED, browser, address, query)
    assert {"code.zip.xz", "pyodide.asm.wasm"} <= files.keys()
    assert ("numpy.zip.xz" in files) == ("steps" not in query)
    assert sum(files.values()) < most, files


def test_a_robot_can_be_connected_after_few_bytes(browser, address):
    """Neither what robots speak, nor what writes to boards, nor compilers and emulators are loaded before."""
    files = loaded_until(CAN_CONNECT, browser, address, "?world=four_wheel_robot&panel=robot")
    assert "robot_link.js" in files
    assert (
        not {"robots.zip.xz", "firmware.zip.xz", "avr_c.pack", "avr_cxx.pack", "simavr.wasm"} & files.keys()
    )
    assert sum(files.values()) < 10_500_000, files
