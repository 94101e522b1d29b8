"""Recordings as pages: the size for twenty e-puck robots, and the time to seek in a browser.

The size is measured for 60 s and stated for 10 minutes, relative to the poses of all bodies as numbers of 32
bits in each step. Robots drive with the sample obstacle_avoider. A seek reads, decodes and places
everything, relative to a loop in the same page; drawing is not measured, because it depends on the graphics
card.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from statistics import median

from benchmarks.case import Case, Reading, Unavailable, compare
from benchmarks.checkout import CHECKOUT
from wbridge.main import main

ROBOTS, SECONDS, WANTED_S = 20, 60, 600
BODIES = 3
"""Of an e-puck: its body and its wheels."""
STEP_S = 0.016
POSE_BYTES = 7 * 4
"""Position and quaternion."""
SEEKS = 20
ROBOT = """E-puck {{
  translation {x} {y} 0 rotation 0 0 1 {angle} name "e-puck {number}" controller "obstacle_avoider"
}}
"""


def cases() -> list[Case]:
    """The size, and the longest of several seeks."""
    return [
        Case(
            f"page of 10 minutes of {ROBOTS} e-pucks",
            _megabytes,
            0.18,
            "MB",
            "all poses in 32-bit numbers",
        ),
        Case(
            "longest of 20 seeks in a page, without drawing",
            _slowest_seek,
            0.7,
            "ms",
            "a loop of 1e7 steps in JavaScript",
        ),
    ]


@cache
def _page() -> bytes:
    sample = (CHECKOUT / "worlds" / "epuck_arena.wbt").read_text()
    start = sample[: sample.index("DEF E_PUCK")].replace("../protos", str(CHECKOUT / "protos"))
    start = start.replace("RectangleArena {\n}", "RectangleArena {\n floorSize 3 3\n}")
    controller = CHECKOUT / "controllers" / "obstacle_avoider" / "obstacle_avoider.py"
    robots = "".join(
        ROBOT.format(x=k % 5 / 2 - 1, y=k // 5 * 0.6 - 1, angle=0.7 * k, number=k) for k in range(ROBOTS)
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "worlds").mkdir()
        shutil.copytree(controller.parent, folder / "controllers" / controller.stem)
        world, page = folder / "worlds" / "twenty.wbt", folder / "page.html"
        world.write_text(start + robots)
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            main(["run", str(world), "--inline", "--duration", str(SECONDS), "--record", str(page)])
        return page.read_bytes()


def _megabytes() -> Reading:
    page = _page()
    first = page.index(b'data-part="frames"')
    size = first + (len(page) - first) * WANTED_S / SECONDS
    return compare(size / 1e6, ROBOTS * BODIES * POSE_BYTES * WANTED_S / STEP_S / 1e6)


@contextmanager
def _browser() -> Iterator[object]:
    path = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path = None
    if path is None:
        raise Unavailable("chromium and playwright: make test-windows installs them")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


SEEK = """async (times) => {
  const {recording, view} = window.recording;
  view.view.render = () => {};
  let longest = 0;
  for (const time of times) {
    recording.decoded.clear();
    const start = performance.now();
    await view.show(await recording.at(time));
    longest = Math.max(longest, performance.now() - start);
  }
  return longest;
}"""
LOOP = """() => {
  const start = performance.now();
  let x = 0.3;
  for (let i = 0; i < 1e7; ++i) x = 3.7 * x * (1 - x);
  return performance.now() - start + (x > 2);
}"""


def _slowest_seek() -> Reading:
    with tempfile.TemporaryDirectory() as name, _browser() as browser:
        page_file = Path(name) / "page.html"
        page_file.write_bytes(_page())
        page = browser.new_page(viewport={"width": 1280, "height": 800})  # type: ignore[attr-defined]
        page.goto(page_file.as_uri())
        page.wait_for_selector("html[data-ready]")
        times = [(k * 37 % SEEKS) / SEEKS * SECONDS for k in range(SEEKS)]
        loop = median(float(page.evaluate(LOOP)) for _ in range(SEEKS))
        return compare(float(page.evaluate(SEEK, times)), loop)
