"""What files know of each other stays small enough to be read at once (see scripts/house.py).

The bounds are the project's own: a circle of imports is understood only as a whole, so no more than 6 files
form one; imports inside functions hide what a file knows, so each says what start-up time it saves, or which
circle it breaks.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scripts.house import PACKAGES, ROOT, Graph, circles, floors, imports, statements
from tests.project.files import tracked

LARGEST_CIRCLE = 6
MOST_FLOORS = {"wbridge.wbcore": 9, "wbridge.hal": 7}
"""Of hal, more than before: remote control is below the clients, and not in a circle of imports with them."""
REASONS = ("# start-up: ", "# circle: ")
INDENTED = re.compile(r"^[ \t]+.*\bimport\b", re.MULTILINE)
"""Only texts with such a line can have an import inside a function: the others are not parsed."""
VERBS = ("wbridge/commands/", "wbridge/running/")
"""Each verb loads what it runs when it runs: `--help` and the other verbs must not wait 0.4 s for physics.

tests/project/test_startup.py holds the verbs to that, so these lines need no reason of their own.
"""


@cache
def graph() -> Graph:
    """The imports of the whole project, read once."""
    return imports()


def test_no_circle_of_imports_has_over_6_files():
    assert [group for group in circles(graph()) if len(group) > LARGEST_CIRCLE] == []


def test_packages_have_no_more_floors_than_allowed():
    assert {
        package: found
        for package, most in MOST_FLOORS.items()
        if (found := max(floors(graph(), package).values())) > most
    } == {}


def test_imports_in_functions_say_why_they_stand_there():
    files = (file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py")))
    assert [place for file in files for place in unexplained(file) if not place.startswith(VERBS)] == []


def unexplained(file: Path) -> Iterator[str]:
    """Imports inside functions whose line has no comment with a reason."""
    text = file.read_text(encoding="utf-8")
    if not INDENTED.search(text):
        return
    lines = text.splitlines()
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    functions = [one for one in statements(ast.parse(text)) if isinstance(one, kinds)]
    for one in (inner for function in functions for inner in statements(function)):
        if isinstance(one, ast.Import | ast.ImportFrom) and not any(
            reason in line for line in lines[one.lineno - 1 : one.end_lineno] for reason in REASONS
        ):
            yield f"{file.relative_to(ROOT)}:{one.lineno}"


def test_the_root_holds_only_what_it_is_known_for():
    """A file that a run left in the checkout by chance is not committed with the work."""
    found = {str(file) for file in tracked() if len(file.parts) == 1}
    assert found == {
        ".clang-format",
        ".clang-tidy",
        ".editorconfig",
        ".gitignore",
        "CHANGELOG.md",
        "CITATION.cff",
        "CMakeLists.txt",
        "CONTRIBUTING.md",
        "LICENSE",
        "Makefile",
        "mkdocs.yml",
        "README.md",
        "SECURITY.md",
        "pyproject.toml",
    }
