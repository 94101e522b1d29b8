"""Download the public worlds listed in tests/corpus/worlds.toml into a folder, for the tests that read them.

    python -m scripts.corpus [--list FILE] [--folder FOLDER] [--mirror FOLDER]

The folder is that of the variable WBRIDGE_CORPUS, else ~/.cache/wbridge/corpus. Projects already at the
listed commit are skipped. `--mirror` names a folder with clones (bare or not) called owner+name, which are
used instead of the network.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CHECKOUT = Path(__file__).resolve().parent.parent
LIST = CHECKOUT / "tests" / "corpus" / "worlds.toml"
STAMP = ".corpus.json"


@dataclass(frozen=True)
class Fault:
    """An error in a project's file: its path in the project, line from 1, code, the reason."""

    file: str
    line: int
    code: str
    why: str


@dataclass(frozen=True)
class World:
    """One world file of a project: its path in the project and its header's version ("" without a header)."""

    path: str
    header: str


@dataclass(frozen=True)
class Project:
    """A public repository at one commit."""

    repository: str
    commit: str
    folder: str
    worlds: tuple[World, ...]
    faults: tuple[Fault, ...] = ()
    license: str = ""

    @property
    def mirror_name(self) -> str:
        """Name of its clone in a mirror folder."""
        return self.repository.replace("/", "+", 1)


@dataclass(frozen=True)
class Corpus:
    """The whole list: the host of the projects, the files to fetch (by suffix or name, up to `limit` bytes),
    and the projects."""

    host: str
    suffixes: tuple[str, ...]
    limit: int
    projects: tuple[Project, ...] = field(default_factory=tuple)


class CorpusError(Exception):
    """Raised when a project cannot be fetched."""


def read_list(path: Path = LIST) -> Corpus:
    """Read the list of public worlds.

    Raises:
        OSError, tomllib.TOMLDecodeError, KeyError: the list cannot be read.
    """
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    projects = tuple(_project(one) for one in data["project"])
    return Corpus(data["host"], tuple(data["suffixes"]), data["limit"], projects)


def _project(data: dict[str, Any]) -> Project:
    return Project(
        repository=data["repository"],
        commit=data["commit"],
        folder=data.get("folder", data["repository"].replace("/", "+", 1)),
        worlds=tuple(World(**one) for one in data["worlds"]),
        faults=tuple(Fault(**one) for one in data.get("faults", ())),
        license=data.get("license", ""),
    )


def corpus_folder() -> Path:
    """Return the folder of the corpus on this machine, whether it exists or not."""
    named = os.environ.get("WBRIDGE_CORPUS")
    return Path(named) if named else Path.home() / ".cache" / "wbridge" / "corpus"


def put(project: Project, corpus: Corpus, folder: Path, mirror: Path | None = None) -> bool:
    """Fetch one project into the folder; return False if it was there already.

    Raises:
        CorpusError: the mirror lacks it, or git failed; the message gives the reason.
    """
    target = folder / project.folder
    stamp = {"commit": project.commit, "suffixes": list(corpus.suffixes), "limit": corpus.limit}
    if _stamp(target) == stamp:
        return False
    part = folder / (project.folder + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            git_dir = _mirrored(project, mirror) if mirror else _fetched(project, corpus.host, Path(scratch))
            extract(git_dir, project.commit, part, corpus)
        (part / STAMP).write_text(json.dumps(stamp), encoding="utf-8")
        shutil.rmtree(target, ignore_errors=True)
        part.rename(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return True


def _stamp(target: Path) -> Any:
    try:
        return json.loads((target / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _mirrored(project: Project, mirror: Path) -> Path:
    """Return the git directory of a project's clone, which may be up to two folders deep."""
    clone = mirror / project.mirror_name
    for pattern in ("HEAD", "*/HEAD", "*/*/HEAD"):
        for head in sorted(clone.glob(pattern)):
            if (head.parent / "objects").is_dir():
                return head.parent
    raise CorpusError(f"{mirror} has no clone named {project.mirror_name}")


def _fetched(project: Project, host: str, scratch: Path) -> Path:
    _git(scratch, "init", "--quiet", "--bare")
    _git(scratch, "fetch", "--quiet", "--depth", "1", f"{host}/{project.repository}.git", project.commit)
    return scratch


def _git(git_dir: Path, *arguments: str, text: bytes = b"") -> bytes:
    # git must neither ask for a password nor run commands configured in a repository.
    env = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "GIT_NO_LAZY_FETCH": "1"}
    command = ["git", "--git-dir", str(git_dir), "-c", "core.hooksPath=/dev/null", *arguments]
    done = subprocess.run(command, input=text, capture_output=True, env=env, check=False)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise CorpusError(f"git {arguments[0]} failed: {said}")
    return done.stdout


def extract(git_dir: Path, commit: str, target: Path, corpus: Corpus) -> int:
    """Write the files of a commit that belong to the corpus; return their number.

    Raises:
        CorpusError: git failed, for example because the commit is absent.
    """
    entries = list(_entries(git_dir, commit, corpus))
    ids = "".join(f"{blob}\n" for blob, _ in entries).encode()
    stream = _git(git_dir, "cat-file", "--batch", text=ids)
    at = count = 0
    for _, path in entries:
        end = stream.index(b"\n", at)
        words = stream[at:end].split()
        at = end + 1
        if words[-1] == b"missing":
            continue
        size = int(words[2])
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(stream[at : at + size])
        at += size + 1
        count += 1
    return count


def _entries(git_dir: Path, commit: str, corpus: Corpus) -> Iterator[tuple[str, PurePosixPath]]:
    """Return blob and path of each wanted file. Links and paths outside of the repository are skipped."""
    for line in _git(git_dir, "ls-tree", "-r", "-l", "-z", commit).split(b"\0"):
        if not line:
            continue
        meta, _, name = line.partition(b"\t")
        mode, _, blob, size = meta.decode().split()
        path = PurePosixPath(name.decode("utf-8", "replace"))
        safe = mode.startswith("100") and not path.is_absolute() and ".." not in path.parts
        wanted = path.suffix.lower() in corpus.suffixes or path.name in corpus.suffixes
        if safe and wanted and size.isdigit() and int(size) <= corpus.limit:
            yield blob, path


def main(arguments: list[str] | None = None) -> int:
    """Fetch the corpus; the exit code is 1 if a project could not be fetched."""
    parser = argparse.ArgumentParser(description="fetch the public worlds that the tests read")
    parser.add_argument("--list", type=Path, default=LIST, help="default: %(default)s")
    parser.add_argument("--folder", type=Path, help="default: WBRIDGE_CORPUS or the user's cache")
    parser.add_argument("--mirror", type=Path, help="clones named owner+name, instead of the network")
    options = parser.parse_args(arguments)
    corpus = read_list(options.list)
    folder: Path = options.folder or corpus_folder()
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for number, project in enumerate(corpus.projects, 1):
        print(f"[{number}/{len(corpus.projects)}] {project.folder}", flush=True)
        try:
            put(project, corpus, folder, options.mirror)
        except CorpusError as error:
            failed += 1
            print(f"  {error}", file=sys.stderr)
    worlds = sum(len(project.worlds) for project in corpus.projects)
    print(f"{len(corpus.projects) - failed} projects, {worlds} worlds in {folder}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
