"""Receiving that looks for a moment before it sleeps."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator

import pytest

from hal.protocol.low_latency import REST, LowLatencyReceiver


class Heard(socket.socket):
    """Notes how it was asked: True for those calls that do not wait."""

    looks: list[bool]

    def recv(self, size: int, flags: int = 0) -> bytes:
        """Receive."""
        self.looks.append(bool(flags & socket.MSG_DONTWAIT))
        return super().recv(size, flags)


@pytest.fixture
def pair() -> Iterator[tuple[Heard, socket.socket]]:
    """Two ends."""
    one, other = socket.socketpair()
    heard = Heard(fileno=one.detach())
    heard.looks = []
    with heard, other:
        yield heard, other


@pytest.mark.parametrize(("processors", "looks"), [({0, 1}, True), ({0}, False)])
def test_what_is_there_is_taken_without_sleep_where_there_are_two_processors(
    pair: tuple[Heard, socket.socket], monkeypatch, processors: set[int], looks: bool
):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: processors)
    near, far = pair
    eager = LowLatencyReceiver(near)
    for _ in range(3):
        far.send(b"x")
        assert eager.receive(10) == b"x"
    assert near.looks == [looks] * 3


def test_who_looked_in_vain_sleeps_the_next_times(pair: tuple[Heard, socket.socket], monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    near, far = pair
    near.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", 0, 10_000))
    eager = LowLatencyReceiver(near)
    with pytest.raises(BlockingIOError):
        eager.receive(10)
    assert near.looks[0] and not near.looks[-1]
    near.looks.clear()
    for _ in range(REST):
        far.send(b"x")
        assert eager.receive(10) == b"x"
    assert near.looks == [False] * REST
    far.send(b"x")
    assert eager.receive(10) == b"x"
    assert near.looks[-1]  # it is tried again


def test_the_end_of_a_connection_is_told(pair: tuple[Heard, socket.socket]):
    near, far = pair
    far.close()
    assert LowLatencyReceiver(near).receive(10) == b""
