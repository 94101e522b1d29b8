"""Faults seeded into drivers in C: verify names the device of each on an emulated Arduino Uno."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.firmware.conftest import require_board
from tests.firmware.test_micropython import verify
from tests.firmware.test_steppers import plotter_map
from tests.firmware.towers import tower_map
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.building.build import PROGRAM, build, compile_project
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.template_folders import read_toml

BOARD, STEPS = "arduino-uno", 130
ROBOTS: dict[str, Callable[[Path, str], Path]] = {"tower": tower_map, "plotter": plotter_map}
FAULTS: dict[str, list[dict[str, Any]]] = read_toml(
    Path(__file__).with_name("mutants").joinpath("parts.toml").read_text(encoding="utf-8")
)
KINDS = {"wrong address", "byte order", "bit order", "timing", "sign", "scale"}


class Project(NamedTuple):
    """A robot whose firmware was built."""

    hardware: Hardware
    folder: Path


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Project]:
    """The projects of the robots."""
    require_board(BOARD)
    found = {}
    for name, prepare in ROBOTS.items():
        folder = tmp_path_factory.mktemp(name)
        map_file = prepare(folder, BOARD)
        hardware = load_hardware(map_file, device_tables(load_world(folder / f"{name}.wbt"))[0])
        build(hardware, folder / "firmware")
        found[name] = Project(hardware, folder / "firmware")
    return found


def test_there_are_faults_of_every_kind():
    assert {one["kind"] for faults in FAULTS.values() for one in faults} >= KINDS


@pytest.mark.boards
@pytest.mark.parametrize(
    ("robot", "fault"),
    [
        pytest.param(robot, one, id=f"{one['device']}: {one['kind']}")
        for robot, faults in FAULTS.items()
        for one in faults
    ],
)
def test_a_fault_is_found_at_its_device(
    robot: str, fault: dict[str, Any], projects: dict[str, Project], tmp_path: Path
):
    hardware, folder = projects[robot]
    shutil.copytree(folder, tmp_path / "firmware")
    place, table = tmp_path / "firmware" / fault["file"], tmp_path / "table.csv"
    assert place.read_text().count(fault["text"]) == 1
    place.write_text(place.read_text().replace(fault["text"], fault["wrong"]))
    compile_project(hardware, tmp_path / "firmware")
    given = [
        "--flavor",
        "standalone",
        "--firmware",
        str(tmp_path / "firmware" / PROGRAM),
        "--table",
        str(table),
    ]
    assert verify(hardware.path, *given, steps=STEPS) == 1
    with table.open(newline="") as rows:
        found = {row["device"] for row in csv.DictReader(rows) if row["result"] not in ("given", "agrees")}
    assert fault["device"] in found
