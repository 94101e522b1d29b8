"""Steps allocate no memory once buffers have their size.

The judge is a library that counts the calls of the C library's allocator (allocations/count.c).
"""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.engine_scenes import SCENES
from tests.project.files import CHECKOUT
from wbridge.wbcore.engine import HAS_OWN_ODE

SCENES_OF_MOST = {"idle": 1, "arm": 1, "biped": 1, "epucks": 20, "boxes": 60}
WARM_UP, STEPS = 200, 100


def count() -> None:
    """Print the number of allocations in steps of each scene; runs with the counting library."""
    allocations = ctypes.CDLL(None).allocations
    allocations.restype = ctypes.c_long
    for scene, size in SCENES_OF_MOST.items():
        world = SCENES[scene](size)
        world.step(WARM_UP)
        before = allocations()
        world.step(STEPS)
        print(scene, allocations() - before)


@pytest.mark.skipif(not HAS_OWN_ODE, reason="the installed ODE allocates in each step")
def test_steps_allocate_no_memory(tmp_path: Path):
    library = tmp_path / "count.so"
    source = CHECKOUT / "tests" / "engine" / "allocations" / "count.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    code = "from tests.engine.test_allocations import count; count()"
    found = subprocess.check_output([sys.executable, "-c", code], env=environment, cwd=CHECKOUT, text=True)
    counts = dict(line.split() for line in found.splitlines())
    # A list that is longer than ever before may grow.
    assert {scene: int(number) for scene, number in counts.items() if int(number) > 2} == {}
