"""Format and lint the hand-written C and C++: `python -m scripts.lint_c`; with `--fix` it formats the files.

clang-format checks the style (.clang-format) of all files. clang-tidy (.clang-tidy) checks those that compile
on this machine. Firmware C compiles only in a generated project, where cppcheck checks it
(tests/firmware/test_static_checks.py).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path

import nanobind

from scripts.generated import ROOT

PROGRAMS = Path(sysconfig.get_path("scripts"))
SUFFIXES = {".c", ".h", ".cpp", ".hpp"}
MARK = b"by scripts/generate_"
"""Near the top of a generated file."""


@dataclass(frozen=True)
class Group:
    """Files that compile with the same options: a folder of the checkout, compiler options, and checks of
    clang-tidy that do not suit these files."""

    folder: str
    options: tuple[str, ...]
    left_out: tuple[str, ...] = ()

    def sources(self) -> list[Path]:
        """Return the files to compile, sorted by name."""
        inside = [file for file in hand_written() if file.is_relative_to(ROOT / self.folder)]
        return [
            file
            for file in inside
            if file.suffix in (".c", ".cpp") and file.parent.name not in _OTHER_SYSTEMS
        ]


def _includes(*folders: str) -> tuple[str, ...]:
    return tuple(f"-I{ROOT / folder}" for folder in folders)


_OTHER_SYSTEMS = ("windows", "webassembly")
"""Folders of sources that need the headers of another system."""
_ENGINE = (
    "bugprone-float-loop-counter",  # whole numbers, which doubles represent exactly
    "bugprone-throwing-static-initialization",  # constant matrices
    "bugprone-unchecked-optional-access",  # class invariants ensure a value
    "performance-inefficient-vector-operation",  # at the interface to Python, not in a step
)


def _ode() -> tuple[str, ...]:
    """Return what the engine's build tells compilers about ODE: its headers, also the internal ones."""
    headers = ROOT / "wbcore" / "engine" / "include"
    unpacked = sorted(ROOT.glob("build/*/wbcore/engine/ode/ode-*"))[-1:]
    inside = [unpacked[0] / "ode" / "src", unpacked[0] / "ou" / "include"] if unpacked else []
    folders = [headers, ROOT / "wbcore" / "engine" / "ode", *inside]
    names = ("dNODEBUG", "dIDEDOUBLE", "dTHREADING_INTF_DISABLED", "dOU_ENABLED", "_OU_NAMESPACE=odeou")
    values = ("_OU_FEATURE_SET=_OU_FEATURE_SET_BASICS", "_OU_TARGET_OS=_OU_TARGET_OS_GENUNIX")
    build = ('WBRIDGE_ODE_VERSION=""', 'WBRIDGE_BUILD_NOTE=""', "WBRIDGE_HAS_OWN_ODE=true")
    includes = [word for folder in folders for word in ("-isystem", str(folder))]
    return (*includes, *(f"-D{one}" for one in (*names, *values, *build)))


_PYTHON = ("-isystem", nanobind.include_dir(), "-isystem", sysconfig.get_path("include"))
_LIBRARY = _includes("libcontroller/include", "libcontroller/src")
_SHARED = ("registers", "emulated_parts")
_REGISTERS = _includes(*(f"firmware_templates/boards/shared/{one}" for one in _SHARED))
_WRAPPER = _includes("libcontroller/include", "libcontroller/cpp/include", "libcontroller/cpp/src")
GROUPS = (
    Group("libcontroller/src", ("-std=c11", "-D_GNU_SOURCE", *_LIBRARY)),
    Group("libcontroller/python", ("-std=c11", "-D_GNU_SOURCE", *_PYTHON, *_LIBRARY)),
    Group("libcontroller/cpp/src", ("-std=c++11", *_WRAPPER)),
    # The emulators read only what their bench writes.
    Group(
        "wbfirmware/emulators",
        ("-std=c11", "-D_GNU_SOURCE", "-isystem", "/usr/include/simavr", *_REGISTERS),
        ("bugprone-unchecked-string-to-number-conversion", "clang-analyzer-optin.taint.*"),
    ),
    # Bodies are in rows and columns, counted by integers.
    Group("benchmarks/native", ("-std=c++20",), ("bugprone-integer-division",)),
    # Analyzing all paths of this much arithmetic takes minutes; `make test-asan` runs them.
    Group("wbcore/engine/src", ("-std=c++20", *_PYTHON, *_ode()), ("clang-analyzer-*", *_ENGINE)),
)


def hand_written() -> list[Path]:
    """Return C and C++ files of the repository that are not generated."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    files = [ROOT / name for name in sorted(listed.stdout.split("\0")) if Path(name).suffix in SUFFIXES]
    return [file for file in files if file.is_file() and not _is_generated(file)]


def _is_generated(file: Path) -> bool:
    with file.open("rb") as stream:
        return MARK in stream.read(400)


def format_problems(*, fix: bool = False) -> str:
    """Return what clang-format would change; "" if nothing. With `fix`, change the files."""
    how = ["-i"] if fix else ["--dry-run", "--Werror"]
    return _run([str(PROGRAMS / "clang-format"), *how, *map(str, hand_written())])


def tidy_problems(group: Group) -> str:
    """Return what clang-tidy finds in a group of files; "" if nothing."""
    command = [str(PROGRAMS / "clang-tidy"), "--quiet"]
    command += [f"--checks={','.join(f'-{check}' for check in group.left_out)}"] if group.left_out else []
    with ThreadPoolExecutor(cpu_count()) as pool:
        found = pool.map(lambda file: _run([*command, str(file), "--", *group.options]), group.sources())
        return "".join(found)


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    return (done.stdout + done.stderr) if done.returncode else ""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit code is 1 if there are problems."""
    parser = argparse.ArgumentParser(description="Format and lint the hand-written C and C++.")
    parser.add_argument("--fix", action="store_true", help="format the files in place")
    fix = parser.parse_args(arguments).fix
    problems = format_problems(fix=fix) + "".join(map(tidy_problems, GROUPS))
    sys.stdout.write(problems)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
