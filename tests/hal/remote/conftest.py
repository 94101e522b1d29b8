"""Plugins run in the tests' own process, where the tests look into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.remote.between import Between
from wbridge.hal.client import session
from wbridge.hal.protocol.loopback import Loopback


@pytest.fixture(autouse=True)
def unguarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """No guard; tests of guards set the variable themselves."""
    monkeypatch.setenv("WBRIDGE_REMOTE_GUARD", "off")


@pytest.fixture
def attach() -> Iterator[Callable[[Loopback], Between]]:
    """Connect a controller by a gateway; afterwards there is no robot again."""
    yield Between
    session.cleanup()
