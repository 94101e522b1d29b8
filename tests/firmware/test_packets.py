"""Emitters and receivers at a serial line: whole packets come through, others do not."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.conftest import require_board
from tests.firmware.test_drivers import device
from wbridge.hal.link.framing import cobs_encode, crc16
from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import VirtualClock
from wbridge.hal.link.values import Packet
from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.bench import Bench, lockstep_pipe
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError

STEP = 16
MAP = """format = 1
world = "w.wbt"
robot = "radio"
board = "host"
[devices.mouth]
driver = "serial_emitter"
tx = "D31"
[devices.ear]
driver = "serial_receiver"
rx = "D30"
"""
EMITTER, RECEIVER = 1, 2
MOST = 128
"""Bytes of a packet."""


def table() -> DeviceTable:
    constants = {"channel": 3, "type": "serial"}
    devices = (device(1, "mouth", "Emitter", constants), device(2, "ear", "Receiver", constants))
    return DeviceTable(device(0, "radio", "Robot", {}), devices)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Built:
    require_board("host")
    folder = tmp_path_factory.mktemp("packets")
    (folder / "hardware.toml").write_text(MAP)
    return build(load_hardware(folder / "hardware.toml", table()), folder / "firmware")


@pytest.mark.parametrize(
    ("board", "clock", "least"),
    [
        ("stm32vldiscovery", 24_000_000, 1200),
        ("bluepill", 36_000_000, 1200),
        ("stm32f405", 42_000_000, 1200),
        ("nucleo-f401re", 84_000_000, 1282),
        ("nucleo-f411re", 100_000_000, 1526),
        ("nucleo-f446re", 84_000_000, 1282),
        ("arduino-mega", 2_000_000, 1200),
    ],
)
def test_the_boards_line_has_a_rate_that_its_clock_gives(board: str, clock: int, least: int, tmp_path: Path):
    """Of an STM32: PCLK1 for USART2, PCLK2 for USART1, over a BRR of 16 bits (RM0008, 27.3.4)."""
    title, names = load_board(board).title, load_board(board).pins
    pins = {use: next(pin for pin, able in names.items() if use in able) for use in ("tx", "rx")}

    def problems(baud: int) -> list[str]:
        text = MAP.replace('"host"', f'"{board}"').replace('"D31"', f'"{pins["tx"]}"\nbaud = {baud}')
        path = tmp_path / "hardware.toml"
        path.write_text(text.replace('"D30"', f'"{pins["rx"]}"\nbaud = {baud}'))
        try:
            load_hardware(path, table())
        except HardwareError as found:
            return [one.text for one in found.problems]
        return []

    assert problems(least) == problems(115200) == []
    if least > 1200:
        assert clock / (least - 1) > 0xFFFF
        for baud in (1200, least - 1):
            assert problems(baud) == [
                f'"{name}": baud: found {baud}; the nearest rate of the clock of {title} is '
                f"{clock / 0xFFFF:.0f}; the maximum error is 2.5 %"
                for name in ("mouth", "ear")
            ]


def test_a_bit_of_the_link_takes_at_least_sixteen_cycles(tmp_path: Path):
    """BRR of an STM32 is at least 16 (RM0041, 23.3.4): 24 MHz give 1.5 MHz and not 2 MHz."""
    path = tmp_path / "hardware.toml"
    text = MAP.replace('"host"', '"stm32vldiscovery"\n[link]\nbaud = BAUD').replace("D31", "PA2")
    path.write_text(text.replace("D30", "PA3").replace("BAUD", "1500000"))
    assert load_hardware(path, table()).link.baud == 1_500_000
    path.write_text(text.replace("D30", "PA3").replace("BAUD", "2000000"))
    with pytest.raises(HardwareError, match="the nearest rate of the clock of STM32VLDISCOVERY is 1500000"):
        load_hardware(path, table())


@pytest.mark.parametrize(
    ("mouth", "ear", "right"),
    [
        ("", "", True),
        ("baud = 9600", "baud = 9600", True),
        ("baud = 38400", "", True),
        ("baud = 9600", "baud = 19200", False),
        ("baud = 9600", "", False),
    ],
)
def test_both_ends_of_the_boards_line_have_one_rate(tmp_path: Path, mouth: str, ear: str, right: bool):
    """Where the rate is not written it is 38400."""
    path = tmp_path / "hardware.toml"
    path.write_text(MAP.replace('"D31"', f'"D31"\n{mouth}').replace('"D30"', f'"D30"\n{ear}'))
    if right:
        load_hardware(path, table())
        return
    with pytest.raises(HardwareError) as caught:
        load_hardware(path, table())
    (problem,) = caught.value.problems
    there = ear or "[devices.ear]"
    assert path.read_text().splitlines()[problem.line - 1] == there
    found = ear.removeprefix("baud = ") or "38400"
    assert problem.text.startswith(f'"ear": baud: found {found}, and "mouth" has 9600: ')
    assert "use the same value for both" in problem.text


class Robot:
    """A controller and the board's bench."""

    def __init__(self, program: Built) -> None:
        self.bench = Bench(program.board, program.program, lockstep=True)
        self.clock = VirtualClock()
        self.pipe = lockstep_pipe(self.bench, self.clock)
        self.master = Master(table(), lambda: self.pipe, clock=self.clock, sleep=lambda seconds: None)
        self.master.connect(1.0)
        (slot,) = (one for one in self.master.numbering.slots if one.tag == RECEIVER)
        self.master.set_period(slot, STEP)

    def step(self) -> list[Packet]:
        """A step; what was received."""
        step = self.master.step(STEP, 0.5)
        assert step is not None
        self.pipe.pipe.pass_time(STEP / 1000)  # type: ignore[attr-defined]
        return [packet for channel, value in step.values if channel.name == "packets" for packet in value]

    def set(self, tag: int, channel: str, value: object) -> None:
        found = self.master.numbering.channel(tag, channel)
        assert found is not None
        self.master.set(found, value)

    def hear(self, data: bytes) -> list[Packet]:
        """Bytes come in; what was received within a few steps."""
        self.bench.give(data)
        return [packet for _ in range(4) for packet in self.step()]


@pytest.fixture
def robot(program: Built) -> Iterator[Robot]:
    made = Robot(program)
    yield made
    made.bench.close()


def frame(channel: int, data: bytes) -> bytes:
    """A packet on the line, as docs/firmware.md has it."""
    content = struct.pack("<i", channel) + data
    return b"\0" + cobs_encode(content + struct.pack("<H", crc16(content))) + b"\0"


def test_packets_go_out_in_their_frames(robot: Robot):
    packets = [Packet(3, b"hello"), Packet(-1, b""), Packet(7, bytes(range(20)) * 2)]
    robot.set(EMITTER, "packets", packets)
    robot.step()
    assert robot.bench.taken() == b"".join(frame(one.channel, one.data) for one in packets)


def test_a_packet_that_is_too_long_is_lost(robot: Robot):
    robot.set(EMITTER, "packets", [Packet(3, bytes(MOST + 1)), Packet(3, bytes(MOST))])
    robot.step()
    assert robot.bench.taken() == frame(3, bytes(MOST))


def test_packets_of_the_own_channel_come_in(robot: Robot):
    robot.step()
    found = robot.hear(frame(3, b"a") + frame(4, b"b") + frame(-1, b"c") + frame(3, bytes(MOST)))
    assert [(one.channel, one.data) for one in found] == [(3, b"a"), (-1, b"c"), (3, bytes(MOST))]
    assert (found[0].signal, found[0].direction) == (1.0, (0.0, 0.0, 0.0))
    robot.set(RECEIVER, "channel", -1)
    robot.step()
    assert [one.data for one in robot.hear(frame(4, b"d"))] == [b"d"]


def test_damaged_frames_are_dropped_and_the_next_one_is_right(robot: Robot):
    robot.step()
    chance = random.Random(3)
    for _ in range(40):
        data = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 100)))
        broken = bytearray(frame(3, data))
        broken[chance.randrange(1, len(broken) - 1)] ^= 1 << chance.randrange(8)
        found = robot.hear(bytes(broken) + bytes([chance.randrange(256)]) + frame(3, b"whole"))
        assert [one.data for one in found] == [b"whole"]


def test_what_nobody_asks_for_is_lost_when_there_is_no_room(robot: Robot):
    for k in range(40):
        robot.bench.give(frame(3, bytes([k]) * 50))
    found = [packet for _ in range(30) for packet in robot.step()]
    assert [one.data[0] for one in found] == [*range(len(found))]
    assert 3 <= len(found) < 40


def test_a_board_without_a_second_port_says_so(tmp_path: Path):
    text = MAP.replace('"host"', '"arduino-uno"').replace("D31", "D1").replace("D30", "D0")
    (tmp_path / "hardware.toml").write_text(text)
    with pytest.raises(HardwareError) as caught:
        load_hardware(tmp_path / "hardware.toml", table())
    words = "this pin has no sending line of a second serial port (the robot link goes through it); no pin of"
    assert words in str(caught.value)
