"""Webots' own controller library and ours read the same values in the same world, step for step.

The library is found by WEBOTS_HOME (its folder holds lib/controller). It is not part of this repository, so
these tests skip where it is absent, in continuous integration, too.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CHECKOUT
from tests.peers.serving import dialect_of, serve
from wbridge.wbcore.simulation import Simulation

HERE = Path(__file__).parent
WORLD, CONTROLLER = HERE / "all_devices.wbt", HERE / "readings.py"
STEPS = 200


@pytest.fixture(scope="module")
def webots_home() -> Path:
    home = os.environ.get("WEBOTS_HOME", "")
    if not home or not (Path(home) / "lib" / "controller").is_dir():
        pytest.skip("Webots' controller library is absent; name its folder in WEBOTS_HOME")
    return Path(home)


def readings(library: Path, transport: str, dialect: str = "R2025a") -> list[dict[str, Any]]:
    """What the controller printed: it runs with the library whose Python package lies in a folder."""
    simulation = Simulation(WORLD)
    with serve(simulation, dialect) as port:
        address = {"ipc": f"ipc://{port}/robot", "tcp": f"tcp://127.0.0.1:{port}/robot"}[transport]
        environment = {**os.environ, "PYTHONPATH": str(library), "WEBOTS_CONTROLLER_URL": address}
        environment.setdefault("USER", "default")
        done = subprocess.run(
            # -S: an installed package of ours would be found before the library's.
            [sys.executable, "-X", "faulthandler", "-S", str(CONTROLLER), str(STEPS)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def same(a: Any, b: Any) -> bool:
    """Equal in every bit; NaN equals NaN."""
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (math.isnan(a) and math.isnan(b))
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return bool(a == b)


def close(a: list[float], b: list[float]) -> bool:
    """Equal but for rounding in two functions.

    Libraries compute angles from a quaternion, which is compared in every bit: Webots' with the functions of
    the system, ours with its own, which are the same everywhere.
    """
    return len(a) == len(b) and all(abs(x - y) <= 2 * math.ulp(x) for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("transport", ["ipc", "tcp"])
def test_both_libraries_read_the_same(webots_home: Path, transport: str):
    theirs = readings(webots_home / "lib" / "controller" / "python", transport, dialect_of(webots_home))
    ours = readings(CHECKOUT, transport)
    assert len(ours) == STEPS + 1
    different = [
        (count, key, a[key], b[key])
        for count, (a, b) in enumerate(zip(theirs, ours, strict=True))
        for key in b
        if not (close if key == "angles" else same)(a[key], b[key])
    ]
    assert not different, different[:3]


@pytest.mark.parametrize("transport", ["ipc", "tcp"])
def test_our_library_reads_what_the_world_implies(transport: str):
    rows = readings(CHECKOUT, transport)
    assert len(rows) == STEPS + 1
    assert [row["time"] for row in rows[1:]] == pytest.approx([0.016 * k for k in range(1, STEPS + 1)])
    assert rows[100]["data"] == "ninety"
    assert rows[63]["field"] == rows[63]["ball"]
