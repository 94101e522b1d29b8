"""Worlds in Chromium: the hashes of native runs, and what a person sees when something is wrong.

Judge: the same world, run by this machine's Python.
"""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from tests.project.files import CHECKOUT
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import load_world

pytestmark = pytest.mark.live

SECONDS = 10.0
LATEST_MS = 600_000
"""Only a broken page takes longer."""
WORLDS = (
    *("arm", "ball_on_a_ramp", "bmw_x5", "car", "crazyflie", "epuck_arena", "four_wheel_robot"),
    *("line_following", "mavic", "motion_playback", "nao", "obstacles", "panel", "pioneer"),
    *("sonar_avoiders", "spot", "star_painter", "two_robots", "two_wheels", "ur5e"),
)
"""The sample worlds without programs in C, whose controllers read no pictures."""
HEAD = '#VRML_SIM R2025a utf8\nWorldInfo {{}}\nRobot {{ name "r" controller "{name}" }}\n'
FIRST_STEP = "from controller import Robot\nrobot = Robot()\nrobot.step(32)\n"


def natively(world: str) -> tuple[int, str]:
    """Return the steps and the hash of a run on this machine."""
    with Runner(load_world(CHECKOUT / "worlds" / f"{world}.wbt"), RunOptions(inline=True)) as runner:
        runner.limit = round(SECONDS / runner.simulation.step_s)
        return runner.run().steps, runner.simulation.hash()


def project(code: str) -> bytes:
    """Return the archive of a project with one robot and its controller."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("worlds/a.wbt", HEAD.format(name="mine"))
        archive.writestr("controllers/mine/mine.py", code)
    return file.getvalue()


@pytest.fixture
def page(browser, address):
    """Open the first page."""
    made = browser.new_page()
    made.set_default_timeout(LATEST_MS)
    made.goto(address)
    made.wait_for_selector("main a")
    yield made
    made.evaluate("() => globalThis.runInside?.end()")  # a busy worker would keep the page open
    made.close()


def drop(page, data: bytes) -> None:
    page.evaluate("(bytes) => live.openProject(Uint8Array.from(bytes).buffer)", [*data])


def lines_of(page, text: str) -> str:
    """Wait until the console shows a text; return all that it shows."""
    found = page.wait_for_function(
        "(text) => globalThis.page?.source?.early.map((one) => one.text).join('\\n').includes(text)"
        " && globalThis.page.source.early.map((one) => one.text).join('\\n')",
        arg=text,
    )
    return found.json_value()


def in_page(browser, address: str) -> str:
    """Run a world without the workbench; return its result, or what the page says instead."""
    page = browser.new_page()
    page.set_default_timeout(LATEST_MS)
    page.goto(address)
    page.wait_for_selector("html[data-result], .live-state button")
    shown = page.get_attribute("html", "data-result") or page.inner_text(".live-state")
    page.close()
    return shown


@pytest.mark.parametrize("world", WORLDS)
def test_a_world_has_the_hash_of_a_native_run(world, browser, address):
    steps, expected = natively(world)
    page = browser.new_page()
    page.set_default_timeout(LATEST_MS)
    shown = in_page(browser, f"{address}?world={world}&steps={steps}")
    assert json.loads(shown)["hash"] == expected


def test_the_workbench_shows_a_run_and_pauses_it(browser, address):
    page = browser.new_page()
    page.set_default_timeout(LATEST_MS)
    page.goto(f"{address}?world=two_wheels")
    page.wait_for_function("() => globalThis.page?.source?.run?.time > 0.1")
    page.wait_for_selector("canvas")  # of the 3D view
    page.evaluate("globalThis.page.live.ask('pause')")
    page.wait_for_function("() => globalThis.page.source.run.mode === 0")
    time = page.evaluate("globalThis.page.source.run.time")
    page.evaluate("globalThis.page.live.ask('step')")
    page.wait_for_function("(time) => globalThis.page.source.run.time > time", arg=time)
    page.evaluate("globalThis.page.live.ask('reset')")
    page.wait_for_function("(time) => globalThis.page.source.run.time < time", arg=time)
    page.close()


def test_an_exception_is_shown_with_its_line(page):
    drop(page, project(f"{FIRST_STEP}1 / 0\n"))
    assert "line 4" in lines_of(page, "ZeroDivisionError")


def test_a_syntax_error_is_shown(page):
    drop(page, project("from controller import\n"))
    lines_of(page, "SyntaxError")


def test_an_endless_loop_is_ended_with_its_worker(page):
    drop(page, project(f"{FIRST_STEP}print('looping', flush=True)\nwhile True:\n    pass\n"))
    button = page.wait_for_selector(".live-state button")
    assert "endless loop" in page.inner_text(".live-state")
    button.click()
    page.wait_for_function("() => document.querySelector('.live-state').textContent.startsWith('Loading')")


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"no archive", "not a complete zip archive"), (project("")[:-20], "not a complete zip archive")],
)
def test_a_broken_archive_is_refused(data, said, page):
    drop(page, data)
    page.wait_for_selector(".live-state button")
    assert said in page.inner_text(".live-state")


def test_an_archive_that_leads_outside_is_refused(page):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("../../wbridge/wbcore/__init__.py", "")
    drop(page, file.getvalue())
    page.wait_for_selector(".live-state button")
    assert "lies outside" in page.inner_text(".live-state")


def test_a_controller_reaches_no_other_server(page):
    code = (
        f"{FIRST_STEP}from pyodide.http import pyfetch\nfrom pyodide.ffi import run_sync\n"
        "try:\n    run_sync(pyfetch('http://127.0.0.1:9/'))\n"
        "except Exception as problem:\n    print('refused', type(problem).__name__, flush=True)\n"
    )
    violations: list[str] = []
    page.on("console", lambda message: violations.append(message.text))
    drop(page, project(code))
    lines_of(page, "refused")
    assert any("Content Security Policy" in one for one in violations)
