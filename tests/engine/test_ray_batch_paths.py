"""Rays in batches: the instructions of AVX2, AVX-512 and every x86-64 processor give the same bits."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[2] / "wbcore" / "engine" / "src"
PROGRAM = Path(__file__).with_name("ray_batch_paths.cpp")
# As in wbcore/engine/CMakeLists.txt. With this name, the source leaves the instructions to the options.
OPTIONS = ["-std=c++17", "-O3", "-ffp-contract=off", "-D__SANITIZE_ADDRESS__", f"-iquote{SOURCES}"]
INFINITE = "7ff0000000000000"


def lengths(folder: Path, *options: str) -> list[str]:
    """Compile and run the program; return the bits of all lengths."""
    made = folder / f"rays{''.join(options)}"
    source = str(SOURCES / "scene" / "ray_batch.cpp")
    subprocess.run(["g++", *OPTIONS, *options, str(PROGRAM), source, "-o", str(made)], check=True)
    return subprocess.run([made], capture_output=True, text=True, check=True).stdout.split()


def has(instructions: str) -> bool:
    info = Path("/proc/cpuinfo")
    return info.is_file() and f" {instructions} " in info.read_text()


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.skipif(not has("avx2"), reason="needs a processor with AVX2")
def test_all_paths_give_the_same_bits(tmp_path: Path) -> None:
    plain = lengths(tmp_path)
    for instructions in ("avx2", "avx512f"):
        if has(instructions):
            assert lengths(tmp_path, f"-m{instructions}") == plain
    assert 2000 < sum(one != INFINITE for one in plain) < len(plain)
