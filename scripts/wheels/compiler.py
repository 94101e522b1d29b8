"""Compilers for other systems and for old releases of the C library: those of Zig."""

from __future__ import annotations

import shlex
from pathlib import Path

from scripts.wheels.targets import System

__all__ = ["NAMES", "write_compilers", "zig_of"]

NAMES = {"C_COMPILER": "clang", "CXX_COMPILER": "clang++", "AR": "ar", "RANLIB": "ranlib"}
"""Variables of CMake, and the programs; ccache knows what compilers of these names understand."""
SUBCOMMANDS = {"clang": "cc", "clang++": "c++", "ar": "ar", "ranlib": "ranlib"}


def zig_of(tools: Path) -> Path:
    """Return the compiler of an environment, given its Python."""
    return next((tools.parent.parent / "lib").glob("python*/site-packages/ziglang/zig"))


def write_compilers(folder: Path, zig: Path, system: System) -> dict[str, Path]:
    """Write scripts that start the compilers for a system; return them by the names of CMake's variables.

    Args:
        folder: where they are written.
        zig: the program.
        system: for which they compile.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, subcommand in SUBCOMMANDS.items():
        target = f" -target {system.target}" if name.startswith("clang") else ""
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(str(zig))} {subcommand}{target} "$@"\n')
        script.chmod(0o755)
    return {variable: folder / name for variable, name in NAMES.items()}
