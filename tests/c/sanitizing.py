"""Builds programs with sanitizers of memory and behavior in them and in the C library."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.conftest import CHECKOUT

SOURCES = CHECKOUT / "libcontroller" / "src"
FLAGS = [
    "-std=c11",
    "-D_GNU_SOURCE",
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
]
PATHS = [f"-I{SOURCES.with_name('include')}", f"-I{SOURCES}"]


def build(sources: list[Path], folder: Path) -> list[str]:
    """Objects with all checks in them."""

    def one(source: Path) -> str:
        result = folder / ("_".join(source.parts[-3:]) + ".o")
        command = ["cc", *FLAGS, *PATHS, "-c", str(source), "-o", str(result)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return str(result)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, sources))


def build_library(folder: Path) -> list[str]:
    """The objects of the whole library."""
    return build(sorted(SOURCES.rglob("*.c")), folder)


def link(library: list[str], source: Path, folder: Path) -> Path:
    """A program with the library in it."""
    program = folder / source.stem
    objects = [*build([source], folder), *library]
    subprocess.run(["cc", *FLAGS, "-o", str(program), *objects, "-lm", "-lpthread"], check=True)
    return program
