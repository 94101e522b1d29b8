"""Compilers and emulators for other systems, unpacked into a folder of the build: no system files change."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from scripts.wheels.compiler import fetch_zig, write_compilers
from scripts.wheels.targets import System
from wbridge.hal.folders import sole_builder

__all__ = ["environment", "fetch_tools", "write_macos_compilers", "write_scripts"]

PACKAGES = (
    "clang-14",  # another compiler
    "g++-mingw-w64-x86-64-posix",  # for Windows
    "wine64",  # runs programs of Windows
    "libz-mingw-w64",  # a library that Wine's libraries load
    "g++-aarch64-linux-gnu",  # for AArch64
    "qemu-user-static",  # runs programs of AArch64
    "emscripten",  # for WebAssembly
    "binaryen",
    "lld-14",  # the linker of Emscripten
    "llvm-14",
)
MACOS = System("aarch64", "aarch64-macos.11.0", "macosx_11_0_arm64")


def fetch_tools(folder: Path) -> None:
    """Download and unpack the packages, with those that they need, unless they are there.

    Who comes while another process does so waits.

    Raises:
        subprocess.CalledProcessError: apt fails; it says why.
    """
    done = folder / "complete"
    with sole_builder(done) as is_missing:
        if is_missing:
            _unpack_packages(folder)
            done.touch()


def _unpack_packages(folder: Path) -> None:
    archives = folder / "archives"
    archives.mkdir(parents=True, exist_ok=True)
    names = [*PACKAGES, *_needed()]
    subprocess.run(["apt-get", "-q", "download", *dict.fromkeys(names)], cwd=archives, check=True)
    for archive in sorted(archives.glob("*.deb")):
        subprocess.run(["dpkg", "-x", archive, folder], check=True)
    _mend_wine(folder)
    shutil.rmtree(archives)


def write_macos_compilers(folder: Path) -> None:
    """Install Zig, unless it is there, and write scripts that start its compilers for macOS.

    Raises:
        subprocess.CalledProcessError: pip fails; it says why.
    """
    write_compilers(folder / "macos", fetch_zig(folder), MACOS)


def _needed() -> list[str]:
    """The packages that apt would install with them."""
    command = ["apt-get", "install", "--simulate", "--no-install-recommends", *PACKAGES]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [line.split()[1] for line in shown.splitlines() if line.startswith("Inst ")]


def _mend_wine(folder: Path) -> None:
    """Outside of /usr, Wine does not find its server, whose script has a fixed path."""
    server = folder / "usr" / "lib" / "wine" / "wineserver"
    server.unlink(missing_ok=True)
    server.symlink_to("wineserver64")


def environment(folder: Path) -> dict[str, str]:
    """Return the variables with which the tools find each other."""
    usr = folder / "usr"
    libraries = usr / "lib" / "x86_64-linux-gnu"
    windows = usr / "x86_64-w64-mingw32" / "lib"  # has zlib, for user32.dll
    cxx = sorted((usr / "lib" / "gcc" / "x86_64-w64-mingw32").glob("*-posix"))  # C++ libraries of programs
    return {
        "LD_LIBRARY_PATH": f"{libraries}:{usr / 'lib' / 'llvm-14' / 'lib'}",
        "EM_CONFIG": str(folder / "emscripten.py"),
        "NODE_PATH": str(usr / "share" / "nodejs"),
        "WINEPREFIX": str(folder / "wine"),
        "WINEDLLPATH": str(libraries / "wine"),
        "WINEPATH": ";".join("Z:" + str(place).replace("/", "\\") for place in (windows, *cxx)),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml=",
    }


def write_scripts(folder: Path) -> None:
    """Write the configuration of Emscripten, and scripts that start compilers with fixed arguments."""
    usr = folder / "usr"
    emscripten = usr / "share" / "emscripten"
    settings = {
        "LLVM_ROOT": str(usr / "lib" / "llvm-14" / "bin"),
        "BINARYEN_ROOT": str(usr),
        "EMSCRIPTEN_ROOT": str(emscripten),
        "CACHE": str(emscripten / "cache"),
        "NODE_JS": shutil.which("node") or "node",
    }
    lines = [f"{name} = {value!r}" for name, value in settings.items()]
    (folder / "emscripten.py").write_text("\n".join([*lines, "FROZEN_CACHE = True", ""]))
    commands = {
        "emcc": f"python3 {emscripten / 'emcc.py'}",
        "em++": f"python3 {emscripten / 'em++.py'}",
        "emar": str(usr / "lib" / "llvm-14" / "bin" / "llvm-ar"),
        "emranlib": str(usr / "lib" / "llvm-14" / "bin" / "llvm-ranlib"),
    }
    for name, command in commands.items():
        script = folder / name
        script.write_text(f'#!/bin/sh\nPATH={usr / "bin"}:$PATH\nexec {command} "$@"\n')
        script.chmod(0o755)
