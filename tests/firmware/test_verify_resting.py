"""`wbridge firmware verify` where bodies fall asleep: each command wakes them, also a repeated one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.firmware.conftest import WORLD, require_board, two_wheels
from tests.firmware.onboard import HEAD
from wbridge.main import main
from wbridge.wbfirmware.map.propose import propose

STEPS = 100
CREEPS = """
int main(void) {
  wb_robot_init();
  const WbDeviceTag wheel = wb_robot_get_device("left wheel motor");
  wb_motor_set_position(wheel, INFINITY);
  for (int k = 0; wb_robot_step(16) != -1; k++)
    if (k < 20 || k > 60)
      wb_motor_set_velocity(wheel, 0.005);
  return 0;
}
"""
"""It turns a wheel so slowly that the robot counts as resting, and for some time it does not say so again."""


def test_a_board_wakes_the_robot_as_the_desktop_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    require_board("host")
    world = tmp_path / "sleepy.wbt"
    text = WORLD.read_text().replace("../protos", f"{CHECKOUT}/protos")
    world.write_text(text.replace("basicTimeStep 16", "basicTimeStep 16 physicsDisableTime 0.1"))
    (tmp_path / "creeps.c").write_text("#include <math.h>\n" + HEAD + CREEPS)
    text = propose(two_wheels(), str(world), "host")
    path = tmp_path / "hardware.toml"
    path.write_text(text.replace('flavor = "slave"', 'flavor = "hil"\ncontroller = "creeps.c"'))
    code = main(["-q", "firmware", "verify", str(path), "--steps", str(STEPS), "--flavor", "hil"])
    out = capsys.readouterr().out
    assert code == 0, out
    assert "run alone, it gives a bit-identical world" in out
