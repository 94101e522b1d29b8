"""Compile the libraries that compiled controllers load on Windows, and the one that links them to it.

Programs in C load Controller.dll, those in C++ also CppController.dll. The latter has the names and the
layouts of MinGW's compiler, as Webots' own library for Windows, and loads MinGW's C++ library, as such
programs do.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scripts.portable.tools import environment
from wbridge.hal.linking import PREFIXES

__all__ = [
    "CLASSES",
    "CXX_RUNTIME",
    "FILES",
    "PLACE",
    "class_definitions",
    "class_forwards",
    "compile_library",
    "definitions",
    "forwards",
]

SOURCES = Path(__file__).resolve().parents[2] / "libcontroller"
VEHICLES = {"car.dll": "wbu_car_", "driver.dll": "wbu_driver_"}
"""Libraries that programs for cars load besides, and how the names of their functions begin."""
CLASSES = "CppController.dll"
CXX_VEHICLES = {"CppCar.dll": "3Car", "CppDriver.dll": "6Driver"}
"""Libraries that programs in C++ for cars load besides, and how compilers write their classes."""
FILES = ("Controller.dll", "Controller.lib", *VEHICLES, CLASSES, *CXX_VEHICLES)
"""The library, what compilers of Microsoft and MinGW link, and libraries that hand calls on to it."""
CXX_RUNTIME = {"libstdc++-6.dll", "libgcc_s_seh-1.dll"}
"""MinGW's libraries for C++, which come with Webots and with MSYS2; CLASSES and programs in C++ load them."""
PLACE = "libcontroller/windows"
"""Where they lie in the package."""
PLAIN = ("-s", "-Wl,--no-insert-timestamp")
"""Options of the linker: neither symbols nor the time."""
COMMON = ("-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Iinclude")
FLAGS = ("-std=c11", "-D_GNU_SOURCE", *COMMON)
CXX_FLAGS = ("-std=c++17", "-Icpp/include", "-Icpp/src", *COMMON)
BY_TAG = re.compile(r"(_ZNK6webots5Robot\d+create\w+E)t")
"""Functions of a robot that make the object of a device, of its tag."""
BY_NAME = "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
"""How their names end in programs for Webots before R2025a, where they took the device's name. Classes that
are derived from Robot only list the functions in their tables, so those that take a tag serve."""
OTHER_BASES = {"_ZN6webots10SupervisorD1Ev": "_ZN6webots10SupervisorD2Ev"}
"""Destructors that serve as those of a base class."""


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


def class_definitions(symbols: str) -> str:
    """Return the list of what the library of classes exports.

    Args:
        symbols: what `nm` says about its object.
    """
    lines = (line.split() for line in symbols.splitlines())
    names = {words[-1] for words in lines if len(words) == 3 and words[1] in "TDBRV"}
    classes = sorted(name for name in names if "6webots" in name)
    others = [f"{match[1]}{BY_NAME} = {match[0]}" for match in map(BY_TAG.fullmatch, classes) if match]
    others += [f"{other} = {name}" for name, other in OTHER_BASES.items() if name in names - {other}]
    return "".join(f"{line}\n" for line in (f"LIBRARY {CLASSES}", "EXPORTS", *classes, *others))


def class_forwards(name: str, exports: str) -> str:
    """Return the list of what a library for vehicles hands on to that of the classes.

    Args:
        name: one of CXX_VEHICLES.
        exports: what `class_definitions` lists.
    """
    listed = [line for line in exports.splitlines() if f"6webots{CXX_VEHICLES[name]}E" in line]
    lines = (f"{each} = {Path(CLASSES).stem}.{each}" for each in listed)
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
    options = ["-shared", "-static", *PLAIN]
    exported = "-Wl,--exclude-all-symbols"
    run("gcc-posix", *options, exported, "-o", folder / FILES[0], listed, *objects, "-lws2_32")
    run("dlltool", "-d", listed, "-D", FILES[0], "-l", folder / FILES[1], "-t", "wbridge")
    for name in VEHICLES:
        _link_forwards(run, folder, name, forwards(name, exports), folder / FILES[1])
    _compile_classes(run, folder)
    return folder


def _compile_classes(run: Callable[..., str], folder: Path) -> None:
    """Compile the classes in a folder that has the library of functions."""
    own = SOURCES / "cpp" / "src"
    whole, made = folder / "classes.cpp", folder / "classes.o"
    lines = [f'#include "{source.relative_to(own).as_posix()}"\n' for source in sorted(own.rglob("*.cpp"))]
    whole.write_text("".join(lines), encoding="ascii")
    run("g++-posix", *CXX_FLAGS, f"-ffile-prefix-map={folder}=.", "-c", whole, "-o", made)
    listed, linked = folder / "classes.def", folder / "classes.lib"
    exports = class_definitions(run("nm", "-g", "--defined-only", made))
    listed.write_text(exports, encoding="ascii")
    exported = "-Wl,--exclude-all-symbols"
    run("g++-posix", "-shared", *PLAIN, exported, "-o", folder / CLASSES, listed, made, folder / FILES[1])
    run("dlltool", "-d", listed, "-D", CLASSES, "-l", linked, "-t", "wbridge")
    for name in CXX_VEHICLES:
        _link_forwards(run, folder, name, class_forwards(name, exports), linked)


def _link_forwards(run: Callable[..., str], folder: Path, name: str, exports: str, to: Path) -> None:
    """Link a library that hands calls on, and runs no code of its own."""
    listed = folder / f"{name}.def"
    listed.write_text(exports, encoding="ascii")
    nothing = ["-nostdlib", "-Wl,--entry,0"]
    run("gcc-posix", "-shared", "-static", *PLAIN, *nothing, "-o", folder / name, listed, to)
