"""Compile one wheel."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from scripts.wheels.targets import STABLE, System, compact

__all__ = ["compile_wheel"]

ROOT = Path(__file__).resolve().parents[2]


def compile_wheel(
    python: Path,
    version: str,
    system: System,
    compilers: dict[str, Path],
    folder: Path,
    source: Path = ROOT,
) -> Path:
    """Compile a project for a version of Python and a system.

    Args:
        python: of an environment with the tools for building.
        version: of this Python.
        system: for which the compilers compile.
        compilers: programs by the variables of CMake.
        folder: of the build.
        source: the project; by default the checkout.

    Returns:
        The wheel, as the build system names it.

    Raises:
        subprocess.CalledProcessError: the compiler or pip says why.
    """
    made = folder / "made"
    settings = [
        f"build-dir={folder / 'build'}",
        *(f"cmake.define.{definition}" for definition in _definitions(system, folder, source)),
    ]
    settings += [f"cmake.define.CMAKE_{name}={program}" for name, program in compilers.items()]
    if version == STABLE and source == ROOT:
        settings.append(f"wheel.py-api={compact(STABLE)}")
    options = ["--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--quiet"]
    command: list[str | Path] = [
        python,
        "-m",
        "pip",
        "wheel",
        *options,
        *(f"--config-settings={setting}" for setting in settings),  # pip before 23.1 has no -C
        "-w",
        made,
        source,
    ]
    for former in made.glob("*.whl"):
        former.unlink()
    subprocess.run(command, check=True, env=_variables(python, version, system))
    (wheel,) = made.glob("*.whl")
    return wheel


def _definitions(system: System, folder: Path, source: Path) -> list[str]:
    """Nothing of this machine is left in what is compiled: neither paths nor a name of the build."""
    replaced = {folder: "build", folder.parent: "tools", source: "."}
    paths = " ".join(f"-ffile-prefix-map={place}={name}" for place, name in replaced.items())
    return [
        "CMAKE_BUILD_TYPE=Release",
        "CMAKE_TRY_COMPILE_CONFIGURATION=Release",  # Zig compiles its C++ library for each configuration
        "CMAKE_SYSTEM_NAME=Linux",
        f"CMAKE_SYSTEM_PROCESSOR={system.processor}",
        "CMAKE_CXX_SCAN_FOR_MODULES=OFF",
        f"CMAKE_C_FLAGS={paths}",
        f"CMAKE_CXX_FLAGS={paths}",
        "CMAKE_MODULE_LINKER_FLAGS=-Wl,--build-id=none",
    ]


def _variables(python: Path, version: str, system: System) -> dict[str, str]:
    """The compiled module bears the name of the system that it is for, not that of this one."""
    suffix = f".cpython-{version.replace('.', '')}-{system.triplet}.so"
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "SETUPTOOLS_EXT_SUFFIX": suffix, "PYTHONDONTWRITEBYTECODE": "1"}
