"""Webots' own controller library and ours see the same pictures, ranges, points and objects in a world.

The library is found by WEBOTS_HOME (its folder holds lib/controller). It is not part of this repository, so
the comparison skips where it is absent, in continuous integration, too.
"""

from __future__ import annotations

import json
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
WORLD, CONTROLLER = HERE / "seen.wbt", HERE / "seeing.py"
STEPS = 30


def told(transport: str, library: Path | None = None) -> list[dict[str, Any]]:
    """What the controller printed, with our library or with the one in a Webots folder."""
    with serve(Simulation(WORLD), dialect_of(library) if library else "R2025a") as port:
        address = {"ipc": f"ipc://{port}/robot", "tcp": f"tcp://127.0.0.1:{port}/robot"}[transport]
        environment = {"USER": "default", **os.environ, "WEBOTS_CONTROLLER_URL": address}
        environment["PYTHONPATH"] = str(library / "lib" / "controller" / "python" if library else CHECKOUT)
        # Without -S the package that is installed here would take the place of the library's.
        command = [sys.executable, *(["-S"] if library else []), str(CONTROLLER), str(STEPS)]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def test_both_ways_to_the_simulator_show_the_same():
    shared, sent = told("ipc"), told("tcp")
    assert len(shared) == STEPS + 1
    assert len({line["picture"] for line in shared[1:]}) == STEPS, "something moves in each picture"
    assert {one[1] for one in shared[-1]["objects"]} == {"box", "ball"}
    assert shared == sent


@pytest.mark.parametrize("transport", ["ipc", "tcp"])
def test_both_libraries_see_the_same(transport: str):
    home = Path(os.environ.get("WEBOTS_HOME", "") or "/nowhere")
    if not (home / "lib" / "controller").is_dir():
        pytest.skip("Webots' controller library is absent; name its folder in WEBOTS_HOME")
    theirs, ours = told(transport, home), told(transport)
    assert theirs[0] == ours[0]
    different = [
        (count, key)
        for count, (one, other) in enumerate(zip(theirs, ours, strict=True))
        for key in other
        if one[key] != other[key]
    ]
    assert not different, different[:6]
