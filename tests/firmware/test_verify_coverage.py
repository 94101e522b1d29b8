"""What `wbridge firmware verify` says of the lines that ran on the board: in text, as JSON, in the report."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.onboard import HEAD
from tests.firmware.test_verify import CONTROLLER, hardware_map
from wbridge.main import main
from wbridge.wbfirmware.emulators import program

CODE = (
    HEAD
    + """
__attribute__((noinline)) static void retreat(WbDeviceTag motor) {
  wb_motor_set_velocity(motor, -1);
}
int main(void) {
  wb_robot_init();
  const WbDeviceTag motor = wb_robot_get_device("left wheel motor");
  wb_motor_set_position(motor, INFINITY);
  while (wb_robot_step(16) != -1) {
    if (wb_robot_get_time() > 1000)
      retreat(motor); /* never */
    wb_motor_set_velocity(motor, 2);
  }
  wb_robot_cleanup();
  return 0;
}
"""
)
NEVER = next(number for number, line in enumerate(CODE.splitlines(), 1) if "never" in line)
HEADING = next(number for number, line in enumerate(CODE.splitlines(), 1) if " retreat(Wb" in line)


def code_map(folder: Path, board: str) -> Path:
    """A hardware map whose controller retreats after 1000 s, so never in a short run."""
    require_board(board)
    (folder / "patient").mkdir()
    (folder / "patient" / "patient.c").write_text("#include <math.h>\n" + CODE.partition("\n")[2])
    path = hardware_map(folder, board)
    path.write_text(path.read_text().replace(str(CONTROLLER), "patient"))
    return path


def verify(path: Path, *more: str) -> int:
    """Compare 20 steps."""
    return main(["firmware", "verify", str(path), "--steps", "20", *more])


@pytest.mark.parametrize("board", boards())
def test_what_no_step_reached_is_reported(board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Judged by the program: the time stays below 1000 s, so one branch and one function never run."""
    path, report = code_map(tmp_path, board), tmp_path / "report.html"
    assert verify(path, "--flavor", "standalone", "--json", "--report", str(report)) == 0
    said = capsys.readouterr()
    (check,) = json.loads(said.out)["checks"]
    (own,) = (one for one in check["coverage"]["files"] if one["kind"] == "controller")
    assert own["never_called"] == ["retreat"]
    assert any(first <= NEVER <= last for first, last in own["missing"])
    assert 0 < own["covered"] < own["lines"]
    assert check["coverage"]["controller"] == {key: own[key] for key in ("lines", "covered", "percent")}
    assert 0 < check["coverage"]["drivers"]["covered"] < check["coverage"]["drivers"]["lines"]
    warning = "warning: standalone: no step reached these places, so they are not verified: "
    assert f"{warning}controller: retreat() (patient.c:{HEADING}), patient.c:{NEVER}" in said.err
    (row,) = re.findall(r"<tr><td>patient.c</td>.*</tr>", html.unescape(report.read_text()))
    assert re.search(rf'>retreat</td><td class="why">{NEVER}[,<]', row), row


def test_where_nobody_knows_what_ran_the_reason_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """On a computer whose processor the tracer does not know."""
    monkeypatch.setattr(program, "MACHINES", ())
    path, report = code_map(tmp_path, "host"), tmp_path / "report.html"
    assert verify(path, "--flavor", "hil", "--report", str(report)) == 0
    why = "unknown which lines ran on the board: the program has no debug information, or"
    assert f"hil        {why}" in capsys.readouterr().out
    assert why in report.read_text()
