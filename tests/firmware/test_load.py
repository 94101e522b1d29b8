"""How much of its time a board computes: counted by emulators, and measured by the board itself."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.firmware.conftest import WORLD, require_board, two_wheels
from wbridge.main import main
from wbridge.wbfirmware.bench import Load
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError
from wbridge.wbverify.board_load import board_load

STEP_MS, STEPS = 16, 80
CYCLES, DELAY_MS = 80_000, 5.0
"""What the controller takes in addition on a board with an AVR at 16 MHz."""
CODE = f"""#include <webots/robot.h>

int main(void) {{
  wb_robot_init();
  while (wb_robot_step({STEP_MS}) != -1) {{
#ifdef __AVR__
    __builtin_avr_delay_cycles(DELAY);
#endif
  }}
}}
"""


REPORTS = "report_load = true\n"


def hardware_map(folder: Path, board: str, head: str, delay: int = CYCLES) -> Path:
    """Write a map of a controller that takes some cycles, with more lines at its top."""
    (folder / "busy.c").write_text(CODE.replace("DELAY", str(delay)))
    text = propose(two_wheels(), str(WORLD), board)
    text = text.replace("format = 1\n", f'format = 1\ncontroller = "busy.c"\n{head}')
    place = folder / "hardware.toml"
    place.write_text(text.replace('flavor = "slave"', 'flavor = "standalone"'))
    return place


def test_shares_are_those_of_the_basic_time_step():
    loads = [Load(1600.0, 800.0, 160.0, 16, 5.0), Load(3200.0, 3000.0, 480.0, 32, 20.0)]
    found = board_load(loads, STEP_MS)
    assert found is not None
    assert found == pytest.approx((0.15, 0.2, 1, 3.0, 1, 0.02, 24.0, 20.0))
    assert str(found) == (
        "the processor is busy for 15 % of the basic time step, at most 20 % (step 1); the longest "
        "computation takes 3 ms (step 1); interrupts: 2 %, 24 in a step, disabled for at most 20 us"
    )
    assert board_load([], STEP_MS) is None


@pytest.mark.parametrize(
    ("line", "flavor", "words"),
    [
        ("report_load = 1", "standalone", "report_load: found 1; allowed: true and false"),
        ("report_load = true", "slave", 'report_load: found flavor = "slave"; a controller with'),
    ],
)
def test_only_a_board_that_runs_alone_can_report_its_load(tmp_path: Path, line: str, flavor: str, words: str):
    place = hardware_map(tmp_path, "arduino-uno", f"{line}\n")
    text = place.read_text()
    if flavor == "slave":
        text = text.replace('"standalone"', '"slave"').replace('controller = "busy.c"\n', "")
    place.write_text(text)
    with pytest.raises(HardwareError) as refused:
        load_hardware(place, two_wheels())
    assert words in str(refused.value)


def verified(place: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The result of a comparison that agrees."""
    words = ["--steps", str(STEPS), "--flavor", "standalone", "--json"]
    report = ["--report", str(place.with_name("report.html"))]
    assert main(["-q", "firmware", "verify", str(place), *words, *report]) == 0, capsys.readouterr()
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["checks"][0]
    return found


@pytest.mark.boards
def test_the_emulator_counts_what_the_controller_takes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Judge: the compiler's delay of a number of cycles; interrupts lengthen it by their share."""
    require_board("arduino-uno")
    (tmp_path / "idle").mkdir()
    idle = verified(hardware_map(tmp_path / "idle", "arduino-uno", REPORTS, 1), capsys)["load"]
    check = verified(hardware_map(tmp_path, "arduino-uno", REPORTS), capsys)
    load = check["load"]
    assert load["stretch_ms"] == pytest.approx(idle["stretch_ms"] + DELAY_MS, rel=0.06)
    assert load["mean"] == pytest.approx(idle["mean"] + DELAY_MS / STEP_MS, rel=0.06)
    assert idle["most"] < 0.1
    assert 15 <= idle["per_step"] <= 17  # the clock's interrupt comes each 1024 us
    # The board's own measure, in whole percent, without the work before and after a sleep.
    (found,) = re.findall(r"load (\d+) % on average; at most (\d+) us in a step", "\n".join(check["notes"]))
    assert 100 * (load["mean"] - load["interrupts"]) - 2 <= float(found[0]) <= 100 * load["mean"]
    assert DELAY_MS <= float(found[1]) / 1000 <= load["most"] * STEP_MS
    assert "% of a step</span>" in (tmp_path / "report.html").read_text()


@pytest.mark.boards
def test_a_late_step_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    require_board("arduino-uno")
    place = hardware_map(tmp_path, "arduino-uno", "", 320_000)  # 20 ms
    main(["firmware", "verify", str(place), "--steps", "20", "--flavor", "standalone"])
    found = capsys.readouterr()
    assert (
        len(re.findall(r"warning: standalone: \d+ of 20 steps of the controller were not in time", found.err))
        == 1
    )
    assert "at most 100 % (step " in found.out


@pytest.mark.boards
@pytest.mark.parametrize(("board", "is_counted"), [("pico", True), ("stm32f405", False), ("host", False)])
def test_boards_with_an_emulator_of_cycles_are_counted(
    board: str, is_counted: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    require_board(board)
    load = verified(hardware_map(tmp_path, board, REPORTS), capsys)["load"]
    assert (load is not None) == is_counted
    if load is not None:
        ticks = 2 * STEP_MS  # of its clock and of USB, each millisecond
        assert load["per_step"] == pytest.approx(ticks, abs=5)
        assert 0 < load["mean"] < 0.1
