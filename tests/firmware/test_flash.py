"""`wbridge firmware flash`: by usual tools or by a drive; the board is asked what it then runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from serial.tools import list_ports

from tests.conftest import require_tool
from tests.firmware.boot_loader import BootLoader
from tests.firmware.conftest import WORLD, Firmware, boards, require_board, two_wheels
from wbridge.main import main
from wbridge.running import local_ports
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.flash.drives import check_drive, drives
from wbridge.wbfirmware.flash.flash import FlashError, build_name, choose_way
from wbridge.wbfirmware.map.propose import propose

FAKE = """#!{python}
import json, pathlib, sys
pathlib.Path({log!r}).write_text(json.dumps(sys.argv[1:]))
sys.exit({code})
"""


@pytest.fixture
def only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A function that puts a tool on the path, which writes down what it is told."""

    def make(name: str, code: int = 0) -> Path:
        folder, log = tmp_path / "bin", tmp_path / "told.json"
        folder.mkdir(exist_ok=True)
        tool = folder / name
        tool.write_text(FAKE.format(python=sys.executable, log=str(log), code=code))
        tool.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        return log

    return make


def hardware_map(folder: Path, board: str) -> str:
    """A hardware map with proposals."""
    require_board(board)
    path = folder / "hardware.toml"
    path.write_text(propose(two_wheels(), str(WORLD), board))
    return str(path)


@pytest.fixture
def uno(tmp_path: Path, only: Callable[..., Path]) -> tuple[Path, str]:
    """What avrdude is told, if it is called, and a hardware map of an Arduino Uno."""
    return only("avrdude"), hardware_map(tmp_path, "arduino-uno")


def ports(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """These ports are plugged in, those with "ACM" by USB."""
    found = [
        SimpleNamespace(
            device=name, vid=0x2341 if "ACM" in name else None, pid=0x43, product="Uno", manufacturer=None,
            description="n/a",
        )
        for name in names
    ]  # fmt: skip
    monkeypatch.setattr(list_ports, "comports", lambda: found)
    monkeypatch.setattr(local_ports, "_usb_devices", lambda notes, backend: [])


def test_it_is_said_what_would_be_done(
    uno: tuple[Path, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    log, path = uno
    ports(monkeypatch, "/dev/ttyS0", "/dev/ttyACM3")
    assert main(["firmware", "flash", path, "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "Arduino Uno: arduino-uno " in out
    assert "avrdude -p atmega328p -c arduino -b 115200 -P /dev/ttyACM3 -D -U flash:w:firmware.hex:i" in out
    assert not log.exists()


@pytest.mark.parametrize("is_dry", [True, False])
def test_a_result_as_json_stands_alone_on_standard_output(
    uno: tuple[Path, str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], is_dry: bool
):
    """What the tool prints goes to standard error."""
    log, path = uno
    (log.parent / "bin" / "avrdude").write_text("#!/bin/sh\necho writing flash\n")
    ports(monkeypatch, "/dev/ttyACM3")
    monkeypatch.setattr("wbridge.wbfirmware.flash.flash.told_build", lambda url, table, wait: builds[-1])
    builds = []
    options = ["--dry-run"] if is_dry else []
    assert main(["firmware", "flash", path, "--dry-run", "--json"]) == 0
    builds.append(json.loads(capfd.readouterr().out)["build"])
    assert main(["firmware", "flash", path, "--json", *options]) == 0
    printed = capfd.readouterr()
    result = json.loads(printed.out)
    assert (result["board"], result["tool"], result["port"]) == ("Arduino Uno", "avrdude", "/dev/ttyACM3")
    assert (result["flashed"], result["checked"]) == (not is_dry, not is_dry)
    assert ("writing flash" in printed.err) is not is_dry


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ((), "none found (is the board connected?); choose one with --port"),
        (("/dev/ttyS0",), "available: /dev/ttyS0 (Uno); choose one with --port"),
        (("/dev/ttyACM0", "/dev/ttyACM1"), "available: /dev/ttyACM0 (Uno), /dev/ttyACM1 (Uno); choose one"),
    ],
)
def test_a_port_that_is_not_clear_is_asked_for(
    uno: tuple[Path, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    names: tuple[str, ...],
    words: str,
):
    log, path = uno
    ports(monkeypatch, *names)
    assert main(["firmware", "flash", path]) == 2
    assert words in capsys.readouterr().err
    assert not log.exists()


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ((), "no such port; none found (is the board connected?) (details: wbridge ports)"),
        (
            ("/dev/ttyACM3", "/dev/ttyS0"),
            "no such port; did you mean '/dev/ttyACM3'?; available: /dev/ttyACM3, /dev/ttyS0 (",
        ),
    ],
)
def test_a_port_that_is_not_there_is_refused(
    uno: tuple[Path, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    names: tuple[str, ...],
    words: str,
):
    log, path = uno
    ports(monkeypatch, *names)
    assert main(["-q", "firmware", "flash", path, "--port", "/dev/ttyACM99"]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("wbridge: /dev/ttyACM99: ")
    assert words in said
    assert not log.exists()


def test_a_tool_that_fails_is_told(
    tmp_path: Path,
    only: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    log, path = only("avrdude", code=3), hardware_map(tmp_path, "arduino-uno")
    ports(monkeypatch, "/dev/ttyACM0")
    assert main(["firmware", "flash", path, "--port", "/dev/ttyACM0"]) == 1
    assert "avrdude failed; see its output above. Is the board connected" in capsys.readouterr().err
    told = json.loads(log.read_text())
    assert told[told.index("-P") + 1] == "/dev/ttyACM0"
    image = (tmp_path / "firmware" / "firmware.hex").read_text().split()
    assert image[-1] == ":00000001FF"  # where a file in this format ends


def test_boards_without_flash_are_not_flashed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["firmware", "flash", hardware_map(tmp_path, "host")]) == 1
    assert "cannot be flashed; run it with: wbridge firmware emulate" in capsys.readouterr().err


def test_tools_are_named_with_their_packages(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(RuntimeError, match="apt install openocd or apt install stlink-tools"):
        choose_way(load_board("stm32vldiscovery"))
    with pytest.raises(RuntimeError, match="cannot be flashed with avrdude; available: openocd"):
        choose_way(load_board("stm32f405"), "avrdude")
    assert choose_way(load_board("microbit")).drive == "MICROBIT"


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("stm32flash", "stm32flash -w firmware.bin -v -g 0x08000000 /dev/ttyUSB0"),
        ("openocd", "openocd -f interface/stlink.cfg -f target/stm32f1x.cfg -c"),
        ("st-flash", "st-flash --reset write firmware.bin 0x08000000"),
    ],
)
@pytest.mark.parametrize("board", boards("bluepill"))
def test_a_bluepill_is_flashed_by_a_debugger_or_its_boot_loader(
    tmp_path: Path, board: str, tool: str, words: str, capsys: pytest.CaptureFixture[str]
):
    path = hardware_map(tmp_path, board)
    options = ["--tool", tool, "--dry-run", *(["--port", "/dev/ttyUSB0"] if tool == "stm32flash" else [])]
    assert main(["firmware", "flash", path, *options]) == 0
    out = capsys.readouterr().out
    assert words in out
    assert ("set the jumper BOOT0 to 1 and press reset" in out) == (tool == "stm32flash")


@pytest.mark.parametrize("board", boards("nucleo-f446re"))
def test_a_nucleo_takes_the_program_on_its_drive(
    tmp_path: Path, board: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Of its own name, and as bytes: older versions of the ST-LINK take no .hex files."""
    drive = tmp_path / "media" / "me" / "NODE_F446RE"
    for one in (drive, drive.parent / "NODE_F401RE"):
        one.mkdir(parents=True)
        (one / "DETAILS.TXT").touch()
    monkeypatch.setattr("wbridge.wbfirmware.flash.drives.DRIVES", (f"{tmp_path}/media/*/{{}}",))
    path = hardware_map(tmp_path, board)
    assert main(["firmware", "flash", path, "--tool", "openocd", "--dry-run"]) == 0
    assert "openocd -f board/st_nucleo_f4.cfg -c" in capsys.readouterr().out
    assert main(["firmware", "flash", path, "--tool", "copy"]) == 0
    assert f"copy {tmp_path}/firmware/firmware.bin to {drive}" in capsys.readouterr().out
    image = (drive / "firmware.bin").read_bytes()
    assert int.from_bytes(image[:4], "little") == 0x20000000 + load_board(board).ram


@pytest.mark.parametrize(
    ("board", "drive", "form", "absent"),
    [
        pytest.param("nucleo-f446re", "NODE_F446RE", "bin", "openocd, st-flash", marks=pytest.mark.boards),
        pytest.param("microbit-v2", "MICROBIT", "hex", "", marks=pytest.mark.boards),
    ],
)
def test_a_plan_without_a_board_names_its_drive(
    tmp_path: Path,
    board: str,
    drive: str,
    form: str,
    absent: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    """And what is missing for the usual tools. The drive tells nothing of the port of the link."""
    monkeypatch.setattr("wbridge.wbfirmware.flash.drives.DRIVES", (f"{tmp_path}/media/*/{{}}",))
    monkeypatch.setattr("wbridge.wbfirmware.flash.flash.installed", lambda way: way.tool == "copy")
    path = hardware_map(tmp_path, board)
    assert main(["firmware", "flash", path, "--dry-run"]) == 0
    plan = capsys.readouterr().out
    assert f"copy {tmp_path}/firmware/firmware.{form} to the drive {drive}\n" in plan
    assert (f"(not installed: {absent})" in plan) == bool(absent)
    assert "name its URL with --wire" in plan
    assert main(["firmware", "flash", path, "--dry-run", "--wire", "serial:///dev/ttyACM0"]) == 0
    assert "--wire" not in capsys.readouterr().out


@pytest.mark.parametrize("board", boards("stm32f405", "stm32vldiscovery"))
def test_debuggers_get_the_program(
    tmp_path: Path, only: Callable[..., Path], board: str, capsys: pytest.CaptureFixture[str]
):
    log, path = only("st-flash"), hardware_map(tmp_path, board)
    assert main(["firmware", "flash", path, "--tool", "st-flash"]) == 0
    assert json.loads(log.read_text()) == ["--reset", "write", "firmware.bin", "0x08000000"]
    image = (tmp_path / "firmware" / "firmware.bin").read_bytes()
    stack, reset = (int.from_bytes(image[k : k + 4], "little") for k in (0, 4))
    assert stack == 0x20000000 + load_board(board).ram  # the vector table begins with the end of RAM
    assert reset & 1
    assert 0x08000000 < reset < 0x08000000 + len(image)
    assert "build not checked: give the URL of the board's link" in capsys.readouterr().err


V1, V2 = "microbit", "microbit-v2"
PROCESSORS = {
    V1: "BBC micro:bit V1 (nRF51822, Cortex-M0, 16 MHz)",
    V2: "BBC micro:bit V2 (nRF52833, Cortex-M4F, 64 MHz)",
}


@pytest.mark.parametrize(
    ("name_of_board", "number", "name"),
    [
        (V1, "9900", ""),
        (V1, "9901", ""),
        (V1, "9903", "a micro:bit V2"),
        (V1, "9904", "a micro:bit V2.0"),
        (V1, "12", "another board"),
        (V2, "9900", "a micro:bit V1.3"),
        (V2, "9901", "a micro:bit V1.5"),
        *((V2, number, "") for number in ("9903", "9904", "9905", "9906")),
        (V2, "12", "another board"),
    ],
)
def test_the_drive_of_another_board_is_refused(tmp_path: Path, name_of_board: str, number: str, name: str):
    """A micro:bit V2 has another processor (micro:bit support: USB numbers of micro:bits)."""
    board = load_board(name_of_board)
    details = f"# DAPLink\nUnique ID: {number}36024e45004da0\nHIC ID: 97969902\n"
    (tmp_path / "DETAILS.TXT").write_text(details)
    if not name:
        check_drive(choose_way(board), board, tmp_path)
        return
    with pytest.raises(FlashError) as caught:
        check_drive(choose_way(board), board, tmp_path)
    assert str(caught.value).startswith(f"{tmp_path} is the drive of {name}")
    assert f"this firmware is for {PROCESSORS[name_of_board]}" in str(caught.value)


@pytest.mark.parametrize("board", boards("microbit", "microbit-v2"))
def test_a_drive_takes_the_file(
    tmp_path: Path, board: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "media" / "me" / "MICROBIT").mkdir(parents=True)
    (tmp_path / "media" / "me" / "MICROBIT" / "DETAILS.TXT").touch()
    monkeypatch.setattr("wbridge.wbfirmware.flash.drives.DRIVES", (f"{tmp_path}/media/*/{{}}",))
    found = drives(choose_way(load_board(board)))
    assert found == [tmp_path / "media" / "me" / "MICROBIT"]
    assert main(["firmware", "flash", hardware_map(tmp_path, board)]) == 0
    assert (found[0] / "firmware.hex").read_text().endswith(":00000001FF\n")


@pytest.mark.parametrize("same", [True, False], ids=["that build", "another build"])
@pytest.mark.boards
def test_from_the_boot_loader_to_the_link(
    tmp_path: Path, built: Callable[..., Firmware], capfd: pytest.CaptureFixture[str], same: bool
):
    """The real avrdude, the boot loader's bytes, and the program that was sent, emulated."""
    require_tool("avrdude", "apt install avrdude")
    path = hardware_map(tmp_path, "arduino-uno")
    project = tmp_path / "firmware"
    if not same:
        text = Path(path).read_text()
        (tmp_path / "other").mkdir()
        other = tmp_path / "other" / "hardware.toml"
        other.write_text(text.replace("table = true", "table = false"))
        assert main(["-q", "firmware", "build", str(other)]) == 0

    def start(flash: bytes) -> Bench:
        program = project / "firmware.elf"
        image = tmp_path / "sent.bin"
        subprocess.run(["avr-objcopy", "-O", "binary", program, image], check=True)
        sent = image.read_bytes()
        assert flash[: len(sent)] == sent
        assert set(flash[len(sent) :]) == {0xFF}
        running = program if same else tmp_path / "other" / "firmware" / "firmware.elf"
        return Bench(load_board("arduino-uno"), running)

    with BootLoader(start) as board:
        code = main(["firmware", "flash", path, "--port", board.name])
    out, err = capfd.readouterr()
    if same:
        assert code == 0, err
        assert out.endswith("the board reports this build\n")
    else:
        assert code == 1
        assert 'the board reports the build "arduino-uno ' in err


def test_the_name_of_a_build_is_that_of_the_board(built: Callable[..., Firmware]):
    name = build_name(built("host").built)
    assert name.startswith("host ")
    assert int(name.removeprefix("host "), 16) >= 0
