"""The specification's facts about models."""

from __future__ import annotations

import json

import pytest

from tests.conftest import absent
from tests.project.test_generated import specification


@pytest.fixture(scope="session")
def facts() -> dict:
    """What protos.json tells, by the name of the model."""
    path = specification() / "protos.json"
    if not path.is_file():
        absent("the specification is absent; name its folder in WBRIDGE_SPEC")
    found = json.loads(path.read_text(encoding="utf-8"))["protos"]
    return found if isinstance(found, dict) else {one["name"]: one for one in found}
