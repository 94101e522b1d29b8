"""The memory in which a run puts its newest state for the process of its windows."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from wbridge.robot_windows.shared_state import PLACE, SharedState


@pytest.fixture
def states() -> Iterator[tuple[SharedState, SharedState]]:
    ours = SharedState()
    theirs = SharedState(os.dup(ours.number))
    yield ours, theirs
    ours.close()
    theirs.close()


def test_each_state_is_taken_once_and_the_newest_first(states: tuple[SharedState, SharedState]):
    ours, theirs = states
    assert theirs.take() is None
    assert ours.put(b"one")
    assert (theirs.take(), theirs.take()) == (b"one", None)
    assert all(ours.put(state) for state in (b"two", b"three", b"four"))
    assert (theirs.take(), theirs.take()) == (b"four", None)


def test_a_state_that_is_just_being_written_is_not_taken(states: tuple[SharedState, SharedState]):
    ours, theirs = states
    ours.put(b"a long state")
    start = PLACE + ours._memory[PLACE:].find(b"long")  # the first state is in the second place
    ours._memory[start : start + 4] = b"torn"
    assert theirs.take() is None
    ours._memory[start : start + 4] = b"long"
    assert theirs.take() == b"a long state"


def test_a_state_that_is_too_large_is_refused(states: tuple[SharedState, SharedState]):
    ours, theirs = states
    ours.put(b"small")
    assert not ours.put(bytes(PLACE))
    assert theirs.take() == b"small"
