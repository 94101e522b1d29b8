"""Compile the engine, the client and the library for C controllers for macOS by Zig; nothing runs here."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

from scripts.wheels.compiler import fetch_zig, write_compilers
from scripts.wheels.interpreters import environment, interpreter
from scripts.wheels.targets import STABLE, System

__all__ = ["MODULES", "SYSTEMS", "compile_modules", "header_folder"]

ROOT = Path(__file__).resolve().parents[2]
SYSTEMS = {
    "arm64": System("aarch64", "aarch64-macos.11.0", "macosx_11_0_arm64"),
    "x86_64": System("x86_64", "x86_64-macos.10.13", "macosx_10_13_x86_64"),
}
"""By the processor as macOS names it, with the first release: of Apple's own ones, and of Python 3.12."""
MODULES = {
    "wbcore/engine/_engine.abi3.so": "wbcore/engine/_engine.abi3.so",
    "libcontroller/python/_native.abi3.so": "hal/client/_native.abi3.so",
    "libcontroller/mathematics/_portable_math.abi3.so": "hal/startup/_portable_math.abi3.so",
}
"""Compiled files in the folder of the build, and in the package."""
LINKER = """#!/bin/sh
for word do
  shift
  case "$word" in
    -bundle) set -- "$@" -dynamiclib -Wl,-undefined,dynamic_lookup ;;
    -Wl,@*) ;;
    *) set -- "$@" "$word" ;;
  esac
done
exec {program} "$@"
"""
"""Zig's linker makes libraries instead of bundles, and reads no lists of Python's functions, which modules
find in the program that loads them."""


def header_folder(folder: Path) -> Path:
    """Return a folder with Python's headers for macOS: those of this machine, and pyconfig.h.

    Raises:
        SystemExit: this machine has no Python of that version with headers.
    """
    host = interpreter(STABLE)
    if host is None:
        raise SystemExit(f"Python {STABLE} with its headers was not found; put python{STABLE} into the PATH")
    code = "import sysconfig; print(sysconfig.get_path('include'))"
    place = subprocess.run([host, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    shutil.copytree(place, folder, dirs_exist_ok=True)
    shutil.copy(Path(__file__).with_name("pyconfig.h"), folder)
    return folder


def compile_modules(folder: Path, name: str) -> Path:
    """Compile for Python's stable ABI; return the folder of the build.

    Args:
        folder: for tools and results.
        name: of the processor.

    Raises:
        SystemExit: this machine has no Python of the first version with that ABI.
        subprocess.CalledProcessError: the compiler says why.
    """
    headers = header_folder(folder / "include")
    host = interpreter(STABLE)
    assert host is not None, "header_folder refuses it"
    programs = environment(host, folder / "tools").parent
    place, system = folder / name, SYSTEMS[name]
    compilers = write_compilers(folder / f"compilers-{name}", fetch_zig(folder), system)
    compilers |= {each: _with_linker(compilers[each]) for each in ("C_COMPILER", "CXX_COMPILER")}
    replaced = {place: "build", folder: "tools", ROOT: "."}  # paths of this machine are no part of a module
    paths = " ".join(f"-ffile-prefix-map={path}={other}" for path, other in replaced.items())
    definitions = {
        "CMAKE_SYSTEM_NAME": "Darwin",
        "CMAKE_SYSTEM_PROCESSOR": name,
        "CMAKE_MAKE_PROGRAM": programs / "ninja",
        "CMAKE_CXX_SCAN_FOR_MODULES": "OFF",
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_TRY_COMPILE_TARGET_TYPE": "STATIC_LIBRARY",
        "CMAKE_C_FLAGS": paths,
        "CMAKE_CXX_FLAGS": paths,
        **{f"CMAKE_{variable}": program for variable, program in compilers.items()},
        "Python_EXECUTABLE": programs / "python",
        "Python_INCLUDE_DIR": headers,
        "Python_LIBRARY": "",
        "SKBUILD_SABI_VERSION": STABLE,
        "NB_SUFFIX": ".abi3.so",
        "NB_SUFFIX_S": ".abi3.so",
    }
    options = [f"-D{each}={value}" for each, value in definitions.items()]
    configure: list[str | Path] = [programs / "cmake", "-S", ROOT, "-B", place, "-G", "Ninja", *options]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    targets = ["_engine", "wbridge_client", "wbridge_portable_math"]
    subprocess.run([programs / "ninja", "--quiet", "-C", place, *targets], check=True)
    return place


def _with_linker(compiler: Path) -> Path:
    script = compiler.parent / "linking" / compiler.name
    script.parent.mkdir(exist_ok=True)
    script.write_text(LINKER.format(program=shlex.quote(str(compiler))), encoding="utf-8")
    script.chmod(0o755)
    return script
