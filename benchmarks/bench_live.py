"""wbridge Live: the sample worlds in a page (benchmarks.live_runs), what visitors wait for
(benchmarks.live_visits), and a robot that a page drives.

Measured are the steps of a robot with ten devices that a page drives over a serial port, at 62.5 per second.

The firmware of an Arduino Uno runs under simavr in real time; the page in Chromium has it at the place of the
browser's port. What the page sends and when is noted there. Once the 3D view is closed, once it is shown:
without a graphics card the processor draws it.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

from benchmarks.bench_recordings import _browser
from benchmarks.case import Case, Reading, Unavailable, compare
from benchmarks.checkout import CHECKOUT
from benchmarks.live_runs import SITE, run_cases
from benchmarks.live_visits import visit_cases
from tests.live.bridged_port import bridged
from wbridge.libcontroller.compiling import BuildError
from wbridge.live.serving import site_server
from wbridge.main import main
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.boards.board import load_board

WORLD = CHECKOUT / "worlds" / "four_wheel_robot.wbt"
BOARD = "arduino-uno"
STEP_MS, STEPS, WARM = 16, 500, 50
LATE = 1.25
"""A step is late after this many times its length: at 20 ms, when less than 50 would come in a second."""
MEDIAN, LATEST = 0.5, 0.99
PATIENCE_MS = 240_000
SPY = """
{
  const spied = globalThis.spied = {sent: [], arrived: []};
  const Socket = WebSocket;
  globalThis.WebSocket = class extends Socket {
    constructor(...words) {
      super(...words);
      this.addEventListener('message', () => spied.arrived.push(performance.now()));
    }

    send(data) {
      spied.sent.push(performance.now());
      super.send(data);
    }
  };
}
"""
"""Notes when messages pass the place of the browser's port."""


def cases() -> list[Case]:
    """Times between steps, and of their answers."""
    name, step = "a robot driven from a page", "the step"
    beside = f"{name} beside the view"
    return [
        *run_cases(),
        *visit_cases(),
        Case(f"{name}, median of steps", partial(_between, MEDIAN), 1.5, "ms", step),
        Case(f"{name}, 99th percentile of steps", partial(_between, LATEST), 5, "ms", step),
        Case(f"{name}, late steps", _late, 0.5, "steps", "all steps"),
        Case(f"{name}, median of answers", partial(_answers, MEDIAN), 1.25, "ms", step),
        Case(f"{name}, 99th percentile of answers", partial(_answers, LATEST), 4, "ms", step),
        Case(f"{beside}, median of steps", partial(_between, MEDIAN, True), 1.5, "ms", step),
        Case(
            f"{beside}, 99th percentile of steps",
            partial(_between, LATEST, True),
            5,
            "ms",
            step,
        ),
    ]


def _between(part: float, has_view: bool = False) -> Reading:
    return compare(_times(has_view)[0][int(part * STEPS)], STEP_MS)


def _late() -> Reading:
    return compare(sum(time > LATE * STEP_MS for time in _times()[0]), STEPS)


def _answers(part: float) -> Reading:
    answers = _times()[1]
    return compare(answers[int(part * len(answers))], STEP_MS)


@cache
def _times(has_view: bool = False) -> tuple[list[float], list[float]]:
    """Sorted times (ms) from step to step, and from a step to the last bytes before the next one."""
    with _page(has_view) as page:
        page.wait_for_selector(".robot-panel[data-state=driving]")
        begin = page.evaluate("spied.sent.length") + WARM
        page.wait_for_function(f"spied.sent.length > {begin + STEPS}")
        spied = page.evaluate("spied")
    sent = spied["sent"][begin : begin + STEPS + 1]
    between, answers = [], []
    for start, end in zip(sent, sent[1:], strict=False):
        between.append(end - start)
        arrived = [at for at in spied["arrived"] if start < at <= end]
        answers += [arrived[-1] - start] if arrived else []
    return sorted(between), sorted(answers)


@contextmanager
def _page(has_view: bool) -> Iterator[Any]:
    """The page, whose robot is being connected.

    Raises:
        Unavailable: the site, Chromium or simavr is missing.
    """
    if not (SITE / "index.html").is_file():
        raise Unavailable("the site: make live")
    with ExitStack() as stack:
        board = stack.enter_context(_board())
        server = stack.enter_context(site_server(SITE, 0))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        stack.callback(server.shutdown)
        bridge = stack.enter_context(bridged(board.url))
        browser: Any = stack.enter_context(_browser())
        page = browser.new_context(bypass_csp=True).new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.add_init_script(SPY + bridge.script)
        page.goto(f"http://127.0.0.1:{server.server_port}/?world={WORLD.stem}&panel=robot")
        page.wait_for_selector("#connect-robot:not([disabled])")
        if not has_view:
            page.evaluate("globalThis.page.bench.dock.remove('view')")
        page.select_option("#robot-protocol", "wblink")
        page.click("#connect-robot")
        yield page


@contextmanager
def _board() -> Iterator[Bench]:
    """The emulated board with the robot's firmware."""
    with tempfile.TemporaryDirectory() as name:
        map_file, firmware = Path(name) / "hardware.toml", Path(name) / "firmware"
        words = ["-q", "firmware", "new", str(WORLD), "--board", BOARD, "--out", str(map_file)]
        try:
            if main(words) or main(["-q", "firmware", "build", str(map_file), "--out", str(firmware)]):
                raise Unavailable("the compiler for Arduino boards: avr-gcc")
            bench = Bench(load_board(BOARD), firmware / "firmware.elf")
        except BuildError as problem:
            raise Unavailable(str(problem)) from None
        try:
            yield bench
        finally:
            bench.close()
