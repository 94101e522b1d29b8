"""Controllers against a car inside the program; afterwards there is no robot again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from vehicle import Car
from wbridge.hal.client import native, session
from wbridge.hal.protocol.loopback import Loopback

Attach = Callable[[Loopback], Car]


@pytest.fixture
def attach() -> Iterator[Attach]:
    """Connect the API to a car."""

    def connect(there: Loopback) -> Car:
        native.attach(there)
        return Car()

    yield connect
    session.cleanup()
