"""The programs to grade: files, folders or ZIP archives in one folder, by the names of their authors."""

from __future__ import annotations

import os
import stat
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from wbridge.wbcore.scene.diagnostics import printable
from wbridge.wbfleet.grading.archives import ArchiveError, unpack

SUFFIX, ARCHIVE = ".py", ".zip"
PROGRAMS, HISTORY = "controllers", ".git"
"""Folder of a project with its programs, and of a repository with its history, which is not copied."""
MAIN = "submission.py"
"""Name of the copy of a main program whose own name is no text in UTF-8, which controllers need."""
MOST_FILES = 5000
"""Files and folders of a submission."""
CHUNK = 1 << 20
MEGABYTE = 1 << 20


class TooLarge(OSError):
    """Raised when a submission is larger than what it may write."""


class Submission(NamedTuple):
    """A program, or why there is none."""

    name: str
    """Of the file or folder, without suffix, as it can be printed."""
    file: Path | None
    """The main program; None if it cannot be found."""
    problem: str = ""
    folder: Path | None = None
    """What belongs to it; None: only the main program."""


def find_submissions(folder: Path, controller: str, unpacked: Path, most_bytes: int) -> list[Submission]:
    """Return the submissions in a folder, ordered by name.

    A Python file is a submission. So is a folder, and a ZIP archive with one; the main program is named like
    the folder or archive or like the world's controller, or is its only Python file. In a project, for
    example a repository, it is in the folder of the world's controller. Links, hidden files and other files
    are ignored.

    Args:
        folder: with the submissions.
        controller: name of the controller in the world.
        unpacked: an empty folder for what is in archives.
        most_bytes: maximum size of the content of an archive.

    Raises:
        OSError: the folder cannot be read.
    """
    entries = [
        file for file in folder.iterdir() if not file.name.startswith((".", "__")) and not file.is_symlink()
    ]
    found = [
        (entry.name, Submission(shown_name(entry.stem), entry))
        for entry in entries
        if entry.is_file() and entry.suffix == SUFFIX
    ]
    found += [(entry.name, _in_folder(entry, entry.name, controller)) for entry in entries if entry.is_dir()]
    archives = sorted(entry for entry in entries if entry.is_file() and entry.suffix.lower() == ARCHIVE)
    for number, archive in enumerate(archives):
        found.append((archive.name, _in_archive(archive, controller, unpacked / str(number), most_bytes)))
    return _sorted(found)


def _sorted(listed: list[tuple[str, Submission]]) -> list[Submission]:
    """Return submissions by their names; those of the same name get that of their file."""
    count = Counter(submission.name for _, submission in listed)
    named = [
        submission._replace(name=shown_name(file)) if count[submission.name] > 1 else submission
        for file, submission in listed
    ]
    return sorted(named, key=lambda submission: submission.name)


def shown_name(name: str) -> str:
    """Return a file's name as it can be printed: characters that control terminals, and bytes that are no
    text in UTF-8, as numbers."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in printable(text)
    )


def _in_archive(archive: Path, controller: str, folder: Path, most_bytes: int) -> Submission:
    try:
        unpack(archive, folder, most_bytes, MOST_FILES)
        content = list(folder.iterdir())
        if len(content) == 1 and content[0].is_dir():
            folder = content[0]
        return _in_folder(folder, archive.stem, controller)
    except ArchiveError as problem:
        return Submission(shown_name(archive.stem), None, str(problem))


def _in_folder(folder: Path, own_name: str, controller: str) -> Submission:
    name = shown_name(own_name)
    wanted = list(dict.fromkeys(f"{stem}{SUFFIX}" for stem in (own_name, folder.name, controller) if stem))
    for expected_name in wanted:
        if _is_own_file(folder / expected_name):
            return Submission(name, folder / expected_name, "", folder)
    try:
        files = sorted(file for file in folder.glob(f"*{SUFFIX}") if _is_own_file(file))
    except OSError as problem:
        return Submission(name, None, f"the folder cannot be read: {problem.strerror}")
    if len(files) == 1:
        return Submission(name, files[0], "", folder)
    own = folder / PROGRAMS / controller
    is_own = not (own.is_symlink() or own.parent.is_symlink())  # what a link leads to is no part of it
    if not files and controller and is_own and own.is_dir():
        return _in_folder(own, controller, controller)._replace(name=name)
    listed = (
        f"found {', '.join(shown_name(file.name) for file in files)}" if files else "found no Python file"
    )
    expected = " or ".join(shown_name(name) for name in wanted)
    return Submission(name, None, f"no main program: expected {expected} or a single Python file; {listed}")


def _is_own_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def place(submission: Submission, folder: Path, most_bytes: int) -> Path:
    """Copy a submission into an empty folder; return its main program.

    Only files and folders are copied: neither links, whose goals are no part of the submission, nor devices,
    pipes and sockets, nor the rights to run as somebody else.

    Args:
        submission: with a main program.
        folder: where the copy is made.
        most_bytes: maximum size of the copy.

    Raises:
        TooLarge: the submission is larger, or has too many files.
        OSError: it cannot be copied.
    """
    assert submission.file is not None, "there is a program"
    main = folder / _main_name(submission.file.name)
    copy = _Copy(most_bytes)
    if submission.folder is None:
        copy.file(submission.file, main)
        return main
    copy.folder(submission.folder, folder)
    copied = folder / submission.file.name
    if copied != main:
        copied.rename(main)
    return main


def _main_name(name: str) -> str:
    return name if name.isprintable() else MAIN


class _Copy:
    """Copies files and folders up to a limit."""

    def __init__(self, most_bytes: int) -> None:
        self._left, self._most_bytes, self._files = most_bytes, most_bytes, 0

    def folder(self, source: Path, target: Path) -> None:
        """Copy the content of a folder into an existing one."""
        waiting = [(source, target)]
        while waiting:
            inside, outside = waiting.pop()
            with os.scandir(inside) as entries:
                for entry in entries:
                    if entry.name == HISTORY:
                        continue
                    self._count()
                    goal = outside / entry.name
                    if entry.is_dir(follow_symlinks=False):
                        goal.mkdir()
                        waiting.append((Path(entry.path), goal))
                    elif entry.is_file(follow_symlinks=False):
                        self.file(Path(entry.path), goal)

    def _count(self) -> None:
        self._files += 1
        if self._files > MOST_FILES:
            raise TooLarge(f"it has more than {MOST_FILES} files")

    def file(self, source: Path, target: Path) -> None:
        """Copy a regular file; what was put in its place meanwhile is not opened."""
        place = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(place, "rb") as content, target.open("xb") as copied:
            about = os.fstat(place)
            if not stat.S_ISREG(about.st_mode):
                return
            while chunk := content.read(CHUNK):
                self._left -= len(chunk)
                if self._left < 0:
                    raise TooLarge(f"it is larger than {self._most_bytes // MEGABYTE} MB")
                copied.write(chunk)
            os.chmod(target, 0o600 | about.st_mode & 0o111)
