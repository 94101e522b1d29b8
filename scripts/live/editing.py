"""Bundles packages of npm that the page loads when it needs them, each into one file."""

from __future__ import annotations

import shutil
from pathlib import Path

from scripts.live.emscripten import call
from scripts.live.toolchain import Toolchain

__all__ = ["bundle_npm"]

HERE = Path(__file__).parent


def bundle_npm(tools: Toolchain, name: str, build: Path, parts: Path) -> None:
    """Write a module, unless there is a newer one.

    Args:
        tools: the toolchain.
        name: `editor` (of the code panel) or `wasi` (what compilers run in); the folder here has the module,
            its packages, and the lock file with their digests.
        build: for the packages of npm.
        parts: where the module is written.

    Raises:
        subprocess.CalledProcessError: npm or the bundler fails; it says why.
    """
    files, folder, target = sorted((HERE / name).iterdir()), build / name, parts / f"{name}.js"
    if target.exists() and target.stat().st_mtime >= max(file.stat().st_mtime for file in files):
        return
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copy(file, folder)
    call(tools, "npm", "ci", "--no-audit", "--no-fund", folder=folder)
    words = ["entry.js", "--bundle", "--minify", "--format=esm", f"--outfile={target}"]
    call(tools, folder / "node_modules" / ".bin" / "esbuild", *words, folder=folder)
