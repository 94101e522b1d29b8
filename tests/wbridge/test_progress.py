"""The progress line."""

import io

import pytest

from wbridge import progress
from wbridge.progress import Progress


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


def walk(stream: io.StringIO, clock: Clock, seconds_per_step: float, enabled: bool = True) -> str:
    with Progress(4, enabled=enabled, stream=stream) as shown:
        for what in ("a", "b", "c", "d"):
            shown.step(what)
            clock.now += seconds_per_step
    return stream.getvalue()


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_quick_work_writes_nothing(stream: io.StringIO, clock: Clock):
    assert walk(stream, clock, 0.01) == ""


def test_long_work_writes_plain_lines_into_a_log(clock: Clock):
    assert walk(io.StringIO(), clock, 3.0) == "2/4 b\n4/4 d\n"


def test_a_terminal_shows_one_line_that_is_taken_away_at_the_end(clock: Clock):
    text = walk(Terminal(), clock, 0.5)
    assert "\n" not in text
    assert "2/4 b" in text
    assert text.endswith("\r\x1b[K")


def test_a_line_never_wraps_on_a_terminal_of_80_columns(clock: Clock):
    stream = Terminal()
    shown = Progress(1, stream=stream)
    clock.now += 1
    shown.step("x" * 500)
    assert len(stream.getvalue().removeprefix("\r\x1b[K")) < 80


def test_disabled_progress_writes_nothing(clock: Clock):
    assert walk(Terminal(), clock, 3.0, enabled=False) == ""
