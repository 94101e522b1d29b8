"""Webots' own vehicle library and ours drive the same car in the same way, step for step.

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
from tests.peers.test_official_library import same
from wbcore.scene.load import load_world
from wbcore.simulation import Simulation

HERE = Path(__file__).parent
STEPS = 600
MODELS = ("TeslaModel3", "BmwX5", "ToyotaPrius")
"""Driven behind, all around and in front; electric, combustion, hybrid."""


def world(model: str, folder: Path) -> Path:
    """The world with another car."""
    folders = {one.stem: one.as_posix() for one in (CHECKOUT / "protos" / "vehicles").rglob("*.proto")}
    text = (HERE / "cars.wbt").read_text(encoding="utf-8")
    text = text.replace("../../protos/vehicles/tesla/TeslaModel3.proto", folders[model])
    text = text.replace("../../protos", (CHECKOUT / "protos").as_posix()).replace("TeslaModel3", model)
    path = folder / "cars.wbt"
    path.write_text(text, encoding="utf-8")
    return path


def driven(path: Path, library: Path | None = None) -> list[dict[str, Any]]:
    """What the driver read, with our library or with the one in a Webots folder."""
    loaded = load_world(path)
    assert list(loaded.report) == []
    with serve(Simulation(loaded), dialect_of(library) if library else "R2025a") as port:
        environment = {"USER": "default", **os.environ, "WEBOTS_CONTROLLER_URL": f"ipc://{port}/robot"}
        environment["PYTHONPATH"] = str(library / "lib" / "controller" / "python" if library else CHECKOUT)
        # Without -S the package that is installed here would take the place of the library's.
        command = [sys.executable, *(["-S"] if library else []), str(HERE / "driving.py")]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


@pytest.mark.parametrize("model", MODELS)
def test_our_library_drives(tmp_path: Path, model: str):
    rows = driven(world(model, tmp_path))
    assert len(rows) == STEPS
    assert {one["mode"] for one in rows} == {None, 0, 1}
    assert max(one["speed"] for one in rows[3:]) > 25 > 0 > min(one["speed"] for one in rows[3:])


@pytest.mark.parametrize("model", MODELS)
def test_both_libraries_drive_the_same(tmp_path: Path, model: str):
    home = Path(os.environ.get("WEBOTS_HOME", "") or "/nowhere")
    if not (home / "lib" / "controller" / "libdriver.so").is_file():
        pytest.skip("Webots' vehicle library is absent; name its folder in WEBOTS_HOME")
    path = world(model, tmp_path)
    theirs, ours = driven(path, home), driven(path)
    assert len(theirs) == len(ours) == STEPS
    different = [
        (count, key, a[key], b[key])
        for count, (a, b) in enumerate(zip(theirs, ours, strict=True))
        for key in b
        if not same(a[key], b[key])
    ]
    assert not different, different[:3]
