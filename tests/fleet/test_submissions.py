"""What is taken from submissions before their programs run: files and folders, within limits."""

from __future__ import annotations

import os
import stat
import zipfile
from pathlib import Path

import pytest

from wbridge.wbfleet.grading.submissions import MOST_FILES, Submission, TooLarge, find_submissions, place

MOST = 1 << 20
PROGRAM = "print()\n"


def found(folder: Path, most: int = MOST) -> dict[str, Submission]:
    unpacked = folder.with_name("unpacked")
    unpacked.mkdir(exist_ok=True)
    return {one.name: one for one in find_submissions(folder, "cart", unpacked, most)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "submissions"
    made.mkdir()
    return made


def archive(folder: Path, *members: tuple[str | zipfile.ZipInfo, str], name: str = "ann.zip") -> None:
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as made:
        for member, text in members:
            made.writestr(member, text)


@pytest.mark.parametrize("main", ["ann.py", "cart.py", "Homework 3/ann.py", "x.py"])
def test_archives(main: str, folder: Path, tmp_path: Path):
    archive(folder, (main, PROGRAM), (f"{os.path.dirname(main)}/data/a.txt".lstrip("/"), "a"))
    (tmp_path / "copy").mkdir()
    copied = place(found(folder)["ann"], tmp_path / "copy", MOST)
    assert copied == tmp_path / "copy" / os.path.basename(main)
    assert copied.read_text() == PROGRAM
    assert (tmp_path / "copy" / "data" / "a.txt").read_text() == "a"


def test_archives_write_only_into_their_folder(folder: Path):
    link = zipfile.ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    members = (
        "../out.py",
        "/out.py",
        "a/../../out.py",
        "..\\out.py",
        "C/" * 40 + "deep.py",
        "n" * 300 + ".py",
    )
    archive(folder, ("ann.py", PROGRAM), (link, "/etc/passwd"), *((one, PROGRAM) for one in members))
    ann = found(folder)["ann"]
    assert ann.folder is not None
    assert [one.name for one in ann.folder.rglob("*")] == ["ann.py"]
    assert not list(folder.parent.rglob("out.py"))


@pytest.mark.parametrize(
    ("size", "problem"),
    [(MOST // 2, ""), (MOST + 1, "the archive contains more than 1 MB"), (200 * MOST, "contains more than")],
)
def test_archives_that_grow(size: int, problem: str, folder: Path):
    """200 MB of zeros in 0.2 MB: nothing is written beyond the limit."""
    archive(folder, ("ann.py", "#" * size))
    ann = found(folder)["ann"]
    assert problem in ann.problem
    assert (ann.file is None) == bool(problem)
    assert sum(one.stat().st_size for one in folder.with_name("unpacked").rglob("*.py")) <= MOST


def test_other_archives_that_cannot_be_used(folder: Path):
    archive(folder, *((f"{number}.txt", "") for number in range(MOST_FILES + 1)), name="many.zip")
    (folder / "none.zip").write_bytes(b"PK\x05\x06 nothing")
    (folder / "large.zip").write_bytes(os.urandom(MOST + 1))
    archive(folder, ("ann.py", PROGRAM * 100), name="torn.zip")
    content = bytearray((folder / "torn.zip").read_bytes())
    content[40:60] = bytes(20)
    (folder / "torn.zip").write_bytes(content)
    archive(folder, ("ann.py", PROGRAM), name="locked.zip")
    content = bytearray((folder / "locked.zip").read_bytes())
    for at in (6, content.index(b"PK\x01\x02") + 8):
        content[at] |= 1  # encrypted
    (folder / "locked.zip").write_bytes(content)
    problems = {name: one.problem for name, one in found(folder).items()}
    assert problems["many"] == f"the archive has more than {MOST_FILES} files"
    assert problems["large"] == "the archive has more than 1 MB"
    assert problems["none"].startswith("the archive cannot be read: ")
    assert problems["torn"].startswith("the archive cannot be read: ")
    assert problems["locked"] == "the archive is encrypted"


def test_names_that_are_no_text(folder: Path, tmp_path: Path):
    """Bytes of Latin-1, in files, folders and archives, and what controls terminals."""
    (folder / os.fsdecode(b"m\xfcller.py")).write_text(PROGRAM)
    inner = folder / os.fsdecode(b"k\xf6nig")
    inner.mkdir()
    (inner / os.fsdecode(b"k\xf6nig.py")).write_text(PROGRAM)
    (inner / os.fsdecode(b"\xff.txt")).write_text("a")
    archive(folder, (os.fsdecode(b"ann.py"), PROGRAM), name=os.fsdecode(b"\xe9.zip"))
    (folder / "red\x1b[31m\u202e.py").write_text(PROGRAM)
    submissions = found(folder)
    assert list(submissions) == ["\\xe9", "k\\xf6nig", "m\\xfcller", "red\\x1b[31m\\x202e"]
    for number, one in enumerate(submissions.values()):
        copy = tmp_path / str(number)
        copy.mkdir()
        program = place(one, copy, MOST)
        assert program.read_text() == PROGRAM
        assert program.name.isprintable()
    assert (tmp_path / "1" / os.fsdecode(b"\xff.txt")).read_text() == "a"


def test_submissions_of_the_same_name_are_told_apart(folder: Path):
    (folder / "ann.py").write_text(PROGRAM)
    archive(folder, ("ann.py", PROGRAM))
    (folder / "ann").mkdir()
    assert list(found(folder)) == ["ann", "ann.py", "ann.zip"]


def test_a_repository_of_a_project_is_a_submission(folder: Path, tmp_path: Path):
    program = folder / "ann" / "controllers" / "cart" / "cart.py"
    program.parent.mkdir(parents=True)
    program.write_text(PROGRAM)
    (folder / "ann" / ".git").mkdir()
    (program.parent / ".git").write_text("gitdir: elsewhere")
    submission = found(folder)["ann"]
    assert submission.file == program
    (tmp_path / "copy").mkdir()
    assert place(submission, tmp_path / "copy", MOST).read_text() == PROGRAM
    assert [one.name for one in (tmp_path / "copy").iterdir()] == ["cart.py"]


@pytest.mark.parametrize("link", ["controllers", "controllers/cart"])
def test_a_project_of_links_is_no_submission(link: str, folder: Path):
    """The program of another student stays with this one."""
    program = folder / "ben" / "controllers" / "cart" / "cart.py"
    program.parent.mkdir(parents=True)
    program.write_text(PROGRAM)
    place_of_link = folder / "ann" / link
    place_of_link.parent.mkdir(parents=True)
    place_of_link.symlink_to(folder / "ben" / link)
    submissions = found(folder)
    assert submissions["ann"].file is None and submissions["ben"].file == program


def test_only_files_and_folders_are_copied(folder: Path, tmp_path: Path):
    ann = folder / "ann"
    (ann / "data").mkdir(parents=True)
    (ann / "ann.py").write_text(PROGRAM)
    (ann / "ann.py").chmod(0o6755)
    (ann / "link.py").symlink_to("/etc/passwd")
    (ann / "all").symlink_to("/")
    os.mkfifo(ann / "runtime.ini")
    (tmp_path / "copy").mkdir()
    program = place(found(folder)["ann"], tmp_path / "copy", MOST)
    assert sorted(one.name for one in (tmp_path / "copy").iterdir()) == ["ann.py", "data"]
    assert program.stat().st_mode & 0o7777 == 0o711


def test_large_submissions_are_refused(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    few = 100
    monkeypatch.setattr("wbridge.wbfleet.grading.submissions.MOST_FILES", few)
    (folder / "ann.py").write_bytes(b"#" * (MOST + 1))
    (folder / "bob").mkdir()
    for number in range(few + 1):
        (folder / "bob" / f"{number}.txt").touch()
    (folder / "bob" / "bob.py").touch()
    for name, problem in (("ann", "it is larger than 1 MB"), ("bob", f"it has more than {few} files")):
        (tmp_path / name).mkdir()
        with pytest.raises(TooLarge, match=problem):
            place(found(folder)[name], tmp_path / name, MOST)
