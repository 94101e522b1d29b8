"""Waiting for files: as `select.select`, which is the judge, and beyond its limit of 1024 descriptors."""

from __future__ import annotations

import os
import select
import socket
import sys
from collections.abc import Iterator

import pytest

from wbridge.hal.ready import readable, wait_for_any, writable

if sys.platform != "win32":
    import resource

PAST_LIMIT = 1100


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ends = socket.socketpair()
    yield ends
    for end in ends:
        end.close()


def test_it_agrees_with_select(pair: tuple[socket.socket, socket.socket]):
    near, far = pair
    for act in (lambda: None, lambda: far.sendall(b"x"), lambda: near.recv(1), far.close):
        act()
        ready, free, _ = select.select([near], [near], [], 0)
        assert wait_for_any([near], [near], 0) == (ready, free)


def test_numbers_and_objects(pair: tuple[socket.socket, socket.socket]):
    near, far = pair
    far.sendall(b"x")
    assert readable([near.fileno()], 1.0) == [near.fileno()]
    assert readable([near, far], 0.0) == [near]
    assert writable([near], 0.0) == [near]
    assert readable([far], 0.001) == []


def test_a_closed_file_is_an_error(pair: tuple[socket.socket, socket.socket]):
    near, _ = pair
    number = near.fileno()
    near.close()
    with pytest.raises(ValueError, match="closed"):
        readable([near], 0.0)
    with pytest.raises(OSError, match="Bad file descriptor"):
        readable([number], 0.0)


def test_more_files_than_select_can_wait_for(pair: tuple[socket.socket, socket.socket]):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2 * PAST_LIMIT:
        pytest.skip(f"this system allows {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * PAST_LIMIT), hard))
    near, far = pair
    copies = [os.dup(near.fileno()) for _ in range(PAST_LIMIT)]
    try:
        assert copies[-1] > 1024
        with pytest.raises(ValueError, match="filedescriptor out of range"):
            select.select([copies[-1]], [], [], 0)
        assert readable([copies[-1]], 0.0) == []
        far.sendall(b"x")
        assert readable([copies[-1]], 1.0) == [copies[-1]]
    finally:
        for copy in copies:
            os.close(copy)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
