"""Cars that controllers drive in a simulation, and what those print, with libraries of Webots and ours."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.conftest import CHECKOUT
from tests.peers.serving import dialect_of, serve
from tests.peers.test_official_library import same
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.simulation import Simulation

HERE = Path(__file__).parent
STEPS = 600
MODELS = {"TeslaModel3": (1, 1), "BmwX5": (0, 0), "ToyotaPrius": (0, 3)}
"""Driven behind and in front; electric, combustion, hybrid."""
Row = dict[str, Any]


def world(model: str, folder: Path) -> Path:
    """The world with another car; it has the wipers, needles and lever of the file unless it has its own."""
    folders = {one.stem: one.as_posix() for one in (CHECKOUT / "protos" / "vehicles").rglob("*.proto")}
    text = (HERE / "cars.wbt").read_text(encoding="utf-8")
    if "_wiper_motor" in Path(folders[model]).read_text(encoding="utf-8"):
        text = re.sub(r"(?ms)^  sensorsSlotCenter \[.*?^  \]\n", "", text)
    text = text.replace("../../protos/vehicles/tesla/TeslaModel3.proto", folders[model])
    text = text.replace("../../protos", (CHECKOUT / "protos").as_posix()).replace("TeslaModel3", model)
    path = folder / "cars.wbt"
    path.write_text(text, encoding="utf-8")
    return path


def drive(path: Path, command: Sequence[str | Path], library: Path | None = None) -> list[Row]:
    """What a driver reads: its figures first, then a row for each step.

    Args:
        path: of the world.
        command: the controller.
        library: the Webots folder whose library it uses; None: it uses ours.
    """
    loaded = load_world(path)
    assert list(loaded.report) == []
    with serve(Simulation(loaded), dialect_of(library) if library else "R2025a") as port:
        environment = {"USER": "default", **os.environ, "WEBOTS_CONTROLLER_URL": f"ipc://{port}/robot"}
        environment["PYTHONPATH"] = str(library / "lib" / "controller" / "python" if library else CHECKOUT)
        words = [str(word) for word in command]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert library or done.stderr == ""
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(rows) == STEPS + 1
    return rows


def drive_in_python(path: Path, library: Path | None = None) -> list[Row]:
    """What the driver in Python reads."""
    # Without -S the package that is installed here would take the place of the library's.
    return drive(path, [sys.executable, *(["-S"] if library else []), HERE / "driving.py"], library)


def differences(theirs: list[Row], ours: list[Row]) -> list[tuple[int, str, Any, Any]]:
    """Where two drives differ in any bit: row, key and both values."""
    return [
        (count, key, a[key], b[key])
        for count, (a, b) in enumerate(zip(theirs, ours, strict=True))
        for key in a.keys() | b.keys()
        if not same(a[key], b[key])
    ]
