"""Compile Controller.dll for Windows, which controllers in C load, and the library that links them to it."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scripts.portable.tools import environment
from wbridge.hal.linking import PREFIXES

__all__ = ["FILES", "PLACE", "compile_library", "definitions"]

SOURCES = Path(__file__).resolve().parents[2] / "libcontroller"
FILES = ("Controller.dll", "Controller.lib")
"""The library, and what compilers of Microsoft and MinGW link."""
PLACE = "libcontroller/windows"
"""Where they lie in the package."""
FLAGS = ("-std=c11", "-D_GNU_SOURCE", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Iinclude")


def definitions(symbols: str) -> str:
    """Return the list of what the library exports, as linkers for Windows read it.

    Args:
        symbols: what `nm` says about its objects.
    """
    lines = (line.split() for line in symbols.splitlines())
    names = {words[2] for words in lines if len(words) == 3 and words[1] in "TDBR"}
    exported = sorted(name for name in names if name.startswith(PREFIXES))
    return "".join(f"{line}\n" for line in (f"LIBRARY {FILES[0]}", "EXPORTS", *exported))


def compile_library(folder: Path, tools: Path) -> Path:
    """Compile for x86-64; return the folder with FILES.

    Args:
        folder: for objects and results.
        tools: the folder of the compilers.

    Raises:
        subprocess.CalledProcessError: the compiler says why.
    """
    folder.mkdir(parents=True, exist_ok=True)
    variables = {**os.environ, **environment(tools)}

    def run(program: str, *words: str | Path) -> str:
        command = [str(tools / "usr" / "bin" / f"x86_64-w64-mingw32-{program}"), *map(str, words)]
        done = subprocess.run(
            command, cwd=SOURCES, env=variables, stdout=subprocess.PIPE, text=True, check=True
        )
        return done.stdout

    def compile_one(source: Path) -> Path:
        result = folder / ("_".join(source.relative_to(SOURCES).parts) + ".o")
        run("gcc-posix", *FLAGS, "-c", source.relative_to(SOURCES), "-o", result)
        return result

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compile_one, sorted((SOURCES / "src").rglob("*.c"))))
    listed = folder / "exports.def"
    listed.write_text(definitions(run("nm", "-g", "--defined-only", *objects)), encoding="ascii")
    options = ["-shared", "-static", "-s", "-Wl,--no-insert-timestamp", "-Wl,--exclude-all-symbols"]
    run("gcc-posix", *options, "-o", folder / FILES[0], listed, *objects, "-lws2_32")
    run("dlltool", "-d", listed, "-D", FILES[0], "-l", folder / FILES[1], "-t", "wbridge")
    return folder
