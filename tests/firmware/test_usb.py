"""The USB port of boards: requests of chapter 9 of the USB 2.0 specification and of the class CDC; the link.

Judges: the tables of the specifications, the emulated computer, which refuses what they forbid, and the one
of rp2040js.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.firmware.conftest import WORLD, Firmware, require_board, two_wheels
from tests.firmware.onboard import HEAD
from tests.firmware.test_boards import LEFT, Driver
from wbridge.hal.link.errors import LinkError
from wbridge.hal.link.messages import Hello, Welcome, decode, encode
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.pipe import VirtualClock
from wbridge.hal.table import DeviceTable
from wbridge.main import main
from wbridge.wbfirmware.bench import Bench, BenchError, lockstep_pipe
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.emulators.rp2040 import emulator_module
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.tools import run

pytestmark = pytest.mark.boards
PICO = "pico"
BOARDS = PICO, "arduino-leonardo"
ABSENT, CONNECTED, CONFIGURED, OPEN = range(4)
"""What `show USB:PORT` tells."""
START = 80_000
"""us by which the computer has opened the port."""

TO_DEVICE, TO_INTERFACE, TO_ENDPOINT = 0x00, 0x01, 0x02
FROM_DEVICE, FROM_INTERFACE, FROM_ENDPOINT = 0x80, 0x81, 0x82
CLASS_TO_INTERFACE, CLASS_FROM_INTERFACE = 0x21, 0xA1
STATUS, CLEAR, SET, ADDRESS, DESCRIPTOR = 0, 1, 3, 5, 6
GET_CONFIGURATION, SET_CONFIGURATION, GET_INTERFACE, SET_INTERFACE = 8, 9, 10, 11
SET_CODING, GET_CODING, LINE_STATE = 0x20, 0x21, 0x22
DEVICE, CONFIGURATION, STRING, QUALIFIER = 1, 2, 3, 6
BULK_OUT, BULK_IN, NOTICE_IN = 0x02, 0x83, 0x81


def setup(kind: int, request: int, value: int = 0, index: int = 0, length: int = 0) -> bytes:
    """A setup packet (table 9-2)."""
    return struct.pack("<BBHHH", kind, request, value, index, length)


@pytest.fixture(scope="module", params=BOARDS)
def board(request: pytest.FixtureRequest) -> str:
    """A board with a USB port of its own."""
    return str(request.param)


@pytest.fixture
def bench(built: Callable[..., Firmware], board: str) -> Iterator[Bench]:
    """A board with the robot's end of the link, whose port is open."""
    firmware = built(board).built
    with Bench(firmware.board, firmware.program, lockstep=True) as made:
        made.run(START)
        assert port(made) == OPEN
        yield made


def port(bench: Bench) -> int:
    return int(bench.show("USB:PORT").value)


def descriptor(bench: Bench, kind: int, index: int = 0, length: int = 255) -> bytes:
    how, data = bench.control(setup(FROM_DEVICE, DESCRIPTOR, kind << 8 | index, 0, length))
    assert how == "ack"
    return data


class Descriptor(NamedTuple):
    """A part of a configuration."""

    kind: int
    data: bytes


def test_the_device_describes_itself(bench: Bench, board: str):
    """Table 9-8."""
    data = descriptor(bench, DEVICE)
    fields = struct.unpack("<BBHBBBBHHHBBBB", data)
    assert fields[:3] == (18, DEVICE, 0x0200)
    assert fields[3:6] == (0xEF, 2, 1), "interface association (table 1-1 of its ECN)"
    assert fields[6] == 16
    assert fields[7:9] == load_board(board).usb
    assert fields[13] == 1
    texts = [descriptor(bench, STRING, one) for one in fields[10:13] if one]
    assert [one[2:].decode("utf-16-le") for one in texts] == ["wbridge", load_board(board).title]
    assert [one[:2] for one in texts] == [bytes([len(one), STRING]) for one in texts]
    assert descriptor(bench, STRING)[:4] == bytes([4, STRING, 0x09, 0x04])


def test_the_configuration_is_that_of_a_serial_port(bench: Bench):
    """Tables 9-10, 9-12, 9-13; CDC 1.2, 5.2.3; PSTN 1.2, 5.3."""
    data = descriptor(bench, CONFIGURATION)
    length, kind, total, interfaces, value, _, attributes, power = struct.unpack("<BBHBBBBB", data[:9])
    assert (length, kind, total, interfaces, value) == (9, CONFIGURATION, len(data), 2, 1)
    assert attributes == 0x80, "powered by the bus, no remote wake-up"
    assert 2 * power <= 100, "what a hub without a supply of its own gives (7.2.1)"
    parts, at = [], 0
    while at < len(data):
        assert data[at] >= 2
        parts.append(Descriptor(data[at + 1], data[at : at + data[at]]))
        at += data[at]
    assert at == len(data)
    (group,) = [one.data for one in parts if one.kind == 11]
    assert group[2:7] == bytes([0, 2, 2, 2, 0])
    control, stream = [struct.unpack("9B", one.data) for one in parts if one.kind == 4]
    assert control[2:8] == (0, 0, 1, 2, 2, 0)
    assert stream[2:8] == (1, 0, 2, 10, 0, 0)
    functional = {one.data[2]: one.data[3:] for one in parts if one.kind == 0x24}
    assert functional == {
        0: bytes([0x20, 0x01]),  # CDC 1.2
        1: bytes([0, 1]),  # no call management
        2: bytes([2]),  # line coding and line state
        6: bytes([0, 1]),  # interface 0 controls interface 1
    }
    endpoints = [struct.unpack("<BBBBHB", one.data)[2:] for one in parts if one.kind == 5]
    assert endpoints == [(NOTICE_IN, 3, 8, 16), (BULK_OUT, 2, 64, 0), (BULK_IN, 2, 64, 0)]


REQUESTS = {
    "status of the device": (setup(FROM_DEVICE, STATUS, 0, 0, 2), b"\0\0"),
    "status of an interface": (setup(FROM_INTERFACE, STATUS, 0, 1, 2), b"\0\0"),
    "status of an endpoint": (setup(FROM_ENDPOINT, STATUS, 0, BULK_IN, 2), b"\0\0"),
    "status of endpoint 0": (setup(FROM_ENDPOINT, STATUS, 0, 0x80, 2), b"\0\0"),
    "a part of a descriptor": (setup(FROM_DEVICE, DESCRIPTOR, DEVICE << 8, 0, 8), None),
    "the configuration": (setup(FROM_DEVICE, GET_CONFIGURATION, 0, 0, 1), b"\1"),
    "the setting of an interface": (setup(FROM_INTERFACE, GET_INTERFACE, 0, 1, 1), b"\0"),
    "choosing this setting": (setup(TO_INTERFACE, SET_INTERFACE, 0, 1), b""),
    "the line coding": (setup(CLASS_FROM_INTERFACE, GET_CODING, 0, 0, 7), b"\x00\xc2\x01\x00\x00\x00\x08"),
    "no data at all": (setup(FROM_DEVICE, DESCRIPTOR, DEVICE << 8, 0, 0), b""),
}
REFUSED = {
    "a status of an interface that is none": setup(FROM_INTERFACE, STATUS, 0, 2, 2),
    "a status of an endpoint that is none": setup(FROM_ENDPOINT, STATUS, 0, 0x04, 2),
    "a status of the other direction": setup(FROM_ENDPOINT, STATUS, 0, 0x82, 2),
    "remote wake-up": setup(TO_DEVICE, SET, 1),
    "an unknown feature of an endpoint": setup(TO_ENDPOINT, SET, 1, BULK_IN),
    "an address that is too large": setup(TO_DEVICE, ADDRESS, 128),
    "a second configuration": setup(TO_DEVICE, SET_CONFIGURATION, 2),
    "a second setting": setup(TO_INTERFACE, SET_INTERFACE, 1, 0),
    "a descriptor of high speed": setup(FROM_DEVICE, DESCRIPTOR, QUALIFIER << 8, 0, 10),
    "a second device descriptor": setup(FROM_DEVICE, DESCRIPTOR, DEVICE << 8 | 1, 0, 18),
    "a string that is none": setup(FROM_DEVICE, DESCRIPTOR, STRING << 8 | 9, 0x409, 255),
    "a short line coding": setup(CLASS_TO_INTERFACE, SET_CODING, 0, 0, 6),
    "a long line coding": setup(CLASS_TO_INTERFACE, SET_CODING, 0, 0, 300),
    "a line coding of the other interface": setup(CLASS_FROM_INTERFACE, GET_CODING, 0, 1, 7),
    "a request of a vendor": setup(0x40, 1, 2, 3, 0),
    "a descriptor to be stored": setup(TO_DEVICE, 7, DEVICE << 8, 0, 18),
    "a frame number": setup(FROM_ENDPOINT, 12, 0, BULK_IN, 2),
}


def test_requests_are_answered(bench: Bench):
    for why, (request, answer) in REQUESTS.items():
        how, data = bench.control(request)
        assert how == "ack", why
        assert data == (descriptor(bench, DEVICE)[:8] if answer is None else answer), why


def test_unknown_requests_stall_endpoint_0_until_the_next_one(bench: Bench):
    for why, request in REFUSED.items():
        assert bench.control(request, bytes(request[6])) == ("stall", b""), why
        assert bench.control(setup(FROM_DEVICE, STATUS, 0, 0, 2)) == ("ack", b"\0\0"), why


def test_a_halted_endpoint_says_so_and_continues_without_loss(bench: Bench):
    bench.drive("USB:OPEN", 0)  # else the computer meets the halt and clears it
    bench.run(1000)
    for endpoint in (BULK_IN, BULK_OUT):
        assert bench.control(setup(TO_ENDPOINT, SET, 0, endpoint))[0] == "ack"
        assert bench.control(setup(FROM_ENDPOINT, STATUS, 0, endpoint, 2)) == ("ack", b"\1\0")
    bench.drive("USB:OPEN", 1)
    assert told(bench, two_wheels()) is not None
    for endpoint in (BULK_IN, BULK_OUT):
        assert bench.control(setup(FROM_ENDPOINT, STATUS, 0, endpoint, 2)) == ("ack", b"\0\0")


def told(bench: Bench, table: DeviceTable, tries: int = 3) -> str | None:
    """The build that a board tells over its link."""
    pipe = lockstep_pipe(bench, VirtualClock())
    for _ in range(tries):
        pipe.send(encode(Hello(1, 1, 7, 200, Numbering(table).hash, "test")))
        answer = pipe.receive(0.2)
        if answer is not None and isinstance(message := decode(answer), Welcome):
            return message.build
    return None


def test_without_a_configuration_there_are_no_endpoints(bench: Bench):
    assert bench.control(setup(TO_DEVICE, SET_CONFIGURATION, 0)) == ("ack", b"")
    assert bench.control(setup(FROM_DEVICE, GET_CONFIGURATION, 0, 0, 1)) == ("ack", b"\0")
    for request in (
        setup(FROM_ENDPOINT, STATUS, 0, BULK_IN, 2),
        setup(FROM_INTERFACE, STATUS, 0, 0, 2),
        setup(FROM_INTERFACE, GET_INTERFACE, 0, 0, 1),
        setup(TO_INTERFACE, SET_INTERFACE, 0, 0),
        setup(CLASS_TO_INTERFACE, LINE_STATE, 1, 0),
        setup(TO_ENDPOINT, SET, 0, BULK_IN),
    ):
        assert bench.control(request)[0] == "stall"
    assert bench.control(setup(TO_DEVICE, SET_CONFIGURATION, 1)) == ("ack", b"")


def test_a_new_address_counts_from_the_end_of_its_request(bench: Bench):
    assert bench.control(setup(TO_DEVICE, ADDRESS, 99)) == ("ack", b"")
    assert bench.control(setup(FROM_DEVICE, STATUS, 0, 0, 2)) == ("ack", b"\0\0")


def test_junk_never_hangs_the_board(bench: Bench):
    """Random and nearly valid requests: each ends, and the next valid one is answered."""
    random_ = random.Random(1)
    kinds = [0, 1, 2, 0x20, 0x21, 0x40, 0x80, 0x81, 0x82, 0xA1, 0xC0, 0xFF]
    for number in range(400):
        request = random_.choice([*range(13), SET_CODING, GET_CODING, LINE_STATE, random_.randrange(256)])
        kind, length = random_.choice(kinds), random_.choice([0, 0, 1, 2, 7, 18, 64, 300, 65535])
        value = random_.choice([0, 1, 0x100, 0x200, 0x301, random_.randrange(1 << 16)])
        if (kind, request) == (TO_DEVICE, SET_CONFIGURATION) or (kind, request) == (TO_DEVICE, ADDRESS):
            value = random_.randrange(2, 1 << 16) | 0x80
        index = random_.choice([0, 1, 2, 0x81, 0x83, random_.randrange(1 << 16)])
        data = random_.randbytes(min(length, 300))
        junk = setup(kind, request, value, index, length)
        how, _ = bench.control(junk, data)
        assert how in ("ack", "stall"), (number, junk.hex(), how)
        assert bench.control(setup(FROM_DEVICE, STATUS, 0, 0, 2)) == ("ack", b"\0\0"), junk.hex()
    bench.drive("USB:CABLE", 0)
    bench.run(10_000)
    bench.drive("USB:CABLE", 1)
    bench.run(START)
    assert told(bench, two_wheels()) is not None


def test_requests_can_be_given_up(bench: Bench):
    """A setup packet ends the request before it (8.5.3), as when a program is closed in between."""
    for kind, length in ((CONFIGURATION, 255), (STRING, 255), (DEVICE, 18), (DEVICE, 8)):
        for packets in range(3 if length > 18 else 1):
            bench.abandon(setup(FROM_DEVICE, DESCRIPTOR, kind << 8, 0, length), packets)
            assert descriptor(bench, DEVICE)[:2] == bytes([18, DEVICE])
    bench.abandon(setup(CLASS_TO_INTERFACE, SET_CODING, 0, 0, 7), 0)
    bench.abandon(setup(TO_DEVICE, ADDRESS, 99), 0)
    assert bench.control(setup(FROM_DEVICE, STATUS, 0, 0, 2)) == ("ack", b"\0\0")
    assert told(bench, two_wheels()) is not None


@pytest.fixture
def moving(built: Callable[..., Firmware], board: str) -> Iterator[Driver]:
    """A robot whose left motor turns."""
    robot = Driver(built(board))
    robot.set(LEFT, "position", float("inf"))
    robot.set(LEFT, "velocity", 6.0)
    robot.step()
    assert robot.show("left wheel motor", "pwm")[0] > 0
    yield robot
    robot.bench.close()


@pytest.mark.parametrize(
    ("name", "value", "milliseconds"),
    [("OPEN", 0, 3), ("CABLE", 0, 6), ("SUSPENDED", 1, 6)],
    ids=["the port is closed", "the cable is unplugged", "the computer sleeps"],
)
def test_motors_stop_when_the_link_is_lost(moving: Driver, name: str, value: int, milliseconds: int):
    """At once: the watchdog of the link (200 ms) is not needed. The bus is idle for 3 ms first (7.1.7.6)."""
    moving.bench.drive(f"USB:{name}", value)
    moving.bench.run(1000 * milliseconds)
    assert moving.show("left wheel motor", "pwm") == [0.0]


def test_motors_stop_when_a_computer_sends_only_noise(moving: Driver):
    """Without end; it does not keep the board from its work, or its watchdog would reset it."""
    moving.bench.drive("USB:FLOODS", 1)
    moving.bench.run(550_000)  # its watchdog takes half a second, setting it up again 80 ms
    assert port(moving.bench) == OPEN
    assert moving.show("left wheel motor", "pwm") == [0.0]
    moving.bench.drive("USB:FLOODS", 0)
    assert told(moving.bench, two_wheels()) is not None


@pytest.mark.parametrize("board", ["arduino-leonardo"], indirect=True)
def test_a_sag_of_the_power_of_the_cable_is_survived(bench: Bench):
    """The computer does not notice it, so its frames go on and nothing sets the device up again."""
    assert told(bench, two_wheels()) is not None
    bench.drive("USB:POWER", 0)
    bench.run(1000)
    bench.drive("USB:POWER", 1)
    bench.run(5000)
    assert told(bench, two_wheels()) is not None


@pytest.mark.parametrize("board", [PICO], indirect=True)
def test_frames_wake_a_board_without_a_resume(bench: Bench):
    bench.drive("USB:RESUMES", 0)
    bench.drive("USB:SUSPENDED", 1)
    bench.run(10_000)
    bench.drive("USB:SUSPENDED", 0)
    bench.run(5000)
    assert told(bench, two_wheels()) is not None


def test_a_new_program_can_drive_at_once_after_the_old_one(moving: Driver):
    moving.bench.drive("USB:CABLE", 0)
    moving.bench.run(10_000)
    moving.bench.drive("USB:CABLE", 1)
    moving.bench.run(START)
    moving.master.connect(1.0)
    moving.set(LEFT, "position", float("inf"))
    moving.set(LEFT, "velocity", 6.0)
    moving.step()
    assert moving.show("left wheel motor", "pwm")[0] > 0


BOOTS = {"pico": 1, "arduino-leonardo": 3}
"""What `show USB:DRIVE` tells then: of the Leonardo, that the keys of old and new boot loaders are there."""


def test_closing_the_port_at_1200_baud_starts_the_boot_loader(moving: Driver, board: str):
    moving.bench.drive("USB:BAUD", 1200)
    moving.bench.run(5000)
    assert moving.bench.show("USB:DRIVE").value == 0, "not while it is open"
    moving.bench.drive("USB:OPEN", 0)
    moving.bench.run(50_000)
    assert moving.bench.show("USB:DRIVE").value == BOOTS[board]
    assert moving.bench.show(moving.firmware.pin("left wheel motor", "pwm")).use in ("free", "input")
    assert port(moving.bench) == ABSENT


SAYS = (
    HEAD
    + """
#include <stdio.h>

int main() {
  wb_robot_init();
  WbDeviceTag wheel = wb_robot_get_device("left wheel motor");
  wb_motor_set_position(wheel, INFINITY);
  wb_motor_set_velocity(wheel, 6.0);
  printf("hello\\n");
  for (int step = 0; wb_robot_step(32) != -1; step++)
    printf("step %d of a controller that has much to say in each of its steps, about nothing\\n", step);
  return 0;
}
"""
)


@pytest.fixture(scope="module")
def talking(tmp_path_factory: pytest.TempPathFactory, board: str) -> Built:
    """A board with a controller that turns a motor and prints 80 characters in each step."""
    require_board(board)
    folder = tmp_path_factory.mktemp("talking")
    (folder / "code.c").write_text(SAYS)
    text = propose(two_wheels(), str(WORLD), board)
    (folder / "hardware.toml").write_text(text.replace('"slave"', '"standalone"\ncontroller = "."'))
    return build(load_hardware(folder / "hardware.toml", two_wheels()), folder / "firmware")


@pytest.mark.parametrize("board", [PICO], indirect=True)
def test_a_new_program_runs_after_it_was_copied_to_the_drive(talking: Built):
    """The boot ROM starts it by the watchdog, so this must not count as a controller that hung."""
    with Bench(talking.board, talking.program, lockstep=True) as bench:
        bench.run(START)
        bench.drive("USB:BAUD", 1200)
        bench.run(5000)
        bench.drive("USB:OPEN", 0)
        bench.run(20_000)
        assert bench.show("USB:DRIVE").value == 1
        bench.drive("USB:DRIVE", 0)
        bench.drive("USB:BAUD", 115200)
        bench.drive("USB:OPEN", 1)
        text = bench.run(200_000)
    assert text.startswith(b"hello\nstep 0 of")


@pytest.fixture
def wheel(built: Callable[..., Firmware], board: str) -> str:
    """The pin that drives the left motor, also of the board that is talking."""
    return built(board).pin("left wheel motor", "pwm")


def test_a_controller_drives_without_a_cable(talking: Built, wheel: str):
    """From the start, as of a robot with cells."""
    with Bench(talking.board, talking.program, lockstep=True) as bench:
        bench.drive("USB:CABLE", 0)
        bench.run(100_000)
        assert bench.show(wheel).value > 0
        assert port(bench) == ABSENT


def test_motors_stop_before_the_boot_loader(talking: Built, wheel: str):
    """A controller on the board, which drives on while the port is closed."""
    with Bench(talking.board, talking.program, lockstep=True) as bench:
        bench.drive("USB:BAUD", 1200)
        bench.run(START)
        bench.drive("USB:OPEN", 0)
        duties = [bench.show(wheel).value]
        for _ in range(2000):
            bench.run(1 if talking.board.name == PICO else 1000)
            if bench.show("USB:DRIVE").value != 0:
                break
            duties.append(bench.show(wheel).value)
        assert bench.show("USB:DRIVE").value == BOOTS[talking.board.name]
        assert duties[0] > 0
        assert duties[-1] == 0


def talks_until(tmp_path: Path, board: str, end: str) -> Built:
    """A board with a controller that ends in this way in step 3."""
    require_board(board)
    ending = SAYS.replace('printf("step %d', f'if (step == 3) {end} else printf("step %d')
    assert ending != SAYS
    (tmp_path / "code.c").write_text(ending)
    text = propose(two_wheels(), str(WORLD), board)
    (tmp_path / "hardware.toml").write_text(text.replace('"slave"', '"standalone"\ncontroller = "."'))
    return build(load_hardware(tmp_path / "hardware.toml", two_wheels()), tmp_path / "firmware")


def test_a_controller_that_hangs_is_stopped_and_says_so(tmp_path: Path, board: str):
    """By the watchdog, after half a second; also if a boot loader hides the cause of the reset."""
    built = talks_until(tmp_path, board, "for (;;);")
    with Bench(built.board, built.program, lockstep=True) as bench:
        text = bench.run(800_000)
    assert b"wbridge: fault: watchdog: " in text
    assert text.count(b"step 0 of") == 1


NMI = "*(volatile unsigned *)0xE000ED04 = 1u << 31;"
"""Pends an exception that counts as a fault."""


def test_a_fault_resets_the_whole_chip(tmp_path: Path):
    """By the watchdog, as SYSRESETREQ leaves the peripherals of an RP2040 running, also PWM.

    The program starts again, its USB device is set up anew, and it reports the fault.
    """
    built = talks_until(tmp_path, PICO, NMI)
    with Bench(built.board, built.program, lockstep=True) as bench:
        text = bench.run(450_000)
    assert text.count(b"hello\nstep 0 of") == 1
    assert b"wbridge: fault: crash: " in text


KEPT = {PICO: 31 * 64, "arduino-leonardo": 255}
"""Bytes of text."""


def test_text_printed_before_the_port_is_opened_is_kept(talking: Built):
    with Bench(talking.board, talking.program, lockstep=True) as bench:
        bench.drive("USB:OPEN", 0)
        assert bench.run(1_500_000) == b""
        bench.drive("USB:OPEN", 1)
        text = bench.run(50_000).decode()
    said = "step {} of a controller that has much to say in each of its steps, about nothing\n"
    whole = "hello\n" + "".join(said.format(number) for number in range(30))
    kept = KEPT[talking.board.name]
    assert text[:kept] == whole[:kept]


@pytest.mark.parametrize("name", ["OPEN", "READS", "CABLE"])
def test_printing_to_nobody_does_not_delay_a_controller(talking: Built, name: str):
    """Text is lost; a controller that waits would report its overruns, and its steps would be fewer."""
    with Bench(talking.board, talking.program, lockstep=True) as bench:
        bench.run(START)
        bench.drive(f"USB:{name}", 0)
        bench.run(4_000_000)
        bench.drive(f"USB:{name}", 1)
        text = bench.run(400_000).decode()
    assert "overruns" not in text
    steps = [int(one) for one in re.findall(r"^step (\d+) of .*about nothing$", text, re.MULTILINE)]
    assert steps == sorted(steps)
    assert steps[-1] >= (4_000_000 + 400_000) // 32_000 - 2


def test_what_nobody_reads_does_not_stop_the_computer(talking: Built):
    """A controller on the board takes no input; a computer that sends some can still close the port."""
    with Bench(talking.board, talking.program, lockstep=True) as bench:
        bench.run(START)
        bench.send(b"x" * 5000)
        bench.run(100_000)
        bench.drive("USB:OPEN", 0)
        bench.run(5000)
        assert port(bench) == CONFIGURED


def test_a_controller_goes_on_while_a_computer_never_stops_writing(talking: Built):
    with Bench(talking.board, talking.program, lockstep=True) as bench:
        bench.run(START)
        bench.drive("USB:FLOODS", 1)
        text = bench.run(700_000).decode()
    assert "overruns" not in text
    steps = [int(one) for one in re.findall(r"^step (\d+) of", text, re.MULTILINE)]
    assert steps == list(range(steps[0], steps[0] + len(steps)))
    assert steps[-1] >= (START + 700_000) // 32_000 - 2


@pytest.mark.parametrize("board", [PICO], indirect=True)
def test_the_computer_of_rp2040js_reads_the_port(talking: Built):
    module = emulator_module(talking.board)
    computer = Path(__file__).with_name("usb_computer.mjs")
    found = json.loads(run(["node", computer, module, talking.program, "200"], computer.parent))
    assert found["endpoints"] == [BULK_IN & 15, BULK_OUT & 15]
    text = bytes.fromhex(found["received"]).decode()
    assert text.startswith("hello\nstep 0 of a controller that has much to say")
    assert "\nstep 4 of" in text


def test_a_controller_drives_the_board_over_its_usb_port(
    built: Callable[..., Firmware], board: str, capfd: pytest.CaptureFixture[str]
):
    """In real time, by `wbridge remote`."""
    firmware = built(board)
    with Bench(firmware.built.board, firmware.built.program, wire="usb") as bench:
        url = f"{bench.url}?watchdog=10000"  # ms: the emulator may have to wait for its processor
        words = ["remote", str(WORLD), "--robot", "two wheels", "--url", url, "--duration", "1"]
        assert main([*words, "--controller", "two_wheels_avoider"]) == 0
    assert "reached the requested time" in capfd.readouterr().err


FAULTS = {
    "a wrong size of endpoint 0": ("usb_chip.h", "USB_CONTROL_BYTES 16", "USB_CONTROL_BYTES 48"),
    "a wrong total size": ("usb_descriptors.c", "U16(CONFIGURATION_BYTES)", "U16(CONFIGURATION_BYTES - 1)"),
    "a bulk endpoint of 48 bytes": ("usb_port.h", "USB_BULK_BYTES 64", "USB_BULK_BYTES 48"),
    "the address before the end of its request": (
        "usb_device.c", "  address_waits = true;\n", "  usb_port_address(new_address);\n",
    ),
    "replies longer than asked for": ("usb_device.c", "size < length ? size : length;", "size;"),
    "a string without its type": ("usb_device.c", "return USB_STRING;", "return 0;"),
}  # fmt: skip
OWN_FAULTS = {
    "pico": {
        "replies that begin with data toggle 0": (
            "usb_port.c", "reply_toggle = listen_toggle = true;", "reply_toggle = listen_toggle = false;",
        ),
        "a stream whose data toggle stays": ("usb_port.c", "send_toggle = !send_toggle;", ""),
        "a stream from the host whose toggle stays": ("usb_port.c", "receive_toggle = !receive_toggle;", ""),
        "a buffer that is available too early": ("usb_port.c", "  *buffer = control;\n", ""),
        "no clock of 48 MHz": ("usb_port.c", "FEEDBACK 100u", "FEEDBACK 125u"),
        "no pull-up": ("usb_port.c", " | USB_PULL_UP", ""),
        "a packet that is not read from its beginning": ("usb_port.c", "  packet_next = 0;\n", ""),
        "the toggles of a given-up request": ("usb_port.c", "  reply_toggle = listen_toggle = true;\n", ""),
        "packets late in a frame": ("usb_port.c", "LATE_US 790u", "LATE_US 1010u"),
    },
    "arduino-leonardo": {
        "no regulator": ("usb_port.c", "  UHWCON = _BV(UVREGE);\n", ""),
        "no clock": ("usb_port.c", "_BV(PINDIV) | _BV(PLLE)", "_BV(PINDIV)"),
        "no pull-up": ("usb_port.c", "UDCON = 0;", "UDCON = _BV(DETACH);"),
        "no endpoint 0 after a reset": ("usb_port.c", "  enable(0, CONTROL, ONE_OF_16);\n", ""),
        "a reset without end": ("usb_port.c", "(flags | _BV(WAKEUPI))", "_BV(WAKEUPI)"),
        "a setup packet that is not freed": ("usb_port.c", "  UEINTX = (uint8_t)~packet_flags;\n", ""),
        "a packet that is not freed": ("usb_port.c", "  UEINTX = TAKEN;\n", ""),
        "packets to the host that stay": ("usb_port.c", "  if (on) UEINTX = FILLED;\n", ""),
        "an endpoint turned round": ("usb_port.c", "_IN (_BV(EPTYPE1) | _BV(EPDIR))", "_IN _BV(EPTYPE1)"),
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("place", "fault"), [(one, name) for one in BOARDS for name in {**FAULTS, **OWN_FAULTS[one]}]
)
def test_seeded_faults_are_found(built: Callable[..., Firmware], tmp_path: Path, place: str, fault: str):
    firmware = built(place)
    project = tmp_path / "firmware"
    shutil.copytree(firmware.built.program.parent, project)
    name, right, wrong = {**FAULTS, **OWN_FAULTS[place]}[fault]
    text = (project / name).read_text()
    assert right in text
    (project / name).write_text(text.replace(right, wrong))
    run(["make", "-s"], project)
    assert answers(firmware.built)
    assert not answers(firmware.built._replace(program=project / "firmware.elf"))


def answers(built: Built) -> bool:
    """Whether a board tells its build at any time of a frame, and does not send late in it (RP2040-E15)."""
    try:
        with Bench(built.board, built.program, lockstep=True) as bench:
            bench.run(START)
            for number in range(20):
                bench.run(1000 + 50 * number)
                if told(bench, two_wheels(), 1) is None:
                    return False
            return built.board.name != PICO or bench.show("USB:LATE").value == 0
    except (BenchError, LinkError):
        return False
