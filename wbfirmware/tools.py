"""Run compilers and similar tools, and say what to install if one is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from wbridge.libcontroller.compiling import BuildError

MOST_TEXT = 4000
"""Maximum characters of a tool's output in a message."""


class ToolError(BuildError):
    """Raised when a tool failed; the message has the beginning of its output."""

    def __init__(self, command: str, folder: Path, said: str) -> None:
        """Keep the whole output as `said`."""
        super().__init__(f"{command} failed in {folder}:\n{said[:MOST_TEXT]}")
        self.said = said


def need(tool: str, packages: str, why: str) -> str:
    """Return the path of a program.

    Args:
        tool: name of the program.
        packages: Debian packages that contain it.
        why: what it is needed for.

    Raises:
        BuildError: it is not installed.
    """
    path = shutil.which(tool)
    if path is None:
        raise BuildError(
            f"{tool} is not installed ({why}); install it, for example with: apt install {packages}"
        )
    return path


def run(command: Sequence[str | Path], folder: Path) -> str:
    """Run a tool in a folder and return its output.

    Raises:
        ToolError: the tool failed.
    """
    words = [str(word) for word in command]
    plain = {**os.environ, "LC_ALL": "C"}  # untranslated messages, which can be parsed
    done = subprocess.run(
        words, cwd=folder, env=plain, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode != 0:
        raise ToolError(Path(words[0]).name, folder, (done.stderr or done.stdout).strip())
    return done.stdout
