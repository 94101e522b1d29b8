"""Compilers, processors and systems: how the program state_hash is built and run for each."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from scripts.portable.tools import environment

__all__ = ["BUILDS", "ONLY_COMPILED", "PROGRAM", "RUNS", "Build", "Run", "build"]

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path("wbcore", "engine", "portable", "state_hash")
FOREIGN = ("-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY")
"""Nothing is linked to try a compiler whose programs do not run here."""
WASM_EXCEPTIONS = "-fwasm-exceptions -sSUPPORT_LONGJMP=wasm"
WASM_PROGRAM = (
    "-sNODERAWFS=1 -sEXIT_RUNTIME=1 -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=64MB -sINITIAL_MEMORY=128MB"
)


@dataclass(frozen=True)
class Build:
    """One compilation of the program.

    `compilers`: those of C and C++ in the folder of tools, or None for the usual ones. `archivers`: ar and
    ranlib there. `options`: of CMake.
    """

    compilers: tuple[str, str] | None = None
    archivers: tuple[str, str] | None = None
    options: tuple[str, ...] = ()

    def configuration(self, tools: Path) -> list[str]:
        """Return arguments of CMake."""
        names = ["C_COMPILER", "CXX_COMPILER", "AR", "RANLIB"]
        files = [*(self.compilers or ()), *(self.archivers or ())]
        return [
            *self.options,
            *(f"-DCMAKE_{name}={tools / file}" for name, file in zip(names, files, strict=False)),
        ]


BUILDS = {
    "gcc-O3": Build(),
    "gcc-O0": Build(options=("-DWBRIDGE_LEVEL=-O0",)),
    "clang": Build(("usr/bin/clang-14", "usr/bin/clang++-14")),
    "windows": Build(
        ("usr/bin/x86_64-w64-mingw32-gcc-posix", "usr/bin/x86_64-w64-mingw32-g++-posix"),
        options=(*FOREIGN, "-DWBRIDGE_PLATFORM=windows", "-DCMAKE_EXE_LINKER_FLAGS=-static"),
    ),
    "aarch64": Build(
        ("usr/bin/aarch64-linux-gnu-gcc-12", "usr/bin/aarch64-linux-gnu-g++-12"),
        options=(*FOREIGN, "-DCMAKE_EXE_LINKER_FLAGS=-static"),
    ),
    "macos": Build(("macos/clang", "macos/clang++"), ("macos/ar", "macos/ranlib"), FOREIGN),
    "wasm": Build(
        ("emcc", "em++"),
        ("emar", "emranlib"),
        (
            *FOREIGN,
            "-DWBRIDGE_PLATFORM=webassembly",
            f"-DCMAKE_C_FLAGS={WASM_EXCEPTIONS}",
            f"-DCMAKE_CXX_FLAGS={WASM_EXCEPTIONS}",
            f"-DCMAKE_EXE_LINKER_FLAGS={WASM_EXCEPTIONS} {WASM_PROGRAM}",
        ),
    ),
}
ONLY_COMPILED = "macos"
"""The build whose program is linked, but not run: nothing here emulates the system."""


@dataclass(frozen=True)
class Run:
    """One column of the table: a build, and how its program is started here."""

    title: str
    build: str
    command: tuple[str, ...] = ()
    """Before the program; `{tools}` is the folder of tools."""
    simd: str = ""
    suffix: str = ""
    variables: dict[str, str] = field(default_factory=dict)

    def hashes(self, folder: Path, tools: Path, *arguments: str) -> list[str]:
        """Run the program; return the lines that it prints.

        Raises:
            RuntimeError: it fails; the message has what it says.
        """
        program = str(folder / self.build / PROGRAM) + self.suffix
        command = [word.format(tools=tools) for word in self.command]
        variables = {**os.environ, **environment(tools), "WBRIDGE_SIMD": self.simd}
        variables.pop("DISPLAY", None)
        if not self.command:
            variables.pop("LD_LIBRARY_PATH")
        done = subprocess.run(
            [*command, program, *arguments], env=variables, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{self.title}: {done.stderr.strip() or done.returncode}")
        return done.stdout.split("\n")[:-1]


RUNS = (
    Run("gcc -O3", "gcc-O3"),
    Run("no SIMD", "gcc-O3", simd="none"),
    Run("AVX2", "gcc-O3", simd="none,sse2,avx2"),
    Run("SSE2", "gcc-O3", simd="none,sse2"),
    Run("gcc -O0", "gcc-O0"),
    Run("clang", "clang"),
    Run("Windows", "windows", ("{tools}/usr/lib/wine/wine64",), suffix=".exe"),
    Run("AArch64", "aarch64", ("{tools}/usr/bin/qemu-aarch64-static",)),
    Run("WebAssembly", "wasm", ("node", "--no-experimental-fetch")),
)


def build(name: str, folder: Path, tools: Path) -> None:
    """Configure and compile the program in a folder of its own.

    Raises:
        subprocess.CalledProcessError: the compiler says why.
    """
    place = folder / name
    variables = {**os.environ, **environment(tools)}
    python = f"-DPython_EXECUTABLE={sys.executable}"
    configuration = BUILDS[name].configuration(tools)
    places = ["-S", str(ROOT), "-B", str(place)]
    words = ["cmake", "-G", "Ninja", *places, "-DWBRIDGE_STATE_HASH=ON", python, *configuration]
    subprocess.run(words, env=variables, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "--quiet", "-C", place], env=variables, check=True)
