"""Build the wheels of the last commit again, at another place, and compare their bytes with those in dist/.

python -m scripts.wheels.again [NAME ...]

NAME: as of scripts.wheels, or windows, macos, controller; all by default. The second build has no compiler
cache, and tools of its own, but for those for Windows and macOS; it takes as long as the first one, and needs
3 GB in build/. Exits with 1 if a wheel differs.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from scripts.wheels.finish import release_time
from scripts.wheels.targets import STABLE, SYSTEMS, compact

__all__ = ["commands", "compare", "difference_of"]

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "build" / "wheels_again"
WINDOWS, MACOS, CONTROLLER = "windows", "macos", "controller"
FOREIGN = ("scripts.windows.wheel", "scripts.macos.wheel")
LINKED = ("portable/tools", "windows/python")
"""Folders of the build with compilers and headers for Windows, and checkers. The linker puts what it imports
in the order of their paths, so they lie to each other as here."""


def build(names: list[str]) -> Path:
    """Build the wheels in a clone; return the folder with them.

    Raises:
        subprocess.CalledProcessError: git or the build says why.
    """
    shutil.rmtree(PLACE, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, PLACE], check=True)
    around = {
        **os.environ,
        "SOURCE_DATE_EPOCH": str(release_time()),
        "CCACHE_DISABLE": "1",
        "PYTHONHASHSEED": "1",
    }
    for command in commands(names):
        if command[0] in FOREIGN:
            _link_tools()
        subprocess.run([sys.executable, "-m", *command], cwd=PLACE, env=around, check=True)
    return PLACE / "dist"


def commands(names: list[str]) -> list[list[str]]:
    """Return the modules, with their arguments, that build wheels."""
    chosen = names or [WINDOWS, MACOS, CONTROLLER]
    linux = [name for name in names if name not in (WINDOWS, MACOS, CONTROLLER)]
    stable = f"{compact(STABLE)}-x86_64"
    if {WINDOWS, MACOS}.intersection(names) and stable not in linux:
        linux.append(stable)  # whose files those have
    builds = [["scripts.wheels", *linux]] if linux or not names else []
    if WINDOWS in chosen:
        builds.append(["scripts.windows.wheel"])
    if MACOS in chosen:
        builds.append(["scripts.macos.wheel"])
    if CONTROLLER in chosen:
        builds.append(["scripts.controller_wheel", "dist", *SYSTEMS])
    return builds


def _link_tools() -> None:
    """Put the tools for Windows and macOS into the clone, without a copy of each file."""
    for name in LINKED:
        if (PLACE / "build" / name).exists():
            continue
        source = ROOT / "build" / name
        shutil.copytree(source, PLACE / "build" / name, symlinks=True, copy_function=os.link)


def difference_of(first: Path, second: Path) -> str:
    """Say what differs between two wheels; "" if they have the same bytes.

    Args:
        first: a wheel.
        second: the other one, which may be missing.
    """
    if not second.is_file():
        return f"{second} is missing"
    if first.read_bytes() == second.read_bytes():
        return ""
    files = [
        {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}
        for archive in (zipfile.ZipFile(first), zipfile.ZipFile(second))
    ]
    names = sorted(name for name in files[0] | files[1] if files[0].get(name) != files[1].get(name))
    return f"{first.name} differs in {', '.join(names) or 'its archive alone'}"


def compare(folder: Path, other: Path) -> list[str]:
    """Return a line for each wheel of the second folder that differs from that of the first one."""
    lines = [difference_of(wheel, folder / wheel.name) for wheel in sorted(other.glob("*.whl"))]
    return [line for line in lines if line] if lines else [f"{other} has no wheels"]


def main(names: list[str]) -> int:
    """Build and compare; return the exit code."""
    other = build(names)
    lines = compare(ROOT / "dist", other)
    print("\n".join(lines) or f"{len(list(other.glob('*.whl')))} wheels have the same bytes", flush=True)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
