"""Build the wheels of the last commit again, at another place, and compare their bytes with those in dist/.

python -m scripts.wheels.again [NAME ...]

NAME: as of scripts.wheels. The second build has tools of its own and no compiler cache; it takes as long as
the first one, and needs 3 GB in build/. Exits with 1 if a wheel differs.
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

__all__ = ["compare", "difference_of"]

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "build" / "wheels_again"


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
    subprocess.run([sys.executable, "-m", "scripts.wheels", *names], cwd=PLACE, env=around, check=True)
    return PLACE / "dist"


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
