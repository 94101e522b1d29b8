"""Controllers against the simulator inside the program, and against one in another process."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.local_packets import LocalLink
from wbridge.hal.client import native, session
from wbridge.hal.client.native import NativeRobot
from wbridge.hal.protocol.loopback import Loopback


@pytest.fixture
def attach() -> Iterator[Callable[[Loopback], NativeRobot]]:
    """Connect the API to a simulator; afterwards there is no robot again."""
    yield lambda world: native.attach(LocalLink(world, world.tcp))
    session.cleanup()
