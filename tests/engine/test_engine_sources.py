"""Where the sources of ODE and musl come from: what the build says and does without them.

Machines without a network, without apt's lists or with other archives are CMake projects that only configure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.files import CHECKOUT

ENGINE = CHECKOUT / "wbcore" / "engine"
PROJECT = """cmake_minimum_required(VERSION 3.18...3.30)
project(probe LANGUAGES NONE)
include("{engine}/sources.cmake")
add_subdirectory("{engine}/{part}" part)
message(STATUS "note: ${{WBRIDGE_BUILD_NOTE}}")
"""
OLD_COMPILER = """#!/bin/sh
case "$*" in
  *.cxx*) for word; do case $word in *.cxx) grep -q avx2 "$word" && exit 1 ;; esac; done ;;
esac
exec {compiler} "$@"
"""
"""Compiles all but functions for AVX2."""


@pytest.fixture
def installed(tmp_path: Path) -> list[str]:
    """Options that name an installed ODE: a library and its header."""
    (tmp_path / "include" / "ode").mkdir(parents=True)
    (tmp_path / "include" / "ode" / "ode.h").write_text("")
    library = tmp_path / "libode.so"
    library.write_text("")
    return [f"-DODE_INCLUDE_DIR={tmp_path / 'include'}", f"-DODE_LIBRARY={library}"]


def configure(folder: Path, part: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Configure a part of the engine where the path has no program that fetches anything."""
    (folder / "CMakeLists.txt").write_text(PROJECT.format(engine=ENGINE, part=part))
    cmake = str(shutil.which("cmake"))
    programs = folder / "programs"
    programs.mkdir()
    for name in ("make", "ninja"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    places = ["-S", folder, "-B", folder / "build", f"-DPython_EXECUTABLE={sys.executable}"]
    words = [cmake, "--no-warn-unused-cli", *places, *options]
    variables = {**os.environ, "PATH": str(programs), "WBRIDGE_CACHE": str(folder / "cache")}
    return subprocess.run(words, env=variables, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("part", "option", "archive"),
    [
        ("ode", "WBRIDGE_ODE_ARCHIVE", "ode_0.16.2.orig.tar.gz"),
        ("musl", "WBRIDGE_MUSL_ARCHIVE", "musl_1.2.3.orig.tar.gz"),
    ],
)
def test_an_archive_with_another_checksum_ends_the_build_with_one_line(
    tmp_path: Path, part: str, option: str, archive: str
):
    other = tmp_path / archive
    other.write_bytes(b"another one")
    done = configure(tmp_path, part, f"-D{option}={other}")
    assert done.returncode == 1
    assert f"{archive} cannot be had: {other}: wrong SHA-256 " in " ".join(done.stderr.split())


def test_without_a_way_to_the_source_the_installed_ode_is_linked_and_named(
    tmp_path: Path, installed: list[str]
):
    done = configure(tmp_path, "ode", *installed)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("ode_0.16.2.orig.tar.gz cannot be had: this system has no apt-get\n") == 1
    assert "state hashes can differ" in done.stderr
    assert "note: the installed ODE" in done.stdout


def test_without_source_and_installed_library_the_build_names_the_package(tmp_path: Path):
    nowhere = ["-DCMAKE_FIND_ROOT_PATH=/none", "-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY"]
    done = configure(tmp_path, "ode", *nowhere)
    assert done.returncode == 1
    assert "sudo apt-get install libode-dev" in done.stderr


def test_the_installed_ode_is_linked_where_that_is_asked_for(tmp_path: Path, installed: list[str]):
    done = configure(tmp_path, "ode", "-DWBRIDGE_SYSTEM_ODE=ON", *installed)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "note: the installed ODE" in done.stdout


def test_without_musl_the_c_librarys_functions_are_used_and_named(tmp_path: Path):
    done = configure(tmp_path, "musl")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("musl_1.2.3.orig.tar.gz cannot be had: this system has no apt-get\n") == 1
    assert "note: the C library's mathematical functions" in done.stdout


def test_a_compiler_without_avx2_ends_the_build_with_one_line(tmp_path: Path):
    compiler = tmp_path / "old-compiler"
    compiler.write_text(OLD_COMPILER.format(compiler=shutil.which("c++")))
    compiler.chmod(0o755)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18...3.30)\nproject(probe CXX)\n"
        f'include("{ENGINE}/sources.cmake")\nwbridge_require_vectors()\n'
    )
    words = ["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_CXX_COMPILER={compiler}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{compiler} cannot compile functions for AVX2; install GCC 10" in " ".join(done.stderr.split())
