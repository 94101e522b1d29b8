"""Signs of life: they come during a request, also the first one after a pause, and not between requests."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tests.waiting import wait_for
from wbridge.hal.gateway import life_signs
from wbridge.hal.gateway.life_signs import LifeSigns

INTERVAL = 0.001


@pytest.fixture
def sent() -> list[str]:
    return []


@pytest.fixture
def signs(sent: list[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[LifeSigns]:
    """Signs that fall asleep after two idle intervals."""
    monkeypatch.setattr(life_signs, "MOST_IDLE", 2)
    made = LifeSigns(lambda: sent.append(threading.current_thread().name), INTERVAL)
    yield made
    made.close()


@pytest.mark.parametrize("pause", [False, True])
def test_they_come_during_each_request(pause: bool, signs: LifeSigns, sent: list[str]):
    for _ in range(3):
        if pause:
            wait_for(lambda: signs._is_asleep)
        sent.clear()
        with signs.during_request():
            wait_for(lambda: len(sent) > 1)
    assert set(sent) == {"signs of life"}


def test_between_requests_the_thread_sleeps(signs: LifeSigns, sent: list[str]):
    with signs.during_request():
        wait_for(lambda: sent)
    wait_for(lambda: signs._is_asleep)
    count = len(sent)
    signs.close()
    assert len(sent) == count
