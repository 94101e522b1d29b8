"""More than 1,000 files and clients. Judge: select(2), which fails for file descriptors from 1024 on."""

from __future__ import annotations

import os
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.bridge.conftest import PATIENCE, Serving
from tests.conftest import absent
from wbridge.hal.link.url import parse_url

FILES = 1100


@pytest.fixture
def many_files() -> Iterator[None]:
    """This process has so many open files that each new one has a number above 1024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4096:
        absent("this test needs 4096 open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 4096), hard))
    files = [os.open(os.devnull, os.O_RDONLY) for _ in range(FILES)]
    yield
    for file in files:
        os.close(file)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("count", [200, pytest.param(1200, marks=pytest.mark.slow)])
def test_a_controller_drives_among_many_clients(many_files: None, serve: Callable[..., Serving], count: int):
    served = serve()
    master = served.drive()
    url = parse_url(served.bridge.robots[0].urls[0])
    with ExitStack() as clients:
        for k in range(count):
            client = clients.enter_context(socket.create_connection((url.host, url.port or 0), PATIENCE))
            assert client.fileno() >= FILES
            if k % 100 == 0:
                assert master.step(8, PATIENCE)
        for _ in range(20):
            assert master.step(8, PATIENCE)
    assert served.bridge.robots[0].is_driven
