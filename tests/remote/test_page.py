"""The page about real robots: its commands run, its file is read, its tables name what plugins know."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from wbridge.remote_controls import create2, epuck
from wbridge.remote_controls.wiring.read import kinds, read_wirings

PAGE = (CHECKOUT / "docs" / "real-robots.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    """The lines of its shell blocks."""
    return re.findall(
        r"^wbridge .*$", "\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)), re.MULTILINE
    )


def start(command: str, folder: Path, *more: str) -> subprocess.Popen[str]:
    """A command of the page, its files in a folder of the test."""
    words = shlex.split(command.replace("$HOME", str(folder)))[1:]
    return subprocess.Popen(
        [sys.executable, "-m", "wbridge", *words, *more],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_emulated_robot_is_driven_by_the_controller_of_the_world(tmp_path: Path):
    emulate, remote = commands()
    robot = start(emulate, tmp_path, "--duration", "40")
    assert robot.stdout is not None and robot.stdin is not None
    try:
        assert robot.stdout.readline() == f"epuck: serial://{tmp_path}/ttyPuck\n"
        driver = start(remote, tmp_path, "--duration", "20")
        forward = any({"left=4", "right=4"} <= set(line.split()) for line in robot.stdout)
        robot.stdin.write("ps0=300\n")  # something is near on the right
        robot.stdin.flush()
        turned = any({"left=-2.5", "led0=1"} <= set(line.split()) for line in robot.stdout)
        driver.terminate()
        _, told = driver.communicate(timeout=30)
        assert (forward, turned) == (True, True), told
        assert "the following devices have no effect: receiver, emitter, speaker" in told
        assert any({"left=0", "right=0"} <= set(line.split()) for line in robot.stdout)
    finally:
        robot.kill()
        robot.communicate()


def test_its_file_is_read(tmp_path: Path):
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "rover.pins.toml"
    file.write_text(text)
    motors = dict.fromkeys(("left motor", "right motor", "arm"), "RotationalMotor")
    sensors = dict.fromkeys(("ds", "sharp"), "DistanceSensor")
    found = read_wirings(file, {**motors, **sensors, "lamp": "LED", "bumper": "TouchSensor"})
    assert len(found.parts) == 7
    assert found.parts["ds"].value({"A0": 400}) == 103.0


@pytest.mark.parametrize("key", sorted(kinds()))
def test_each_key_and_what_goes_with_it_stands_there(key: str):
    (row,) = re.findall(rf"^\| `{key}` \|.*$", PAGE, re.MULTILINE)
    others = row.split("|")[3]
    for field in kinds()[key].FIELDS:
        assert field == key or f"`{field}`" in others


def test_the_tables_name_the_devices():
    named = set(re.findall(r"`([\w ]+)`", PAGE))
    for name in ("left wheel motor", "accelerometer", "gyro", "tof", *create2.CLIFFS, *create2.BITS):
        assert name in named
    assert {*create2.LEDS, create2.POWER_LED} <= named
    assert {"ps7", "ls7", "gs2", "led9", "mic3"} <= named & {*epuck.SENSORS, *epuck.LEDS}
