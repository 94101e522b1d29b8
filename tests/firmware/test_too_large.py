"""Controllers that keep too much for their board: where it does not fit, by how much, and what takes most."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.firmware.onboard import compiled
from tests.firmware.test_limits import LIMITED
from tests.firmware.test_no_devices import MAP
from wbridge.libcontroller.compiling import BuildError
from wbridge.main import main
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import Size

FEW = 128
"""Bytes of an array that has room everywhere."""
KEEPING = """static char kept[SIZE];
int main(void) {
  wb_robot_init();
  while (wb_robot_step(16) != -1)
    kept[(int)wb_robot_get_time()]++;
}
"""
READING = """static const char kept[SIZE] = {1, 2};
static volatile char read;
int main(void) {
  wb_robot_init();
  while (wb_robot_step(16) != -1)
    read = kept[(int)wb_robot_get_time()];
}
"""


def size(folder: Path, board: str, code: str, bytes_kept: int) -> Size:
    """What a controller takes with an array of some bytes."""
    text = code.replace("SIZE", str(bytes_kept))
    return compiled(folder / str(bytes_kept), board, "standalone", text, MAP).size


def refusal(folder: Path, board: str, code: str, bytes_kept: int) -> list[str]:
    """The lines that are said to such a controller."""
    with pytest.raises(BuildError) as caught:
        size(folder, board, code, bytes_kept)
    return str(caught.value).splitlines()


@pytest.mark.parametrize("board", LIMITED)
def test_an_array_that_is_larger_than_the_memory(tmp_path: Path, board: str):
    """The rest does not change, so that it exceeds a memory that the array fills."""
    rest = size(tmp_path, board, KEEPING, FEW).ram - FEW
    ram = load_board(board).ram
    (said,) = refusal(tmp_path, board, KEEPING, ram)
    assert said.startswith(f"variables exceed the RAM by {rest} bytes")
    assert f"has {ram} bytes of RAM; leave out devices, " in said
    assert "use fewer variables in the controller" in said
    assert f"; the largest parts are kept {ram}, " in said


# AVR's compiler has no arrays of more than 32,767 bytes, so none fills the flash of a Mega.
@pytest.mark.parametrize("board", [one for one in LIMITED if one.values != ("arduino-mega",)])
def test_a_table_that_is_larger_than_the_flash(tmp_path: Path, board: str):
    rest = size(tmp_path, board, READING, FEW).flash - FEW
    flash = load_board(board).flash
    said, *more = refusal(tmp_path, board, READING, flash)
    assert said.startswith(f"the program exceeds the flash by {rest} bytes")
    assert f"has flash for {flash}; leave out devices, " in said
    assert f"or parts of the controller; the largest parts are kept {flash}, " in said
    assert len(more) == load_board(board).compiler.constants_in_ram
    assert all("exceed the RAM" in one and f"kept {flash}, " in one for one in more)


@pytest.mark.boards
def test_an_array_that_is_larger_than_the_compiler_of_the_board_allows(tmp_path: Path):
    (said,) = refusal(tmp_path, "arduino-mega", READING, 40000)
    assert re.search(
        r"robot\.c:\d+:\d+: kept: the array is too large .* allows 32767 bytes on boards with", said
    )


def test_variables_and_stack_that_are_too_large_together(tmp_path: Path):
    little = size(tmp_path, "arduino-uno", KEEPING, FEW)
    board, rest = load_board("arduino-uno"), little.ram - FEW
    assert little.stack is not None
    (said,) = refusal(tmp_path, "arduino-uno", KEEPING, board.ram - rest)
    stack = little.stack
    assert said.startswith(
        f"variables take {board.ram} bytes and the stack up to {stack}, {stack} too many, "
    )
    assert f"has {board.ram} bytes of RAM; leave out devices, " in said
    assert "; the largest parts are kept " in said
    deepest = re.search(r"; on the stack (\w+) (\d+), \w+ (\d+)$", said)
    assert deepest is not None
    assert stack >= int(deepest[2]) >= int(deepest[3])
    listed = "".join(file.read_text() for file in tmp_path.rglob("*.su"))
    assert f":{deepest[1]}\t{deepest[2]}\t" in listed


def test_warnings_do_not_hide_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Compilers say much of such a controller; the command says what matters."""
    warnings = "".join(f"  if (x = {k}) x++;\n" for k in range(60))
    code = KEEPING.replace("SIZE", "2100").replace(
        "  wb_robot_init();", f"  int x;\n{warnings}  wb_robot_init();"
    )
    with pytest.raises(BuildError):
        compiled(tmp_path, "arduino-uno", "standalone", code, MAP)
    assert main(["firmware", "build", str(tmp_path / "hardware.toml")]) == 1
    (said,) = [line for line in capsys.readouterr().err.splitlines() if "not on the board" not in line]
    assert "variables exceed the RAM by " in said
