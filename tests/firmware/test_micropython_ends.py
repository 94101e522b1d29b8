"""How controllers in Python end on a board: the motors stop in any case."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.firmware.conftest import two_wheels
from tests.firmware.test_micropython import boards, sample_map
from wbridge.hal.link.faults import Fault, fault_in
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.map.reading import load_hardware

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
        "wbridge: fault: hang: the controller made no step for 0.4 s",
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


@pytest.mark.parametrize("board", boards("host-python", "pico-micropython"))
def test_the_watchdog_is_fed_until_the_interpreter_hangs(board: str, tmp_path: Path):
    """Without the timer, which runs as long as the interpreter does, the watchdog resets the board."""
    code = 'sys.modules["wb.board"]._timers[0].deinit()\ntime.sleep(9)\n'
    (tmp_path / "hangs.py").write_text(START + "robot.step(3000)\n" + code)
    hardware = load_hardware(sample_map(tmp_path, board, tmp_path / "hangs.py"), two_wheels())
    built = build(hardware, tmp_path / "firmware")
    pwm = next(one.values["pwm"] for one in hardware.wirings if one.device.name == MOTOR)
    with Bench(built.board, built.program, lockstep=True) as bench:
        said = bench.run(3_150_000)
        assert bench.show(pwm).value == pytest.approx(0.5, abs=0.01)
        said += bench.run(300_000)
        assert b"watchdog" not in said
        assert b"the watchdog resets the board" in bench.run(300_000)


@pytest.mark.parametrize(
    ("board", "scratch", "latched"),
    [
        ("host-python", 0, True),
        pytest.param("pico-micropython", 0x77626600, True, marks=pytest.mark.boards),
        pytest.param("pico-micropython", 0, False, marks=pytest.mark.boards, id="MicroPython's own reset()"),
    ],
)
def test_a_reset_by_the_watchdog_is_latched(board: str, scratch: int, latched: bool, tmp_path: Path):
    """Judge: data sheet of the RP2040, 4.7.6: SCRATCH registers keep their values in resets by the
    watchdog."""
    (tmp_path / "goes.py").write_text(START)
    hardware = load_hardware(sample_map(tmp_path, board, tmp_path / "goes.py"), two_wheels())
    built = build(hardware, tmp_path / "firmware")
    pwm = next(one.values["pwm"] for one in hardware.wirings if one.device.name == MOTOR)
    emulation = {**built.board.emulation, "hung": True, "scratch": scratch}
    with Bench(built.board._replace(emulation=emulation), built.program, lockstep=True) as bench:
        said = bench.run(STEP_US * (DRIVING_STEPS - 1)).decode()
        assert bench.show(pwm).value == (0 if latched else pytest.approx(0.5, abs=0.01))
        said += bench.run(11_000_000).decode()
    faults = [fault_in(line) for line in said.splitlines()]
    assert faults.count(Fault.WATCHDOG) == (3 if latched else 0)


WRAPS = f"""import sys, time
time._WRAP = 4096
from controller import Robot
robot = Robot()
motor = robot.getDevice("{MOTOR}")
for k in range(500):
    robot.step(16)
    if k % 100 == 99: print("time", robot.getTime())
"""


def test_time_goes_on_when_ticks_wrap_around(tmp_path: Path):
    """MicroPython's ticks wrap after 12.4 days, and differences after 6.2; here after 4.096 s and half of
    it."""
    (tmp_path / "wraps.py").write_text(WRAPS)
    hardware = load_hardware(sample_map(tmp_path, "host-python", tmp_path / "wraps.py"), two_wheels())
    built = build(hardware, tmp_path / "firmware")
    with Bench(built.board, built.program, lockstep=True) as bench:
        said = bench.run(8_100_000).decode()
    times = [float(line.split()[1]) for line in said.splitlines() if line.startswith("time")]
    assert times == pytest.approx([1.6, 3.2, 4.8, 6.4, 8.0])


BUSY = """import time
from controller import Robot
robot = Robot()
motor = robot.getDevice("left wheel motor")
motor.setPosition(float("inf"))
motor.setVelocity(6.0)
for k in range(50):
    robot.step(32)
    time.sleep_ms(25)
motor.setVelocity(0.0)
robot.step(1000)
"""
STEPS = 400.0
"""Per turn."""


def test_a_stepper_keeps_its_velocity_while_the_controller_computes(tmp_path: Path):
    """25 of 32 ms are spent in the controller; the motor makes all its steps: v t, in 1.6 s."""
    (tmp_path / "busy.py").write_text(BUSY)
    place = sample_map(tmp_path, "host-python", tmp_path / "busy.py")
    head, _, rest = place.read_text().partition('[devices."left wheel motor"]')
    _, _, rest = rest.partition("\n\n")
    motor = f'driver = "step_direction"\nstep = "GP10"\ndirection = "GP11"\nsteps = {STEPS}\n'
    place.write_text(f'{head}[devices."left wheel motor"]\n{motor}\n{rest}')
    hardware = load_hardware(place, two_wheels())
    built = build(hardware, tmp_path / "firmware")
    with Bench(built.board, built.program, lockstep=True) as bench:
        bench.show("STEPPER:GP10:GP11")
        bench.run(2_500_000)
        steps = bench.show("STEPPER:GP10:GP11").value
    assert abs(steps) == pytest.approx(6.0 * 50 * 0.032 * STEPS / (2 * math.pi), rel=0.03)
