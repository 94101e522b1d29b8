"""Motors with an encoder hold their speed under a load, as a formula of a motor says; verify judges it."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.firmware.conftest import WORLD, boards, require_board, two_wheels
from tests.firmware.onboard import HEAD
from tests.firmware.test_verify import Done, changed, hardware_map, verify
from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import VirtualClock
from wbridge.wbfirmware.bench import Bench, lockstep_pipe
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError

FULL, COUNTS, TARGET = 16.0, 1440.0, 6.0
PWM, FORWARD, BACKWARD, A, B = "D3", "D2", "D4", "D9", "D10"
GAINS = "speed_p = 0.5\nspeed_i = 12.0\n"
TRACKS = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Levels of A and B: forward, A leads."""
HBRIDGE = f'driver = "hbridge"\npwm = "{PWM}"\nforward = "{FORWARD}"\nbackward = "{BACKWARD}"\n'
DRV8833 = f'driver = "drv8833"\nforward = "{PWM}"\nbackward = "D5"\n'
MAP = f"""format = 1
world = "{WORLD}"
robot = "two wheels"
board = "BOARD"
flavor = "FLAVOR"
[devices."left wheel motor"]
MOTOR
full_speed = {FULL}
encoder = "left wheel sensor"
[devices."left wheel sensor"]
driver = "quadrature_encoder"
a = "{A}"
b = "{B}"
counts = {COUNTS}
"""
NONE = "".join(
    f'[devices."{name}"]\ndriver = "none"\n'
    for name in "right wheel motor|right wheel sensor|front|status".split("|")
)
RUN = (
    HEAD
    + f"""int main(void) {{
  wb_robot_init();
  WbDeviceTag left = wb_robot_get_device("left wheel motor");
  wb_motor_set_position(left, INFINITY);
  wb_motor_set_velocity(left, {TARGET});
  while (wb_robot_step(16) != -1) {{
  }}
}}
"""
)


def firmware(folder: Path, board: str, motor: str, flavor: str = "standalone") -> Built:
    """A board with one motor; `motor` are the lines of its driver."""
    require_board(board)
    (folder / "code").mkdir(parents=True)
    (folder / "code" / "robot.c").write_text(RUN)
    text = MAP.replace("BOARD", board).replace("MOTOR", motor) + NONE
    flavored = f'{flavor}"\ncontroller = "code' if flavor == "standalone" else flavor
    (folder / "hardware.toml").write_text(text.replace("FLAVOR", flavored))
    return build(load_hardware(folder / "hardware.toml", two_wheels()), folder / "firmware")


class Motor:
    """A DC motor with a load, and the encoder on its axis.

    With the armature's inductance neglected, J dw/dt = k (U - k w) / R - M; without a load, w goes to U / k
    with the time constant J R / k^2, and a load torque M slows it by M R / k^2.
    """

    TIME_CONSTANT = 0.08  # s
    SLICE = 250  # us; less than between two edges

    def __init__(self, bench: Bench, pins: tuple[str, str | None]) -> None:
        self._bench, self._pins = bench, pins
        self.speed = self.angle = self.slowing = 0.0
        self.is_stuck = False
        self._count = 0
        for pin in (A, B):
            bench.drive(pin, 0)

    def voltage(self) -> float:
        """What the driver's pins make of the supply, as the speed without a load."""
        pwm, other = self._pins
        if other is not None:
            return FULL * (self._bench.show(pwm).value - self._bench.show(other).value)
        way = self._bench.show(FORWARD).value - self._bench.show(BACKWARD).value
        return FULL * self._bench.show(pwm).value * way

    def run(self, seconds: float) -> float:
        """Let time pass; return the mean speed (rad/s)."""
        begin, dt = self.angle, self.SLICE / 1e6
        for k in range(round(seconds / dt)):
            if k % 4 == 0:
                drive = self.voltage()
            self.speed += dt * (drive - self.slowing - self.speed) / self.TIME_CONSTANT
            if self.is_stuck:
                self.speed = 0.0
            self.angle += dt * self.speed
            self._turn(math.floor(self.angle / (2 * math.pi) * COUNTS))
            self._bench.run(self.SLICE)
        return (self.angle - begin) / seconds

    def _turn(self, count: int) -> None:
        while self._count != count:
            before = TRACKS[self._count % 4]
            self._count += 1 if count > self._count else -1
            after = TRACKS[self._count % 4]
            changed = 0 if after[0] != before[0] else 1
            self._bench.drive((A, B)[changed], after[changed])


class Case(NamedTuple):
    """A driver with its pins."""

    lines: str
    pins: tuple[str, str | None]


CASES = {"hbridge": Case(HBRIDGE, (PWM, None)), "drv8833": Case(DRV8833, (PWM, "D5"))}


@pytest.mark.parametrize(
    ("board", "driver"),
    [
        ("host", "hbridge"),
        pytest.param("host", "drv8833", marks=pytest.mark.boards),
        pytest.param("arduino-uno", "hbridge", marks=pytest.mark.boards),
        pytest.param("arduino-uno", "drv8833", marks=pytest.mark.boards),
    ],
)
def test_a_motor_holds_its_speed_under_a_load(board: str, driver: str, tmp_path: Path):
    """Within 1 %; without gains, the same load slows it by a third."""
    case = CASES[driver]
    step = FULL / 255 * 1.01  # of the duty
    for gains, wanted, bound in ((GAINS, TARGET, 0.01 * TARGET), ("", TARGET - 2.0, step)):
        built = firmware(tmp_path / f"with{bool(gains)}", board, case.lines + gains)
        with Bench(built.board, built.program, lockstep=True) as bench:
            motor = Motor(bench, case.pins)
            motor.run(0.6)
            assert motor.run(0.2) == pytest.approx(TARGET, abs=bound)
            motor.slowing = 2.0  # rad/s
            motor.run(0.8)
            assert motor.run(0.2) == pytest.approx(wanted, abs=bound)


def test_a_motor_that_was_stuck_does_not_race_when_it_is_free(tmp_path: Path):
    """The sum is limited to what the motor can do, so it does not grow while the motor is stuck.

    Without a limit, 2 s of an error of 6 rad/s would add 72 rad/s, which take seconds to go.
    """
    built = firmware(tmp_path, "host", HBRIDGE + GAINS)
    with Bench(built.board, built.program, lockstep=True) as bench:
        motor = Motor(bench, (PWM, None))
        motor.run(0.5)
        motor.is_stuck = True
        motor.run(2.0)
        assert motor.voltage() == pytest.approx(FULL)
        motor.is_stuck = False
        motor.run(0.8)
        assert motor.run(0.2) == pytest.approx(TARGET, rel=0.02)


def test_a_lost_link_stops_the_motor_and_resets_the_controller(tmp_path: Path):
    built = firmware(tmp_path, "host", HBRIDGE + GAINS, "slave")
    table = two_wheels()
    with Bench(built.board, built.program, lockstep=True) as bench:
        clock = VirtualClock()
        pipe = lockstep_pipe(bench, clock)
        master = Master(table, lambda: pipe, clock=clock, sleep=pipe.pipe.pass_time)
        motor = Motor(bench, (PWM, None))
        motor.is_stuck = True

        def command() -> None:
            master.connect(1.0)
            tag = next(one.tag for one in table.devices if one.name == "left wheel motor")
            for name, value in (("position", math.inf), ("velocity", TARGET)):
                channel = master.numbering.channel(tag, name)
                assert channel is not None
                master.set(channel, value)
            master.step(2, 0.5)

        command()
        assert motor.voltage() == pytest.approx(TARGET, abs=FULL / 255)
        for _ in range(20):
            pipe.pipe.pass_time(0.1)
            assert master.step(16, 0.5) is not None
        assert motor.voltage() == pytest.approx(FULL)  # it cannot turn, and the sum is at its limit
        bench.run(1_500_000)
        assert motor.voltage() == 0
        command()
        assert motor.voltage() == pytest.approx(TARGET, abs=FULL / 255)


def test_gains_need_an_encoder(tmp_path: Path):
    with pytest.raises(HardwareError) as caught:
        text = (HBRIDGE + GAINS).replace("pwm =", 'encoder = ""\npwm =')
        (tmp_path / "hardware.toml").write_text(
            MAP.replace("BOARD", "host")
            .replace("FLAVOR", "slave")
            .replace("MOTOR", text)
            .replace('\nencoder = "left wheel sensor"', "")
            + NONE
        )
        load_hardware(tmp_path / "hardware.toml", two_wheels())
    assert [one.text.split(" (")[0] for one in caught.value.problems] == [
        f'"left wheel motor": {name} needs encoder' for name in ("speed_p", "speed_i")
    ]


MUTANTS = {
    "P": ("gains->p * error", "gains->p * -error"),
    "I": ("control->integral + gains->i", "control->integral - gains->i"),
    "D": ("- gains->d * change", "+ gains->d * change"),
    "speed": ("target - speed", "target + speed"),
    "limit": ("full - target)", "target - full)"),
}
"""Other laws: P and D of real robots need a tolerance that hides the sign of I, which is thus tried alone."""


def with_gains(map_file: Path, left: dict[str, float], right: dict[str, float]) -> None:
    """Set gains of both motors in a hardware map."""
    text = map_file.read_text()
    for gain in left | right:
        before, between, after = text.split(f"speed_{gain} = 0.0")
        values = [f"speed_{gain} = {gains.get(gain, 0.0)}" for gains in (left, right)]
        text = f"{before}{values[0]}{between}{values[1]}{after}"
    map_file.write_text(text)


@pytest.mark.parametrize(
    ("board", "gains", "names"),
    [
        ("host", {"i": 6.0}, ("I",)),
        pytest.param("arduino-uno", {"i": 6.0}, ("I",), marks=pytest.mark.boards),
        pytest.param(
            "host", {"p": 0.8, "i": 6.0, "d": 0.002}, ("P", "D", "speed", "limit"), marks=pytest.mark.boards
        ),
    ],
)
def test_verify_knows_the_controller(
    board: str,
    gains: dict[str, float],
    names: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    """The desktop computes the velocities that the driver may set; other laws are found."""
    require_board(board)
    map_file = hardware_map(tmp_path, board, "standalone")
    with_gains(map_file, gains, gains)
    assert verify(map_file, "--flavor", "standalone", steps=60) == 0, capsys.readouterr().out
    for name in names:
        program = changed(Done(map_file, 0, ""), "firmware", "speed_control.c", *MUTANTS[name])
        assert verify(map_file, "--flavor", "standalone", "--firmware", str(program), steps=60) == 1, name
        assert re.search(r"DIFFERS.*first: .*wheel motor.velocity", capsys.readouterr().out), name


BOARDS = (
    *("arduino-uno", "arduino-nano", "arduino-mega", "arduino-leonardo", "pico"),
    *("stm32f405", "stm32vldiscovery", "microbit", "riscv-virt"),
)


@pytest.mark.boards
@pytest.mark.parametrize("board", boards(*BOARDS))
def test_boards_hold_speeds_as_the_desktop_computes(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """1,000 steps; the emulators of all boards. One motor has I alone, the other one P and D, too."""
    require_board(board)
    map_file = hardware_map(tmp_path, board, "standalone")
    with_gains(map_file, {"i": 6.0}, {"p": 0.8, "i": 6.0, "d": 0.002})
    assert verify(map_file, "--flavor", "standalone", steps=1000) == 0, capsys.readouterr().out
