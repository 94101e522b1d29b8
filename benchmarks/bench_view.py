"""The 3D view of a running simulation: its cost for the run, and the time until a page shows a picture.

The cost is time of the run's own thread; the server works in another process. The first picture is measured
in the workbench, from the request of its page to the end of the drawing, which the processor does where there
is no graphics card; relative to a page that clears an empty picture.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.bench_recordings import _browser
from benchmarks.case import Case, Reading, alternate, compare, seconds_of
from benchmarks.checkout import CHECKOUT
from benchmarks.yardsticks import PYTHON_CALLS, python_calls
from wbridge.robot_windows.hub import Hub, Watched
from wbridge.robot_windows.window_process import WindowProcess
from wbridge.running.plugins import plugin_options
from wbridge.running.windows import world_info
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import World, load_text, load_world
from wbridge.wbcore.scene.tables.device_tables import robots
from wbridge.wbcore.windows.simulation_handler import SimulationHandler

BODIES, SECONDS, STEPS, ROUNDS = 1000, 4.0, 1000, 41
BODY = (
    'Solid {{ name "{i}" translation {x} {y} 1 linearVelocity 0.1 0 0 angularVelocity 0 0 1 children [ '
    "DEF G{i} Shape {{ geometry Box {{ size 0.2 0.2 0.2 }} }} ] boundingObject USE G{i} "
    "physics Physics {{ }} }}\n"
)
VISITS = 3
QUIET_MS = 1500
"""Time for a new browser window to draw its own start page."""
WATCH = """
new MutationObserver(() => {
  if (!document.documentElement?.dataset.ready || window.drawn) return;
  const gl = window.page.world.view.renderer.getContext();
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));  // returns when all is drawn
  window.drawn = performance.now() / 1000;
}).observe(document, {attributes: true, subtree: true});
"""


PLAIN = """data:text/html,<canvas id=c width=1280 height=800></canvas><script>
const gl = c.getContext('webgl2'); gl.clear(gl.COLOR_BUFFER_BIT);
gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
window.drawn = performance.now() / 1000;</script>"""
"""A page that clears a picture of the window's size."""


def cases() -> list[Case]:
    """What a view takes of a run, and the time until it is drawn."""
    worlds = sorted((CHECKOUT / "worlds").glob("*.wbt"))
    return [
        Case(f"{BODIES} moving bodies in a 3D view at 30 Hz", _share_of_view, 0.045, "s", "the run"),
        Case("a 3D view that nobody looks at, in 1,000 steps", _cost_of_nobody, 6, "ms", PYTHON_CALLS),
        *(
            Case(
                f"first picture of {world.stem} in the workbench",
                partial(_first_picture, world),
                22,
                "ms",
                "an empty picture",
            )
            for world in worlds
        ),
    ]


def _share_of_view() -> Reading:
    """Seconds that the handler of pages takes of a run as fast as possible, and of the run."""
    text = "".join(BODY.format(i=i, x=i % 32, y=i // 32) for i in range(BODIES))
    world = load_text(f"#VRML_SIM R2025a utf8\nWorldInfo {{ basicTimeStep 16 gravity 0 }}\n{text}")
    with tempfile.TemporaryDirectory() as name, Runner(world, RunOptions()) as runner:
        hub = Hub()
        handler = SimulationHandler(runner, hub, hub.take, lambda handler: None, Path(name))
        hub.watch("page", Watched(scene=True))
        spent = _Timed(runner, handler.poll)
        runner.on_wait = spent.act
        end = time.perf_counter() + SECONDS
        spent.until = end
        runner.run()
        return compare(spent.seconds, SECONDS)


class _Timed:
    """Counts the time of a function, and ends the run."""

    def __init__(self, runner: Runner, action: Callable[[], Any]) -> None:
        self._runner, self._action = runner, action
        self.seconds, self.until = 0.0, 0.0

    def act(self) -> None:
        start = time.perf_counter()
        self._action()
        now = time.perf_counter()
        if self._runner.steps > 20:  # the first description is not a part of the going costs
            self.seconds += now - start
        if now > self.until:
            self._runner.end(0, "measured")


def _cost_of_nobody() -> Reading:
    """Milliseconds that a view adds to 1,000 steps while no page is open, and of as many calls of a
    function."""
    world = load_world(CHECKOUT / "worlds" / "epuck_arena.wbt")
    with Runner(world, RunOptions(controllers=_nobody(world))) as runner:
        hub = Hub()
        SimulationHandler(runner, hub, hub.take, lambda handler: None, Path())
        actors = runner.actors

        def act() -> None:
            for _ in range(STEPS):
                for actor in actors:
                    actor.before_step()
                for actor in actors:
                    actor.after_step()

        return alternate(seconds_of(act), python_calls, ROUNDS, per=1e-3)


def _nobody(world: World) -> dict[str, str]:
    """Return no controller for each robot."""
    return {str(one.get("name")): "<none>" for one in robots(world.nodes)}


def _first_picture(world: Path) -> Reading:
    """Milliseconds from the request of the page until its view is drawn, and until an empty picture is."""
    with _browser() as browser:
        return alternate(
            partial(_first_of, browser, world), partial(_empty_picture, browser), VISITS, per=1e-3
        )


def _empty_picture(browser: Any) -> float:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto("about:blank")
    page.wait_for_timeout(QUIET_MS)
    page.goto(PLAIN)
    drawn = float(page.evaluate("window.drawn"))
    page.close()
    return drawn


def _first_of(browser: Any, world: Path) -> float:
    loaded = load_world(world)
    options = RunOptions(speed=1.0, controllers=_nobody(loaded), plugin=plugin_options())
    with (
        tempfile.TemporaryDirectory() as name,
        WindowProcess(port=0) as windows,
        Runner(loaded, options) as runner,
    ):
        SimulationHandler(
            runner, windows, windows.take, lambda one: windows.open(world_info(one)), Path(name)
        )
        act = runner.on_wait
        assert act is not None
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.add_init_script(WATCH)
        page.goto("about:blank")
        page.wait_for_timeout(QUIET_MS)
        page.goto(windows.url, wait_until="commit")
        done: list[float] = []

        def attend() -> None:
            act()
            if not done and (drawn := page.evaluate("window.drawn")):
                done.append(drawn)
                runner.end(0, "measured")

        runner.on_wait = attend
        runner.run()
        page.close()
        return done[0]
