"""UF2 files. Judge: the layout in the README of https://github.com/microsoft/uf2."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.firmware.conftest import Firmware, boards
from wbridge.wbfirmware.flash.flash import flash
from wbridge.wbfirmware.flash.uf2 import uf2

RP2040 = 0xE48BFF56
"""Family in the list of the UF2 project."""


def test_a_file_has_blocks_with_their_addresses():
    image = bytes(range(256)) + b"end"
    made = uf2(image, 0x10000000, RP2040)
    assert len(made) == 2 * 512
    for number, data in ((0, image[:256]), (1, b"end" + bytes(253))):
        block = made[512 * number : 512 * (number + 1)]
        found = struct.unpack("<8I", block[:32])
        assert found == (0x0A324655, 0x9E5D5157, 0x2000, 0x10000000 + 256 * number, 256, number, 2, RP2040)
        assert block[32:288] == data
        assert block[288:508] == bytes(220)
        assert block[508:] == struct.pack("<I", 0x0AB16F30)


def test_an_address_within_a_block_is_refused():
    with pytest.raises(ValueError, match="0x10000080: a multiple of 256 is expected"):
        uf2(b"x", 0x10000080, RP2040)


@pytest.mark.parametrize("board", boards("pico"))
def test_a_pico_gets_its_program_on_its_drive(built: object, board: str, tmp_path: Path):
    firmware: Firmware = built(board)  # type: ignore[operator]
    flash(firmware.built.board.flashing[0], firmware.built, str(tmp_path))
    (made,) = tmp_path.iterdir()
    assert made.name == "firmware.uf2"
    data = made.read_bytes()
    assert struct.unpack("<8I", data[:32])[3:] == (0x10000000, 256, 0, len(data) // 512, RP2040)
    assert len(data) // 2 >= firmware.built.size.flash
