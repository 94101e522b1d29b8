"""Rays in batches: the instructions of AVX2, AVX-512 and every x86-64 processor give the same bits."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ENGINE = Path(__file__).resolve().parents[2] / "wbcore" / "engine"
SOURCE = ENGINE / "src" / "scene" / "ray_batch.cpp"
PROGRAM = Path(__file__).with_name("ray_batch_paths.cpp")
# With this name, the source leaves the instructions to the options.
LEFT_TO_OPTIONS = "-D__SANITIZE_ADDRESS__"
NOTHING, INFINITE_WAY = "7f800000", "7ff0000000000000"


def build_options() -> list[str]:
    """The options with which the engine's build compiles the source, which calls no mathematical functions
    that a variable of CMake names."""
    build = (ENGINE / "CMakeLists.txt").read_text(encoding="utf-8")
    for name, exact in re.findall(
        r"set\((WBRIDGE_EXACT) (.*?)\)", (ENGINE / "sources.cmake").read_text(encoding="utf-8")
    ):
        build = build.replace(f"${{{name}}}", exact)
    standard, own, all_sources = (
        re.findall(pattern, build)
        for pattern in (
            r"target_compile_features\(\$\{target\} PRIVATE cxx_std_(\d+)\)",
            r'set_source_files_properties\(src/scene/ray_batch\.cpp PROPERTIES COMPILE_OPTIONS "(.*?)"\)',
            r"target_compile_options\((?:_engine|\$\{target\}) PRIVATE (-.*?)\)",
        )
    )
    assert len(set(standard)) == len(own) == 1 and all_sources
    options = [word for word in " ".join(all_sources).split() if not word.startswith("${")]
    assert "-ffp-contract=off" in options
    return [f"-std=c++{standard[0]}", *options, *own[0].split(";")]


def lengths(folder: Path, *options: str) -> list[str]:
    """Compile and run the program; return the bits of all numbers."""
    made = folder / f"rays{''.join(options)}"
    command = ["g++", *build_options(), LEFT_TO_OPTIONS, f"-iquote{ENGINE / 'src'}", *options]
    subprocess.run([*command, str(PROGRAM), str(SOURCE), "-o", str(made)], check=True)
    return subprocess.run([made], capture_output=True, text=True, check=True).stdout.split()


def has(instructions: str) -> bool:
    info = Path("/proc/cpuinfo")
    return info.is_file() and f" {instructions} " in info.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The numbers with the instructions of every x86-64 processor."""
    return lengths(tmp_path_factory.mktemp("plain"))


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize(
    "instructions",
    [
        pytest.param(one, marks=pytest.mark.skipif(not has(one), reason=f"needs a processor with {one}"))
        for one in ("avx2", "avx512f")
    ],
)
def test_all_paths_give_the_same_bits(tmp_path: Path, plain: list[str], instructions: str) -> None:
    assert lengths(tmp_path, f"-m{instructions}") == plain
    for bits, infinite in ((8, NOTHING), (16, INFINITE_WAY)):
        found = [one for one in plain if len(one) == bits]
        assert 1000 < sum(one != infinite for one in found) < len(found)
