"""What tests of controllers share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.controllers.project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project."""
    return Project(tmp_path / "project")
