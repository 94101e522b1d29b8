"""The emulated computer at the Leonardo's USB port, judged by the USB device of Arduino's core.

The core (Debian: arduino-core-avr) is another device for the same chip, known to work with real computers.
"""

from __future__ import annotations

import math
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import absent, require_tool
from tests.firmware.conftest import WORLD, Firmware, two_wheels
from tests.firmware.test_boards import LEFT, STEP
from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import VirtualClock
from wbridge.wbfirmware.bench import Bench, lockstep_pipe
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

pytestmark = pytest.mark.boards
CORE = Path("/usr/share/arduino/hardware/arduino/avr")
IDS = 0x2341, 0x8036
"""Of a Leonardo's sketch (boards.txt of the core)."""
FLAGS = (
    *("-mmcu=atmega32u4", "-DF_CPU=16000000UL", "-Os", "-ffp-contract=off", "-DARDUINO=10808", "-w"),
    *("-DARDUINO_AVR_LEONARDO", "-DARDUINO_ARCH_AVR", "-DDECIMAL_DIG=__DECIMAL_DIG__"),
    *(f"-DUSB_VID={IDS[0]:#x}", f"-DUSB_PID={IDS[1]:#x}", "-ffunction-sections", "-fdata-sections"),
    *(f"-I{CORE}/cores/arduino", f"-I{CORE}/variants/leonardo", f"-I{CORE}/libraries/Wire/src"),
)
ECHO = """
void setup() { Serial.begin(115200); pinMode(13, OUTPUT); }
void loop() {
  digitalWrite(13, Serial.dtr());
  while (Serial.available()) Serial.write(Serial.read() + 1);
}
"""
OPENED = 80_000
"""us by which the computer has opened the port."""
DESCRIPTOR, LINE = bytes((0x80, 6)), bytes((0xA1, 0x21))
OLD_KEY = 1
"""What `show USB:DRIVE` tells of the key for the first boot loaders, which the core leaves in RAM."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Firmware:
    """The robot's sketch for any board with a core, compiled for a Leonardo."""
    require_tool("avr-g++", "compiles sketches")
    if not (CORE / "cores" / "arduino" / "USBCore.cpp").is_file():
        absent("arduino-core-avr is not installed: its USB device is the judge")
    folder = tmp_path_factory.mktemp("sketch")
    (folder / "hardware.toml").write_text(propose(two_wheels(), str(WORLD), "arduino"))
    hardware = load_hardware(folder / "hardware.toml", two_wheels())
    firmware = Firmware(build(hardware, folder / "firmware"), hardware)
    compile_for_leonardo(firmware.built.program.parent)
    return firmware


def compile_for_leonardo(folder: Path) -> None:
    for words in (["clean"], [f"FLAGS={' '.join(FLAGS)}"]):
        subprocess.run(["make", "-s", *words], cwd=folder, check=True)


@pytest.fixture
def echo(project: Firmware, tmp_path: Path) -> Iterator[Bench]:
    """A board with a sketch that sends back each byte plus 1, whose port is open."""
    shutil.copy(project.built.program.parent / "Makefile", tmp_path)
    (tmp_path / "echo.ino").write_text(ECHO)
    subprocess.run(["make", "-s", f"FLAGS={' '.join(FLAGS)}"], cwd=tmp_path, check=True)
    board = load_board("arduino-leonardo")
    with Bench(board, tmp_path / "firmware.elf", lockstep=True, wire="usb") as bench:
        bench.run(OPENED)
        yield bench


def test_a_sketch_is_set_up_as_by_a_real_computer(echo: Bench):
    assert echo.show("USB:PORT").value == 3
    device = echo.control(DESCRIPTOR + struct.pack("<HHH", 0x100, 0, 18))[1]
    assert struct.unpack("<HH", device[8:12]) == IDS
    assert echo.control(LINE + struct.pack("<HHH", 0, 0, 7)) == ("ack", struct.pack("<LBBB", 115200, 0, 0, 8))
    assert echo.show("D13").value == 1, "it sees that the port is open"
    data = bytes(k % 250 for k in range(1000))
    echo.send(data)
    assert echo.run(200_000) == bytes(one + 1 for one in data)
    echo.drive("USB:OPEN", 0)
    echo.run(5000)
    assert echo.show("D13").value == 0


def test_a_sketch_starts_the_boot_loader(echo: Bench):
    echo.drive("USB:BAUD", 1200)
    echo.run(5000)
    assert echo.show("USB:DRIVE").value == 0
    echo.drive("USB:OPEN", 0)
    echo.run(200_000)
    assert echo.show("USB:DRIVE").value == OLD_KEY
    assert echo.show("USB:PORT").value == 0


def test_a_sleeping_computer_wakes_a_sketch(echo: Bench):
    echo.drive("USB:SUSPENDED", 1)
    echo.run(50_000)
    echo.drive("USB:SUSPENDED", 0)
    echo.send(b"abc")
    assert echo.run(50_000) == b"bcd"


def test_the_sketch_of_a_robot_is_driven_by_the_port_of_a_leonardo(project: Firmware):
    """The board `arduino` uses the core's `Serial`, which is the USB port there."""
    board = load_board("arduino-leonardo")
    with Bench(board, project.built.program, lockstep=True, wire="usb") as bench:
        bench.run(OPENED)
        clock = VirtualClock()
        pipe = lockstep_pipe(bench, clock)
        master = Master(two_wheels(), lambda: pipe, clock=clock, sleep=pipe.pipe.pass_time)
        master.connect(1.0)
        velocity, position = (master.numbering.channel(LEFT, name) for name in ("velocity", "position"))
        assert velocity and position
        master.set(position, math.inf)
        master.set(velocity, 6.0)
        for _ in range(100):
            assert master.step(STEP, 0.5) is not None
        pwm = project.pin("left wheel motor", "pwm")
        assert bench.show(pwm).value == pytest.approx(0.5, abs=0.01)
        assert master.leave(1.0)
        assert bench.show(pwm).value == 0
