"""Worlds with a supervisor that the real client drives in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.supervisor.bench import Bench
from wbridge.hal.client import session


@pytest.fixture
def bench() -> Iterator[Callable[..., Bench]]:
    """Make a bench from the text around the supervisor: `bench('DEF BALL Solid { ... }')`."""
    yield Bench
    session.activate(None)
