"""The wheel of wbridge-controller: installed alone, it drives robots with neither engine nor numpy."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from scripts.controller_wheel import build, build_for
from scripts.wheels.targets import SYSTEMS
from tests.conftest import CHECKOUT
from tests.remote.emulated import serving
from tests.remote.link_robots import link_robot
from tests.remote.test_alone import CONTROLLER, MOST_KB, write_table
from wbridge.remote_controls.emulators.epuck import Emulator
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables

pytestmark = pytest.mark.slow
MOST_BYTES = 1_000_000
MODULE = "wbridge/hal/client/_native.abi3.so"
AARCH64 = 183
"""Number of the processor in ELF files."""
LINKED = """
import math, sys
from controller import Robot
robot = Robot()
motor = robot.getDevice("left wheel motor")
motor.setPosition(math.inf)
motor.setVelocity(1.5)
for _ in range(10):
    assert robot.step(32) != -1
print(motor.getVelocity(), "numpy" in sys.modules)
"""
"""For a robot of the robot link."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed program, in an environment with nothing else."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    subprocess.run([*pip, "install", "-q", "--no-deps", "--no-index", str(wheel)], check=True)
    return folder / "bin" / "wbridge-controller"


def drive(program: Path, folder: Path, text: str, *words: object) -> list[str]:
    """What a controller prints."""
    file = folder / "drive.py"
    file.write_text(text)
    command = [program, write_table(folder), *words, file]
    done = subprocess.run(
        [*map(str, command)], cwd=folder, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_it_is_small_and_has_no_simulator(wheel: Path):
    assert wheel.stat().st_size < MOST_BYTES
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        *(
            "controller",
            "vehicle",
            "wbridge",
            f"{'-'.join(wheel.name.split('-')[:2])}.dist-info",
        )
    }


def test_it_describes_itself_in_the_package_index(wheel: Path):
    """The judge is what indexes demand of metadata (core metadata, Description-Content-Type)."""
    info = f"{'-'.join(wheel.name.split('-')[:2])}.dist-info"
    metadata = message_from_bytes(zipfile.ZipFile(wheel).read(f"{info}/METADATA"))
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert "`wb_*` functions" in metadata.get_payload()


def test_that_of_another_processor_has_the_same_files(wheel: Path, tmp_path: Path):
    """The judges are the number of the processor in the header of the module, and auditwheel."""
    other = build_for(SYSTEMS["aarch64"], tmp_path)
    assert other.name.endswith("-cp310-abi3-manylinux_2_28_aarch64.whl")
    archive, own = zipfile.ZipFile(other), zipfile.ZipFile(wheel)
    assert set(archive.namelist()) == set(own.namelist())
    assert int.from_bytes(archive.read(MODULE)[18:20], "little") == AARCH64
    assert str(CHECKOUT).encode() not in archive.read(MODULE)


def test_it_drives_an_emulated_epuck(program: Path, tmp_path: Path):
    with serving(Emulator(), "tcp://127.0.0.1:0") as served:
        served.robot.set("ps0", 1234)
        words = ("--remote-control", "epuck", "--url", served.url)
        *_, heavy, memory = drive(program, tmp_path, CONTROLLER, *words)
    assert heavy == "[]"
    assert int(memory) < MOST_KB


def test_it_drives_a_robot_of_the_robot_link(program: Path, tmp_path: Path):
    (table,) = device_tables(load_world(CHECKOUT / "worlds" / "epuck_arena.wbt"))
    with link_robot("wifi", table, tmp_path) as robot:
        assert drive(program, tmp_path, LINKED, "--url", robot.url) == ["1.5", "False"]
