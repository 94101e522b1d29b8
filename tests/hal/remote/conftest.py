"""Plugins run in the tests' own process, where the tests look into them."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def unguarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """No guard; tests of guards set the variable themselves."""
    monkeypatch.setenv("WBRIDGE_REMOTE_GUARD", "off")
