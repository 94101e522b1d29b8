"""Fetching the corpus: from a local clone, whole or not at all, and only files that belong to scenes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scripts import corpus
from scripts.corpus import Corpus, CorpusError, Project, World, corpus_folder, put, read_list
from tests.conftest import require_tool


def git(folder: Path, *arguments: str) -> str:
    name = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *name, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    """A folder with a clone ann+robot that has two commits."""
    require_tool("git", "the corpus is fetched with it")
    clone = tmp_path / "mirror" / "ann+robot"
    (clone / "worlds").mkdir(parents=True)
    git(clone, "init", "-q")
    (clone / "worlds" / "a.wbt").write_text("#VRML_SIM R2023b utf8\nGroup { }\n")
    (clone / "worlds" / "large.png").write_bytes(b"x" * 2000)
    (clone / "worlds" / "Ü b.proto").write_text("PROTO\n")
    (clone / "controller.py").write_text("print()\n")
    (clone / "link.wbt").symlink_to("/etc/passwd")
    git(clone, "add", ".")
    git(clone, "commit", "-qm", "first")
    (clone / "worlds" / "a.wbt").write_text("changed\n")
    git(clone, "commit", "-qam", "second")
    return clone.parent


def project(mirror: Path, commit: str) -> Project:
    full = git(mirror / "ann+robot", "rev-parse", commit)
    return Project("ann/robot", full, "ann+robot", (World("worlds/a.wbt", "R2023b"),))


@pytest.fixture
def listed() -> Corpus:
    return Corpus("https://example.org", (".wbt", ".proto", ".png"), 1000)


def found(folder: Path) -> set[str]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != corpus.STAMP)
    return {str(path.relative_to(folder)) for path in files}


def test_files_of_scenes_are_taken_from_the_named_commit(mirror: Path, listed: Corpus, tmp_path: Path):
    assert put(project(mirror, "HEAD~1"), listed, tmp_path / "out", mirror)
    assert found(tmp_path / "out") == {"ann+robot/worlds/a.wbt", "ann+robot/worlds/Ü b.proto"}
    assert (tmp_path / "out/ann+robot/worlds/a.wbt").read_text().startswith("#VRML_SIM")


def test_a_project_that_is_there_is_left_alone(mirror: Path, listed: Corpus, tmp_path: Path):
    put(project(mirror, "HEAD"), listed, tmp_path / "out", mirror)
    (tmp_path / "out/ann+robot/worlds/a.wbt").write_text("mine")
    assert not put(project(mirror, "HEAD"), listed, tmp_path / "out", mirror)
    assert (tmp_path / "out/ann+robot/worlds/a.wbt").read_text() == "mine"
    assert put(project(mirror, "HEAD~1"), listed, tmp_path / "out", mirror)
    assert (tmp_path / "out/ann+robot/worlds/a.wbt").read_text().startswith("#VRML_SIM")


@pytest.mark.parametrize(("name", "commit"), [("ann/nothing", "HEAD"), ("ann/robot", "0" * 40)])
def test_what_can_not_be_had_leaves_nothing_behind(
    name: str, commit: str, mirror: Path, listed: Corpus, tmp_path: Path
):
    wanted = Project(name, commit, "folder", ())
    with pytest.raises(CorpusError):
        put(wanted, listed, tmp_path / "out", mirror)
    assert list((tmp_path / "out").iterdir()) == []


def test_without_a_mirror_the_host_is_asked_for_one_commit(mirror: Path, listed: Corpus, tmp_path: Path):
    git(mirror, "clone", "-q", "--bare", "ann+robot", "ann/robot.git")
    git(mirror / "ann/robot.git", "config", "uploadpack.allowAnySHA1InWant", "true")
    host = Corpus(mirror.as_uri(), listed.suffixes, listed.limit)
    assert put(project(mirror, "HEAD~1"), host, tmp_path / "out")
    assert "ann+robot/worlds/a.wbt" in found(tmp_path / "out")


def test_the_folder_is_chosen_by_a_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("WBRIDGE_CORPUS", str(tmp_path))
    assert corpus_folder() == tmp_path
    monkeypatch.delenv("WBRIDGE_CORPUS")
    assert corpus_folder() == Path.home() / ".cache" / "wbridge" / "corpus"


def test_a_failed_project_is_told_and_others_are_fetched(
    mirror: Path,
    listed: Corpus,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    projects = (Project("ann/nothing", "HEAD", "nothing", ()), project(mirror, "HEAD"))
    both = Corpus(listed.host, listed.suffixes, listed.limit, projects)
    monkeypatch.setattr(corpus, "read_list", lambda path: both)
    assert corpus.main(["--folder", str(tmp_path / "out"), "--mirror", str(mirror)]) == 1
    said = capsys.readouterr()
    assert "no clone named ann+nothing" in said.err
    assert "1 projects, 1 worlds" in said.out


def test_the_list_is_well_formed():
    listed = read_list()
    folders = [one.folder for one in listed.projects]
    assert len(set(folders)) == len(folders)
    for one in listed.projects:
        assert len(one.commit) == 40
        assert all(fault.why for fault in one.faults)
