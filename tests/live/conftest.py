"""The site of `make live`, served to a browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.files import CHECKOUT
from wbridge.live.serving import site_server


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Serve the site; return its address."""
    folder: Path = CHECKOUT / "build" / "live" / "site"
    assert (folder / "index.html").is_file(), "make live"
    with site_server(folder, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="session")
def browser():
    """Start Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tools:
        started = tools.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield started
        started.close()
