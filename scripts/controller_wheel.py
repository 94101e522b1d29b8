#!/usr/bin/env python3
"""Build the wheel of wbridge-controller, which has what a controller needs and no simulator.

    python -m scripts.controller_wheel FOLDER [x86_64|aarch64]

It copies the packages and the C library into a temporary folder, with a project file of their own, and calls
pip there. With a processor, Zig compiles for it and for the oldest release of glibc (see scripts/wheels);
otherwise, the compiler of this machine compiles for this machine.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.wheels.build import compile_wheel  # noqa: E402
from scripts.wheels.check import unfit  # noqa: E402
from scripts.wheels.compiler import fetch_zig, write_compilers  # noqa: E402
from scripts.wheels.finish import retag  # noqa: E402
from scripts.wheels.interpreters import environment  # noqa: E402
from scripts.wheels.targets import SYSTEMS, System, compact  # noqa: E402

FOLDER = ROOT / "build" / "wheels"
OLDEST = "3.10"
"""The first version of Python with what the client needs of the stable ABI."""
PACKAGES = {
    "controller": "controller",
    "vehicle": "vehicle",
    "wbridge": "wbridge",
    "wbridge/hal": "hal",
    "wbridge/remote_controls": "remote_controls",
}
"""Packages in the wheel, and their folders at the root."""
ROOT_FILES = ("__init__.py", "py.typed")
"""What the wheel has of the folder `wbridge`."""
LIBRARY = ("python", "src", "include")
"""Folders of libcontroller that the compiled module is made of."""
PROJECT = """[build-system]
requires = ["scikit-build-core>=0.10"]
build-backend = "scikit_build_core.build"

[project]
name = "wbridge-controller"
version = "{version}"
description = "The wb_* API for robot controllers in Python: real robots without a simulator"
license = "{license}"
requires-python = "{requires-python}"
readme = "README.md"

[project.optional-dependencies]
remote = {remote}

[project.scripts]
wbridge-controller = "wbridge.hal.gateway.alone:main"

[tool.scikit-build]
minimum-version = "build-system.requires"
{packages}wheel.py-api = "cp310"
wheel.exclude = ["/catalogue/spec/**"]
"""
README = """# wbridge-controller

The `wb_*` functions and the object API for robot controllers in Python, without a simulator: a controller
that was written for a simulated robot drives a real one. The extra `remote` adds serial lines, USB and MQTT.

`wbridge-controller --help` says how to start a controller. Simulations are in the package
`wbridge-robotics`.
"""
"""The description in the package index."""
CMAKE = """cmake_minimum_required(VERSION 3.18)
project(wbridge_controller LANGUAGES C)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
find_package(Python 3.10 COMPONENTS Interpreter Development.SABIModule REQUIRED)
set(WBRIDGE_PARTS wbridge)
add_subdirectory(libcontroller/python)
"""


def build(folder: Path) -> Path:
    """Build the wheel into a folder and return its path."""
    with tempfile.TemporaryDirectory(prefix="wbridge-controller-") as name:
        place = Path(name)
        copy_sources(place)
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q"]
        subprocess.run([*command, "--disable-pip-version-check", "-w", str(folder), str(place)], check=True)
    return max(folder.glob("wbridge_controller-*.whl"), key=lambda file: file.stat().st_mtime)


def build_for(system: System, folder: Path) -> Path:
    """Build the wheel for a system into a folder and return its path.

    Raises:
        SystemExit: it does not run there; the message says why.
        subprocess.CalledProcessError: a tool cannot be installed, or the compiler says why.
    """
    version = "{}.{}".format(*sys.version_info)
    tools = environment(Path(sys.executable), FOLDER / compact(version))
    compilers = write_compilers(FOLDER / system.processor, fetch_zig(FOLDER), system)
    with tempfile.TemporaryDirectory(prefix="wbridge-controller-") as name:
        place = Path(name)
        copy_sources(place)
        own = FOLDER / f"controller-{system.processor}"
        shutil.rmtree(own, ignore_errors=True)  # it remembers the temporary folder
        compiled = compile_wheel(tools, version, system, compilers, own, place)
        wheel = retag(compiled, folder, f"{compact(OLDEST)}-abi3-{system.platform}", {})
    if problems := unfit(wheel, system, tools):
        raise SystemExit("\n".join(problems))
    return wheel


def copy_sources(place: Path) -> None:
    """Write what the wheel is built from into a folder."""
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    (place / "wbridge").mkdir()
    for name in ROOT_FILES:
        shutil.copy(ROOT / "wbridge" / name, place / "wbridge")
    for folder in sorted({*PACKAGES.values()} - {"wbridge"}):
        shutil.copytree(ROOT / folder, place / folder, ignore=ignored)
    for part in LIBRARY:
        shutil.copytree(ROOT / "libcontroller" / part, place / "libcontroller" / part, ignore=ignored)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    values = {name: project[name] for name in ("version", "license", "requires-python")}
    packages = "".join(f'wheel.packages."{package}" = "{folder}"\n' for package, folder in PACKAGES.items())
    text = PROJECT.format(**values, remote=project["optional-dependencies"]["remote"], packages=packages)
    (place / "pyproject.toml").write_text(text, encoding="utf-8")
    (place / "README.md").write_text(README, encoding="utf-8")
    (place / "CMakeLists.txt").write_text(CMAKE, encoding="utf-8")
    shutil.copy(ROOT / "LICENSE", place)


def main(arguments: list[str]) -> int:
    """Build the wheel, print its path, and return the exit code."""
    folder, *processors = arguments
    if unknown := [name for name in processors if name not in SYSTEMS]:
        print(f"unknown processor '{unknown[0]}'; known: {', '.join(SYSTEMS)}", file=sys.stderr)
        return 2
    place = Path(folder).resolve()
    for wheel in [build_for(SYSTEMS[name], place) for name in processors] or [build(place)]:
        print(wheel)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
