"""Build the wheels for macOS into dist/: python -m scripts.macos.wheel [arm64|x86_64]

They have the files of the wheel for Linux with the stable ABI, which scripts.wheels builds, and modules that
are compiled for macOS in the place of those for Linux. They are checked, and not run: nothing here runs them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from scripts.macos.build import MODULES, SYSTEMS, compile_modules
from scripts.macos.check import problems
from scripts.portable.tools import fetch_tools
from scripts.wheels.check import left_out, too_large
from scripts.wheels.compiler import fetch_zig
from scripts.wheels.finish import retag, tag
from scripts.wheels.record import Trial, note, short
from scripts.wheels.targets import STABLE
from scripts.windows.python import fetch_python
from scripts.windows.wheel import DIST, SOURCE, TOOLS
from scripts.windows.wheel import FOLDER as WINDOWS

__all__ = ["build"]

FOLDER = Path(__file__).resolve().parents[2] / "build" / "macos"


def build(linux: Path, name: str) -> tuple[Path, list[str]]:
    """Build a wheel; return it, and what is wrong with it.

    Args:
        linux: the wheel for Linux.
        name: of the processor.

    Raises:
        subprocess.CalledProcessError: the compiler says why.
    """
    compiled = compile_modules(FOLDER, name)
    zig, stable = fetch_zig(FOLDER), fetch_python(WINDOWS) / "libs" / "python3.lib"
    found = [line for module in MODULES for line in problems(compiled / module, name, TOOLS, zig, stable)]
    modules = {f"wbridge/{place}": (compiled / module).read_bytes() for module, place in MODULES.items()}
    wheel = retag(linux, DIST, tag(STABLE, SYSTEMS[name]), {}, modules)
    return wheel, [*found, *left_out(wheel), *too_large(wheel)]


def main(chosen: list[str]) -> int:
    """Build and check the wheels; return the exit code."""
    if unknown := [name for name in chosen if name not in SYSTEMS]:
        print(f"unknown processor '{unknown[0]}'; known: {', '.join(SYSTEMS)}", file=sys.stderr)
        return 2
    sources = sorted(DIST.glob(SOURCE))
    if not sources:
        print(f"dist/ has no {SOURCE}; python -m scripts.wheels builds it", file=sys.stderr)
        return 1
    fetch_tools(TOOLS)
    is_well = True
    for name in chosen or SYSTEMS:
        wheel, lines = build(sources[-1], name)
        note(Trial(short(wheel.name), wheel.stat().st_size))
        print("\n".join(lines) or f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB", flush=True)
        is_well &= not lines
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
