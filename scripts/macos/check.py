"""What a module for macOS must be, as LLVM's tools describe it."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from scripts.macos.build import SYSTEMS
from scripts.portable.tools import environment

__all__ = ["foreign_libraries", "problems", "stands_alone", "unknown_names", "wrong_target"]

PRESENT = "/usr/lib/libSystem.B.dylib"
"""The library that each macOS has: C, threads and the kernel's calls."""
KINDS = {"arm64": "ARM64", "x86_64": "X86_64"}
"""Processors as `llvm-objdump` names them."""
RELEASE = re.compile(
    r"cmd LC_(?:BUILD_VERSION|VERSION_MIN_MACOSX)\n(?:.*\n)*?\s*(?:minos|version) ([\d.]+)\n"
)


def problems(module: Path, name: str, tools: Path, zig: Path, stable: Path) -> list[str]:
    """Return what is wrong with a module.

    Args:
        module: the file.
        name: of the processor.
        tools: the folder with LLVM's tools.
        zig: the compiler, which knows what the system's library has.
        stable: the import library of Python's stable ABI for Windows, which has the same names.
    """
    shown = _run(tools, "llvm-objdump-14", "--macho", "--private-headers", module)
    undefined = _run(tools, "llvm-nm-14", "--undefined-only", "--format=just-symbols", module).split()
    system = (zig.parent / "lib" / "libc" / "darwin" / "libSystem.tbd").read_text(encoding="utf-8")
    python = set(re.findall(r"\b(?:__imp_)?(_?Py\w+)", _run(tools, "llvm-nm-14", stable)))
    found = [*foreign_libraries(shown), *wrong_target(shown, name), *stands_alone(shown)]
    found += unknown_names(undefined, python, set(re.findall(r"[\w$]+", system)))
    return [f"{name}: {module.name} {each}" for each in found]


def foreign_libraries(shown: str) -> list[str]:
    """Return a message for each library that a module loads and that not each macOS has."""
    loaded = re.findall(r"cmd LC_LOAD_(?:WEAK_)?DYLIB\n.*\n\s*name (\S+)", shown)
    return [f"loads {library}" for library in loaded if library != PRESENT]


def wrong_target(shown: str, name: str) -> list[str]:
    """Return messages if a module is for another processor or release than its wheel says."""
    wanted = SYSTEMS[name].target.rpartition("-macos.")[2]
    release = RELEASE.search(shown)
    kind = re.search(r"^\s*MH_MAGIC_64\s+(\w+)", shown, re.MULTILINE)
    found = []
    if kind is None or kind[1] != KINDS[name]:
        found.append(f"is for {kind[1] if kind else 'an unknown processor'}")
    if release is None or release[1] != wanted:
        found.append(f"needs macOS {release[1] if release else 'of an unknown release'} instead of {wanted}")
    return found


def stands_alone(shown: str) -> list[str]:
    """Return a message if a module lacks the signature without which Apple's processors run no code."""
    return [] if "LC_CODE_SIGNATURE" in shown or "ARM64" not in shown else ["has no signature"]


def unknown_names(undefined: Iterable[str], python: set[str], system: set[str]) -> list[str]:
    """Return a message for each name that neither Python's stable ABI nor the system has.

    Args:
        undefined: names that a module takes from others; those of C begin with `_`.
        python: names of the stable ABI.
        system: names of the system's library, as undefined ones are written.
    """
    names = set(undefined) - system
    return [
        f"takes {name}, which nothing offers"
        for name in sorted(names)
        if name.removeprefix("_") not in python
    ]


def _run(tools: Path, program: str, *words: str | Path) -> str:
    command = [tools / "usr" / "bin" / program, *words]
    variables = {**os.environ, **environment(tools)}
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=True).stdout
