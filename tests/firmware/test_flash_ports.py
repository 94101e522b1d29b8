"""The ports and drives that `wbridge firmware flash` uses: which one is the board's, and who else uses it."""

from __future__ import annotations

import os
import termios
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial
from serial.tools import list_ports

from tests.firmware.conftest import two_wheels
from wbridge.hal.link.errors import ConnectionLost, RobotBusy
from wbridge.hal.link.messages import Refusal, encode
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.transports import connect_bytes
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.flash import flash, serial_ports
from wbridge.wbfirmware.flash.drives import drives, new_drive
from wbridge.wbfirmware.flash.flash_errors import FlashError
from wbridge.wbfirmware.flash.serial_ports import SerialPort, new_port, open_port, wait_for_access
from wbridge.wbfirmware.flash.touch import forget_touch, touch

PICO = flash.choose_way(load_board("pico"))
NUCLEO = next(one for one in load_board("nucleo-f401re").flashing if one.tool == "copy")
INFO = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: {}\n"
LOADER, MODEM = SerialPort("/dev/ttyACM1", "2341:0036"), SerialPort("/dev/ttyACM0", "1199:9071")


def rate(own: int) -> int:
    return int(termios.tcgetattr(own)[5])


def test_the_rate_of_a_touch_stays_until_it_is_forgotten(terminal: tuple[int, str]):
    """Arduino's cores call the restart off if another rate follows at once (CDC_Setup in their CDC.cpp)."""
    own, name = terminal
    touch(name)
    assert rate(own) == termios.B1200
    forget_touch(name)
    assert rate(own) == termios.B9600


def test_a_port_that_another_program_uses_is_not_touched(terminal: tuple[int, str]):
    own, name = terminal
    with (
        serial.Serial(name, 115200, exclusive=True),
        pytest.raises(FlashError, match=f"{name}: another program has this port open"),
    ):
        touch(name)
    assert rate(own) == termios.B115200


def test_a_board_that_goes_while_its_port_is_opened_is_an_error(
    terminal: tuple[int, str], monkeypatch: pytest.MonkeyPatch
):
    def gone(*_: object) -> None:
        raise termios.error(5, "Input/output error")

    _, name = terminal
    monkeypatch.setattr(termios, "tcsetattr", gone)
    with pytest.raises(FlashError, match=f"cannot use {name}: .*Input/output error"):
        open_port(name, 115200)
    with pytest.raises(ConnectionLost, match="Input/output error"):
        connect_bytes(f"serial://{name}")
    monkeypatch.undo()
    monkeypatch.setattr(termios, "tcflush", gone)
    with pytest.raises(ConnectionLost, match="Input/output error"):
        connect_bytes(f"serial://{name}")


def plugged(monkeypatch: pytest.MonkeyPatch, *looks: list[SerialPort]) -> None:
    """The ports that each look finds; the last ones stay."""
    left = list(looks)

    def ports() -> list[SimpleNamespace]:
        now = left.pop(0) if len(left) > 1 else left[0]
        numbers = [[int(part, 16) for part in one.numbers.split(":")] for one in now]
        return [
            SimpleNamespace(device=one.name, vid=vid, pid=pid)
            for one, (vid, pid) in zip(now, numbers, strict=True)
        ]

    monkeypatch.setattr(list_ports, "comports", ports)
    monkeypatch.setattr(serial_ports, "PAUSE", 0.001)


def test_a_port_with_the_numbers_of_a_boot_loader_is_preferred(monkeypatch: pytest.MonkeyPatch):
    plugged(monkeypatch, [MODEM], [MODEM, LOADER])
    assert new_port([], [LOADER.numbers], 10) == LOADER


def test_another_new_port_is_taken_at_the_end(monkeypatch: pytest.MonkeyPatch):
    plugged(monkeypatch, [], [MODEM])
    assert new_port([], [LOADER.numbers], 0.05) == MODEM
    plugged(monkeypatch, [MODEM])
    assert new_port([MODEM], [LOADER.numbers], 0.05) is None


def test_a_new_port_is_not_used_before_its_permissions_are_set(monkeypatch: pytest.MonkeyPatch):
    answers = [False, False, True]
    monkeypatch.setattr(serial_ports, "PAUSE", 0.001)
    monkeypatch.setattr(os, "access", lambda name, mode: answers.pop(0))
    wait_for_access("/dev/ttyACM0", 10)
    assert not answers


@pytest.mark.parametrize("problem", [ConnectionLost, RobotBusy])
def test_a_port_that_a_service_still_holds_is_tried_again(
    problem: type[Exception], monkeypatch: pytest.MonkeyPatch
):
    table = two_wheels()
    answer = encode(Refusal(1, 0, 0, 0, 0, Numbering(table).hash, "this build"))
    pipe = SimpleNamespace(
        retry=0.1, send=lambda data: None, receive=lambda timeout: answer, close=lambda: None
    )
    refusals = [problem("busy"), problem("busy")]

    def connect(url: str) -> object:
        if refusals:
            raise refusals.pop()
        return pipe

    monkeypatch.setattr(flash, "PAUSE", 0.001)
    monkeypatch.setattr(flash, "connect", connect)
    assert flash.told_build("serial:///dev/ttyACM0", table, 10) == "this build"
    refusals = [problem("busy")]
    with pytest.raises(problem):
        flash.told_build("serial:///dev/ttyACM0", table, 0)


@pytest.fixture
def media(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where drives are mounted."""
    monkeypatch.setattr("wbridge.wbfirmware.flash.drives.DRIVES", (f"{tmp_path}/{{}}",))
    return tmp_path


def drive(place: Path, board: str = "RPI-RP2") -> Path:
    place.mkdir()
    (place / "INFO_UF2.TXT").write_text(INFO.format(board))
    return place


def test_an_empty_folder_is_no_drive(media: Path):
    """Such as a mount point that was left when the computer went down; the next drive gets another name."""
    for name in (PICO.drive, NUCLEO.drive, "RPI-RP2-files"):
        (media / name).mkdir()
    assert drives(PICO) == drives(NUCLEO) == []
    mounted = drive(media / "RPI-RP21")
    assert drives(PICO) == [mounted]
    (media / NUCLEO.drive / "DETAILS.TXT").touch()
    assert drives(NUCLEO) == [media / NUCLEO.drive]


def test_a_mounted_drive_may_lack_the_file_of_a_debugger(media: Path, monkeypatch: pytest.MonkeyPatch):
    (media / NUCLEO.drive).mkdir()
    (media / PICO.drive).mkdir()
    monkeypatch.setattr(os.path, "ismount", lambda place: True)
    assert drives(NUCLEO) == [media / NUCLEO.drive]
    assert drives(PICO) == []


def test_another_drive_in_the_same_folder_is_new(media: Path, monkeypatch: pytest.MonkeyPatch):
    place = drive(media / PICO.drive)
    device = place.stat().st_dev
    assert new_drive(PICO, [(place, device)], 0.01) is None
    assert new_drive(PICO, [(place, device + 1)], 10) == place


def test_windows_shows_drives_by_letters(media: Path, monkeypatch: pytest.MonkeyPatch):
    letters = [media / letter for letter in "CDE"]
    monkeypatch.setattr("wbridge.wbfirmware.flash.drives.LETTERS", tuple(map(str, letters)))
    letters[0].mkdir()
    drive(letters[1], "RP2350")
    assert drives(PICO) == []
    drive(letters[2])
    assert drives(PICO) == [letters[2]]
    assert drives(NUCLEO) == []
