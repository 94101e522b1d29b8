"""What files know of each other stays small enough to be read at once (see scripts/house.py).

The bounds are the project's own: a circle of imports is understood only as a whole, so no more than 8 files
form one; imports inside functions hide what a file knows, so each says what start-up time it saves.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from scripts.house import ROOT, circles, imports

LARGEST_CIRCLE = 8
HOLDS_IN = "hal"
"""The part of the house for which the bounds hold."""


def test_no_circle_of_imports_has_over_8_files():
    found = [group for group in circles(imports()) if any(one.startswith(f"{HOLDS_IN}.") for one in group)]
    assert [group for group in found if len(group) > LARGEST_CIRCLE] == []


def test_imports_in_functions_say_what_start_up_they_save():
    files = sorted((ROOT / HOLDS_IN).rglob("*.py"))
    assert [place for file in files for place in unexplained(file)] == []


def unexplained(file: Path) -> Iterator[str]:
    """Imports inside functions whose line has no comment on start-up."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    functions = [one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.FunctionDef)]
    for one in (inner for function in functions for inner in ast.walk(function)):
        if isinstance(one, ast.Import | ast.ImportFrom) and "# start-up" not in lines[one.lineno - 1]:
            yield f"{file.relative_to(ROOT)}:{one.lineno}"
