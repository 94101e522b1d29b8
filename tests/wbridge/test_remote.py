"""`wbridge remote`: an unchanged controller drives a robot at a wire just as it drives the simulated one."""

from __future__ import annotations

import csv
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from tests.conftest import CHECKOUT
from tests.hal.link.broker import Broker
from tests.remote.emulated import serving
from wbridge.hal.link.transports import connect
from wbridge.main import main
from wbridge.remote_controls.emulators.firmata import Emulator

WORLD = CHECKOUT / "worlds" / "four_wheel_robot.wbt"
SECONDS, STEPS = "4", 250
PATIENCE = 60.0
RELAY = '''
import os
from usb.core import USBTimeoutError
from wbridge.hal.link.transports import usb
from wbridge.hal.link.transports.serial import open_bytes
from wbridge.hal.link.url import parse_url
from wbridge.hal.link.usb_device import UsbDevice

class Relay(UsbDevice):
    """A USB device whose bulk endpoints are the two directions of a serial line."""

    def __init__(self):
        super().__init__(0x1209, 1, None)
        self.line = None

    def open_device(self, dev):
        self.line = open_bytes(parse_url(os.environ["RELAY"]))
        return self

    def bulk_write(self, dev_handle, ep, intf, data, timeout):
        self.line.send(bytes(data))
        return len(data)

    def bulk_read(self, dev_handle, ep, intf, buff, timeout):
        data = self.line.receive(timeout / 1000) or b""
        if not data:
            raise USBTimeoutError("Operation timed out", error_code=None, errno=110)
        for place, one in enumerate(data):
            buff[place] = one
        return len(data)

usb.BACKENDS["relay"] = Relay()
'''
"""Loaded by the controller's interpreter: puts a USB device in front of a serial line."""
MODES = """
from controller import Robot

robot = Robot()
print(robot.getMode())
robot.step(16)
robot.setMode(0, "")
print(robot.getMode(), robot.step(16))
robot.setMode(2, "")
print(robot.getMode())
started = robot.getTime()
while robot.step(16) != -1 and robot.getTime() < started + 0.1:
    pass
print(3)
"""
DRIVER = """
import sys
from controller import Robot

robot = Robot()
robot.step(16)
print("the first step is done", file=sys.stderr, flush=True)
while robot.step(16) != -1:
    pass
"""


def wait_for(said: IO[str], text: str) -> None:
    """Wait until a program says something; on a busy machine it may say that it waits, first."""
    while text not in (line := said.readline()):
        assert line, "it has ended"


class Bridge:
    """A program that serves the simulated robot."""

    def __init__(self, url: str, *options: str, world: Path = WORLD) -> None:
        command = [sys.executable, "-m", "wbridge", "bridge", str(world), "--url", url, *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().partition(": ")[2].strip()

    def wait_for(self, text: str) -> None:
        """Wait until it says something."""
        assert self.process.stderr is not None
        wait_for(self.process.stderr, text)

    def stop(self) -> None:
        """Pull the cable."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE)


@contextmanager
def bridge(url: str, *options: str, world: Path = WORLD) -> Iterator[str]:
    """A program that serves the simulated robot; its URL."""
    one = Bridge(url, *options, world=world)
    try:
        yield one.url
    finally:
        one.stop()


def rows_of(path: Path) -> list[list[str]]:
    """A recording."""
    with path.open(newline="") as file:
        return list(csv.reader(file))


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """Poses, commands and readings of each step in simulation."""
    target = tmp_path_factory.mktemp("run") / "run.csv"
    assert main(["run", str(WORLD), "--quiet", "--duration", SECONDS, "--record", str(target)]) == 0
    return rows_of(target)


def drive(wire: str, url: str | None, folder: Path, simulated: list[list[str]]) -> None:
    """Drive the simulated robot over a wire; it must do all that it does without one."""
    target = folder / "bridge.csv"
    with bridge(wire, "--mode", "steps", "--record", str(target)) as where:
        assert main(["remote", str(WORLD), "--quiet", "--url", url or where, "--duration", SECONDS]) == 0
    assert len(simulated) > STEPS
    assert rows_of(target)[: len(simulated)] == simulated


@pytest.mark.parametrize("wire", [pytest.param("pty://", marks=pytest.mark.slow), "tcp://127.0.0.1"])
def test_the_same_over_a_wire(wire: str, tmp_path: Path, simulated: list[list[str]]):
    drive(wire, None, tmp_path, simulated)


def test_the_same_over_a_broker_with_tls_and_password(tmp_path: Path, simulated: list[list[str]]):
    broker = Broker(tmp_path)
    try:
        url = broker.url("avoider", tls=True)
        drive(url, url, tmp_path, simulated)
    finally:
        broker.stop()


def test_the_same_over_usb(tmp_path: Path, simulated: list[list[str]], monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "sitecustomize.py").write_text(RELAY)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{CHECKOUT}")
    monkeypatch.setenv("RELAY", f"serial://{tmp_path}/port")
    drive(f"pty://{tmp_path}/port", "usb://1209:1?backend=relay", tmp_path, simulated)


def test_the_same_with_another_robot(tmp_path: Path):
    world = CHECKOUT / "worlds" / "epuck_arena.wbt"
    plain, target = tmp_path / "run.csv", tmp_path / "bridge.csv"
    assert main(["run", str(world), "--quiet", "--duration", SECONDS, "--record", str(plain)]) == 0
    with bridge("tcp://127.0.0.1", "--mode", "steps", "--record", str(target), world=world) as url:
        assert main(["remote", str(world), "--quiet", "--url", url, "--duration", SECONDS]) == 0
    simulated = rows_of(plain)
    assert rows_of(target)[: len(simulated)] == simulated


def test_the_mode_is_told_truly(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    controller = tmp_path / "modes" / "modes.py"
    controller.parent.mkdir()
    controller.write_text(MODES)
    with bridge("tcp://127.0.0.1") as url:
        assert main(["remote", str(WORLD), "--url", url, "--controller", str(controller)]) == 0
    out, err = capfd.readouterr()
    assert out.split() == ["2", "0", "0", "2", "3"]
    assert "the controller has left remote control; there is no simulation to continue in" in err
    assert "its controller ended with exit code 0" in err


def test_a_model_beside_it_is_recorded(tmp_path: Path):
    target = tmp_path / "gap.csv"
    options = ["--duration", "2", "--shadow", "beside", "--record", str(target), "--quiet"]
    with bridge("tcp://127.0.0.1", "--mode", "steps") as url:
        assert main(["remote", str(WORLD), "--url", url, *options]) == 0
    header, *rows = rows_of(target)
    real, model = (header.index(f"{side} ultrasonic.value") for side in ("real", "model"))
    assert len(rows) >= 125
    ends = {row[real] for row in rows[2:]}
    assert len(ends) > 50
    gap = max(abs(float(row[real]) - float(row[model])) for row in rows[2:])
    assert gap < 10  # cm: the noise of the sensor


def test_a_mirror_follows_encoders_that_the_controller_does_not_read(tmp_path: Path):
    target = tmp_path / "gap.npz"
    options = ["--duration", "2", "--shadow", "mirror", "--record", str(target), "--quiet"]
    with bridge("tcp://127.0.0.1", "--mode", "steps") as url:
        assert main(["remote", str(WORLD), "--url", url, *options]) == 0
    import numpy as np

    with np.load(target) as archive:
        last = dict(zip(archive["columns"], archive["values"][-1], strict=True))
    name = "front left encoder.position"
    assert last[f"real {name}"] > 8
    assert last[f"model {name}"] == pytest.approx(last[f"real {name}"], abs=1.0)


def test_an_unplugged_robot_is_reached_again_and_ctrl_c_lets_it_go(tmp_path: Path):
    port = f"{tmp_path}/port"
    controller = tmp_path / "driver" / "driver.py"
    controller.parent.mkdir()
    controller.write_text(DRIVER)
    command = [sys.executable, "-m", "wbridge", "remote", str(WORLD), "--url", f"serial://{port}"]
    serving = Bridge(f"pty://{port}")
    process = subprocess.Popen([*command, "--controller", str(controller)], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        # The bridge says that it is driven before its Welcome is read; a robot that is gone before the
        # session has begun is none that could be lost.
        wait_for(process.stderr, "the first step is done")
        serving.stop()
        wait_for(process.stderr, "wblink: the robot does not answer; it stops by itself after 500 ms")
        with bridge(f"pty://{port}"):
            wait_for(process.stderr, "wblink: the robot is back")
            process.send_signal(signal.SIGINT)
            _, rest = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 128 + signal.SIGINT
    assert "ended by SIGINT" in rest
    assert "did not end by itself" not in rest


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "no robot address: pass --url"),
        (["--url", "tpc://x"], 'unknown transport "tpc", did you mean "tcp"?'),
        (["--url", "tcp://x:1", "--robot", "two"], 'no robot named "two"; available: "four-wheel robot"'),
        (["--url", "tcp://x:1", "--controller", "absent"], 'controller "absent" not found'),
        (["--url", "tcp://x:1", "--controller", "<extern>"], "choose one that drives it"),
        (["--url", "tcp://x:1", "--record", "x.txt"], "a recording must be a .mcap, .csv or .npz file"),
        (["--url", "tcp://x"], "expected tcp[s]://[:TOKEN@]HOST:PORT"),
        (["--url", "mqtt://broker"], "expected mqtt"),
        (["--url", "tcp://x:1?patients=3"], 'did you mean "patience"?; allowed: watchdog, patience, table'),
        (["--url", "tcp://x:1?watchdog=0"], 'option watchdog is "0": expected 1 to 10000 ms'),
        (["--plugin", "epuk", "--url", "tcp://x:1"], 'no remote control "epuk", did you mean "epuck"?'),
        (["--plugin", "epuck"], "`wbridge emulate epuck` provides an emulated robot to try with"),
        (["--plugin", "epuck", "--url", "mqtt://x/y"], "mqtt cannot open for plain bytes"),
        (["--plugin", "create2", "--url", "/dev/no-such-port"], "port /dev/no-such-port not found"),
    ],
)
def test_what_is_missing_is_said(options: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert main(["remote", str(WORLD), *options]) == 2
    assert said in capsys.readouterr().err


def test_a_port_that_another_controller_has_is_told_at_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    with bridge(f"pty://{tmp_path}/port") as url:
        first = connect(url)
        assert main(["remote", str(WORLD), "--url", url, "--duration", "1"]) == 1
        first.close()
        assert main(["remote", str(WORLD), "--url", url, "--duration", "0.1", "--quiet"]) == 0
    said = capfd.readouterr().err
    assert "another program has this port open, perhaps another controller" in said
    assert "no robot answered" not in said


@pytest.mark.parametrize("place", ["tcp://127.0.0.1", "pty://{folder}/port"])
def test_files_of_a_url_lie_where_the_user_is(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with bridge(place.format(folder=tmp_path), "--mode", "steps") as url:
        spied = f"spy+{url}?log=frames%20of%20it.txt"
        assert main(["remote", str(WORLD), "--quiet", "--url", spied, "--duration", "0.1"]) == 0
    assert "Welcome" in (tmp_path / "frames of it.txt").read_text()


def test_the_file_of_pins_lies_where_the_user_is_or_beside_the_world(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.toml").write_text("devices.nobody.led = 13")
    with serving(Emulator()) as robot:
        for name, told in (("here.toml", tmp_path), ("there.toml", WORLD.parent)):
            assert (
                main(["remote", str(WORLD), "--plugin", "firmata", "--url", f"{robot.url}?pins={name}"]) == 1
            )
            assert f"firmata: {told / name}" in capfd.readouterr().err


def test_a_port_that_is_not_there_is_told_at_once(capfd: pytest.CaptureFixture[str]):
    assert main(["remote", str(WORLD), "--url", "serial:///dev/no-such-port"]) == 2
    said = capfd.readouterr().err
    assert "port /dev/no-such-port not found; `wbridge ports` lists what is plugged in" in said
    assert "no robot answered" not in said
    assert main(["remote", str(WORLD), "--url", "/dev/ttyACM0"]) == 2
    assert 'did you mean "serial:///dev/ttyACM0"?' in capfd.readouterr().err


def test_a_robot_that_is_not_there_ends_the_controller(capfd: pytest.CaptureFixture[str]):
    assert main(["remote", str(WORLD), "--url", "tcp://127.0.0.1:1"]) == 1
    said = capfd.readouterr().err
    assert 'waiting for robot "four-wheel robot" at tcp://127.0.0.1:1: its controller is looking' in said
    assert "wblink: no robot answered within 5 s: tcp://127.0.0.1:1: Connection refused" in said
    assert "its controller ended with exit code 1" in said
    assert "Traceback" not in said
