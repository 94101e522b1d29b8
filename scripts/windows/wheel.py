"""Build the wheel for Windows into dist/: python -m scripts.windows.wheel

It has the files of the wheel for Linux with the stable ABI, which scripts.wheels builds, and modules that are
compiled for Windows in the place of those for Linux.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from scripts.portable.tools import environment, fetch_tools
from scripts.wheels.check import left_out, too_large
from scripts.wheels.finish import retag
from scripts.wheels.parts import LIST, WINDOWS_PARTS, list_of_parts
from scripts.wheels.targets import STABLE, SYSTEMS, compact
from scripts.windows.build import MODULES, compile_modules
from scripts.windows.library import CLASSES, CXX_RUNTIME
from scripts.windows.python import fetch_python

__all__ = ["TAG", "UNUSED", "carried", "foreign", "loaded", "write"]

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
FOLDER = ROOT / "build" / "windows"
TOOLS = ROOT / "build" / "portable" / "tools"
TAG = f"{compact(STABLE)}-abi3-win_amd64"
SOURCE = f"*-{compact(STABLE)}-abi3-{SYSTEMS['x86_64'].platform}.whl"
LICENSES = {
    "licenses/gcc/copyright": "gcc-mingw-w64-base",
    "licenses/mingw-w64/copyright": "mingw-w64-common",
}
"""Names in the metadata of the wheel, and the packages of the tools."""
UNUSED = ("wbridge/wbfleet/grading/sandbox/",)
"""Starts of names of files without a use on Windows: grading refuses there, sites have none."""
PRESENT = {"kernel32.dll", "msvcrt.dll", "python3.dll", "ws2_32.dll"}
"""Libraries that each Windows and each Python for it has."""
BESIDE = {CLASSES: {"controller.dll", *CXX_RUNTIME}}
"""What a library loads besides: another one in its folder, and what the programs bring that load it."""


def write(linux: Path, folder: Path, modules: dict[str, bytes], licenses: dict[str, bytes]) -> Path:
    """Write the wheel for Windows and return it.

    Args:
        linux: the wheel for Linux.
        folder: of the new one.
        modules: compiled for Windows, by their names in the wheel.
        licenses: of what the compiler links into them, by their names in the metadata.
    """
    project, release = linux.name.split("-")[:2]
    parts = list_of_parts(project, release, WINDOWS_PARTS).encode()
    return retag(linux, folder, TAG, licenses | {LIST: parts}, modules, UNUSED)


def loaded(description: str) -> set[str]:
    """Return the libraries that a module loads, in small letters, of what `objdump -p` says about it."""
    return {name.lower() for name in re.findall(r"DLL Name: (\S+)", description)}


def foreign(module: Path, tools: Path) -> list[str]:
    """Return a message for each library that a module loads and that not each Windows has."""
    program = tools / "usr" / "bin" / "x86_64-w64-mingw32-objdump"
    done = subprocess.run(
        [program, "-p", module], env=environment(tools), capture_output=True, text=True, check=True
    )
    present = PRESENT | BESIDE.get(module.name, set())
    return [f"{module.name} loads {name}" for name in sorted(loaded(done.stdout) - present)]


def carried(tools: Path) -> dict[str, bytes]:
    """Return the licenses of what the compiler links into modules, by their names in the metadata."""
    folder = tools / "usr" / "share" / "doc"
    return {name: (folder / package / "copyright").read_bytes() for name, package in LICENSES.items()}


def main() -> int:
    """Build and check the wheel; return the exit code."""
    sources = sorted(DIST.glob(SOURCE))
    if not sources:
        print(f"dist/ has no {SOURCE}; python -m scripts.wheels builds it", file=sys.stderr)
        return 1
    fetch_tools(TOOLS)
    compiled = compile_modules(FOLDER, fetch_python(FOLDER), TOOLS)
    modules = {f"wbridge/{place}": (compiled / name).read_bytes() for name, place in MODULES.items()}
    wheel = write(sources[-1], DIST, modules, carried(TOOLS))
    problems = left_out(wheel, WINDOWS_PARTS) + too_large(wheel)
    problems += [
        line
        for name in MODULES
        if name.endswith((".pyd", ".dll"))
        for line in foreign(compiled / name, TOOLS)
    ]
    print("\n".join(problems) or f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.2f} MB")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
