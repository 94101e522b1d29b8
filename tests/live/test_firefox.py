"""The site in Firefox: runs, and pictures of cameras.

Judge: the same worlds, run by this machine's Python.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.live.firefox import Firefox, firefox, found_firefox
from tests.live.test_browser import natively
from tests.live.test_pictures_in_browser import archive_of, assert_same_pictures
from tests.live.test_pictures_in_browser import natively as pictures_of

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def window() -> Iterator[Firefox]:
    program = found_firefox()
    if program is None:
        pytest.skip("no Firefox: apt install firefox-esr")
    with firefox(program) as started:
        yield started


@pytest.mark.parametrize("world", ["two_wheels", "two_robots"])
def test_a_browser_without_promise_integration_says_so(world: str, address: str):
    program = found_firefox()
    if program is None:
        pytest.skip("no Firefox: apt install firefox-esr")
    with firefox(program, {"javascript.options.wasm_js_promise_integration": False}) as window:
        assert not window.evaluate("'Suspending' in WebAssembly")
        window.goto(f"{address}?world={world}")
        said = window.wait_for("document.querySelector('.live-state button')?.parentNode.textContent")
    assert "lacks JavaScript Promise Integration" in said


@pytest.mark.parametrize("world", ["two_wheels", "two_robots"])
def test_a_world_has_the_hash_of_a_native_run(world: str, window: Firefox, address: str):
    steps, expected = natively(world)
    window.goto(f"{address}?world={world}&steps={steps}")
    problem = "document.querySelector('.live-state button')?.parentNode.textContent"
    shown = window.wait_for(f"document.documentElement.dataset.result ?? {problem}")
    assert json.loads(shown)["hash"] == expected


def test_the_workbench_shows_a_run(window: Firefox, address: str):
    window.goto(f"{address}?world=two_wheels")
    assert window.wait_for(
        "globalThis.page?.source?.run?.time > 0.1 && document.querySelector('canvas') !== null"
    )
    window.evaluate("globalThis.page.live.ask('pause')")
    assert window.wait_for("globalThis.page.source.run.mode === 0")


def test_a_picture_is_that_of_this_computer_or_its_absence_is_said(
    window: Firefox, address: str, tmp_path: Path
):
    """Firefox without a screen may have no WebGL."""
    data = archive_of("sun")
    window.goto(address)
    window.wait_for("document.querySelector('main a') !== null")
    window.evaluate(f"live.openProject(Uint8Array.from({[*data]}).buffer)")
    lines = "globalThis.page?.source?.early.map((one) => one.text).join('\\n')"
    said = window.wait_for(f"{lines}?.includes('pictures taken') && {lines}")
    taken = np.array(window.evaluate("runInside.ask('scene', 'pictures').then((data) => [...data])"))
    if window.evaluate("new OffscreenCanvas(1, 1).getContext('webgl2') !== null"):
        assert_same_pictures(taken, np.frombuffer(pictures_of(data, tmp_path), np.uint8).astype(int))
    else:
        assert "no images: this browser has no WebGL 2" in said
        assert not taken.reshape(-1, 4)[:, :3].any()
