"""Start of a run: numpy without threads that nothing uses."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SHOW = """
import os, sys
from wbridge.running.numerics import load_numpy
load_numpy()
print("numpy" in sys.modules, os.environ.get("OPENBLAS_NUM_THREADS"), len(os.listdir("/proc/self/task")))
"""


@pytest.mark.parametrize(("given", "shown"), [(None, "True None 1"), ("1", "False 1 1")])
def test_numpy_is_loaded_without_threads_and_controllers_see_nothing_of_it(
    given: str | None, shown: str
) -> None:
    """OpenBLAS reads the variable when it is loaded; a user's own setting is left alone."""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    if given is not None:
        environment["OPENBLAS_NUM_THREADS"] = given
    done = subprocess.run([sys.executable, "-c", SHOW], capture_output=True, text=True, env=environment)
    assert done.stdout.strip() == shown, done.stderr
