"""wbridge Live for who opens a link: how long until a robot moves, the view's frames, and memory over resets.

Limits are those of a slow computer, which is taken to be half as fast as this one; bytes and memory have no
such factor. Frames are drawn by the processor where there is no graphics card.
"""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from statistics import median
from typing import Any

from benchmarks.case import Case, Reading, compare
from benchmarks.live_runs import PATIENCE_MS, SLOW, served
from tests.live.test_first_visit import MOVED, loaded_until
from tests.live.test_without_a_network import KEPT

__all__ = ["visit_cases"]

WORLD = "two_wheels"
"""The smallest one."""
FIRST_S, SECOND_S, FIRST_BYTES = 5.0, 2.0, 8e6
FRAME_MS, FRAMES, BODIES = 1000 / 60, 300, 100
FIRST_RESETS, RESETS = 10, 30
SHOWN = "globalThis.page?.source?.run?.time > 0 && document.querySelector('canvas')"
BODY = (
    'Solid {{ name "{i}" translation {x} {y} 1 linearVelocity 0.01 0 0 angularVelocity 0 0 1 children [ '
    "DEF G{i} Shape {{ appearance PBRAppearance {{ }} geometry Box {{ size 0.1 0.1 0.1 }} }} ] "
    "boundingObject USE G{i} physics Physics {{ }} }}\n"
)
OPEN = "(bytes) => live.openProject(Uint8Array.from(bytes).buffer)"
DRAWN = """(count) => new Promise((resolve) => {
  const view = globalThis.page.world.view, draw = view.draw, times = [];
  view.draw = (...values) => {
    draw.apply(view, values);
    times.push(performance.now());
    if (times.length > count) resolve(times);
  };
})"""
"""Resolves to when (ms) frames of the view were drawn."""


def visit_cases() -> list[Case]:
    """What a link costs, what the view draws, and what resets keep in memory."""
    return [
        Case("a link, until its robot moves", _first_visit, 1 / SLOW, "s", f"{FIRST_S:g} s"),
        Case("a link, until its robot moves, again", _second_visit, 1 / SLOW, "s", f"{SECOND_S:g} s"),
        Case("a link, bytes until its first step", _first_bytes, 1, "MB", f"{FIRST_BYTES / 1e6:g} MB"),
        Case(f"{BODIES} bodies in a page, median frame", _frame, 1.02, "ms", "a frame at 60 Hz"),
        Case(f"memory of a page, {RESETS} resets", _memory, 1.05, "MB", f"that after {FIRST_RESETS}"),
    ]


def _first_visit() -> Reading:
    return compare(_visits()[0], FIRST_S)


def _second_visit() -> Reading:
    return compare(_visits()[1], SECOND_S)


@cache
def _visits() -> tuple[float, float]:
    """Seconds from a link to a robot that moves in the view: for a newcomer, and at a second visit."""
    with served() as (browser, address), _visitor(browser) as visitor:
        page = visitor.new_page()
        first = _until_it_moves(page, address)
        page.wait_for_function(KEPT)
        page.wait_for_selector("html[data-memory=kept]")
        page.close()
        return first, _until_it_moves(visitor.new_page(), address)


@contextmanager
def _visitor(browser: Any) -> Iterator[Any]:
    visitor = browser.new_context()
    visitor.set_default_timeout(PATIENCE_MS)
    yield visitor
    visitor.close()


def _until_it_moves(page: Any, address: str) -> float:
    start = time.perf_counter()
    page.goto(f"{address}?world={WORLD}", wait_until="commit")
    page.wait_for_function(f"() => {SHOWN}")
    return time.perf_counter() - start


def _first_bytes() -> Reading:
    with served() as (browser, address):
        files = loaded_until(MOVED, browser, address, f"?world={WORLD}&steps=1")
    return compare(sum(files.values()) / 1e6, FIRST_BYTES / 1e6)


def _frame() -> Reading:
    with served() as (browser, address):
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(address)
        page.wait_for_selector("main a")
        page.evaluate(OPEN, [*_bodies()])
        page.wait_for_function(f"() => {SHOWN} && globalThis.page.world?.view")
        page.evaluate(DRAWN, FRAMES)  # what is loaded and compiled at first
        times = page.evaluate(DRAWN, FRAMES)
    return compare(median(end - start for start, end in pairwise(times)), FRAME_MS)


def _bodies() -> bytes:
    """Return the archive of a project with bodies that all move."""
    text = "".join(BODY.format(i=i, x=i % 10 / 5, y=i // 10 / 5) for i in range(BODIES))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        world = f"#VRML_SIM R2025a utf8\nWorldInfo {{ gravity 0 }}\nViewpoint {{ position -3 1 3 }}\n{text}"
        archive.writestr("worlds/bodies.wbt", world)
    return file.getvalue()


def _memory() -> Reading:
    """Megabytes that a page and its run hold after resets, when nothing more can be freed."""
    with served() as (browser, address):
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        heaps = Heaps(page)
        page.goto(f"{address}?world={WORLD}")
        page.wait_for_function(f"() => {SHOWN}")
        held = []
        for _ in range(RESETS):
            _reset(page)
            held.append(heaps.megabytes())
    return compare(held[-1], held[FIRST_RESETS - 1])


def _reset(page: Any) -> None:
    """Reset a run that stands still, and let it move again."""
    page.evaluate("globalThis.page.live.ask('pause')")
    page.wait_for_function("() => globalThis.page.source.run.mode === 0")
    time_s = page.evaluate("globalThis.page.source.run.time")
    page.evaluate("globalThis.page.live.ask('reset')")
    page.wait_for_function("(time_s) => globalThis.page.source.run.time < time_s", arg=time_s)
    page.evaluate("globalThis.page.live.ask('play', {speed: 1})")
    page.wait_for_function("() => globalThis.page.source.run.time > 0.1")


class Heaps:
    """The memory of a page and of its worker, as the browser's developer tools tell it."""

    def __init__(self, page: Any) -> None:
        """
        Args:
            page: that is not open yet.
        """
        self._page, self._tools = page, page.context.new_cdp_session(page)
        self._workers: list[str] = []
        self._answers: dict[int, dict[str, Any]] = {}
        self._tools.on("Target.attachedToTarget", self._attached)
        self._tools.on("Target.detachedFromTarget", self._detached)
        self._tools.on("Target.receivedMessageFromTarget", self._answered)
        self._tools.send(
            "Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": False}
        )

    def _attached(self, event: dict[str, Any]) -> None:
        if event["targetInfo"]["type"] == "worker":
            self._workers.append(event["sessionId"])

    def _detached(self, event: dict[str, Any]) -> None:
        """Forget a worker that has ended, such as the one that keeps Python's memory for the next visit."""
        if event["sessionId"] in self._workers:
            self._workers.remove(event["sessionId"])

    def megabytes(self) -> float:
        """Return what both hold once garbage is collected: objects, buffers, and the memory of Python."""
        self._tools.send("HeapProfiler.collectGarbage")
        self._of_worker("HeapProfiler.collectGarbage")
        usages = self._tools.send("Runtime.getHeapUsage"), self._of_worker("Runtime.getHeapUsage")
        held = sum(one["usedSize"] + one["backingStorageSize"] for one in usages)
        return float(held + self._page.evaluate("globalThis.runInside.ask('memory')")) / 1e6

    def _of_worker(self, method: str) -> dict[str, Any]:
        number = len(self._answers) + 1
        message = json.dumps({"id": number, "method": method})
        words = {"sessionId": self._workers[0], "message": message}
        self._tools.send("Target.sendMessageToTarget", words)
        while number not in self._answers:
            self._page.wait_for_timeout(1)
        return self._answers[number]

    def _answered(self, event: dict[str, Any]) -> None:
        answer = json.loads(event["message"])
        if "id" in answer:
            self._answers[answer["id"]] = answer["result"]
