"""Bundles the editor of the code panel, CodeMirror, into one file."""

from __future__ import annotations

import shutil
from pathlib import Path

from scripts.live.emscripten import call
from scripts.live.toolchain import Toolchain

__all__ = ["bundle_editor"]

SOURCE = Path(__file__).with_name("editor")
"""The module, its packages, and the lock file with their digests."""


def bundle_editor(tools: Toolchain, folder: Path, target: Path) -> None:
    """Write the editor's module, unless there is a newer one.

    Args:
        tools: the toolchain.
        folder: for the packages of npm.
        target: the module.

    Raises:
        subprocess.CalledProcessError: npm or the bundler fails; it says why.
    """
    files = sorted(SOURCE.iterdir())
    if target.exists() and target.stat().st_mtime >= max(file.stat().st_mtime for file in files):
        return
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copy(file, folder)
    call(tools, "npm", "ci", "--no-audit", "--no-fund", folder=folder)
    words = ["entry.js", "--bundle", "--minify", "--format=esm", f"--outfile={target}"]
    call(tools, folder / "node_modules" / ".bin" / "esbuild", *words, folder=folder)
