"""Pages of docs/ that show how something is added, followed in a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

from tests.conftest import CHECKOUT, require_tool
from tests.project.files import tracked
from wbridge.hal.client import _native
from wbridge.wbcore.engine import _engine

CLIENT = Path("hal", "client", "_native.abi3.so")
"""The binding of the C library."""


def files_of(page: str) -> dict[str, str]:
    """The files that a page of docs/ shows, by their names: blocks whose fence says `LANGUAGE NAME`."""
    text = (CHECKOUT / "docs" / page).read_text(encoding="utf-8")
    return dict(re.findall(r"^```(?!diff )\w+ (\S+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL))


def changes_of(page: str) -> list[tuple[str, str]]:
    """Names and changes of files that a page of docs/ shows: blocks whose fence says `diff NAME`."""
    text = (CHECKOUT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(r"^```diff (\S+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


class Copy:
    """A copy of the repository, and commands in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for file in tracked():
            if file.parts[0] not in ("tests", "docs", "benchmarks", "worlds"):
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(CHECKOUT / file, folder / file)
        (folder / "docs").mkdir()
        shutil.copy(str(_engine.__file__), folder / "wbcore" / "engine")
        shutil.copy(str(_native.__file__), folder / CLIENT)

    def write(self, name: str, text: str) -> None:
        """Write a file of the page."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def change(self, name: str, difference: str) -> None:
        """Make a change that the page shows as lines to keep, to remove (-) and to add (+)."""
        lines = difference.splitlines(keepends=True)
        old = "".join(line[1:] or "\n" for line in lines if not line.startswith("+"))
        new = "".join(line[1:] or "\n" for line in lines if not line.startswith("-"))
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name} does not have these lines once:\n{old}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def compile_client(self) -> None:
        """Compile the library and its binding anew, as `make build` does."""
        require_tool("cc", "the library for controllers is compiled with it")
        library = self.folder / "libcontroller"
        sources = [*(library / "python").rglob("*.c"), *(library / "src").rglob("*.c")]
        includes = [sysconfig.get_path("include"), str(library / "include"), str(library / "src")]
        command = ["cc", "-shared", "-fPIC", "-std=c11", "-D_GNU_SOURCE", *(f"-I{one}" for one in includes)]
        (self.folder / CLIENT).unlink()
        subprocess.run([*command, "-o", str(CLIENT), *map(str, sources), "-lm"], cwd=self.folder, check=True)

    def environment(self) -> Mapping[str, str]:
        """Environment variables with which Python imports the copy."""
        paths = os.pathsep.join((str(self.folder), sysconfig.get_path("purelib")))
        return {**os.environ, "PYTHONPATH": paths, "XDG_CACHE_HOME": str(self.folder / "cache")}

    def run(self, *arguments: str) -> str:
        """What a Python program of the copy prints."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def wbridge(self, *arguments: str) -> str:
        """What a command of wbridge prints."""
        return self.run("-m", "wbridge", *arguments)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """A command of wbridge that goes on running; its messages are in `stderr`."""
        return subprocess.Popen(
            [sys.executable, "-m", "wbridge", *arguments],
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
