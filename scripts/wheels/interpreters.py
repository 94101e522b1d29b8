"""The versions of Python that wheels are built with, and an environment with tools for each."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from scripts.wheels.targets import TOOLS

__all__ = ["environment", "interpreter"]

PROBE = "import sys, sysconfig, lzma; print(*sys.version_info[:2], sysconfig.get_path('include'))"


def interpreter(version: str) -> Path | None:
    """Return a Python of this version with its headers: of the path, or else of pyenv."""
    candidates = [Path(sys.executable), *map(Path, filter(None, [shutil.which(f"python{version}")]))]
    candidates += sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    return next((each for each in candidates if _fits(each, version)), None)


def _fits(python: Path, version: str) -> bool:
    done = subprocess.run([python, "-c", PROBE], capture_output=True, text=True, check=False)
    major, minor, folder = (*done.stdout.split(maxsplit=2), "", "", "")[:3]
    return f"{major}.{minor}" == version and (Path(folder.strip()) / "Python.h").is_file()


def environment(python: Path, folder: Path) -> Path:
    """Create an environment with the tools for building, unless it is there; return its Python.

    Raises:
        subprocess.CalledProcessError: a tool cannot be installed; pip says why.
    """
    own = folder / "bin" / "python"
    wanted = [f"{name}=={version}" for name, version in TOOLS.items()]
    stamp = folder / "tools.txt"
    if not stamp.is_file() or stamp.read_text().splitlines() != wanted:
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        pip: list[str | Path] = [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *wanted], check=True)
        stamp.write_text("\n".join(wanted))
    return own
