"""`wbridge-controller`: a controller, its gateway and its guard drive a robot without a simulator."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.remote.emulated import serving
from wbridge.remote_controls.emulators.epuck import Emulator
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables

CONTROLLER = """
import math, os, sys
from controller import Robot
robot = Robot()
motors = [robot.getDevice(f"{side} wheel motor") for side in ("left", "right")]
for motor in motors:
    motor.setPosition(math.inf)
    motor.setVelocity(2.0)
encoder = motors[0].getPositionSensor()
encoder.enable(32)
proximity = robot.getDevice("ps0")
proximity.enable(32)
while proximity.getValue() != 1234.0:
    assert robot.step(32) != -1
while not encoder.getValue() > 0.1:
    assert robot.step(32) != -1

def kilobytes(pid):
    lines = open(f"/proc/{pid}/smaps_rollup").read().splitlines()
    return int(next(line for line in lines if line.startswith("Pss:")).split()[1])

def mapped(pid):
    return open(f"/proc/{pid}/maps").read()

own, gateway = os.getpid(), os.getppid()
heavy = [name for name in ("numpy", "_engine", "wbcore") if name in mapped(own) + mapped(gateway)]
heavy += [name for name in sys.modules if name.startswith(("numpy", "wbridge.wbcore"))]
print(robot.getName(), sys.argv[1:], heavy, max(map(kilobytes, (own, gateway))), flush=True)
"""
MOST_KB = 40_000
"""What each of the processes may need."""


def write_table(folder: Path) -> Path:
    """Write the device table of an e-puck into a file, in the form of `wbridge devices --json`."""
    tables = device_tables(load_world(CHECKOUT / "worlds" / "epuck_arena.wbt"))
    file = folder / "table.json"
    robots = [{"name": table.name, "table": table.to_data()} for table in tables]
    file.write_text(json.dumps({"world": "epuck_arena.wbt", "robots": robots}))
    return file


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The device table of an e-puck."""
    return write_table(tmp_path)


def run(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wbridge.hal.gateway.alone", *map(str, words)]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False, timeout=100)


def test_a_controller_drives_an_emulated_robot(table: Path, tmp_path: Path):
    program = tmp_path / "drive.py"
    program.write_text(CONTROLLER)
    with serving(Emulator()) as served:
        served.robot.set("ps0", 1234)
        done = run(table, "--remote-control", "epuck", "--url", served.url, program, "a", "--b")
        assert served.robot.state()["left"] == 0.0, "it stops with its controller"
    assert done.returncode == 0, done.stderr
    name, memory = done.stdout.rsplit(maxsplit=1)
    assert name == "e-puck ['a', '--b'] []"
    assert int(memory) < MOST_KB


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.json", "--url", "x", "c.py"], "nowhere.json"),
        (["TABLE", "--url", "x", "nowhere.py"], "nowhere.py: no such file"),
        (["TABLE", "--url", "x", "--robot", "other", "c.py"], "there are: e-puck"),
        (["TABLE", "--url", "x", "--remote-control", "epick", "c.py"], 'did you mean "epuck"?'),
        (["TABLE", "c.py"], "--url"),
    ],
)
def test_mistakes_are_named(words: list[str], said: str, table: Path):
    done = run(*(table if word == "TABLE" else word for word in words))
    assert done.returncode == 2
    assert said in done.stderr
