"""Rays without an end look into few of many boxes, as rays with an end do.

Judge: the boxes that a ray crosses, counted by hand: none above them, and 64 along a row.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.engine.test_ray_batch_paths import ENGINE, build_options

PROGRAM = Path(__file__).with_name("tree_searches.cpp")
SOURCES = [ENGINE / "src" / name for name in ("scene/bvh.cpp", "tree.cpp")]


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_a_ray_without_an_end_visits_what_it_crosses(tmp_path: Path) -> None:
    program = tmp_path / "searches"
    command = ["g++", *build_options(), f"-iquote{ENGINE / 'src'}", str(PROGRAM), *map(str, SOURCES)]
    subprocess.run([*command, "-o", str(program)], check=True)
    result = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    above_fixed, above_moving, near_fixed, row = map(int, result)
    assert (above_fixed, above_moving, row) == (0, 0, 64)
    assert near_fixed <= 12
