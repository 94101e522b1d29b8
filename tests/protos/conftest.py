"""Facts about models that worlds name often."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

INTERFACES = Path(__file__).with_name("interfaces.json")


@pytest.fixture(scope="session")
def facts() -> dict[str, Any]:
    """The interfaces of models by their names: base node, fields with types and defaults, devices."""
    found: dict[str, Any] = json.loads(INTERFACES.read_text(encoding="utf-8"))
    return found
