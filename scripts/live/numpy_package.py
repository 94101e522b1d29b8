"""Compiles numpy for Pyodide with its own build tool, Meson, without BLAS and LAPACK."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import zipfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from scripts.live.emscripten import EXCEPTIONS, call
from scripts.live.toolchain import Toolchain

__all__ = ["compile_numpy"]

OPTIONS = ("buildtype=release", "allow-noblas=true", "blas=none", "lapack=none", "disable-optimization=true")
UNUSED = ("tests", "f2py", "include", "_pyinstaller", "__pycache__")
"""Folders that only developers need."""
UNUSED_FILES = ("*.pyi", "*.pxd", "*.a", "*.lib", "conftest.py")


def compile_numpy(tools: Toolchain, source: Path, headers: Path, target: Path) -> None:
    """Compile numpy into a folder.

    Args:
        tools: the toolchain.
        source: the unpacked sources.
        headers: of Pyodide's Python.
        target: the package's folder.

    Raises:
        subprocess.CalledProcessError: the compiler fails; it says why.
    """
    folder = source.parent / "build"
    folder.mkdir(exist_ok=True)
    python = _python(tools, folder, headers)
    cross = folder / "cross.ini"
    cross.write_text(_cross(tools, python, headers), "utf-8")
    meson = source / "vendored-meson" / "meson" / "meson.py"
    # glibc's extensions that CPython's headers do not switch on for Emscripten
    programs = f"{_cython(tools, folder)}{os.pathsep}{tools.environment['PATH']}"
    run = partial(call, tools, EMCC_CFLAGS="-D_GNU_SOURCE", PATH=programs)
    if not (folder / "objects" / "build.ninja").exists():
        options = [f"-D{one}" for one in OPTIONS]
        run(sys.executable, meson, "setup", folder / "objects", source, "--cross-file", cross, *options)
    run("ninja", "-C", folder / "objects")
    words = ("-C", folder / "objects", "--tags", "runtime,python-runtime", "--no-rebuild")
    run(sys.executable, meson, "install", *words, DESTDIR=folder / "installed")
    _lay_out(next((folder / "installed").rglob("numpy/__init__.py")).parent, target)


def _python(tools: Toolchain, folder: Path, headers: Path) -> Path:
    """Return a program: Python of Pyodide's version on this machine, which describes itself as Pyodide's."""
    with zipfile.ZipFile(tools.pyodide / "python_stdlib.zip") as archive:
        name = next(one for one in archive.namelist() if one.startswith("_sysconfigdata"))
        archive.extract(name, folder / "sysconfig")
    version = next(tools.packages.glob("usr/include/python3.*"))
    shutil.copy(headers / "pyconfig.h", version)  # what Python says of its headers is where Meson looks
    variables = {
        "_PYTHON_SYSCONFIGDATA_NAME": Path(name).stem,
        "_PYTHON_HOST_PLATFORM": "emscripten-wasm32",
        "PYTHONPATH": f"{folder / 'sysconfig'}:$PYTHONPATH",
    }
    return _program(folder / "python.sh", variables, tools.packages / "usr" / "bin" / version.name)


def _cython(tools: Toolchain, folder: Path) -> Path:
    """Return the folder of a program: Cython, where Meson finds it."""
    with zipfile.ZipFile(next(tools.archives.glob("cython-*.whl"))) as wheel:
        wheel.extractall(folder / "cython")
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    _program(programs / "cython", {}, Path(sys.executable), folder / "cython" / "cython.py")
    return programs


def _program(file: Path, variables: Mapping[str, str], *command: Path) -> Path:
    """Write a shell script that runs a command with more variables, which may use others; return it."""
    exports = [f'export {name}="{value}"\n' for name, value in variables.items()]
    words = shlex.join(map(str, command))
    file.write_text("".join(["#!/bin/sh\n", *exports, f'exec {words} "$@"\n']))
    file.chmod(0o755)
    return file


def _cross(tools: Toolchain, python: Path, headers: Path) -> str:
    """Return Meson's description of the machine that the modules run on."""
    compiled = [*EXCEPTIONS, "-fPIC", "-w", f"-I{headers}"]
    linked = [*EXCEPTIONS, "-sSIDE_MODULE=1", "-sWASM_BIGINT"]
    return "\n".join([
        "[binaries]",
        f"c = '{tools.emscripten / 'emcc'}'",
        f"cpp = '{tools.emscripten / 'em++'}'",
        f"ar = '{tools.emscripten / 'emar'}'",
        f"python = '{python}'",
        "[host_machine]",
        "system = 'emscripten'",
        "cpu_family = 'wasm32'",
        "cpu = 'wasm32'",
        "endian = 'little'",
        "[properties]",
        "needs_exe_wrapper = true",
        "skip_sanity_check = true",
        "longdouble_format = 'IEEE_QUAD_LE'",
        "has_function_backtrace = false",  # linking a side module finds no missing function
        "[built-in options]",
        *(f"{language}_args = {compiled}" for language in ("c", "cpp")),
        *(f"{language}_link_args = {linked}" for language in ("c", "cpp")),
    ])  # fmt: skip


def _lay_out(installed: Path, target: Path) -> None:
    """Copy what runs."""
    shutil.copytree(installed, target, ignore=shutil.ignore_patterns(*UNUSED, *UNUSED_FILES))
