"""Webots' own vehicle library and ours drive the same car in the same way, step for step.

The library is found by WEBOTS_HOME (its folder holds lib/controller). It is not part of this repository, so
the comparison skips where it is absent, in continuous integration, too.
"""

from __future__ import annotations

import math
import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, require_tool
from tests.peers.drives import MODELS, Row, differences, drive, drive_in_python, world
from tests.peers.serving import dialect_of

DRIVER = CHECKOUT / "tests" / "c" / "controllers" / "driving" / "driving.c"
SPEED_NEEDLE = 4
"""Its place among the motors that the controller reads."""


@pytest.fixture(scope="module")
def webots_home() -> Path:
    home = Path(os.environ.get("WEBOTS_HOME", "") or "/nowhere")
    if not (home / "lib" / "controller" / "libdriver.so").is_file():
        pytest.skip("Webots' vehicle library is absent; name its folder in WEBOTS_HOME")
    return home


def without_first_needle(rows: list[Row]) -> list[Row]:
    """Webots moves the needle to its end while the speed is not known yet; ours waits."""
    for row in rows:
        if math.isnan(row.get("speed", 0.0)):
            row["motors"][SPEED_NEEDLE] = 0.0
    return rows


@pytest.mark.parametrize("model", MODELS)
def test_our_library_drives(tmp_path: Path, model: str):
    figures, *rows = drive_in_python(world(model, tmp_path))
    assert figures["kind"][:2] == list(MODELS[model])
    assert {one["mode"] for one in rows} == {None, 0, 1}
    assert {one["wipers"] for one in rows} == {0, 1, 2, 3}
    assert {tuple(one["indicator"][:2]) for one in rows} == {(0, False), (0, True), (1, False), (2, False)}
    for which in range(7):
        assert {one["lamps"][which] for one in rows} == {0, 1}
    assert max(one["speed"] for one in rows[3:]) > 20 > 0 > min(one["speed"] for one in rows[3:])


@pytest.mark.parametrize("model", MODELS)
def test_both_libraries_drive_the_same(webots_home: Path, tmp_path: Path, model: str):
    if dialect_of(webots_home) == "R2023a":
        pytest.skip("the vehicle package of R2023a calls functions that its own library lacks")
    path = world(model, tmp_path)
    theirs = without_first_needle(drive_in_python(path, webots_home))
    assert differences(theirs, drive_in_python(path))[:3] == []


@pytest.mark.parametrize("model", MODELS)
def test_both_libraries_drive_a_controller_in_c_the_same(webots_home: Path, tmp_path: Path, model: str):
    require_tool("cc", "the controller is compiled with it")
    library, program = webots_home / "lib" / "controller", tmp_path / "driving"
    links = [f"-L{library}", "-ldriver", "-lcar", "-lController", f"-Wl,-rpath,{library}", "-lm"]
    headers = CHECKOUT / "libcontroller" / "include"
    subprocess.run(["cc", f"-I{headers}", "-o", str(program), str(DRIVER), *links], check=True)
    path = world(model, tmp_path)
    theirs = without_first_needle(drive(path, [program], webots_home))
    assert differences(theirs, drive_in_python(path))[:3] == []
