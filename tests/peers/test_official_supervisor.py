"""A supervisor reads and does the same with Webots' own controller library as with ours, step for step.

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
WORLD, CONTROLLER = HERE / "supervised.wbt", HERE / "supervising.py"
MISREAD = ("contacts behind the first", "contacts of", "none")
"""The Python package of R2023a takes contact points for 28 bytes long, and so misreads all but the first; it
makes an object of a field that a node lacks, where later ones return None."""
TOPICS = ("nodes", "fields", "sets", "lists", "motion", "states", "run")


def told(transport: str, library: Path | None = None) -> list[dict[str, Any]]:
    """What the supervisor printed, with our library or with the one in a Webots folder."""
    with serve(Simulation(WORLD), dialect_of(library) if library else "R2025a") as port:
        address = {"ipc": f"ipc://{port}/robot", "tcp": f"tcp://127.0.0.1:{port}/robot"}[transport]
        environment = {"USER": "default", **os.environ, "WEBOTS_CONTROLLER_URL": address}
        environment["PYTHONPATH"] = str(library / "lib" / "controller" / "python" if library else CHECKOUT)
        # Without -S the package that is installed here would take the place of the library's.
        command = [sys.executable, *(["-S"] if library else []), str(CONTROLLER)]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


@pytest.mark.parametrize("transport", ["ipc", "tcp"])
def test_our_library_gets_through_all_topics(transport: str):
    lines = told(transport)
    assert [line["values"][0] for line in lines if line["topic"] == "time"] == list(TOPICS)


@pytest.mark.parametrize("transport", ["ipc", "tcp"])
def test_both_libraries_see_and_do_the_same(transport: str):
    home = Path(os.environ.get("WEBOTS_HOME", "") or "/nowhere")
    if not (home / "lib" / "controller").is_dir():
        pytest.skip("Webots' controller library is absent; name its folder in WEBOTS_HOME")
    theirs, ours = told(transport, home), told(transport)
    if dialect_of(home) == "R2023a":
        theirs, ours = ([line for line in one if line["topic"] not in MISREAD] for one in (theirs, ours))
    assert len(theirs) > 80
    assert theirs == ours
