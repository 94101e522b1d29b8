"""Controllers against the simulator inside the program, and against one in another process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hal.modes import session
from hal.modes.robot import Robot
from hal.protocol.loopback import Loopback
from tests.conftest import CHECKOUT, absent


@pytest.fixture
def attach() -> Iterator[Callable[[Loopback], Robot]]:
    """Connect the API to a simulator; afterwards there is no robot again."""
    yield session.attach
    session.activate(None)


@pytest.fixture
def fake_simulator() -> Path:
    """A simulator that official clients accept; its folder is named in WBRIDGE_SHARED, else ../shared."""
    named = os.environ.get("WBRIDGE_SHARED")
    path = (Path(named) if named else CHECKOUT.parent / "shared") / "lab" / "fake_simulator.py"
    if not path.is_file():
        absent("the example simulator is absent; name the folder that holds lab/ in WBRIDGE_SHARED")
    return path
