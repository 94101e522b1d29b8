"""Accounting of time: each moment belongs to the innermost span; judged by arithmetic on a fake clock."""

from __future__ import annotations

import pytest

from wbridge.wbcore.profiling.spans import Spans, Usage


class Clock:
    """A clock that moves only when it is told the duration of some work (ns)."""

    def __init__(self) -> None:
        self.time = 1000

    def __call__(self) -> int:
        return self.time

    def work(self, duration: int) -> None:
        self.time += duration


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def spans(clock: Clock) -> Spans:
    made = Spans(clock)
    made.start()
    return made


def test_a_span_has_the_time_without_that_of_spans_inside_it(clock: Clock, spans: Spans):
    inner = spans.timed(spans.row("inner"), clock.work)

    def outer() -> None:
        clock.work(10)
        inner(5)
        clock.work(3)
        inner(7)

    spans.timed(spans.row("outer"), outer)()
    clock.work(2)
    assert spans.stop() == [Usage("outer", 1, 13, 25), Usage("inner", 2, 12, 7), Usage("rest", 0, 2, 0)]


def test_a_row_inside_itself_counts_each_moment_once(clock: Clock, spans: Spans):
    row = spans.row("sensor")
    inner = spans.timed(row, clock.work)
    spans.timed(row, lambda: (clock.work(1), inner(4), clock.work(2)))()
    assert spans.stop() == [Usage("sensor", 2, 7, 7), Usage("rest", 0, 0, 0)]


def test_a_failure_ends_its_span_and_results_pass_through(clock: Clock, spans: Spans):
    def fail() -> None:
        clock.work(6)
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        spans.timed(spans.row("failing"), fail)()
    assert spans.timed(spans.row("adding"), lambda a, b: a + b)(2, 3) == 5
    clock.work(4)
    assert spans.stop() == [Usage("failing", 1, 6, 6), Usage("rest", 0, 4, 0), Usage("adding", 1, 0, 0)]


def test_time_before_the_start_and_after_the_end_does_not_count(clock: Clock):
    spans = Spans(clock)
    work = spans.timed(spans.row("work"), clock.work)
    work(100)
    clock.work(50)
    spans.start()
    work(3)
    found = spans.stop()
    work(1000)
    assert found == [Usage("work", 1, 3, 3), Usage("rest", 0, 0, 0)]


def test_a_span_that_is_open_at_the_end_counts_up_to_it(clock: Clock, spans: Spans):
    """As when Ctrl-C interrupts a step."""
    spans.enter(spans.row("engine"))
    clock.work(9)
    assert spans.stop() == [Usage("engine", 0, 9, 0), Usage("rest", 0, 0, 0)]


def test_time_measured_elsewhere_is_moved_out_of_the_current_span(clock: Clock, spans: Spans):
    heard = []
    spans.on_span = lambda *span: heard.append(span)
    spans.enter(spans.row("sampling"))
    clock.work(20)
    spans.move(spans.row("GPS"), 1003, 14)
    spans.leave()
    assert heard == [("GPS", 1003, 1017), ("sampling", 1000, 1020)]
    assert spans.stop() == [Usage("GPS", 1, 14, 14), Usage("sampling", 1, 6, 20), Usage("rest", 0, 0, 0)]


def test_a_listener_gets_each_span_when_it_ends(clock: Clock, spans: Spans):
    heard = []
    spans.on_span = lambda *span: heard.append(span)
    inner = spans.timed(spans.row("inner"), clock.work)
    spans.timed(spans.row("outer"), lambda: (clock.work(1), inner(2), clock.work(3)))()
    assert heard == [("inner", 1001, 1003), ("outer", 1000, 1006)]
