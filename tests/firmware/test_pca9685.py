"""RC servos at a PCA9685.

Judge: NXP's data sheet: PRE_SCALE is round(25 MHz / (4096 x frequency)) - 1; an output is on from one count
to another one; after power-up the chip sleeps (MODE1 bit 4), and its outputs are fully off.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.test_imu import BUS
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of
from wbridge.main import main
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.problems import HardwareError

LIMITED = {"minPosition": -1.0, "maxPosition": 1.0, "maxVelocity": 4.0, "controlPID": [10.0, 0.0, 0.0]}
DEVICES = {
    name: ("RotationalMotor", {**LIMITED, "type": "rotational"}) for name in ("base", "gripper", "far")
}
PLACES = {"base": (0x40, 0), "gripper": (0x40, 15), "far": (0x41, 3)}
PRESCALE = round(25e6 / (4096 * 50)) - 1
RESET_MODE, RESET_PRESCALE, FULL_OFF = 0x11, 0x1E, 0x10


def hardware_text(board: str) -> str:
    sda, scl = BUS[board]
    text = f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\n[link]\ntable = false\n'
    for name, (address, channel) in PLACES.items():
        text += f'[devices.{name}]\ndriver = "pca9685_servo"\nsda = "{sda}"\nscl = "{scl}"\n'
        text += f"address = {address}\nchannel = {channel}\nlow = -1.0\nhigh = 1.0\n"
    return text


class Chips:
    """The robot, and its two chips."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        for address in (0x40, 0x41):
            self.power_up(address)

    def power_up(self, address: int) -> None:
        drive = self.robot.bench.drive
        drive(f"I2C:{address}:0", RESET_MODE)
        drive(f"I2C:{address}:254", RESET_PRESCALE)
        for channel in range(16):
            for k in range(4):
                drive(f"I2C:{address}:{6 + 4 * channel + k}", FULL_OFF if k == 3 else 0)

    def register(self, address: int, number: int) -> int:
        return int(self.robot.bench.show(f"I2C:{address}:{number}").value)

    def pulse_us(self, name: str) -> float:
        """What the chip makes of its registers; 0: no pulses."""
        address, channel = PLACES[name]
        on_low, on_high, off_low, off_high = (self.register(address, 6 + 4 * channel + k) for k in range(4))
        if off_high & FULL_OFF or self.register(address, 0) & 0x10:
            return 0.0
        assert self.register(address, 254) == PRESCALE and on_low == on_high == 0
        return (off_high << 8 | off_low) * (PRESCALE + 1) / 25

    def pass_time(self, seconds: float) -> None:
        self.robot.step()
        for _ in range(round(seconds / 0.05)):
            self.robot.pass_time(0.05)
            self.robot.step()


@pytest.fixture(scope="module", params=boards("host", "arduino-uno", "pico"))
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    require_board(request.param)
    folder = tmp_path_factory.mktemp("chips")
    return build(mapped(folder, hardware_text(request.param), table_of(DEVICES)), folder / "firmware")


@pytest.fixture
def chips(built: Built) -> Iterator[Chips]:
    robot = Robot(built, table_of(DEVICES))
    with robot.bench:
        yield Chips(robot)


def test_a_servo_gets_pulses_with_its_first_command(chips: Chips):
    chips.pass_time(0.2)
    assert chips.register(0x40, 0) == RESET_MODE, "nothing moves before"
    chips.robot.set(1, "position", 0.5)
    chips.pass_time(0.4)
    assert chips.pulse_us("base") == pytest.approx(1750, abs=2.5)
    assert chips.pulse_us("gripper") == 0 and chips.register(0x41, 0) == RESET_MODE
    chips.robot.set(2, "position", -1.0)
    chips.robot.set(3, "position", 1.0)
    chips.pass_time(0.6)
    found = [chips.pulse_us(name) for name in PLACES]
    assert found == pytest.approx([1750, 1000, 2000], abs=2.5)


def test_it_moves_at_its_velocity(chips: Chips):
    chips.robot.set(1, "velocity", 1.0)
    chips.robot.set(1, "position", 1.0)
    chips.pass_time(0.3)
    early = chips.pulse_us("base")
    chips.pass_time(0.4)
    later = chips.pulse_us("base")
    assert 1500 < early < later < 2000
    assert (later - early) / 500 == pytest.approx(0.4, abs=0.15), "rad in the time, which the bench passes"


def test_a_chip_that_had_no_power_is_set_up_again(chips: Chips):
    chips.robot.set(1, "position", 0.5)
    chips.robot.set(3, "position", 0.5)
    chips.pass_time(0.4)
    chips.power_up(0x40)
    chips.pass_time(0.3)
    assert chips.pulse_us("base") == pytest.approx(1750, abs=2.5)
    chips.robot.bench.drive("I2C:65", 0)  # unplugged
    chips.pass_time(0.3)
    chips.power_up(0x41)
    chips.pass_time(0.3)
    assert chips.pulse_us("far") == pytest.approx(1750, abs=2.5)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("channel = 15", "channel = 0", "channel: 0 is already that of"),
        ("channel = 15", "channel = 16", "channel: found 16"),
        ("address = 65", "address = 32", "address: found 32"),
    ],
)
def test_a_map_that_cannot_work_is_refused(tmp_path: Path, old: str, new: str, why: str):
    text = hardware_text("host")
    assert old in text
    with pytest.raises(HardwareError, match=why):
        mapped(tmp_path, text.replace(old, new), table_of(DEVICES))


def test_the_same_channel_of_another_chip_is_free(tmp_path: Path):
    text = hardware_text("host").replace("channel = 3", "channel = 0")
    assert len(mapped(tmp_path, text, table_of(DEVICES)).wirings) == len(DEVICES)


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Robot {
  name "all"
  children [
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [ RotationalMotor { name "arm motor" maxVelocity 1.5 minPosition -1 maxPosition 1 } ]
      endPoint Solid { name "arm" boundingObject Sphere { radius 0.1 } physics Physics { } }
    }
  ]
  boundingObject Box { size 0.1 0.1 0.1 }
  physics Physics { }
}
"""
CODE = {
    ".c": """#include <webots/motor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag arm = wb_robot_get_device("arm motor");
  for (int step = 0; wb_robot_step(16) != -1; step++)
    if (step % 40 == 3) wb_motor_set_position(arm, step % 80 == 3 ? 0.8 : -0.6);
}
""",
    ".cpp": """#include <webots/Motor.hpp>
#include <webots/Robot.hpp>

int main() {
  webots::Robot robot;
  webots::Motor *arm = robot.getMotor("arm motor");
  for (int step = 0; robot.step(16) != -1; step++)
    if (step % 40 == 3) arm->setPosition(step % 80 == 3 ? 0.8 : -0.6);
}
""",
    ".py": """from controller import Robot

robot = Robot()
arm = robot.getDevice("arm motor")
step = 0
while robot.step(16) != -1:
    if step % 40 == 3:
        arm.setPosition(0.8 if step % 80 == 3 else -0.6)
    step += 1
""",
}
VERIFIED = {**BUS, "host-python": ("GP4", "GP5"), "pico-micropython": ("GP4", "GP5")}


@pytest.mark.parametrize(
    ("board", "suffix"),
    [
        pytest.param("host", ".c", marks=pytest.mark.slow),
        ("arduino-uno", ".cpp"),
        ("host-python", ".py"),
        pytest.param("pico", ".c", marks=pytest.mark.boards),
        pytest.param("pico-micropython", ".py", marks=pytest.mark.boards),
    ],
)
def test_the_board_moves_servos_as_the_desktop_does(board: str, suffix: str, tmp_path: Path):
    if suffix != ".py":
        require_board(board)
    sda, scl = VERIFIED[board]
    text = f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\nflavor = "standalone"\n'
    text += f'controller = "code{suffix}"\n[devices."arm motor"]\ndriver = "pca9685_servo"\n'
    text += f'sda = "{sda}"\nscl = "{scl}"\nchannel = 4\nlow = -1.0\nhigh = 1.0\n'
    (tmp_path / "w.wbt").write_text(WORLD)
    (tmp_path / f"code{suffix}").write_text(CODE[suffix])
    (tmp_path / "hardware.toml").write_text(text)
    words = ["--steps", "100", "--flavor", "standalone"]
    assert main(["-q", "firmware", "verify", str(tmp_path / "hardware.toml"), *words]) == 0
