"""Controllers against the simulator inside the program, and against one in another process."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from wbridge.hal.modes import session
from wbridge.hal.modes.robot import RobotHandle
from wbridge.hal.protocol.loopback import Loopback


@pytest.fixture
def attach() -> Iterator[Callable[[Loopback], RobotHandle]]:
    """Connect the API to a simulator; afterwards there is no robot again."""
    yield session.attach
    session.activate(None)
