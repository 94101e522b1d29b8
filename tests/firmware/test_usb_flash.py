"""Flashing a Pico by its USB port: the running program is asked for the board's drive."""

from __future__ import annotations

import os
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from serial.tools import list_ports

from tests.firmware.conftest import Firmware
from wbridge.main import main
from wbridge.running import local_ports
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.flash import flash

pytestmark = pytest.mark.boards
PICO = "pico"


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Path, list[str]]]:
    """A serial port of a board that shows its drive when it is opened at 1200 baud: its name, its drive, and
    the serial ports that the system has, which a test can change."""
    own, other = os.openpty()
    name, drive, ended = os.ttyname(other), tmp_path / "media" / "me" / "RPI-RP2", threading.Event()
    there = [name]

    def serve() -> None:
        while not ended.wait(0.01):
            if termios.tcgetattr(own)[5] == termios.B1200:
                there.remove(name)
                drive.mkdir(parents=True)
                (drive / "INFO_UF2.TXT").write_text("Board-ID: RPI-RP2\n")
                return

    def ports() -> list[SimpleNamespace]:
        vendor, product = load_board(PICO).usb or (0, 0)
        return [
            SimpleNamespace(device=one, vid=vendor, pid=product, product="Pico", manufacturer="wbridge")
            for one in there
        ]

    monkeypatch.setattr("wbridge.wbfirmware.flash.drives.DRIVES", (f"{tmp_path}/media/*/{{}}",))
    monkeypatch.setattr(list_ports, "comports", ports)
    monkeypatch.setattr(local_ports, "_usb_devices", lambda notes, backend: [])
    thread = threading.Thread(target=serve)
    thread.start()
    yield name, drive, there
    ended.set()
    thread.join()
    os.close(own)
    os.close(other)


@pytest.mark.parametrize("is_named", [True, False], ids=["its port is named", "it is the only one"])
def test_flashing_asks_the_program_for_the_drive(
    built: Callable[..., Firmware],
    asked: tuple[str, Path, list[str]],
    is_named: bool,
    capfd: pytest.CaptureFixture[str],
):
    """By its port, without the button; then the new program tells its build, not that of another Pico."""
    name, drive, there = asked
    if is_named:
        there.insert(0, "/dev/ttyACM-of-another-Pico")
    firmware = built(PICO)
    with Bench(firmware.built.board, firmware.built.program) as bench:

        def appear() -> None:
            while not (drive / "firmware.uf2").is_file():
                time.sleep(0.01)
            there.append(bench.url.removeprefix("serial://"))

        thread = threading.Thread(target=appear)
        thread.start()
        port_given = ["--port", name] if is_named else []
        code = main(["firmware", "flash", str(firmware.hardware.path), *port_given])
        thread.join(10)
    out, err = capfd.readouterr()
    assert code == 0, err
    assert f"to the drive RPI-RP2 of the board at {name}" in out
    assert out.endswith("the board reports this build\n")


def test_a_drive_that_does_not_appear_is_told(
    asked: tuple[str, Path, list[str]],
    built: Callable[..., Firmware],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    name, _, _ = asked
    monkeypatch.setattr(flash, "APPEARANCE", 0.2)
    monkeypatch.setattr("wbridge.wbfirmware.flash.drives.DRIVES", ("/nowhere/{}",))
    assert main(["firmware", "flash", str(built(PICO).hardware.path), "--port", name]) == 1
    assert "no drive RPI-RP2 has appeared within 0.2 s" in capsys.readouterr().err
    line = os.open(name, os.O_RDWR | os.O_NOCTTY)
    assert termios.tcgetattr(line)[5] != termios.B1200  # for whoever opens it next
    os.close(line)


def test_another_pico_does_not_answer_for_one_that_stays_silent(
    asked: tuple[str, Path, list[str]],
    built: Callable[..., Firmware],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    name, drive, there = asked
    there.append("/dev/ttyACM-of-another-Pico")
    monkeypatch.setattr(flash, "APPEARANCE", 0.5)
    assert main(["firmware", "flash", str(built(PICO).hardware.path), "--port", name]) == 1
    assert "no new port with the numbers 2e8a:000a has appeared within 0.5 s" in capsys.readouterr().err
    assert (drive / "firmware.uf2").is_file()


def test_a_folder_without_a_drive_is_refused(
    built: Callable[..., Firmware], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Such as a mount point that has been left."""
    assert main(["-q", "firmware", "flash", str(built(PICO).hardware.path), "--port", str(tmp_path)]) == 2
    assert f"{tmp_path}: no board's drive is mounted here" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.uf2"))
