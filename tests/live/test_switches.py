"""Where greenlets of a page wait.

Judge: asyncio's documentation of futures, and its own test of what is one.
"""

from __future__ import annotations

import asyncio

from wbridge.live.switches import Place


def test_a_place_is_a_future_for_asyncio():
    assert asyncio.isfuture(Place())


def test_who_waits_is_called_at_once():
    place, calls = Place(), []
    place.add_done_callback(calls.append)
    assert not place.done()
    place.set_result(None)
    assert place.done()
    assert calls == [place]


def test_who_comes_later_is_called_at_once():
    place, calls = Place(), []
    place.set_result(None)
    place.add_done_callback(calls.append)
    assert calls == [place]
    assert place.result() is None
