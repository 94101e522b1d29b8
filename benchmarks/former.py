"""A former version of the project, built beside this one.

Its files and an environment of Python lie in build/against/COMMIT and are used again. The environment sees
the packages that are installed for this version, so that nothing is downloaded; only the project itself is
built.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

__all__ = ["BuildFailed", "Version", "build", "commit_of", "present"]

STAMP = "built"
INSTALL = (
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--no-index",
    "--no-deps",
    "--no-build-isolation",
)
"""What is installed already, pip would compare with the requirements, and fetch."""
LAST = 2000
"""Characters of a failed command's output that are shown."""


class BuildFailed(Exception):
    """Raised when a version cannot be built; the message says why and what to do."""


class Version(NamedTuple):
    """A version that can be measured."""

    title: str
    python: Path
    """The interpreter that imports its packages."""
    checkout: Path
    """Its files."""

    def environment(self, *before: Path) -> dict[str, str]:
        """Variables with which Python finds its files, after those of other folders."""
        return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (*before, self.checkout)))}


def present(checkout: Path) -> Version:
    """Return this version."""
    return Version("this", Path(sys.executable), checkout)


def commit_of(repository: Path, ref: str) -> str:
    """Return the commit that a git reference names.

    Raises:
        BuildFailed: there is none.
    """
    command = ["git", "-C", str(repository), "rev-parse", "--quiet", "--verify", "--end-of-options"]
    done = subprocess.run([*command, f"{ref}^{{commit}}"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildFailed(f"git knows no commit {ref!r} in {repository}; list some with: git log --oneline")
    return done.stdout.strip()


def build(repository: Path, ref: str, folder: Path) -> Version:
    """Return the version of a git reference, built in a subfolder of `folder` unless it is there.

    Raises:
        BuildFailed: there is no such reference, or the version cannot be built.
    """
    commit = commit_of(repository, ref)
    place = folder / commit[:12]
    version = Version(ref, place / "venv" / "bin" / "python", place / "checkout")
    if (place / STAMP).is_file():
        return version
    print(f"building {ref} in {place}", file=sys.stderr)
    shutil.rmtree(place, ignore_errors=True)
    version.checkout.mkdir(parents=True)
    _export(repository, commit, version.checkout)
    _make_environment(place / "venv")
    # "--ignore-installed": the environment sees this version, too, which must stay.
    install = (str(version.python), "-m", "pip", *INSTALL, "--ignore-installed", "--editable", ".")
    _run(install, version.checkout)
    (place / STAMP).touch()
    return version


def _export(repository: Path, commit: str, target: Path) -> None:
    """Write the files of a commit."""
    command = ["git", "-C", str(repository), "archive", "--format=tar", commit]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise BuildFailed(f"git archive failed: {done.stderr.decode(errors='replace').strip()}")
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        # Without `filter` before Python 3.11.4; the archive is one that git has just made.
        archive.extractall(target, **({"filter": "tar"} if hasattr(tarfile, "tar_filter") else {}))


def _make_environment(target: Path) -> None:
    """Make an environment that sees the packages of this one.

    Only the folder is added, and its .pth files are not read: one of them leads to the modules of this
    version.
    """
    venv.create(target, with_pip=False, symlinks=True)
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    done = _run((str(target / "bin" / "python"), "-c", code), target)
    Path(done.strip(), "this_version.pth").write_text(f"{sysconfig.get_path('purelib')}\n")


def _run(command: Sequence[str], folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        output = (done.stdout + done.stderr).strip()[-LAST:]
        raise BuildFailed(
            f"cannot build in {folder}; the packages that it needs must be installed for this version: "
            f"make build\n{' '.join(command)}\n{output}"
        )
    return done.stdout
