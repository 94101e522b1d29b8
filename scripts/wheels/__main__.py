"""Build the wheels of all systems into dist/: python -m scripts.wheels [NAME ...]

NAME: which ones, such as cp312-x86_64; all by default.
"""

from __future__ import annotations

import sys
from pathlib import Path

from scripts.wheels.build import compile_wheel
from scripts.wheels.check import check
from scripts.wheels.compiler import fetch_zig, write_compilers
from scripts.wheels.finish import finish
from scripts.wheels.interpreters import environment, interpreter
from scripts.wheels.targets import PYTHONS, SYSTEMS, System, compact

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "wheels"
DIST = ROOT / "dist"


def names() -> dict[str, tuple[str, System]]:
    """Return the version of Python and the system of each wheel, by name."""
    return {
        f"{compact(version)}-{system.processor}": (version, system)
        for version in PYTHONS
        for system in SYSTEMS.values()
    }


def build(version: str, system: System) -> Path:
    """Compile, finish and check a wheel; return it.

    Raises:
        SystemExit: there is no such Python, or the wheel is not fit to be published; the message says why.
    """
    python = interpreter(version)
    if python is None:
        raise SystemExit(
            f"Python {version} with its headers was not found; put python{version} into the PATH"
        )
    tools = environment(python, FOLDER / compact(version))
    zig = fetch_zig(FOLDER)
    compilers = write_compilers(FOLDER / system.processor, zig, system)
    folder = FOLDER / f"{system.processor}-build"  # all versions share what does not need Python's headers
    compiled = compile_wheel(tools, version, system, compilers, folder)
    wheel = finish(compiled, DIST, version, system, tools, zig)
    if problems := check(wheel, system, tools):
        raise SystemExit("\n".join(problems))
    return wheel


def main(chosen: list[str]) -> int:
    """Build the wheels; return the exit code."""
    known = names()
    if unknown := [name for name in chosen if name not in known]:
        print(f"unknown wheel '{unknown[0]}'; known: {', '.join(known)}", file=sys.stderr)
        return 2
    for name in chosen or known:
        wheel = build(*known[name])
        print(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.2f} MB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
