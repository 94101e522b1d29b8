"""What all tests of devices share: worlds from text with robots that the real client drives."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.devices.rig import Rig
from wbridge.hal.client import session


@pytest.fixture
def drive() -> Callable[..., Rig]:
    """Make a rig from a world's text: `drive(world(robot(...)))`."""
    return Rig


@pytest.fixture
def api() -> Iterator[Callable[[Rig], None]]:
    """Let the functions `wb_*` and the classes of `wbridge.hal.controller` mean the first robot of a rig."""

    def use(rig: Rig) -> None:
        session.activate(rig.client)

    yield use
    session.activate(None)
