"""How controllers in Python end on a board: the motors stop in any case."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.conftest import two_wheels
from tests.firmware.test_micropython import boards, sample_map
from wbfirmware.bench import Bench
from wbfirmware.build import build
from wbfirmware.hardware import load_hardware

STEP_US, MOTOR = 16_000, "left wheel motor"
DRIVING_STEPS = 10
START = f"""import sys, time
from controller import Robot
robot = Robot()
motor = robot.getDevice("{MOTOR}")
motor.setPosition(float("inf"))
motor.setVelocity(6.0)
for k in range({DRIVING_STEPS}):
    robot.step(16)
"""
ENDS = {
    "returns": ("", "the controller has ended"),
    "fails": ("1 / 0", "ZeroDivisionError"),
    "exits": ("sys.exit(3)", "the controller has ended"),
    "hangs": (
        "time.sleep(3)\nmotor.setVelocity(1.0)\nfor k in range(99): robot.step(16)",
        "no step for 1000 ms",
    ),
}


@pytest.mark.parametrize("board", boards("host-python", "pico-micropython"))
@pytest.mark.parametrize("end", ENDS)
def test_the_motors_stop(board: str, end: str, tmp_path: Path):
    code, said = ENDS[end]
    (tmp_path / "goes.py").write_text(START + code + "\n")
    hardware = load_hardware(sample_map(tmp_path, board, tmp_path / "goes.py"), two_wheels())
    built = build(hardware, tmp_path / "firmware")
    pwm = next(one.values["pwm"] for one in hardware.wirings if one.device.name == MOTOR)
    with Bench(built.board, built.program, lockstep=True) as bench:
        printed = bench.run(STEP_US * (DRIVING_STEPS - 1))
        assert bench.show(pwm).value == pytest.approx(0.5, abs=0.01)
        printed += bench.run(1_500_000)
        assert bench.show(pwm).value == 0
        printed += bench.run(2_500_000)
        assert bench.show(pwm).value == 0, "it stays stopped"
    assert said in printed.decode()


COUNTS = """import gc
from controller import Robot
collect, counted = gc.collect, [0]
def count():
    counted[0] += 1
    collect()
gc.collect = count
robot = Robot()
for k in range(250):
    robot.step(16)
print("collections", counted[0])
"""


def test_garbage_is_collected_twice_a_second_between_commands_and_sensors(tmp_path: Path):
    (tmp_path / "counts.py").write_text(COUNTS)
    hardware = load_hardware(sample_map(tmp_path, "host-python", tmp_path / "counts.py"), two_wheels())
    built = build(hardware, tmp_path / "firmware")
    with Bench(built.board, built.program, lockstep=True) as bench:
        assert b"collections 7" in bench.run(4_100_000)


def test_late_steps_are_reported(tmp_path: Path):
    (tmp_path / "late.py").write_text(START + "time.sleep(0.1)\nrobot.step(16)\n")
    hardware = load_hardware(sample_map(tmp_path, "host-python", tmp_path / "late.py"), two_wheels())
    built = build(hardware, tmp_path / "firmware")
    with Bench(built.board, built.program, lockstep=True) as bench:
        printed = bench.run(1_000_000).decode()
    assert "wbridge: a step of 16 ms took 100 ms; overruns so far: 1" in printed
