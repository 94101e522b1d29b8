"""Pages of the workbench that are slow, stand still, vanish or send nonsense: a run and other pages go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.windows.browser import ROOT, Run, run
from tests.windows.visit import Visit, until

pytestmark = pytest.mark.browser
WORLD = ROOT / "worlds" / "four_wheel_robot.wbt"
TIME = "window.page.source.run.time"
STANDS_STILL = "setTimeout(() => { const end = Date.now() + 4000; while (Date.now() < end); })"
NONSENSE = """() => {
  const {socket} = window.page.live;
  const numbers = [NaN, Infinity, -1, 1e308, null, 'x', {}, [], 2 ** 53];
  const texts = ['', '{', '[]', 'null', '{"do": 7}', '{"do": "watch", "scene": 1}', `"${'x'.repeat(5000)}"`];
  for (const text of texts) socket.send(text);
  socket.send(new Uint8Array(1000));
  for (const value of numbers) {
    for (const [name, values] of Object.entries({
      pick: {origin: [value, 0, 0], toward: [0, 0, value], part: value},
      select: {node: value},
      pull: {kind: 'force', node: value, point: [value, value, value], end: [value, 0, 0]},
      move: {node: value, begins: true, way: [value, value, value], angle: value},
      edit: {node: value, field: 'translation', item: value, value, id: value},
      save: {name: '../../x.wbt', replace: true, id: 1},
      watch: {robots: [value], places: value, scene: value, drawings: [value]},
    })) socket.send(JSON.stringify({do: name, ...values}));
  }
}"""


@contextmanager
def two_pages(visit: Visit, *options: str) -> Iterator[tuple[Run, Any, Any]]:
    """A run with a page that will misbehave, and one that looks on."""
    with run(WORLD, "--mode", "realtime", "--no-controllers", *options) as on:
        bad, good = visit.open(on.url), visit.open(on.url)
        for page in (bad, good):
            until(page, "document.documentElement.dataset.ready")
        bad.evaluate("window.page.world.draws('contacts', true)")
        yield on, bad, good
        goes_on(on, good)


def goes_on(on: Run, page: Any) -> None:
    """The run has not ended, and a page sees new states of it."""
    before = page.evaluate(TIME)
    until(page, f"{TIME} > {before} + 0.5")
    assert on.process.poll() is None
    assert page.evaluate("[...window.page.world.between.next.poses].every(Number.isFinite)")


def test_a_page_that_stands_still_shows_the_newest_state_when_it_goes_on(visit: Visit):
    with two_pages(visit) as (on, bad, good):
        bad.evaluate(STANDS_STILL)
        for _ in range(3):
            goes_on(on, good)
        until(bad, f"{TIME} > {good.evaluate(TIME)}")
        assert abs(bad.evaluate(TIME) - good.evaluate(TIME)) < 2, "no backlog of old states"


def test_a_page_that_crashes_is_forgotten(visit: Visit):
    with two_pages(visit) as (on, bad, good):
        with pytest.raises(Exception, match="crash"):
            bad.goto("chrome://crash")
        goes_on(on, good)


def test_a_page_that_sends_nonsense_harms_nobody(visit: Visit):
    with two_pages(visit) as (on, bad, good):
        bad.evaluate(NONSENSE)
        goes_on(on, good)
        until(bad, "window.page.live.state === 'connected'")  # hung up on, it came again


def test_a_page_that_floods_is_hung_up_on(visit: Visit):
    with two_pages(visit) as (on, bad, good):
        bad.evaluate("() => { window.first = window.page.live.socket; }")
        bad.evaluate("() => { for (let i = 0; i < 20000; i++) window.page.live.ask('tree'); }")
        until(bad, "window.page.live.socket !== window.first && window.page.live.state === 'connected'")
        goes_on(on, good)


def test_pages_that_come_and_go_leave_nothing_behind(visit: Visit):
    with two_pages(visit) as (on, bad, good):
        for _ in range(5):
            bad.goto(on.url, wait_until="commit")
            bad.goto("about:blank")
        goes_on(on, good)
