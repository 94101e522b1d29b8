"""Compiles the engine, the engine of templates in JavaScript, and packages of Python for Pyodide."""

from __future__ import annotations

import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

from scripts.live.avr_packs import write_packs
from scripts.live.board_emulator import compile_emulator
from scripts.live.editing import bundle_npm
from scripts.live.emscripten import EXCEPTIONS, ROOT, SIDE_MODULE, call
from scripts.live.headers import extension_suffix, write_headers
from scripts.live.packages import Build, compile_packages
from scripts.live.toolchain import Toolchain

__all__ = ["compile_parts"]

HERE = Path(__file__).resolve().parent
FLAGS = ("-O2", "-fPIC", "-w", "-DNDEBUG", *EXCEPTIONS, *SIDE_MODULE)
TEMPLATE_SOURCES = (
    "module.c",
    *(f"upstream-quickjs/{one}.c" for one in ("dtoa", "libregexp", "libunicode", "quickjs")),
)
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""Of Pyodide's package, what a page loads."""


def compile_parts(tools: Toolchain, build: Path, parts: Path) -> None:
    """Compile what has changed, and lay out the parts of a site.

    Args:
        tools: the toolchain.
        build: the folder for objects.
        parts: the folder of the parts; extension modules are in the folders of their packages.

    Raises:
        subprocess.CalledProcessError: a compiler fails; it says why.
    """
    library = tools.pyodide / "python_stdlib.zip"
    headers, suffix = build / "headers", extension_suffix(library)
    if not headers.exists():
        write_headers(tools.packages, library, headers)
    extensions = parts / "extensions"
    for module, place in _modules(tools, build / "engine", headers, suffix).items():
        (extensions / place).mkdir(parents=True, exist_ok=True)
        shutil.copy(module, extensions / place / f"{module.name.partition('.')[0]}{suffix}")
    packages = parts / "packages"
    templates = packages / f"_quickjs{suffix}"
    if not templates.exists():
        _templates(tools, build / "templates", headers, templates)
    with zipfile.ZipFile(next(tools.archives.glob("greenlet_pyodide-*.whl"))) as wheel:
        wheel.extractall(extensions, [one for one in wheel.namelist() if one.startswith("greenlet/")])
    for name in ("editor", "wasi"):
        bundle_npm(tools, name, build, parts)
    write_packs(tools, parts)
    compile_emulator(tools, build / "simavr", parts)
    compile_packages(Build(tools, build, headers, suffix), packages)
    for name in FILES:
        shutil.copy(tools.pyodide / name, parts / name)


def _modules(tools: Toolchain, build: Path, headers: Path, suffix: str) -> dict[Path, str]:
    """Return the compiled modules of engine and controllers, each with the folder of its package."""
    version = next(tools.packages.glob("usr/include/python3.*")).name.removeprefix("python")
    values = {
        "CMAKE_TOOLCHAIN_FILE": HERE / "toolchain.cmake",
        "WBRIDGE_EMSCRIPTEN": tools.emscripten,
        "WBRIDGE_WEB_HEADERS": headers,
        "WBRIDGE_WEB_VERSION": version,
        "Python_EXECUTABLE": sys.executable,
        "NB_SUFFIX": suffix,
    }
    if not (build / "build.ninja").exists():
        call(
            tools,
            "cmake",
            "-S",
            ROOT,
            "-B",
            build,
            "-G",
            "Ninja",
            *(f"-D{key}={one}" for key, one in values.items()),
        )
    call(tools, "ninja", "-C", build, "_engine", "wbridge_client", "wbridge_portable_math")
    return {
        build / "wbcore" / "engine" / f"_engine{suffix}": "wbcore/engine",
        build / "libcontroller" / "python" / "_native.abi3.so": "hal/client",
        build / "libcontroller" / "mathematics" / "_portable_math.abi3.so": "hal/startup",
    }


def _templates(tools: Toolchain, build: Path, headers: Path, target: Path) -> None:
    """Compile the engine that runs templates in JavaScript on other systems: they give the same text."""
    for folder in (build, target.parent):
        folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(next(tools.archives.glob("quickjs_ng-*.tar.gz"))) as archive:
        archive.extractall(build, filter="data")
    source = next(build.glob("quickjs_ng-*"))
    exported = "-sEXPORTED_FUNCTIONS=_PyInit__quickjs,_JS_GetRuntime,_JS_SetInterruptHandler"
    words = [*FLAGS, "-DPy_LIMITED_API=0x030A0000", f"-I{headers}", "-Iupstream-quickjs", exported]
    call(tools, "emcc", *words, "-o", target, *TEMPLATE_SOURCES, folder=source)
