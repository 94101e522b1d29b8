"""Build the source distribution into dist/, of what is committed: python -m scripts.wheels.source"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.wheels.finish import release_time

__all__ = ["build_source"]

ROOT = Path(__file__).resolve().parents[2]
CODE = "import sys; from scikit_build_core.build import build_sdist; print(build_sdist(sys.argv[1]))"


def build_source(folder: Path) -> Path:
    """Build it in a fresh clone, where nothing lies about; return the archive.

    Raises:
        subprocess.CalledProcessError: git or the build system says why.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        clone = Path(place) / "clone"
        subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, clone], check=True)
        command = [sys.executable, "-c", CODE, str(folder.resolve())]
        around = {**os.environ, "SOURCE_DATE_EPOCH": str(release_time())}
        done = subprocess.run(command, cwd=clone, env=around, stdout=subprocess.PIPE, text=True, check=True)
    return folder / done.stdout.splitlines()[-1]


if __name__ == "__main__":
    archive = build_source(ROOT / "dist")
    print(f"{archive.relative_to(ROOT)}: {archive.stat().st_size / 1e6:.2f} MB")
