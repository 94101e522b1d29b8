"""Compilers for other systems and for old releases of the C library: those of Zig."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from scripts.wheels.targets import ZIG, System
from wbridge.hal.folders import sole_builder

__all__ = ["NAMES", "fetch_zig", "write_compilers"]

NAMES = {"C_COMPILER": "clang", "CXX_COMPILER": "clang++", "AR": "ar", "RANLIB": "ranlib"}
"""Variables of CMake, and the programs; ccache knows what compilers of these names understand."""
SUBCOMMANDS = {"clang": "cc", "clang++": "c++", "ar": "ar", "ranlib": "ranlib"}


def fetch_zig(folder: Path) -> Path:
    """Install Zig into `zig` of a folder, unless it is there; return the program.

    All wheels share it: a compiler cache takes compilers at other places for others. Who comes while another
    process installs it waits.

    Raises:
        subprocess.CalledProcessError: pip fails; it says why.
    """
    place = folder / "zig"
    with sole_builder(place / f"ziglang-{ZIG}.dist-info") as is_missing:
        if is_missing:
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, "--upgrade", "--target", place, f"ziglang=={ZIG}"], check=True)
    return place / "ziglang" / "zig"


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
        text = f'#!/bin/sh\nexec {shlex.quote(str(zig))} {subcommand}{target} "$@"\n'
        if not script.is_file() or script.read_text() != text:  # a cache knows compilers by their times
            script.write_text(text)
            script.chmod(0o755)
    return {variable: folder / name for variable, name in NAMES.items()}
