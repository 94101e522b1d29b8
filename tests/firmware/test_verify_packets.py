"""`wbridge firmware verify` of controllers that send and hear packets, over the link and a serial line."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.test_micropython import boards as python_boards
from wbridge.main import main
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbverify.coupling import couplings_of
from wbridge.wbverify.packets import busiest, finds_room
from wbridge.wbverify.reference import SentPacket

STEP_MS, STEPS = 16, 60
WORLD = f"""#VRML_SIM R2025a utf8
WorldInfo {{ basicTimeStep {STEP_MS} gravity 0 }}
Robot {{
  name "board"
  children [
    Emitter {{ name "mouth" channel 3 }}
    Receiver {{ name "ear" channel 3 }}
    LED {{ name "lamp" color [ 1 0 0 ] }}
  ]
}}
Robot {{
  name "partner"
  translation 0 1 0
  children [ Emitter {{ name "mouth" channel 3 }} Receiver {{ name "ear" channel 3 }} ]
  controller "answers"
}}
"""
PARTNER = f"""from controller import Robot

robot = Robot()
mouth, ear = robot.getDevice("mouth"), robot.getDevice("ear")
ear.enable({STEP_MS})
while robot.step({STEP_MS}) != -1:
    while ear.getQueueLength():
        mouth.send(ear.getBytes()[::-1])
        ear.nextPacket()
"""
"""It sends back what it hears, the last byte first."""
CODE = """#include <webots/emitter.h>
#include <webots/led.h>
#include <webots/receiver.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag mouth = wb_robot_get_device("mouth"), ear = wb_robot_get_device("ear");
  const WbDeviceTag lamp = wb_robot_get_device("lamp");
  wb_receiver_enable(ear, 32);
  unsigned char words[] = {0, 7, 0, 250}, sum = 0;
  for (unsigned char k = 0; wb_robot_step(16) != -1; k++) {
    words[0] = k;
    while (wb_receiver_get_queue_length(ear) > 0) {
      const unsigned char *data = wb_receiver_get_data(ear);
      sum += data[0] ^ data[wb_receiver_get_data_size(ear) - 1];
      wb_receiver_next_packet(ear);
    }
    words[3] = sum;
    wb_led_set(lamp, sum % 2);
    if (k % 3 != 1)
      wb_emitter_send(mouth, words, 4);
    if (k % 6 == 5)
      wb_emitter_send(mouth, "two", 3);
  }
  return 0;
}
"""
PYTHON_CODE = """from controller import Robot

robot = Robot()
mouth, ear, lamp = (robot.getDevice(name) for name in ("mouth", "ear", "lamp"))
ear.enable(32)
words, total, k = bytearray([0, 7, 0, 250]), 0, 0
while robot.step(16) != -1:
    words[0] = k % 256
    while ear.getQueueLength():
        data = ear.getBytes()
        total += data[0] ^ data[ear.getDataSize() - 1]
        ear.nextPacket()
    words[3] = total % 256
    lamp.set(total % 2)
    if k % 3 != 1:
        mouth.send(words)
    if k % 6 == 5:
        mouth.send("two")
    k += 1
"""
"""What they send follows from what they have heard."""
MAP = """format = 1
world = "worlds/talk.wbt"
robot = "board"
board = "BOARD"
flavor = "FLAVOR"
controller = "talk.c"
[link]
message = 256
[devices.mouth]
driver = "serial_emitter"
tx = "TX"
[devices.ear]
driver = "serial_receiver"
rx = "RX"
[devices.lamp]
driver = "gpio_led"
pin = "LAMP"
"""
PINS = {
    "host": ("D31", "D30", "D2"),
    "bluepill": ("PA2", "PA3", "PA5"),
    "nucleo-f401re": ("D8", "D2", "PA5"),
    "stm32f405": ("PA2", "PA3", "PA5"),
    "stm32vldiscovery": ("PA2", "PA3", "PA5"),
}
PYTHON_PINS = {
    "host-python": ("GP0", "GP1", "GP2"),
    "pico-micropython": ("GP0", "GP1", "GP2"),
    "nucleo-f411re-micropython": ("PC6", "PC7", "PA0"),
    "esp32-micropython": ("IO17", "IO16", "IO4"),
}
"""Boards that run Python."""


def prepare(folder: Path, board: str, flavor: str = "standalone") -> Path:
    """Write world, controllers and hardware map."""
    is_python = board in PYTHON_PINS
    if not is_python:
        require_board(board)
    (folder / "worlds").mkdir()
    (folder / "worlds" / "talk.wbt").write_text(WORLD)
    (folder / "controllers" / "answers").mkdir(parents=True)
    (folder / "controllers" / "answers" / "answers.py").write_text(PARTNER)
    (folder / "talk.c").write_text(CODE)
    (folder / "talk.py").write_text(PYTHON_CODE)
    text = MAP.replace("BOARD", board).replace("FLAVOR", flavor)
    if is_python:
        text = text.replace("talk.c", "talk.py")
    for word, pin in zip(('"TX"', '"RX"', '"LAMP"'), {**PINS, **PYTHON_PINS}[board], strict=True):
        text = text.replace(word, f'"{pin}"')
    (folder / "hardware.toml").write_text(text)
    return folder / "hardware.toml"


def verify(path: Path, *more: str) -> int:
    words = ["--steps", str(STEPS), "--table", str(path.with_name("table.csv"))]
    return main(["-q", "firmware", "verify", str(path), *words, *more])


def rows(path: Path, place: str, device: str) -> list[dict[str, str]]:
    """The step table of a device."""
    with path.with_name("table.csv").open(newline="") as file:
        return [row for row in csv.DictReader(file) if (row["place"], row["device"]) == (place, device)]


@pytest.mark.parametrize("board", python_boards(*PYTHON_PINS))
def test_controllers_in_python_send_and_hear_packets(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = prepare(tmp_path, board)
    assert verify(path, "--flavor", "standalone") == 0, capsys.readouterr().out
    said = rows(path, "standalone", "mouth")
    counts = [float(row["board"]) for row in said if row["value"] == "packets"]
    assert counts[:8] == 2 * [1.0, 1.0, 1.0, 2.0]
    assert len({row["board"] for row in said if row["value"] == "packet 0.crc32"}) > 20
    assert {row["board"] for row in rows(path, "standalone", "lamp")} == {"0.0", "1.0"}


PYTHON_FAULTS = {
    "checksum": ("wb/packet.py", "0xFFFF\n", "0x1D0F\n"),
    "byte order": ("wb/packet.py", 'to_bytes(4, "little")', 'to_bytes(4, "big")'),
    "framing": ("wb/packet.py", "len(block) + 1", "len(block)"),
    "channel": ("wb/emitter.py", "int(self._channel)", "int(self._channel) + 1"),
    "heard channel": ("wb/serial_receiver.py", "(ALL_CHANNELS, channel)", "(ALL_CHANNELS, channel + 1)"),
    "a byte lost": ("wb/packet.py", "content[4:-2]", "content[5:-2]"),
}


@pytest.mark.boards
@pytest.mark.parametrize("fault", PYTHON_FAULTS)
def test_faults_of_lines_in_python_are_found(fault: str, tmp_path: Path):
    path = prepare(tmp_path, "host-python")
    assert main(["-q", "firmware", "build", str(path)]) == 0
    file, old, new = PYTHON_FAULTS[fault]
    place = tmp_path / "firmware" / file
    assert old in place.read_text()
    place.write_text(place.read_text().replace(old, new))
    assert verify(path, "--flavor", "standalone", "--firmware", str(tmp_path / "firmware" / "main.py")) == 1


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A function that compares a board in all flavors, each once; returns its hardware map."""

    @cache
    def make(board: str) -> Path:
        path = prepare(tmp_path_factory.mktemp("compared"), board)
        assert verify(path) == 0
        return path

    return make


@pytest.mark.parametrize("board", boards(*PINS))
def test_packets_are_compared_byte_by_byte(board: str, compared: Callable[[str], Path]):
    path = compared(board)
    for place in ("hil", "standalone"):
        said = rows(path, place, "mouth")
        counts = [float(row["board"]) for row in said if row["value"] == "packets"]
        # Of six steps four have a packet, and the last of these a second one.
        assert counts[:8] == 2 * [1.0, 1.0, 1.0, 2.0]
        assert {row["result"] for row in said} == {"agrees"}
        sums = {row["board"] for row in said if row["value"] == "packet 0.crc32"}
        assert len(sums) > STEPS // 3  # what is said differs from step to step
    lamps = {row["board"] for row in rows(path, "standalone", "lamp")}
    assert lamps == {"0.0", "1.0"}  # what was heard came to the controller


def changed_program(path: Path, flavor: str, file: str, old: str, new: str) -> Path:
    """The program of a project in which somebody has changed a line."""
    project = "firmware" if flavor == "standalone" else f"firmware-{flavor}"
    folder = path.with_name("changed")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(path.with_name(project), folder)
    source = folder / file
    assert old in source.read_text()
    source.write_text(source.read_text().replace(old, new))
    subprocess.run(["make", "-s"], cwd=folder, check=True, capture_output=True)
    return Path(folder.name) / "firmware.elf"  # as seen from the map's folder


@pytest.mark.parametrize("flavor", [pytest.param("hil", marks=pytest.mark.slow), "standalone"])
def test_another_byte_is_found_and_named(
    compared: Callable[[str], Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    flavor: str,
):
    path = compared("host")
    monkeypatch.chdir(path.parent)
    program = changed_program(path, flavor, "controller/talk.c", "{0, 7, 0, 250}", "{0, 7, 9, 250}")
    capsys.readouterr()
    assert verify(path, "--flavor", flavor, "--firmware", str(program)) == 1
    out = capsys.readouterr().out
    assert re.search(r"first: step 1 .*mouth\.packet 0\.byte 2: 0 on the desktop, 9 on the board", out), out
    program = changed_program(path, flavor, "controller/talk.c", "k % 6 == 5", "k % 6 == 4")
    assert verify(path, "--flavor", flavor, "--firmware", str(program)) == 1
    out = capsys.readouterr().out
    assert re.search(r"first: step 5 .*mouth\.packets: 0 on the desktop, 1 on the board", out), out


def hardware(folder: Path, *changes: tuple[str, str]) -> Hardware:
    """The hardware map of the host, with changes."""
    path = prepare(folder, "host")
    text = path.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return load_hardware(path, device_tables(load_world(folder / "worlds" / "talk.wbt"))[0])


def test_a_line_that_is_too_slow_is_said(tmp_path: Path):
    """4 bytes are in a frame of 13: 0, code, channel, bytes, CRC, 0; at 1200 bit/s that takes 108 ms."""
    slow = hardware(tmp_path, ('"D31"', '"D31"\nbaud = 1200'), ('"D30"', '"D30"\nbaud = 1200'))
    sent = [[SentPacket(1, 3, b"four")], [], [SentPacket(1, 3, b"four")]]
    (said,) = busiest(slow, couplings_of(slow).packet_outputs, sent, STEP_MS)
    # In the third step two frames less the two steps that have passed.
    longest = 2 * 10 * 13 / 1200 * 1000 - 2 * STEP_MS
    assert (
        f'"mouth": bytes take no time on the emulated line; a real line needs up to {longest:.0f} ms' in said
    )
    assert "(step 2)" in said


def test_a_line_that_is_fast_enough_is_not_mentioned(tmp_path: Path):
    fast = hardware(tmp_path)
    assert busiest(fast, couplings_of(fast).packet_outputs, [[SentPacket(1, 3, b"four")]] * 9, STEP_MS) == []


def test_packets_without_room_are_known(tmp_path: Path):
    """They have up to 128 bytes, and 256 wait, with 5 more for each; where messages have 64 bytes and reals
    have 8, one may have 46 - 4 - 40 bytes."""
    wide = hardware(tmp_path)
    sizes = [128, 129, 100, 18, 17]
    # 133 + 105 leave 18 bytes: 13 of a packet.
    assert list(finds_room(wide, [bytes(one) for one in sizes])) == [True, False, True, False, False]
    assert list(finds_room(wide, [bytes(128), bytes(100), bytes(13)])) == [True, True, True]
    narrow = wide._replace(link=wide.link._replace(message=64))
    assert list(finds_room(narrow, [bytes(2), bytes(3)])) == [True, False]


def test_the_board_talks_in_the_simulation(tmp_path: Path):
    """`emulate --simulate`: packets go there and back between the board and the other robot."""
    path = prepare(tmp_path, "host")
    record = tmp_path / "run.csv"
    words = ["--simulate", "--fast", "--duration", "0.8", "--record", str(record)]
    assert main(["-q", "firmware", "emulate", str(path), *words]) == 0
    with record.open(newline="") as file:
        lamps = {row["board/lamp.set"] for row in csv.DictReader(file)}
    assert len(lamps - {""}) == 2
