"""Compile the engine and the clients for Windows by MinGW, and lay out what an installed wheel would have."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from scripts.portable.tools import environment as tool_variables
from scripts.wheels.interpreters import environment, interpreter
from scripts.windows.library import FILES, PLACE, compile_library
from scripts.windows.python import VERSION

__all__ = ["MODULES", "compile_modules", "lay_out"]

ROOT = Path(__file__).resolve().parents[2]
COMPILERS = {
    "C_COMPILER": "gcc-posix",
    "CXX_COMPILER": "g++-posix",
    "AR": "ar",
    "RANLIB": "ranlib",
}
MODULES = {
    "wbcore/engine/_engine.pyd": "wbcore/engine/_engine.pyd",
    "libcontroller/python/_native.pyd": "hal/client/_native.pyd",
    "libcontroller/mathematics/_portable_math.pyd": "hal/startup/_portable_math.pyd",
    **{f"controllers/{name}": f"{PLACE}/{name}" for name in FILES},
}
"""Compiled files in the folder of the build, and in the package."""
FOLDERS = ("controller", "controllers", "motions", "plugins", "protos", "vehicle", "wbridge", "worlds")


def compile_modules(folder: Path, python: Path, tools: Path) -> Path:
    """Compile for Python's stable ABI; return the folder of the build.

    Args:
        folder: for tools and results.
        python: the folder of Python for Windows.
        tools: the folder of the compilers.

    Raises:
        SystemExit: this machine lacks a Python of that version, which runs scripts of the build.
        subprocess.CalledProcessError: the compiler says why.
    """
    host = interpreter(VERSION)
    if host is None:
        raise SystemExit(f"Python {VERSION} was not found; put python{VERSION} into the PATH")
    programs = environment(host, folder / "tools").parent
    place = folder / "made"
    replaced = {place: "build", folder: "tools", ROOT: "."}  # paths of this machine are no part of a module
    paths = " ".join(f"-ffile-prefix-map={path}={name}" for path, name in replaced.items())
    prefix = tools / "usr" / "bin" / "x86_64-w64-mingw32-"
    definitions = {
        "CMAKE_SYSTEM_NAME": "Windows",
        "CMAKE_MAKE_PROGRAM": programs / "ninja",
        "CMAKE_CXX_SCAN_FOR_MODULES": "OFF",
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_MODULE_LINKER_FLAGS": "-static -s -Wl,--no-insert-timestamp",
        "CMAKE_C_FLAGS": paths,
        "CMAKE_CXX_FLAGS": paths,
        **{f"CMAKE_{name}": f"{prefix}{program}" for name, program in COMPILERS.items()},
        "Python_EXECUTABLE": programs / "python",
        "Python_INCLUDE_DIR": python / "include",
        "Python_LIBRARY": python / "libs" / f"python{VERSION.replace('.', '')}.lib",
        "Python_SABI_LIBRARY": python / "libs" / "python3.lib",
        "SKBUILD_SABI_VERSION": "3.12",
        "NB_SUFFIX": ".pyd",
        "NB_SUFFIX_S": ".pyd",
    }
    options = [f"-D{name}={value}" for name, value in definitions.items()]
    variables = {**os.environ, **tool_variables(tools)}
    configure: list[str | Path] = [programs / "cmake", "-S", ROOT, "-B", place, "-G", "Ninja", *options]
    subprocess.run(configure, env=variables, check=True, stdout=subprocess.DEVNULL)
    targets = ["_engine", "wbridge_client", "wbridge_portable_math"]
    subprocess.run([programs / "ninja", "--quiet", "-C", place, *targets], env=variables, check=True)
    compile_library(place / "controllers", tools)
    return place


def lay_out(target: Path, compiled: Path) -> None:
    """Copy the packages, the compiled modules and the sample worlds, as Windows finds them.

    Args:
        target: the new folder.
        compiled: the folder of the build.
    """
    shutil.rmtree(target, ignore_errors=True)
    unused = shutil.ignore_patterns("__pycache__", "*.so", "build", "src")
    for name in FOLDERS:  # the links in `wbridge` become folders
        shutil.copytree(ROOT / name, target / name, ignore=unused)
    shutil.copytree(ROOT / "protos", target / "wbridge" / "protos", ignore=unused)  # for worlds of others
    for made, place in MODULES.items():
        (target / "wbridge" / place).parent.mkdir(exist_ok=True)
        shutil.copy(compiled / made, target / "wbridge" / place)
