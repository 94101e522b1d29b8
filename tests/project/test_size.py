"""Lines are counted as they stand, apart from generated files, models, data and copies of libraries."""

from __future__ import annotations

import subprocess
from pathlib import Path, PurePosixPath

import pytest

from scripts import size

FILES = {
    "wbcore/a.py": "x = 1\n\n# why\n",
    "wbcore/made.py": '"""Written by scripts/generate_schema.py."""\n',
    "robot_windows/vendor/three.js": "1\n2\n",
    "firmware_templates/driver.c.j2": "a;\nb;",
    "protos/Robot.proto": "PROTO Robot []\n{\n}\n",
    "docs/page.md": "text\n",
    "README.md": "text\n",
}
LINES = {"wbcore": 3, "generated": 1, "firmware_templates": 2, "models": 3}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with one commit."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "Add all")
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def test_lines_count_in_the_wing_of_their_folder(checkout: Path):
    assert size.count(size.working_tree(checkout)) == LINES


def test_a_version_counts_as_its_files_did(checkout: Path):
    (checkout / "wbcore/new.py").write_text("y = 2\n", encoding="utf-8")
    assert size.count(size.version("HEAD", checkout)) == LINES
    assert size.count(size.working_tree(checkout))["wbcore"] == LINES["wbcore"] + 1


def test_a_wing_above_its_budget_is_named_with_what_to_do():
    (message,) = size.excess({"hal": 12, "wbcore": 5}, {"hal": 10, "wbcore": 5})
    assert message.startswith("hal: 12 lines; allowed: 10. ")
    assert "scripts/size.toml" in message


def test_a_wing_without_a_budget_is_named():
    assert size.excess({"new": 1}, {}) == ["new: 1 lines, no budget; add it to scripts/size.toml"]


def test_every_wing_of_this_project_has_a_budget():
    names = {size.wing(path, content) for path, content in size.working_tree()} - {None}
    assert names == set(size.budget())


def test_a_generated_file_is_known_by_its_head():
    assert (
        size.wing(PurePosixPath("hal/x.py"), b"# By hand.\n" + b"\n" * 500 + b"by scripts/generate_x.py")
        == "hal"
    )
