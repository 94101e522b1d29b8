"""Vector instructions: the environment decides which ones a process uses, and none changes a bit.

Judge: the instructions that the processor itself lists.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

X86 = platform.machine() in ("x86_64", "AMD64")
PRINT = "from wbridge.wbcore.engine import SIMD; print(SIMD)"
STEP = """
from benchmarks.engine_scenes import SCENES
sparse = ("biped", 1, "sparse"), ("boxes", 8, "sparse"), ("arm", 0, "sparse")
dense = ("epucks", 2, "dense"), ("biped", 1, "dense")
for name, count, solver in sparse + dense:
    world = SCENES[name](count)
    world.solver = solver
    world.step(40)
    print(f"{world.hash():016x}")
"""


def in_process(code: str, allowed: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "WBRIDGE_SIMD": allowed}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def widest() -> str:
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").is_file() else ""
    if all(f" {flag} " in flags for flag in ("avx512f", "avx512dq", "avx512vl", "avx512_vbmi2")):
        return "avx512"
    return "avx2" if " avx2 " in flags else "sse2"


@pytest.mark.skipif(not X86, reason="needs x86-64")
@pytest.mark.parametrize(
    ("allowed", "used"),
    [
        ("", None),
        ("none,sse2", "sse2"),
        pytest.param(
            "none,sse2,avx2", "avx2", marks=pytest.mark.skipif(widest() == "sse2", reason="needs AVX2")
        ),
        ("neon", "none"),
    ],
)
def test_the_widest_allowed_instructions_are_used(allowed: str, used: str | None):
    assert in_process(PRINT, allowed).stdout.strip() == (used or widest())


def test_an_unknown_name_ends_the_start_with_the_allowed_ones():
    command = [sys.executable, "-m", "wbridge", "run", "worlds/two_wheels.wbt"]
    environment = {**os.environ, "WBRIDGE_SIMD": "sse2,axv2"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        'wbridge: WBRIDGE_SIMD: "axv2" is no set of vector instructions; allowed: none, sse2, avx2, avx512, '
        "neon and simd128, separated by commas"
    )


@pytest.mark.skipif(not X86, reason="needs x86-64")
def test_hashes_are_the_same_with_each_set_of_instructions():
    choices = ("none", "none,sse2", "none,sse2,avx2", "")
    shown = [in_process(STEP, allowed).stdout.split() for allowed in choices]
    assert len(set(shown[0])) == 5
    assert shown.count(shown[0]) == len(choices)
