"""Calls of Emscripten's compiler and of the tools around it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from scripts.live.toolchain import Toolchain

__all__ = ["EXCEPTIONS", "ROOT", "SIDE_MODULE", "call"]

ROOT = Path(__file__).resolve().parent.parent.parent
EXCEPTIONS = ("-fwasm-exceptions", "-sSUPPORT_LONGJMP=wasm")
"""How Pyodide was compiled; all modules have to follow."""
SIDE_MODULE = ("-sSIDE_MODULE=2", "-sWASM_BIGINT")


def call(tools: Toolchain, *words: str | Path, folder: Path = ROOT, **more: str | Path) -> None:
    """Run a program with the toolchain's variables, and more of them.

    Raises:
        subprocess.CalledProcessError: it fails; it says why.
    """
    variables = {**os.environ, **tools.environment, **{name: str(value) for name, value in more.items()}}
    subprocess.run([str(one) for one in words], cwd=folder, env=variables, check=True)
