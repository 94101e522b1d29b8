"""Flashing a board whose program is asked for the boot loader at its serial port: the Arduino Leonardo."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import termios
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from serial.tools import list_ports

from tests.conftest import require_tool
from tests.firmware.boot_loader import Caterina
from tests.firmware.conftest import Firmware
from tests.firmware.test_flash import FAKE
from wbridge.main import main
from wbridge.running import local_ports
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.flash import flash

BOARD = "arduino-leonardo"
PROGRAM, LOADER = 0x8036, 0x0036
"""Products of Arduino (2341): a Leonardo's program and its boot loader."""


class System:
    """The serial ports that the system knows, by name, with their USB products."""

    def __init__(self) -> None:
        self.products: dict[str, int] = {}

    def ports(self) -> list[SimpleNamespace]:
        return [
            SimpleNamespace(device=name, vid=0x2341, pid=product, product="Leonardo", manufacturer=None)
            for name, product in sorted(self.products.items())
        ]


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> System:
    made = System()
    monkeypatch.setattr(list_ports, "comports", made.ports)
    monkeypatch.setattr(local_ports, "_usb_devices", lambda notes, backend: [])
    return made


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What an avrdude that does nothing was told."""
    log, program = tmp_path / "told.json", tmp_path / "bin" / "avrdude"
    program.parent.mkdir()
    program.write_text(FAKE.format(python=sys.executable, log=str(log), code=0))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return log


def at_1200_baud(own: int, then: Callable[[], None]) -> threading.Thread:
    """Does something once the port was opened at 1200 baud."""

    def watch() -> None:
        event = threading.Event()
        while termios.tcgetattr(own)[5] != termios.B1200:
            event.wait(0.01)
        then()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("moves", [False, True], ids=["under the same name", "under another name"])
@pytest.mark.boards
def test_the_program_is_asked_for_the_boot_loader(
    built: Callable[..., Firmware],
    system: System,
    tool: Path,
    terminal: tuple[int, str],
    moves: bool,
    capfd: pytest.CaptureFixture[str],
):
    """Then avrdude gets its port, and the new program tells its build."""
    own, name = terminal
    firmware = built(BOARD)
    with Bench(firmware.built.board, firmware.built.program) as bench:
        loader = "/dev/ttyACM7" if moves else name
        system.products = {"/dev/ttyACM3": 0x0043, name: PROGRAM}

        def start_again() -> None:
            system.products = {"/dev/ttyACM3": 0x0043, loader: LOADER}

        thread = at_1200_baud(own, start_again)
        program = {bench.url.removeprefix("serial://"): PROGRAM}
        flashed = threading.Thread(target=lambda: appear(tool, system, program), daemon=True)
        flashed.start()
        code = main(["firmware", "flash", str(firmware.hardware.path), "--port", name])
        thread.join(10)
        flashed.join(10)
    out, err = capfd.readouterr()
    assert code == 0, err
    told = json.loads(tool.read_text())
    assert told[told.index("-P") + 1] == loader
    assert told[told.index("-c") + 1] == "avr109"
    assert (f"the boot loader is at {loader}" in out) == moves
    assert out.endswith("the board reports this build\n")


def appear(tool: Path, system: System, program: dict[str, int]) -> None:
    """Once avrdude has done its work, the program has the port."""
    event = threading.Event()
    while not tool.exists():
        event.wait(0.01)
    system.products = program


@pytest.mark.boards
def test_a_boot_loader_that_runs_already_is_not_asked(
    built: Callable[..., Firmware],
    system: System,
    tool: Path,
    terminal: tuple[int, str],
    monkeypatch: pytest.MonkeyPatch,
):
    """As after pressing the reset button."""
    own, name = terminal
    system.products = {name: LOADER}
    before = termios.tcgetattr(own)
    wire = ["--wire", "loop://"]
    monkeypatch.setattr("wbridge.running.flashing._ANSWER", 0.1)
    assert main(["-q", "firmware", "flash", str(built(BOARD).hardware.path), *wire]) == 1
    told = json.loads(tool.read_text())
    assert told[told.index("-P") + 1] == name
    assert termios.tcgetattr(own) == before


@pytest.mark.boards
def test_a_port_that_stays_is_tried(
    built: Callable[..., Firmware],
    system: System,
    tool: Path,
    terminal: tuple[int, str],
    monkeypatch: pytest.MonkeyPatch,
):
    """It may be a boot loader with other numbers."""
    _, name = terminal
    monkeypatch.setattr(flash, "PORT_APPEARANCE", 0.3)
    monkeypatch.setattr("wbridge.running.flashing._ANSWER", 0.1)
    system.products = {name: 0x9999}
    assert main(["-q", "firmware", "flash", str(built(BOARD).hardware.path), "--wire", "loop://"]) == 1
    told = json.loads(tool.read_text())
    assert told[told.index("-P") + 1] == name


@pytest.mark.boards
def test_from_the_program_by_the_boot_loader_to_the_link(
    built: Callable[..., Firmware],
    system: System,
    terminal: tuple[int, str],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
):
    """The real avrdude, the boot loader's bytes, and the program that was sent, emulated."""
    require_tool("avrdude", "apt install avrdude")
    own, name = terminal
    firmware = built(BOARD)
    program, image = firmware.built.program, tmp_path / "sent.bin"
    subprocess.run(["avr-objcopy", "-O", "binary", program, image], check=True)

    def start(flashed: bytes) -> Bench:
        assert flashed.rstrip(b"\xff") == image.read_bytes().rstrip(b"\xff")
        system.products = {loader.name: PROGRAM}
        return Bench(firmware.built.board, program)

    def begin() -> None:
        system.products = {loader.name: LOADER}

    with Caterina(start) as loader:
        system.products = {name: PROGRAM}
        thread = at_1200_baud(own, begin)
        code = main(["firmware", "flash", str(firmware.hardware.path), "--port", name])
        thread.join(10)
    out, err = capfd.readouterr()
    assert code == 0, err
    assert out.endswith("the board reports this build\n")
