"""Runs `wbridge grade` as an ordinary user, also where the tests run as root."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.conftest import absent

USER = 65534
"""The number of the user as which root runs the command."""
ROOT = Path(__file__).resolve().parents[2]
PROBE = ("unshare", "--user", "--pid", "--net", "--mount", "--ipc", "--fork", "true")
"""What an ordinary user must be allowed."""
PATH = "/usr/local/bin:/usr/bin:/bin"
"""Of tests, it may have folders of root."""
PATH_WITHOUT_BUBBLEWRAP = "/usr/local/bin"


@cache
def prefix() -> tuple[str, ...]:
    """Return the command line in front of commands that an ordinary user runs; () if this is one.

    Folders of root that others may not enter, but which have the interpreter or this project, are replaced
    in the command's own mount namespace by folders with nothing but these.
    """
    if os.geteuid():
        return ()
    for tool in ("setpriv", "unshare"):
        if shutil.which(tool) is None:
            absent(f"{tool} is not installed: it runs commands as another user (package util-linux)")
    as_user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all", "--"]
    steps = ["set -e", "mount -t tmpfs tmpfs /run"]
    needed = {one for one in map(Path, (ROOT, sys.prefix, sys.base_prefix)) if _closed_folder(one)}
    for number, one in enumerate(sorted(needed)):
        steps += [
            f"mkdir -p /run/needed{number}",
            f"mount --bind {shlex.quote(str(one))} /run/needed{number}",
        ]
    steps += [f"mount -t tmpfs tmpfs {one}" for one in sorted({str(_closed_folder(one)) for one in needed})]
    for number, one in enumerate(sorted(needed)):
        name = shlex.quote(str(one))
        steps += [
            f"mkdir -p {name}",
            f"mount --bind /run/needed{number} {name}",
            f"umount /run/needed{number}",
        ]
    script = "; ".join([*(steps if needed else ()), f"export PATH={PATH}", 'exec "$@"'])
    if not needed:
        return ("sh", "-c", script, "sh", *as_user)
    return ("unshare", "--mount", "sh", "-c", script, "sh", *as_user)


def _closed_folder(path: Path) -> Path | None:
    """Return the outermost folder above a path that others may not enter."""
    above = [one for one in reversed((path, *path.parents)) if not one.stat().st_mode & 0o001]
    return above[0] if above else None


def needs_namespaces() -> None:
    """Skip the running test where the kernel does not let ordinary users make namespaces."""
    done = subprocess.run([*prefix(), *PROBE], capture_output=True, text=True, check=False, cwd="/")
    if done.returncode:
        pytest.skip(f"this system lets ordinary users make no namespaces: {done.stderr.strip()}")


@contextmanager
def folder_of_user() -> Iterator[Path]:
    """Make a folder that belongs to the ordinary user, and remove it."""
    folder = Path(mkdtemp(prefix="wbridge-class-"))
    try:
        if not os.geteuid():
            os.chown(folder, USER, USER)
        yield folder
    finally:
        shutil.rmtree(folder)


def run(
    command: list[str],
    folder: Path,
    variables: Mapping[str, str] | None = None,
    around: Sequence[str] = (),
) -> subprocess.CompletedProcess[bytes]:
    """Run `wbridge` as an ordinary user.

    Args:
        command: its arguments.
        folder: the current folder, and the user's home.
        variables: in addition to those of this process.
        around: command line, run by root where the tests run as root, in front of that of the user.
    """
    passed = {name: text for name, text in os.environ.items() if name not in ("XDG_CACHE_HOME", "SUDO_USER")}
    passed |= {"HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    own = [f"{name}={text}" for name, text in {"PATH": PATH, **(variables or {})}.items()]
    return subprocess.run(
        [*around, *prefix(), "env", *own, sys.executable, "-m", "wbridge", *command],
        capture_output=True,
        check=False,
        cwd=folder,
        env=passed,
    )


def give(folder: Path) -> None:
    """Give all files of a folder to the ordinary user."""
    if os.geteuid():
        return
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(os.path.join(place, name), USER, USER, follow_symlinks=False)
