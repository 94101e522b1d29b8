"""Start of a run: numpy on its first use, without threads that nothing uses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

WORLDS = Path(__file__).resolve().parents[2] / "worlds"

SHOW = """
import os, sys
from wbridge.running.numerics import defer_numpy
defer_numpy()
import numpy
import numpy as np
print("numpy.linalg" in sys.modules, end=" ")
from numpy.typing import NDArray
from numpy import array
assert np is numpy is sys.modules["numpy"] and np.linalg.norm(array([3.0, 4.0])) == 5
assert np.random.default_rng(1).random() < 1 and not hasattr(np, "nothing")
threads = os.environ.get("OPENBLAS_NUM_THREADS")
print("numpy.linalg" in sys.modules, threads, len(os.listdir("/proc/self/task")))
"""

TWO_THREADS = """
import threading
from wbridge.running.numerics import defer_numpy
defer_numpy()
import numpy as np
found = []
def use():
    found.append(float(np.linalg.norm(np.ones(4))))
threads = [threading.Thread(target=use) for _ in range(8)]
for one in threads: one.start()
for one in threads: one.join()
print(found == [2.0] * 8)
"""

RUN = """
import sys
from wbridge.main import main
from wbridge.wbcore.controllers import runner
runner.IDLE_S = 60.0
code = main(["run", sys.argv[1], "--steps", "2", "--quiet"])
print(code, "numpy.linalg" in sys.modules)
"""

LOAD_AHEAD = """
import sys
from wbridge.running.numerics import defer_numpy
defer_numpy()
from wbridge.wbcore.devices.image_device import ImageDevice
print("numpy.linalg" in sys.modules, end=" ")
ImageDevice.load_ahead(None)
print("numpy.linalg" in sys.modules)
"""


def python(program: str, *arguments: str, environment: dict[str, str] | None = None) -> str:
    """Run a program in a new interpreter; return its output."""
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(("given", "shown"), [(None, "False True None 1"), ("1", "False True 1 1")])
def test_numpy_is_loaded_on_its_first_use_without_threads(given: str | None, shown: str) -> None:
    """OpenBLAS reads the variable when it is loaded; controllers see nothing of it, and a user's own setting
    is left alone."""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    if given is not None:
        environment["OPENBLAS_NUM_THREADS"] = given
    assert python(SHOW, environment=environment) == shown


def test_threads_that_use_numpy_at_once_wait_for_it() -> None:
    assert python(TWO_THREADS) == "True"


@pytest.mark.parametrize("world", ["arm", "obstacles", "epuck_arena", "nao"])
def test_first_steps_of_worlds_without_pictures_need_no_numpy(world: str) -> None:
    assert python(RUN, str(WORLDS / f"{world}.wbt")).splitlines()[-1] == "0 False"


def test_cameras_load_numpy_ahead() -> None:
    assert python(LOAD_AHEAD) == "False True"
