"""The progress line."""

import io

import pytest

from wbridge import progress
from wbridge.progress import Progress
from wbridge.words import amount, duration, rounded


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """Seconds that pass when the test says so."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    one = Clock()
    monkeypatch.setattr(progress, "monotonic", one)
    return one


def walk(stream: io.StringIO, clock: Clock, seconds_per_step: float) -> str:
    """Four steps, with a tick at the end of each."""
    shown = Progress(4, stream=stream)
    for what in ("a", "b", "c", "d"):
        shown.step(what)
        clock.now += seconds_per_step
        shown.tick()
    return stream.getvalue()


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_quick_work_writes_nothing(stream: io.StringIO, clock: Clock):
    assert walk(stream, clock, 0.01) == ""


def test_long_work_writes_plain_lines_into_a_log(clock: Clock):
    assert walk(io.StringIO(), clock, 3.0) == "1/4 a, 3 s elapsed\n3/4 c, 9 s elapsed\n"


def test_a_terminal_shows_one_line_that_is_written_anew(clock: Clock):
    text = walk(Terminal(), clock, 1.0)
    assert "\n" not in text
    assert [line.removeprefix("\x1b[K") for line in text.split("\r")[1:]] == [
        "1/4 a, 1 s elapsed",
        "2/4 b, 2 s elapsed",
        "3/4 c, 3 s elapsed",
        "4/4 d, 4 s elapsed",
    ]


def test_one_long_step_shows_the_passing_time(clock: Clock):
    stream = io.StringIO()
    shown = Progress(1, stream=stream)
    shown.step("reading")
    for _ in range(3):
        clock.now += 6
        shown.tick()
    assert (
        stream.getvalue()
        == "1/1 reading, 6 s elapsed\n1/1 reading, 12 s elapsed\n1/1 reading, 18 s elapsed\n"
    )


def test_a_line_never_wraps_on_a_terminal_of_80_columns(clock: Clock):
    stream = Terminal()
    shown = Progress(1, stream=stream)
    shown.step("x" * 500)
    clock.now += 1
    shown.tick()
    assert len(stream.getvalue().removeprefix("\r\x1b[K")) < 80


def test_the_line_is_taken_away_before_other_output_and_at_the_end(clock: Clock):
    stream = Terminal()
    with Progress(1, stream=stream) as shown:
        shown.step("a")
        clock.now += 1
        shown.tick()
        with shown.paused():
            assert stream.getvalue().endswith("a, 1 s elapsed\r\x1b[K")
        clock.now += 1
        shown.tick()
    assert stream.getvalue().endswith("a, 2 s elapsed\r\x1b[K")


def test_disabled_progress_writes_nothing(clock: Clock):
    stream = Terminal()
    with Progress(1, enabled=False, stream=stream) as shown:
        shown.step("a")
        clock.now += 100
    assert stream.getvalue() == ""


def test_work_without_steps_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch):
    now = 0.0
    monkeypatch.setattr("wbridge.progress.monotonic", lambda: now)
    stream = io.StringIO()
    progress = Progress(stream=stream, tell=lambda: f"{now:g} s done")
    for second in range(1, 200):
        now = float(second)
        progress.tick()
    assert stream.getvalue().split(" s done\n")[:-1] == ["1", "6", "16", "36", "76", "136", "196"]


def test_a_share_is_shown_with_thousands_as_people_write_them(clock: Clock):
    stream = io.StringIO()
    shown = Progress(100, stream=stream, percent=True)
    for chunk in range(11):
        shown.step(f"{rounded(180.0 * chunk)} s simulated")
    clock.now += 1
    shown.tick()
    assert stream.getvalue() == "10 %, 1,800 s simulated, 1 s elapsed\n"


@pytest.mark.parametrize(
    ("value", "whole", "short"),
    [(0.048, "0.048", "0.048"), (12.3456, "12.3456", "12.3"), (1800, "1,800", "1,800")]
    + [(18000.25, "18,000.25", "18,000"), (1e7, "10,000,000", "10,000,000"), (0, "0", "0")],
)
def test_numbers_have_no_exponents(value: float, whole: str, short: str):
    assert (amount(value), rounded(value)) == (whole, short)


def test_the_time_that_is_left_follows_from_the_steps_that_are_done(clock: Clock):
    """Two of four equal steps took 6 s, so the other two take 6 s."""
    stream = io.StringIO()
    shown = Progress(4, stream=stream, remaining=True)
    for what in ("a", "b", "c"):
        shown.step(what)
        clock.now += 3 if what != "c" else 0
    shown.tick()
    assert stream.getvalue() == "3/4 c, 6 s elapsed, about 6 s left\n"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (89, "89 s"), (90, "2 min"), (5399, "90 min"), (7200, "2.0 h")]
)
def test_times_are_short(seconds: float, text: str):
    assert duration(seconds) == text
