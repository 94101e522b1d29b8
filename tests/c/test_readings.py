"""Controllers in C and C++ read what the same controller in Python reads, step for step and bit for bit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.peers.serving import serve
from wbridge.libcontroller.compiling import compile_controller
from wbridge.wbcore.simulation import Simulation

HERE = Path(__file__).parent
WORLD = HERE.parent / "peers" / "all_devices.wbt"
STEPS = 200


def readings(command: list[str | Path], transport: str, dialect: str = "R2025a") -> list[str]:
    """The lines that a controller prints, each as text that differs when a single bit does."""
    with serve(Simulation(WORLD), dialect) as port:
        address = {"ipc": f"ipc://{port}/robot", "tcp": f"tcp://127.0.0.1:{port}/robot"}[transport]
        environment = {"USER": "default", **os.environ, "PYTHONPATH": str(CHECKOUT)}
        environment["WEBOTS_CONTROLLER_URL"] = address
        words = [*map(str, command), str(STEPS)]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert done.stderr == ""
    rows = [json.loads(line, parse_int=float) for line in done.stdout.splitlines()]
    assert len(rows) == STEPS + 1
    return [json.dumps(row) for row in rows]


@pytest.fixture(scope="module")
def expected() -> list[str]:
    return readings([sys.executable, HERE / "readings.py"], "ipc")


@pytest.mark.parametrize("transport", ["ipc", "tcp"])
@pytest.mark.parametrize("name", ["readings", "readings_cpp", "readings_classes"])
def test_controllers_in_c_and_cpp_read_the_same(c_home: Path, expected: list[str], name: str, transport: str):
    program = compile_controller(HERE / "controllers" / name)
    assert program is not None
    for count, (ours, theirs) in enumerate(zip(readings([program], transport), expected, strict=True)):
        assert ours == theirs, f"line {count}"


@pytest.mark.parametrize("dialect", ["R2023b", "R2023a"])
def test_older_releases_are_understood(c_home: Path, expected: list[str], dialect: str):
    program = compile_controller(HERE / "controllers" / "readings")
    assert program is not None
    assert readings([program], "ipc", dialect)[1:] == expected[1:]
