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
LATEST_MS = 240_000
"""For one wait; only a broken page takes longer."""
WORLDS = (
    *("arm", "ball_on_a_ramp", "bmw_x5", "car", "crazyflie", "epuck_arena", "four_wheel_robot"),
    *("lidar_mapping", "line_following", "mavic", "motion_playback", "nao", "obstacles", "panel", "pioneer"),
    *("sonar_avoiders", "spot", "star_painter", "two_robots", "two_wheels", "ur5e"),
)
"""The sample worlds without programs in C, whose controllers read no pictures."""
HEAD = '#VRML_SIM R2025a utf8\nWorldInfo {{}}\nRobot {{ name "r" controller "{name}" {more} }}\n'
FIRST_STEP = "from controller import Robot\nrobot = Robot()\nrobot.step(32)\n"


def natively(world: str) -> tuple[int, str]:
    """Return the steps and the hash of a run on this machine."""
    with Runner(load_world(CHECKOUT / "worlds" / f"{world}.wbt"), RunOptions(inline=True)) as runner:
        runner.limit = round(SECONDS / runner.simulation.step_s)
        return runner.run().steps, runner.simulation.hash()


def project(code: str, more: str = "") -> bytes:
    """Return the archive of a project with one robot, which has more fields, and its controller."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("worlds/a.wbt", HEAD.format(name="mine", more=more))
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


def test_questions_of_a_supervisor_do_not_pass_the_event_loop(page):
    """Each of them switches to the simulator and back, which took two callbacks each."""
    code = (
        "from controller import Supervisor\nimport asyncio\nrobot = Supervisor()\nnode = robot.getSelf()\n"
        "loop, calls = asyncio.get_event_loop(), []\noriginal = loop.call_soon\n"
        "loop.call_soon = lambda *args, **more: (calls.append(args), original(*args, **more))[1]\n"
        "for number in range(200):\n    node.getPosition()\n    node.getContactPoints()\n"
        "loop.call_soon = original\nprint('calls', len(calls), flush=True)\n"
    )
    drop(page, project(code, "supervisor TRUE"))
    calls = int(lines_of(page, "calls").partition("calls ")[2].split()[0])
    assert calls < 100


def test_meshes_and_drawings_work_with_numpys_integers_of_32_bits(page):
    """Controllers and the simulator count by them, where `numpy.repeat` refuses those of 64 bits."""
    code = (
        "from controller import Robot\nrobot = Robot()\nscreen = robot.getDevice('screen')\n"
        "screen.fillOval(20, 20, 9, 9)\nscreen.fillRectangle(0, 0, 9, 9)\nrobot.step(32)\n"
        "print('drawn', flush=True)\n"
    )
    mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n"
    shape = 'Shape { geometry Mesh { url "a.obj" } }'
    file = io.BytesIO(project(code, f'children [ Display {{ name "screen" width 64 height 64 }} {shape} ]'))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("worlds/a.obj", mesh)
    drop(page, file.getvalue())
    shown = lines_of(page, "drawn")
    assert "Cannot cast" not in shown


def test_a_syntax_error_is_shown(page):
    drop(page, project("from controller import\n"))
    lines_of(page, "SyntaxError")


LOOP = f"{FIRST_STEP}print('looping', flush=True)\nwhile True:\n    pass\n"


def test_an_endless_loop_is_ended_with_its_worker(page):
    drop(page, project(LOOP))
    button = page.wait_for_selector(".live-state button")
    assert "endless loop" in page.inner_text(".live-state")
    button.click()
    starts_again(page)


def test_a_reset_ends_an_endless_loop(page):
    drop(page, project(LOOP))
    page.wait_for_selector(".live-state button")
    page.evaluate("globalThis.page.live.ask('reset')")
    starts_again(page)


def starts_again(page) -> None:
    """Wait until the worker is a new one."""
    page.wait_for_function("() => document.querySelector('.live-state').textContent.startsWith('Loading')")


def test_more_memory_than_there_is_ends_the_controller_alone(page):
    drop(
        page,
        project(
            f"{FIRST_STEP}try:\n    bytes(2**33)\nexcept (MemoryError, OverflowError):\n"
            "    print('no memory', flush=True)\nx = bytearray(2**30)\nprint('had', len(x) >> 20)\n"
        ),
    )
    assert "had 1024" in lines_of(page, "had") or "MemoryError" in lines_of(page, "MemoryError")


def test_a_run_can_be_left_at_any_time(browser, address):
    page = browser.new_page()
    page.goto(f"{address}?world=two_wheels")
    page.wait_for_function("() => globalThis.runInside")
    page.goto("about:blank")
    assert page.evaluate("document.body.childElementCount") == 0
    page.close()


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


def test_a_controller_reaches_no_other_server_and_no_storage(page):
    """Also not by the prototypes of what was removed."""
    names = "fetch XMLHttpRequest WebSocket EventSource Worker BroadcastChannel indexedDB caches navigator"
    code = (
        f"{FIRST_STEP}import js\nnames = {names.split()!r}\n"
        "reached = [name for name in names if getattr(js.self, name, None) is not None]\n"
        "try:\n    from pyodide.code import run_js\n    run_js('1')\n    reached.append('eval')\n"
        "except Exception as problem:\n    print('no eval', type(problem).__name__)\n"
        "reached += [name for name in ('document', 'localStorage', 'parent') if hasattr(js, name)]\n"
        "print('reached', reached, flush=True)\n"
    )
    drop(page, project(code))
    assert "reached []" in lines_of(page, "reached")


def test_a_browser_without_promise_integration_says_so(browser, address):
    """Playwright's scripts do not reach workers, so the worker's file begins with what such browsers have."""
    page = browser.new_page()
    page.set_default_timeout(LATEST_MS)

    def lacking(route):
        code = route.fetch()
        route.fulfill(response=code, body=f"delete WebAssembly.Suspending;\n{code.text()}")

    page.route("**/worker.js", lacking)
    page.goto(f"{address}?world=two_wheels")
    page.wait_for_selector(".live-state button")
    assert "lacks JavaScript Promise Integration" in page.inner_text(".live-state")
    page.close()


def test_the_policy_of_the_page_binds_its_workers(page):
    said = page.evaluate(
        """() => new Promise((resolve) => {
          const code = "fetch('http://127.0.0.1:9/').then(() => postMessage('sent'), () => {});"
            + "addEventListener('securitypolicyviolation', (one) => postMessage(one.effectiveDirective));";
          const worker = new Worker(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})));
          worker.onmessage = ({data}) => resolve(data);
        })"""
    )
    assert said == "connect-src"
