"""Arrows between the packages run downward only."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.files import CHECKOUT

RULE = """
[tool.importlinter]
root_packages = ["upper", "lower"]
contract_types = ["allowed: scripts.import_contract.AllowedImports"]

[[tool.importlinter.contracts]]
name = "upper stands on lower.door"
type = "allowed"
source = "upper"
allowed = ["lower.door"]
"""


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of the pyproject.toml in a folder."""
    code = (
        f"import sys; sys.path[:0] = [{str(folder)!r}, {str(CHECKOUT)!r}]\n"
        "from importlinter.cli import lint_imports\n"
        "sys.exit(lint_imports(no_cache=True))"
    )
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )


def project(folder: Path, upper: str) -> Path:
    """A project of two packages, the upper one with the given text."""
    (folder / "pyproject.toml").write_text(RULE)
    for package in ("upper", "lower"):
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text("")
    for module in ("door", "doors", "cellar"):
        (folder / "lower" / f"{module}.py").write_text("")
    (folder / "upper" / "one.py").write_text(upper)
    return folder


def test_the_contracts_of_the_project_hold():
    done = lint(CHECKOUT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "upper", ["import lower.door", "from lower import door", "import upper", "import json"]
)
def test_the_contract_lets_allowed_imports_pass(tmp_path: Path, upper: str):
    assert lint(project(tmp_path, upper)).returncode == 0


@pytest.mark.parametrize(
    "upper", ["import lower.cellar", "import lower.doors", "def f():\n    import lower.cellar"]
)
def test_the_contract_finds_other_imports_and_says_what_is_allowed(tmp_path: Path, upper: str):
    done = lint(project(tmp_path, upper))
    assert done.returncode == 1
    assert "upper.one:" in done.stdout
    assert "upper may import: lower.door" in done.stdout
