"""Compile Controller.dll for Windows, which controllers in C load, and the library that links them to it."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scripts.portable.tools import environment
from wbridge.hal.linking import PREFIXES

__all__ = ["FILES", "PLACE", "compile_library", "definitions", "forwards"]

SOURCES = Path(__file__).resolve().parents[2] / "libcontroller"
VEHICLES = {"car.dll": "wbu_car_", "driver.dll": "wbu_driver_"}
"""Libraries that programs for cars load besides, and how the names of their functions begin."""
FILES = ("Controller.dll", "Controller.lib", *VEHICLES)
"""The library, what compilers of Microsoft and MinGW link, and libraries that hand calls on to it."""
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


def forwards(name: str, exports: str) -> str:
    """Return the list of what a library for vehicles hands on to the other one.

    Args:
        name: one of VEHICLES.
        exports: what `definitions` lists.
    """
    functions = [line for line in exports.splitlines() if line.startswith(VEHICLES[name])]
    lines = (f"{function} = {Path(FILES[0]).stem}.{function}" for function in functions)
    return "".join(f"{line}\n" for line in (f"LIBRARY {name}", "EXPORTS", *lines))


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
    exports = definitions(run("nm", "-g", "--defined-only", *objects))
    listed.write_text(exports, encoding="ascii")
    options = ["-shared", "-static", "-s", "-Wl,--no-insert-timestamp"]
    exported = "-Wl,--exclude-all-symbols"
    run("gcc-posix", *options, exported, "-o", folder / FILES[0], listed, *objects, "-lws2_32")
    run("dlltool", "-d", listed, "-D", FILES[0], "-l", folder / FILES[1], "-t", "wbridge")
    for name in VEHICLES:
        listed = folder / f"{name}.def"
        listed.write_text(forwards(name, exports), encoding="ascii")
        nothing = ["-nostdlib", "-Wl,--entry,0"]  # it runs no code of its own
        run("gcc-posix", *options, *nothing, "-o", folder / name, listed, folder / FILES[1])
    return folder
