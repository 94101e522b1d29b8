"""Real clients that guess the secrets of our servers on several connections: ten guesses per second.

The clock of the limits is set by the test. Judge: the comparisons that the server makes, and whom it admits.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from tests.hal.guessers import SERVERS, Guess, compared, crowd, most_in_a_second
from wbridge.hal.link.guesses import GUESSES_PER_SECOND, GuessLimit
from wbridge.hal.link.transports import tcp
from wbridge.robot_windows import guard
from wbridge.wbcore.controllers import admission

CONNECTIONS, GUESSES = 4, 32


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.__name__)
def test_ten_guesses_of_an_address_are_compared_in_a_second(
    server: Callable[[], AbstractContextManager[Guess]], monkeypatch: pytest.MonkeyPatch
):
    clock = [5.0]
    for module in (guard, tcp, admission):
        monkeypatch.setattr(module, "GuessLimit", lambda: GuessLimit(lambda: clock[0]))
    with server() as guess, compared() as times:
        for _ in range(2):
            times.clear()
            assert crowd(guess, CONNECTIONS, lambda number: number < GUESSES) == GUESSES
            assert len(times) == GUESSES_PER_SECOND
            assert not guess("")
            clock[0] += 1.0
        assert guess("")


@pytest.mark.parametrize("step", [0.01, 0.099, 0.24, 0.9])
def test_no_second_has_more_guesses_wherever_it_begins(step: float):
    clock = [0.0]
    limit, times = GuessLimit(lambda: clock[0]), [0.0]
    limit.note_wrong("10.0.0.1")
    # One guess first, then as many as the limit lets through.
    for k in range(200):
        clock[0] = 0.95 + step * k
        while limit.allows("10.0.0.1"):
            limit.note_wrong("10.0.0.1")
            times.append(clock[0])
    assert most_in_a_second(times) == GUESSES_PER_SECOND
