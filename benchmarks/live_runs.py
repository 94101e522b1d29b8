"""Sample worlds in the page of wbridge Live: what they cost beside the same runs on this computer.

Judge: a run with the same controllers inside of this process. Both sides make each run several times, so that
what is compiled or loaded at its first use does not count; short runs more often, since browsers compile what
runs often a second time, for speed. The page's own start has cases of its own.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from functools import partial
from io import StringIO
from typing import Any, NamedTuple

from benchmarks.bench_recordings import _browser
from benchmarks.case import Case, Reading, Unavailable, compare
from benchmarks.checkout import CHECKOUT
from wbridge.live.serving import site_server
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import load_world

__all__ = ["SITE", "run_cases", "served"]

SITE = CHECKOUT / "build" / "live" / "site"
WORLDS = (
    *("arm", "ball_on_a_ramp", "bmw_x5", "car", "crazyflie", "epuck_arena", "four_wheel_robot"),
    *("lidar_mapping", "line_following", "mavic", "motion_playback", "nao", "obstacles", "panel", "pioneer"),
    *("sonar_avoiders", "spot", "star_painter", "two_robots", "two_wheels", "ur5e"),
)
"""Those without programs in C, whose controllers read no pictures."""
HEAVY = ("nao", "spot")
SECONDS, TURNS = 10.0, 2
RUNS, ENOUGH_S, MOST_RUNS = 6, 0.5, 40
"""Runs of a turn: at least RUNS, until they took ENOUGH_S together, at most MOST_RUNS."""
SLOW = 2.0
"""How much slower than this one a slow computer is."""
PATIENCE_MS = 240_000


def run_cases() -> list[Case]:
    """The speed of each world, and whether a slow computer keeps up with the heavy ones."""
    native = "the run on this computer"
    return [
        *(
            Case(f"{name} in a page, {SECONDS:g} s simulated", partial(_speed, name), 2, "ms", native)
            for name in WORLDS
        ),
        *(
            Case(f"{name} in a page, its first run", partial(_first, name), 1 / SLOW, "s", "simulated time")
            for name in HEAVY
        ),
    ]


@contextmanager
def served() -> Iterator[tuple[Any, str]]:
    """A browser, and the address of the site.

    Raises:
        Unavailable: the site or Chromium is missing.
    """
    if not (SITE / "index.html").is_file():
        raise Unavailable("the site: make live")
    with ExitStack() as stack:
        server = stack.enter_context(site_server(SITE, 0))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        stack.callback(server.shutdown)
        yield stack.enter_context(_browser()), f"http://127.0.0.1:{server.server_port}/"


def _speed(name: str) -> Reading:
    """The fastest runs of both sides, in ms, of turns that alternate."""
    own, yardstick = [], []
    for _ in range(TURNS):
        native = _natively(name)
        result = _in_page(name, native)
        if result.digest != native.digest:
            raise ValueError(f"{name}: the hash in the page differs")
        yardstick.append(native.seconds)
        own.append(min(result.seconds))
    return compare(1e3 * min(own), 1e3 * min(yardstick))


def _first(name: str) -> Reading:
    """The first run of a page, which also compiles and loads what it uses, and its simulated time (s)."""
    native = _natively(name)
    return compare(_in_page(name, native).seconds[0], native.simulated_s)


class _Native(NamedTuple):
    """Runs of a world on this computer."""

    seconds: float
    """Of the fastest one."""
    runs: int
    steps: int
    simulated_s: float
    digest: str


def _natively(name: str) -> _Native:
    times: list[float] = []
    while len(times) < RUNS or (sum(times) < ENOUGH_S and len(times) < MOST_RUNS):
        world = load_world(CHECKOUT / "worlds" / f"{name}.wbt")
        with redirect_stdout(StringIO()), Runner(world, RunOptions(inline=True)) as runner:
            runner.limit = round(SECONDS / runner.simulation.step_s)
            steps = runner.run().steps
            times.append(runner.elapsed_s)
            simulated_s, digest = steps * runner.simulation.step_s, runner.simulation.hash()
    return _Native(min(times), len(times), steps, simulated_s, digest)


class _InPage(NamedTuple):
    """Runs of a world in a page."""

    seconds: list[float]
    digest: str


def _in_page(name: str, native: _Native) -> _InPage:
    """Return the result of as many runs, of as many steps, in a new page."""
    with served() as (browser, address):
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{address}?world={name}&steps={native.steps}&runs={native.runs}")
        page.wait_for_selector("html[data-result], .live-state button")
        shown = page.get_attribute("html", "data-result")
        if shown is None:
            raise ValueError(f"{name}: {page.inner_text('.live-state')}")
        result = json.loads(shown)
        return _InPage(result["seconds"], result["hash"])
