"""The table of docs/moving-from-webots.md: where the manual of 8.3.1 and Webots differ."""

from __future__ import annotations

import ast
import re

import pytest

from tests.conftest import CHECKOUT

PAGE = (CHECKOUT / "docs" / "moving-from-webots.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Where the manual of 8.3.1 and Webots differ")[2].partition("\n## ")[0]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in SECTION.splitlines()
    if line.startswith("| ") and not line.startswith("| subject")
]
SUBJECTS = (
    *("Charger", "step", "directionNoise", "GPS positions", "GPS speed", "resolution"),
    *("polygon", "yaw", "maxSpeed"),
)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_row_names_a_test_that_exists(row: list[str]):
    assert len(row) == 6
    *_, named = row
    match = re.fullmatch(r"`(tests/[\w/]+\.py)::(test_\w+)`", named)
    assert match is not None, named
    tree = ast.parse((CHECKOUT / match[1]).read_text(encoding="utf-8"))
    assert match[2] in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_known_differences_have_a_row(subject: str):
    assert any(subject in row[0] for row in ROWS)
