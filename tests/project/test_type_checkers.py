"""An example project that imports every public name, read by pyright and mypy with their strictest settings.

Public are the names of `wbridge`, `controller` and `vehicle`, and those that a page of docs/ imports.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import controller
import vehicle
import wbridge
from tests.conftest import require_tool
from tests.project.files import CHECKOUT

pytestmark = pytest.mark.types

BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
ROOTS = ("wbridge", "controller", "vehicle")
FEWEST = 120
"""Fewer names mean that this test does not find them any more."""


def _of_pages() -> set[tuple[str, str]]:
    """Modules and the names that the pages of docs/ import from them."""
    names = set()
    for page in (CHECKOUT / "docs").glob("*.md"):
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            try:
                tree = ast.parse(block)
            except SyntaxError:
                continue  # a part of a program
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ROOTS:
                    names |= {(node.module, each.name) for each in node.names if each.name != "*"}
    return names


def _public() -> list[tuple[str, str]]:
    own = {(module.__name__, name) for module in (wbridge, controller, vehicle) for name in module.__all__}
    return sorted(own | _of_pages())


def _use(name: str, value: object) -> str:
    """A line with an error for a checker that does not know the name: a class is used as a type."""
    return f"{name}_: list[{name}] = []" if isinstance(value, type) else f"{name}_ = {name}"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose only program imports each name, and gives it to a variable."""
    names = list(enumerate(_public()))
    assert len(names) >= FEWEST
    lines = [f"from {module} import {name} as name_{i}" for i, (module, name) in names]
    lines += [_use(f"name_{i}", getattr(import_module(module), name)) for i, (module, name) in names]
    folder = tmp_path_factory.mktemp("project")
    (folder / "names.py").write_text("\n".join(lines))
    return folder


def test_pyright_knows_the_type_of_every_public_name(project: Path):
    require_tool("node", "pyright runs on it")
    settings = {"include": ["names.py"], "extraPaths": [str(CHECKOUT / "src")], "typeCheckingMode": "strict"}
    (project / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_knows_the_type_of_every_public_name(project: Path):
    options = ["--strict", "--follow-imports=silent", "--cache-dir=cache"]
    command = [sys.executable, "-m", "mypy", *options, "names.py"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
