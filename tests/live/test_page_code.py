"""The code of a project that a person changes in a page.

Judge: the files, and Python's reader of zip archives.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from wbridge.live.in_page import change
from wbridge.live.page_code import ProjectCode


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in (
        "worlds/a.wbt",
        "controllers/mine/mine.py",
        "controllers/mine/help.py",
        "controllers/other/other.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


def code_of(
    project: Path, started: list[str], names: tuple[str, ...] = ("mine", "mine", "<none>")
) -> ProjectCode:
    return ProjectCode(project / "worlds" / "a.wbt", names, [project], started.append)


def test_files_of_the_robots_controllers_are_listed_once(project):
    assert json.loads(code_of(project, []).files()) == [
        "controllers/mine/help.py",
        "controllers/mine/mine.py",
    ]


def test_a_change_starts_the_controller_again(project):
    started: list[str] = []
    code = code_of(project, started)
    code.write("controllers/mine/help.py", "x = 'é'\n")
    assert code.read("controllers/mine/help.py") == "x = 'é'\n"
    assert started == ["mine"]


@pytest.mark.parametrize("name", ["worlds/a.wbt", "../out.py", "controllers/other/other.py", "/etc/passwd"])
def test_other_files_are_not_changed(name, project):
    code = code_of(project, [])
    with pytest.raises(ValueError, match="not a controller's file"):
        code.write(name, "")
    with pytest.raises(ValueError, match="not a controller's file"):
        code.read(name)


def test_the_archive_holds_the_project(project):
    (project / "controllers" / "mine" / "__pycache__").mkdir()
    (project / "controllers" / "mine" / "__pycache__" / "mine.pyc").write_bytes(b"")
    code = code_of(project, [])
    code.write("controllers/mine/mine.py", "changed")
    archive = zipfile.ZipFile(io.BytesIO(code.archive()))
    assert archive.testzip() is None
    assert archive.read("controllers/mine/mine.py") == b"changed"
    assert sorted(archive.namelist()) == [
        *(
            "controllers/mine/help.py",
            "controllers/mine/mine.py",
            "controllers/other/other.py",
            "worlds/a.wbt",
        ),
    ]


def test_kept_changes_are_made_only_to_files_of_the_project(project):
    change(str(project), "controllers/mine/mine.py", "kept")
    change(str(project), "controllers/mine/gone.py", "kept")
    change(str(project), "../../out.py", "kept")
    assert (project / "controllers" / "mine" / "mine.py").read_text() == "kept"
    assert not list(project.rglob("gone.py"))
    assert not (project.parent.parent / "out.py").exists()
