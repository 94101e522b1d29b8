"""Stepper motors of which a timer makes the steps, on emulated chips: times of steps, and faults.

Judges: the formula of the velocity (steps per second) and of a ramp (half the acceleration times the square
of the time); the half steps of four coils, of which one and two are on by turns; the fault latch's promise
that motors are off until somebody acknowledges.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.onboard import HEAD, MAP, hardware, lockstep
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of
from wbridge.hal.link.faults import ACKNOWLEDGE, Fault, fault_in
from wbridge.wbfirmware.building.build import Built, build

MOTOR = {"minPosition": 0.0, "maxPosition": 0.0, "maxVelocity": 20.0, "type": "rotational"}
PINS = {
    "microbit": ("P0", "P1", "P2", "P8"),
    "microbit-v2": ("P0", "P1", "P2", "P8"),
    "stm32f405": ("PA4", "PA5", "PC0", "PC1"),
    "stm32vldiscovery": ("PA4", "PA5", "PC0", "PC1"),
}
TURN = 200.0
SEQUENCE = (1, 3, 2, 6, 4, 12, 8, 9)
"""Coils of half steps; bit 0 is the first coil."""
LOOK_S = 0.0005


def stepper(folder: Path, board: str, acceleration: float) -> Built:
    """A firmware with one motor."""
    require_board(board)
    text = (
        f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\n[devices.arm]\ndriver = "stepper"\n'
    )
    text += "".join(f'in{k + 1} = "{pin}"\n' for k, pin in enumerate(PINS[board]))
    text += f"steps = {TURN}\nacceleration = {acceleration}\n"
    found = mapped(folder, text, table_of({"arm": ("RotationalMotor", MOTOR)}))
    return build(found, folder / "firmware")


def half_steps(
    robot: Robot, pins: tuple[str, ...], velocity: float, seconds: float
) -> list[tuple[float, int]]:
    """Times of the steps since the command, and by how much the coils have moved on (1 or -1)."""
    found: list[tuple[float, int]] = []
    looks, place = 0, None

    def look() -> None:
        nonlocal looks, place
        looks += 1
        states = robot.bench.show_all(pins)
        coils = sum(int(states[pin].value) << k for k, pin in enumerate(pins))
        if coils == 0:
            return
        now = SEQUENCE.index(coils)
        if now != place:
            found.append((looks * LOOK_S, (now - place + 4) % 8 - 4 if place is not None else 1))
        place = now

    robot.wire.look.append(look)
    robot.set(1, "position", math.inf)
    robot.set(1, "velocity", velocity)
    robot.step()
    robot.pass_time(seconds)
    robot.wire.look.remove(look)
    return found


@pytest.mark.parametrize("board", boards(*PINS))
def test_steps_come_at_their_times(board: str, tmp_path: Path):
    robot = Robot(stepper(tmp_path, board, 0.0), table_of({"arm": ("RotationalMotor", MOTOR)}))
    with robot.bench:
        for velocity, way in ((math.pi, 1), (-math.pi, -1)):
            found = half_steps(robot, PINS[board], velocity, 0.25)
            times = [time for time, _ in found]
            assert len(found) == pytest.approx(0.25 * TURN / 2, abs=2)
            assert {step for _, step in found[2:]} == {way}
            gaps = [after - before for before, after in zip(times[1:], times[2:], strict=False)]
            assert gaps == pytest.approx([2 / TURN] * len(gaps), abs=1.5 * LOOK_S), "one each 10 ms"


@pytest.mark.parametrize("board", boards("microbit", "stm32vldiscovery"))
def test_a_ramp_is_followed(board: str, tmp_path: Path):
    """The step n comes at the time at which half the acceleration times its square is n."""
    acceleration = 8 * math.pi
    robot = Robot(stepper(tmp_path, board, acceleration), table_of({"arm": ("RotationalMotor", MOTOR)}))
    with robot.bench:
        found = half_steps(robot, PINS[board], 20.0, 0.35)
    times = [time for time, _ in found]
    rate = acceleration * TURN / math.tau  # steps per second and second
    due = [math.sqrt(2 * n / rate) for n in range(1, len(times) + 1)]
    late = [time - one for time, one in zip(times, due, strict=True)]
    assert len(times) > 30
    assert max(late[3:]) - min(late[3:]) < 5 * LOOK_S, "all as late as the command"


CODE = """#include <math.h>
#include <stdio.h>
int main(void) {
  wb_robot_init();
  printf("begin\\n");
  WbDeviceTag left = wb_robot_get_device("left wheel motor");
  wb_motor_set_position(left, INFINITY);
  wb_motor_set_velocity(left, 8);
  for (int k = 0; wb_robot_step(16) != -1; k++)
    if (k == 30) { WRONG }
}
"""
COILS = ("D2", "D3", "D4", "D6")


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ("for (volatile int k = 0;;) k = 1;", Fault.WATCHDOG),
        pytest.param('__asm volatile("jmp 0");', Fault.FAULT, marks=pytest.mark.slow),
    ],
)
def test_a_fault_stops_a_stepper_until_it_is_acknowledged(wrong: str, fault: Fault, tmp_path: Path):
    board = "arduino-uno"
    require_board(board)
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "robot.c").write_text(HEAD + CODE.replace("WRONG", wrong))
    motor = '[devices."left wheel motor"]\ndriver = "stepper"\nsteps = 200.0\n'
    motor += "".join(f'in{k + 1} = "{pin}"\n' for k, pin in enumerate(COILS))
    text = re.sub(r'\[devices\."left wheel motor"\].*?(?=\[devices)', motor, MAP, flags=re.DOTALL)
    text = re.sub(
        r'\[devices\."left wheel sensor"\].*?(?=\[devices)',
        '[devices."left wheel sensor"]\ndriver = "none"\n',
        text,
        flags=re.DOTALL,
    )
    built = build(hardware(tmp_path, board, "standalone", "code", text), tmp_path / "firmware")
    part = f"COILS:{':'.join(COILS)}"
    with lockstep(built) as bench:
        assert bench.show(part).value == 0  # counting begins
        assert bench.run(300_000) == b"begin\n"
        assert bench.show(part).value > 40
        said = bench.run(2_500_000).decode()
        assert [fault_in(line) for line in said.splitlines()][:1] == [fault]
        stands = bench.show(part).value
        assert all(bench.show(pin).value == 0 for pin in COILS), "its coils are off"
        bench.run(500_000)
        assert bench.show(part).value == stands and all(bench.show(pin).value == 0 for pin in COILS)
        bench.send(ACKNOWLEDGE)
        assert b"begin" in bench.run(300_000)
        assert bench.show(part).value > stands
