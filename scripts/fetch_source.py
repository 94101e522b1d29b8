"""Fetch the original source archive of a Debian package, and print its path.

python scripts/fetch_source.py PIN [--file PATH]

PIN is a file with the names of the package and of the archive, and the archive's SHA-256. The archive is
one file with one digest in all releases of Debian and Ubuntu that have it. It is taken from the cache, then
from the pools of the mirrors that apt is configured with, then with `apt-get source` and lists of sources in
a folder of its own; the configuration of the system is read, never changed. `--file` names a copy that is
only checked. Builds run this script, so it needs only Python's standard library.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

HELPER = "/usr/lib/apt/apt-helper"
"""Downloads a file as apt does: with its proxies, certificates and retries."""
TIME_LIMIT_S = 120
"""Of one command; a mirror that does not answer must not stop a build for long."""
FIELDS = ("REPO_URI", "RELEASE", "COMPONENT")
"""Of an index of packages, as `apt-get indextargets` names them."""


class NotFetchedError(Exception):
    """The archive cannot be had this way; the message says why."""


class Source(NamedTuple):
    """A source archive."""

    package: str
    archive: str
    sha256: str

    def check(self, file: Path) -> None:
        """Compare a file's digest with the expected one.

        Raises:
            NotFetchedError: it differs, or the file cannot be read.
        """
        try:
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
        except OSError as problem:
            raise NotFetchedError(f"{file}: {problem.strerror}") from None
        if digest != self.sha256:
            raise NotFetchedError(f"{file}: wrong SHA-256 {digest}; expected {self.sha256}")


class Index(NamedTuple):
    """Where apt finds packages: a component of a release on a mirror."""

    mirror: str
    release: str
    component: str

    def pool(self, source: Source) -> str:
        """Return the archive's address, which the layout of Debian's mirrors gives."""
        letter = source.package[: 4 if source.package.startswith("lib") else 1]
        return f"{self.mirror.rstrip('/')}/pool/{self.component}/{letter}/{source.package}/{source.archive}"

    def source_line(self) -> str:
        """Return the line of a sources.list for its sources. Only the archive's digest is trusted."""
        return f"deb-src [trusted=yes] {self.mirror} {self.release} {self.component}\n"


def run(*command: str | Path, folder: Path | None = None) -> str:
    """Run a command of apt and return what it prints.

    Raises:
        NotFetchedError: it is not installed, failed, or took too long; with its last line.
    """
    plain = {**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
    words = [str(word) for word in command]
    name = Path(words[0]).name
    try:
        done = subprocess.run(
            words, cwd=folder, env=plain, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=TIME_LIMIT_S, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise NotFetchedError(f"this system has no {name}") from None
    except subprocess.TimeoutExpired:
        raise NotFetchedError(f"{name} did not finish within {TIME_LIMIT_S} s") from None
    if done.returncode != 0:
        lines = [line for line in (done.stderr + done.stdout).splitlines() if line.startswith("E: ")]
        raise NotFetchedError(lines[0].removeprefix("E: ") if lines else f"{name} failed")
    return done.stdout


def indexes() -> list[Index]:
    """Return apt's indexes, also those that were never downloaded.

    Raises:
        NotFetchedError: there is no apt, or its lists name no mirror.
    """
    form = "\t".join(f"$({field})" for field in FIELDS)
    listed = run("apt-get", "indextargets", "--no-release-info", "--format", form, "Created-By: Packages")
    rows = [Index(*line.split("\t")) for line in dict.fromkeys(listed.splitlines()) if line.count("\t") == 2]
    if not rows:
        raise NotFetchedError("apt's lists of sources name no mirror")
    return rows


def from_pool(source: Source, folder: Path) -> Path:
    """Download the archive from the pool of a mirror.

    Raises:
        NotFetchedError: no mirror has it.
    """
    target = folder / source.archive
    problems = []
    for address in dict.fromkeys(one.pool(source) for one in indexes()):
        try:
            run(HELPER, "download-file", address, target, f"SHA256:{source.sha256}")
            source.check(target)
        except NotFetchedError as problem:
            problems.append(str(problem))
        else:
            return target
    raise NotFetchedError(problems[0])


def from_source_package(source: Source, folder: Path) -> Path:
    """Download the archive with `apt-get source` and lists of its own.

    Raises:
        NotFetchedError: the mirrors have no sources, or another version's.
    """
    (folder / "lists" / "partial").mkdir(parents=True)
    (folder / "sources.list").write_text("".join(dict.fromkeys(one.source_line() for one in indexes())))
    options = [
        f"-oDir::State::Lists={folder / 'lists'}",
        f"-oDir::Etc::SourceList={folder / 'sources.list'}",
        "-oDir::Etc::SourceParts=/dev/null",
        f"-oDir::Cache={folder / 'cache'}",
    ]
    run("apt-get", *options, "update")
    run("apt-get", *options, "source", "--download-only", "--tar-only", source.package, folder=folder)
    archives = sorted(file for file in folder.glob(f"{source.package}_*") if file.name == source.archive)
    if not archives:
        raise NotFetchedError(f"the release has another version of {source.package} than {source.archive}")
    source.check(archives[0])
    return archives[0]


WAYS: tuple[Callable[[Source, Path], Path], ...] = (from_pool, from_source_package)


def cache_folder() -> Path:
    """Return the folder of archives in $WBRIDGE_CACHE, $XDG_CACHE_HOME/wbridge or the user's cache."""
    if own := os.environ.get("WBRIDGE_CACHE"):
        return Path(own) / "sources"
    shared = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(shared) if shared else Path.home() / ".cache") / "wbridge" / "sources"


def fetch(source: Source, cache: Path) -> Path:
    """Return the archive in the cache, fetched if necessary.

    Raises:
        NotFetchedError: each way failed; the message has all reasons.
    """
    kept = cache / source.archive
    with contextlib.suppress(NotFetchedError):  # absent, or damaged
        source.check(kept)
        return kept
    cache.mkdir(parents=True, exist_ok=True)
    problems = []
    for way in WAYS:
        with tempfile.TemporaryDirectory(dir=cache, prefix=".fetching-") as folder:
            try:
                way(source, Path(folder)).replace(kept)  # at once: another build may read it
            except NotFetchedError as problem:
                problems.append(str(problem))
            else:
                return kept
    raise NotFetchedError("; ".join(dict.fromkeys(problems)))


def main(arguments: list[str] | None = None) -> int:
    """Print the path of the archive; on failure one line, and exit code 1."""
    parser = argparse.ArgumentParser(description="Fetch the original source archive of a Debian package.")
    parser.add_argument("pin", type=Path, help="file with the package, the archive and its SHA-256")
    parser.add_argument("--file", type=Path, help="a copy to check instead of fetching one")
    options = parser.parse_args(arguments)
    source = Source(*options.pin.read_text(encoding="utf-8").split())
    try:
        if options.file:
            source.check(options.file)
        print(options.file or fetch(source, cache_folder()))
    except (NotFetchedError, OSError) as problem:
        print(f"{source.archive} cannot be had: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
