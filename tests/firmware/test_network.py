"""Boards with Wi-Fi in the hardware map, and the files of their sketches."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.firmware.conftest import WORLD, two_wheels
from tests.firmware.wifi import Sketch, driver
from wbridge.main import main
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.building.generate import FirmwareError, generate
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError

BOARDS = ("esp32", "esp8266", "pico-w")
MQTT = 'wire = "mqtt"\nbroker = "192.168.1.2"\ntopic = "robots/ann"'


def hardware(folder: Path, link: str, board: str = "esp32", flavor: str = "slave") -> Hardware:
    """The map that is proposed, with other lines in place of the wire."""
    folder.mkdir(exist_ok=True)
    text = propose(two_wheels(), str(WORLD), board).replace('wire = "serial"', link)
    (folder / "hardware.toml").write_text(text.replace('flavor = "slave"', f'flavor = "{flavor}"'))
    return load_hardware(folder / "hardware.toml", two_wheels())


def problems(folder: Path, link: str, board: str = "esp32", flavor: str = "slave") -> str:
    """What is wrong with it."""
    with pytest.raises(HardwareError) as caught:
        hardware(folder, link, board, flavor)
    return str(caught.value)


def test_ports_have_their_usual_numbers(tmp_path: Path):
    assert hardware(tmp_path, 'wire = "tcp"').link.port == 8080
    assert hardware(tmp_path, MQTT).link.port == 1883
    assert hardware(tmp_path, 'wire = "tcp"\nport = 99').link.port == 99


def test_all_problems_of_a_network_are_told_at_once(tmp_path: Path):
    told = problems(tmp_path, 'wire = "mqtt"\nport = 0\nbroker = "my broker"\ntopic = "robots/+"')
    assert "link.port: found 0; allowed: 1 to 65535" in told
    assert "link.broker: found 'my broker'" in told and 'broker = "192.168.1.2"' in told
    assert "link.topic: found 'robots/+'" in told
    told = problems(tmp_path, 'wire = "mqtt"')
    assert "link.broker: found ''" in told and "link.topic: found ''" in told


@pytest.mark.parametrize(
    ("link", "board", "told"),
    [
        ('wire = "tcp"\ntopic = "a"', "esp32", "link.topic: found 'a'; it is for wire = \"mqtt\""),
        ('wire = "serial"\nport = 80', "esp32", "link.port: found 80; it is for wire = tcp, tcps or mqtt"),
        ('wire = "serial"\nport = 80', "arduino-uno", "link.port: found 80; Arduino Uno has no Wi-Fi"),
        ('wire = "mqtt"', "arduino-uno", "link.wire: found 'mqtt'; Arduino Uno has serial"),
        (f'wire = "mqtt"\nbroker = "a"\ntopic = "{"t" * 65}"', "esp32", "at most 64 letters"),
        ('wire = "mqtt"\nbroker = 5\ntopic = "t"', "esp32", "link.broker: found 5"),
        ('wire = "tcp"\nport = "80"', "esp32", "link.port: found '80'"),
    ],
)
def test_a_key_that_does_not_fit_is_refused(tmp_path: Path, link: str, board: str, told: str):
    assert told in problems(tmp_path, link, board)


def test_a_controller_on_the_board_uses_the_serial_line(tmp_path: Path):
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    link = 'wire = "mqtt"\nbroker = "b"\ntopic = "t"'
    told = problems(tmp_path, link, flavor='standalone"\ncontroller = "main.c')
    assert 'the flavor standalone uses wire = "serial" or "tcp"; slave can use any wire' in told


@pytest.mark.parametrize("board", BOARDS)
def test_a_sketch_has_what_the_arduino_ide_and_platformio_need(tmp_path: Path, board: str):
    generate(hardware(tmp_path, MQTT, board), tmp_path / "rover")
    assert (tmp_path / "rover" / "rover.ino").is_file(), "the name of the folder"
    settings = (tmp_path / "rover" / "platformio.ini").read_text()
    assert "src_dir = ." in settings and f"[env:{board}]" in settings and "-<host/>" in settings


def test_passwords_stay_out_of_version_control_and_are_never_written_over(tmp_path: Path):
    git, folder = require_tool("git", "judges what is ignored"), tmp_path / "firmware"
    generate(hardware(tmp_path, MQTT), folder)
    secrets = folder / "secrets.h"
    assert stat.S_IMODE(secrets.stat().st_mode) == 0o600
    secrets.write_text("mine")
    generate(hardware(tmp_path, 'wire = "tcp"'), folder)
    generate(hardware(tmp_path, MQTT), folder, overwrite=True)
    assert secrets.read_text() == "mine"
    subprocess.run([git, "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run([git, "check-ignore", "-q", "firmware/secrets.h"], cwd=tmp_path, check=True)
    subprocess.run([git, "add", "-A"], cwd=tmp_path, check=True)
    listed = subprocess.run([git, "ls-files"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert "firmware/platformio.ini" in listed.stdout and "secrets.h" not in listed.stdout


def test_the_serial_line_needs_no_passwords(tmp_path: Path):
    generate(hardware(tmp_path, 'wire = "serial"'), tmp_path / "firmware")
    assert not (tmp_path / "firmware" / "secrets.h").exists()


def test_an_edited_gitignore_is_kept(tmp_path: Path):
    generate(hardware(tmp_path, MQTT), tmp_path / "firmware")
    (tmp_path / "firmware" / ".gitignore").write_text("secrets.h\n*.bak\n")
    with pytest.raises(FirmwareError, match="gitignore: was edited"):
        generate(hardware(tmp_path, MQTT), tmp_path / "firmware")


def test_a_sketch_is_driven_over_tcp(tmp_path: Path):
    sketch = Sketch(tmp_path, "esp8266", 'wire = "tcp"', options="-O0")
    with sketch.running() as robot, driver(robot) as one:
        one.drive(3.0, -6.0)


@pytest.mark.boards
@pytest.mark.parametrize("told", [True, False])
def test_a_board_with_wifi_is_flashed_by_platformio_and_asked_over_its_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], told: bool
):
    pio = tmp_path / "bin" / "pio"
    pio.parent.mkdir()
    pio.write_text('#!/bin/sh\nls *.ino platformio.ini\necho "pio $*"\n')
    pio.chmod(0o755)
    monkeypatch.setenv("PATH", f"{pio.parent}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "port").touch()
    map_file = hardware(tmp_path, 'wire = "tcp"').path
    built = build(load_hardware(map_file, two_wheels()), tmp_path / "firmware")
    arguments = ["firmware", "flash", str(map_file), "--port", str(tmp_path / "port")]
    with Bench(built.board, built.program, wire="tcp") as bench:
        assert main([*arguments, *(["--wire", str(bench.url)] if told else [])]) == 0
    out, err = capfd.readouterr()
    assert f"firmware.ino\nplatformio.ini\npio run --target upload --upload-port {tmp_path}/port\n" in out
    assert ("the board reports this build" in out) == told
    assert ("build not checked: give the URL of the board's link with --wire" in err) != told
