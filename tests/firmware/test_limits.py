"""What does not fit on a board is refused when it is built: program, variables, the stack at its deepest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware.conftest import Firmware, boards, families
from wbridge.libcontroller.compiling import BuildError
from wbridge.wbfirmware.boards.board import Board, load_board
from wbridge.wbfirmware.building.build import build

LIMITED = boards(*(name for name in families() if load_board(name).ram))


@pytest.fixture(params=LIMITED)
def firmware(request: pytest.FixtureRequest, built: Callable[..., Firmware]) -> Firmware:
    return built(request.param)


def shrunk(firmware: Firmware, folder: Path, **limits: int) -> str:
    """What is said when the same firmware is built for a smaller board."""
    board: Board = firmware.hardware.board._replace(**limits)
    with pytest.raises(BuildError) as caught:
        build(firmware.hardware._replace(board=board), folder)
    return str(caught.value)


def test_a_program_that_is_larger_than_the_flash(firmware: Firmware, tmp_path: Path):
    flash = firmware.built.size.flash // 2 // 4 * 4
    said = shrunk(firmware, tmp_path / "firmware", flash=flash)
    assert f"has flash for {flash}" in said
    assert "leave out devices" in said


def test_variables_that_are_larger_than_the_memory(firmware: Firmware, tmp_path: Path):
    ram = firmware.built.size.ram // 2 // 8 * 8
    said = shrunk(firmware, tmp_path / "firmware", ram=ram)
    assert f"has {ram} bytes of RAM" in said


def test_a_stack_that_grows_into_the_variables(firmware: Firmware, tmp_path: Path):
    size = firmware.built.size
    assert size.stack is not None
    ram = (size.ram + size.stack - 8) // 8 * 8
    said = shrunk(firmware, tmp_path / "firmware", ram=ram)
    assert f"the stack up to {size.stack}" in said
    assert f"has {ram} bytes of RAM" in said
    board = firmware.hardware.board._replace(ram=ram + 16)
    assert build(firmware.hardware._replace(board=board), tmp_path / "enough").size.stack == size.stack
