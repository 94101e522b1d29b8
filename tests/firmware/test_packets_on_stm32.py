"""The second serial line of boards with an STM32, under QEMU: packets there and back."""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware.conftest import Firmware, boards, families, require_board
from tests.firmware.test_packets import EMITTER, MAP, MOST, Robot, frame, table
from tests.firmware.test_packets_on_board import CODE
from wbridge.hal.link.values import Packet
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.building.symbols import symbols
from wbridge.wbfirmware.map.reading import load_hardware

STM32 = boards(*(name for name in families() if "stm32" in load_board(name).project.parts))


def firmware(folder: Path, board: str, keys: str = "") -> Built:
    require_board(board)
    tx, rx = (load_board(board).able(use)[0] for use in ("tx", "rx"))
    text = MAP.replace('"D31"', f'"{tx}"').replace('"D30"', f'"{rx}"')
    text = text.replace('board = "host"', f'board = "{board}"\n{keys}\n[link]\nmessage = 256')
    (folder / "hardware.toml").write_text(text)
    return build(load_hardware(folder / "hardware.toml", table()), folder / "firmware")


@pytest.mark.parametrize("board", STM32)
def test_packets_go_out_and_come_in(board: str, tmp_path: Path):
    """More at once than the port's buffers hold."""
    robot = Robot(firmware(tmp_path, board))
    with robot.bench:
        robot.set(EMITTER, "packets", [Packet(3, b"hello"), Packet(-1, b"")])
        robot.step()
        assert robot.bench.taken() == frame(3, b"hello") + frame(-1, b"")
        assert robot.bench.taken() == b""
        found = robot.hear(frame(3, b"a") + frame(4, b"b") + frame(-1, bytes(MOST)) + frame(4, bytes(MOST)))
        assert [(one.channel, one.data) for one in found] == [(3, b"a"), (-1, bytes(MOST))]
        damaged = bytearray(frame(3, b"damaged"))
        damaged[4] ^= 1
        assert [one.data for one in robot.hear(bytes(damaged) + frame(3, b"whole"))] == [b"whole"]


def hear(wire: int, words: bytes) -> None:
    """Wait until the board has said words."""
    heard = b""
    while words not in heard:
        assert select.select([wire], [], [], 20.0)[0], heard
        heard += os.read(wire, 64)


@pytest.mark.parametrize("board", STM32)
def test_bytes_pass_through_the_port_itself(board: str, tmp_path: Path):
    """In real time: a controller tells of each packet at the wire, and sends it back before the next one."""
    (tmp_path / "talk.c").write_text(CODE)
    built = firmware(tmp_path, board, 'flavor = "standalone"\ncontroller = "talk.c"')
    with Bench(built.board, built.program) as bench:
        wire = os.open(bench.url.removeprefix("serial://"), os.O_RDWR | os.O_NOCTTY)
        try:
            hear(wire, b"0 -1\n")
            for data, words in ((b"one", b"3 oe 1 0\n"), (b"two", b"3 to 1 0\n")):
                bench.give(frame(3, data))
                hear(wire, words)
        finally:
            os.close(wire)
        sent, certain = bench.taken(), frame(3, b"hello") + frame(7, b"all") + frame(7, b"one")
        assert sent.startswith(certain)
        assert (certain + frame(7, b"two")).startswith(sent)  # the last one may be on its way


@pytest.mark.parametrize("board", STM32)
def test_buffers_take_no_memory_where_nothing_uses_the_line(
    board: str, built: Callable[..., Firmware], tmp_path: Path
):
    plain = built(board).built
    assert "serial_rx" not in symbols(plain.board, plain.program)
    used = firmware(tmp_path, board)
    assert "serial_rx" in symbols(used.board, used.program)
