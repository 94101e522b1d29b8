"""Projects of folders and of public repositories, opened in Chromium.

Judge: GitHub's reference of its interface for trees, whose answers are imitated here; no network is used.
"""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.live.test_browser import FIRST_STEP, HEAD, LATEST_MS, lines_of

pytestmark = pytest.mark.live

FILES = {
    "lab/worlds/a.wbt": HEAD.format(name="mine", more=""),
    "lab/controllers/mine/mine.py": f"{FIRST_STEP}print('opened', flush=True)\n",
    "lab/.git/config": "",
    "other/large.bin": "",
}


@pytest.fixture
def page(browser):
    """Open a page for which GitHub is what `FILES` says."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.set_default_timeout(LATEST_MS)
    page.route(
        "https://api.github.com/**", lambda route: route.fulfill(status=200, body=tree(), headers=ALLOWED)
    )
    page.route("https://raw.githubusercontent.com/**", answer)
    yield page
    page.evaluate("() => globalThis.runInside?.end()")
    context.close()


ALLOWED = {"Access-Control-Allow-Origin": "*"}


def tree() -> str:
    rows = [{"path": path, "type": "blob", "size": len(text)} for path, text in FILES.items()]
    rows[-1]["size"] = 2**30  # not of the project
    return json.dumps({"tree": rows, "truncated": False})


def answer(route) -> None:
    path = urlsplit(route.request.url).path.removeprefix("/someone/robots/main/")
    known = path in FILES and "/." not in path
    route.fulfill(status=200 if known else 404, body=FILES.get(path, ""), headers=ALLOWED)


def test_a_world_of_a_public_repository_runs(page, address):
    page.goto(f"{address}?world=someone/robots@main/lab/worlds/a.wbt")
    lines_of(page, "opened")


@pytest.mark.parametrize(
    ("world", "said"),
    [
        ("someone/robots@main/lab/worlds/b.wbt", "github.com/someone/robots has no world lab/worlds/b.wbt"),
        ("someone/robots@main/other/large.wbt", "has no world"),
        (
            "https://example.org/a.zip",
            "allowed: a sample world, exercises/NAME, or OWNER/NAME/worlds/WORLD.wbt of GitHub",
        ),
    ],
)
def test_what_cannot_be_opened_is_named(world, said, page, address):
    page.goto(f"{address}?world={world}")
    page.wait_for_selector(".live-state button")
    assert said in page.inner_text(".live-state")


def test_a_repository_that_does_not_answer_is_named(page, address):
    page.route("https://api.github.com/**", lambda route: route.abort())
    page.goto(f"{address}?world=someone/robots@main/lab/worlds/a.wbt")
    page.wait_for_selector(".live-state button")
    assert "github.com/someone/robots cannot be reached" in page.inner_text(".live-state")


def test_a_folder_is_opened(page, address, tmp_path: Path):
    for name, text in FILES.items():
        file = tmp_path / "project" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    page.goto(address)
    page.set_input_files("#folder", tmp_path / "project")
    lines_of(page, "opened")
