"""Files of the site that are lost half way, in Chromium: once, and each time.

Judge: a server that closes the connection in the middle of a file, and notes how often it was asked for.
"""

from __future__ import annotations

import io
import threading
import zipfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from shutil import copyfileobj
from typing import IO, TYPE_CHECKING, Any

import pytest

from tests.live.test_browser import LATEST_MS
from tests.project.files import CHECKOUT
from wbridge.live.serving import SiteFiles, SiteServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.live

ALWAYS = ("code.zip.xz", "models.zip.xz", "packages.json", "python_stdlib.zip.gz", "pyodide-lock.json")
OF_VIEW = ("numpy.zip.xz", "PIL.zip.xz")
OPEN = "(bytes) => live.openProject(Uint8Array.from(bytes).buffer)"
IMPORTED = ("lupa.zip.xz", "numpy_more.zip.xz")


PROJECT = {
    "worlds/imports.wbt": """#VRML_SIM R2025a utf8
EXTERNPROTO "../protos/Twice.proto"
WorldInfo { }
Viewpoint { }
Twice { }
Robot { controller "imports" }
""",
    "protos/Twice.proto": """#VRML_SIM R2025a utf8
PROTO Twice [ field SFFloat size 1 ]
{
  Solid { translation %{=fields.size.value * 2}% 0 0 }
}
""",
    "controllers/imports/imports.py": """import numpy.fft
from controller import Robot

robot = Robot()
numpy.fft.fft([1.0])
while robot.step(32) != -1:
    pass
""",
}
"""A template in Lua, and a part of NumPy that few programs use."""


class CuttingFiles(SiteFiles):
    """Serves a site, of whose files some end half way."""

    cuts: Counter[str] = Counter()
    """How often a file is still to be cut."""
    asked: Counter[str] = Counter()

    def copyfile(self, source: IO[bytes], outputfile: IO[bytes]) -> None:  # type: ignore[override]
        """Send a file, or half of it."""
        name = self.path.partition("?")[0].rpartition("/")[2]
        self.asked[name] += 1
        if not self.cuts[name]:
            copyfileobj(source, outputfile)
            return
        self.cuts[name] -= 1
        data = source.read()
        outputfile.write(data[: len(data) // 2])
        self.close_connection = True


def archive() -> bytes:
    """Return PROJECT as a zip archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        for name, text in PROJECT.items():
            packed.writestr(name, text)
    return data.getvalue()


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    folder = CHECKOUT / "build" / "live" / "site"
    with SiteServer(("127.0.0.1", 0), partial(CuttingFiles, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a newcomer."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(LATEST_MS)
    CuttingFiles.cuts.clear()
    CuttingFiles.asked.clear()
    yield page
    page.evaluate("() => globalThis.runInside?.end()")
    context.close()


@pytest.mark.parametrize("name", [*ALWAYS, *OF_VIEW])
def test_a_file_that_is_cut_once_is_loaded_again(name: str, page: Page, site: str) -> None:
    CuttingFiles.cuts[name] = 1
    page.goto(f"{site}?world=two_wheels")
    page.wait_for_function("() => globalThis.page?.source?.run?.time > 0")
    assert CuttingFiles.asked[name] == 2


@pytest.mark.parametrize("name", IMPORTED)
def test_an_archive_that_is_cut_once_while_it_is_imported_is_loaded_again(
    name: str, page: Page, site: str
) -> None:
    CuttingFiles.cuts[name] = 1
    page.goto(site)
    page.wait_for_selector("main a")
    page.evaluate(OPEN, [*archive()])
    page.wait_for_function("() => globalThis.page?.source?.run?.time > 0")
    assert CuttingFiles.asked[name] == 2


@pytest.mark.parametrize("name", [*ALWAYS, *OF_VIEW])
def test_a_file_that_is_always_cut_is_named(name: str, page: Page, site: str) -> None:
    CuttingFiles.cuts[name] = 1000
    page.goto(f"{site}?world=two_wheels")
    page.wait_for_selector(".live-state button")
    assert f"{name} could not be loaded; look at the network connection" in page.inner_text(".live-state")
    CuttingFiles.cuts.clear()
    page.click(".live-state button")
    page.wait_for_function("() => globalThis.page?.source?.run?.time > 0")


def test_a_visit_goes_on_where_the_browser_keeps_nothing(page: Page, site: str) -> None:
    """Browsers refuse to keep files where there is no room for them."""
    page.goto(site)
    page.evaluate("navigator.serviceWorker.ready")
    tools: Any = page.context.new_cdp_session(page)
    tools.send("Storage.overrideQuotaForOrigin", {"origin": site.rstrip("/"), "quotaSize": 1000})
    page.goto(f"{site}?world=two_wheels")
    page.wait_for_function("() => globalThis.page?.source?.run?.time > 0")
