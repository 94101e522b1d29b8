"""Controllers of robots none of whose devices is on the board, and print by all functions that there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware import onboard
from tests.firmware.conftest import boards, require_board, two_wheels
from wbridge.wbfirmware.building.build import build

MAP = onboard.MAP.partition("[battery]")[0] + "".join(
    f'[devices."{one.name}"]\ndriver = "none"\n' for one in two_wheels().devices
)
CODE = """#include <stdio.h>
int main(void) {
  wb_robot_init();
  printf("%d;", wb_robot_get_number_of_devices());
  putchar('a');
  putc('b', stdout);
  fputc('c', stderr);
  fputs("d;", stdout);
  printf("e");
  printf("%c", 'f');
  printf("%s\\n", "g");
  printf("h\\n");
  puts("i");
  fprintf(stderr, "%d\\n", 7);
  fwrite("jk", 1, 2, stdout);
  fflush(stdout);
  while (wb_robot_step(16) != -1) {
  }
  return 0;
}
"""
PRINTED = f"{len(two_wheels().devices)};abcd;efg\nh\ni\n7\njk"


@pytest.mark.parametrize("flavor", ["standalone", "hil"])
@pytest.mark.parametrize("board", boards())
def test_a_controller_without_devices(board: str, flavor: str, tmp_path: Path):
    require_board(board)
    (tmp_path / "robot.c").write_text(onboard.HEAD + CODE)
    made = build(onboard.hardware(tmp_path, board, flavor, "robot.c", MAP), tmp_path / "firmware")
    if flavor == "standalone":
        assert onboard.text_of(made, 60) == PRINTED
    else:
        assert made.program.is_file()
