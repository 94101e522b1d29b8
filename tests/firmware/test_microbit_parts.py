"""The parts on a micro:bit: MMA8653 and MAG3110 of a V1.3, and LSM303AGR on the second bus of a V2.

Judges: NXP's data sheet of the MMA8653FC (identity 0x5A in 0x0D; range in XYZ_DATA_CFG, which changes in
standby only; CTRL_REG1 0x19 is active at 100 Hz; 256 steps per g at 2 g, in the upper 10 bits of 0x01 to 6,
high bytes first) and of the MAG3110 (identity 0xC4 in 0x07; settings change in standby only; CTRL_REG1 0x01
is active at 80 Hz; AUTO_MRST_EN is 0x80 of CTRL_REG2; 0x01 to 6, high bytes first); ST's of the LSM303AGR
(identity 0x40 in 0x4F; 0x8C in 0x60 is continuous at 100 Hz; 1.5 mgauss in 0x68 to 0x6D, low bytes first);
the schematic of the micro:bit V2 (I2C_INT_SCL is P0.08, I2C_INT_SDA P0.16).
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import require_tool
from tests.firmware.conftest import boards, require_board
from tests.firmware.test_imu import BUS
from tests.firmware.test_lsm303agr import CODE, WORLD
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of
from wbridge.main import main
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.building.generate import generate
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError

DEVICES: dict[str, tuple[str, dict[str, Any]]] = {
    "shaken": ("Accelerometer", {"lookupTable": []}),
    "north": ("Compass", {"lookupTable": []}),
    "south": ("Compass", {"lookupTable": []}),
}
CHIP = "I2C:0x1D"
GRAVITY = 9.80665
INTERNAL = ("I2C_INT_SDA", "I2C_INT_SCL")


def hardware_text(
    board: str, shaken: tuple[str, str], north: tuple[str, str], driver: str = "mma8653_accelerometer"
) -> str:
    text = f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\n[link]\ntable = false\n'
    text += f'[devices.shaken]\ndriver = "{driver}"\nsda = "{shaken[0]}"\nscl = "{shaken[1]}"\nrange = 4\n'
    for name, compass in (("north", "lsm303agr_compass"), ("south", "mag3110_compass")):
        text += f'[devices.{name}]\ndriver = "{compass}"\nsda = "{north[0]}"\nscl = "{north[1]}"\n'
        text += 'axes = ["y", "-x", "z"]\noffset = [10.0, 0.0, 0.0]\n'
    return text


def words(robot: Robot, chip: str, first: int, numbers: tuple[int, ...], low_first: bool) -> None:
    for k, number in enumerate(numbers):
        pair = (number & 0xFF, number >> 8 & 0xFF)
        for place, part in enumerate(pair if low_first else pair[::-1]):
            robot.bench.drive(f"{chip}:{first + 2 * k + place}", part)


@pytest.mark.parametrize("board", boards("host", "arduino-uno", "microbit"))
def test_a_board_reads_both(board: str, tmp_path: Path):
    require_board(board)
    table, bus = table_of(DEVICES), BUS[board]
    built = build(mapped(tmp_path, hardware_text(board, bus, bus), table), tmp_path / "firmware")
    robot = Robot(built, table)
    with robot.bench:

        def read() -> dict[str, tuple[float, ...]]:
            robot.pass_time(0.04)
            robot.step()
            robot.pass_time(0.04)
            return robot.step()

        drive, show = robot.bench.drive, robot.bench.show
        drive(f"{CHIP}:0x0D", 0x4A)
        drive("I2C:0x1E:0x4F", 0x3D)
        drive("I2C:0x0E:0x07", 0xC5)
        assert not {"shaken.acceleration", "north.north", "south.north"} & read().keys(), "other chips"
        drive(f"{CHIP}:0x0D", 0x5A)
        drive("I2C:0x1E:0x4F", 0x40)
        drive("I2C:0x0E:0x07", 0xC4)
        words(robot, CHIP, 0x01, (64 << 6, -(128 << 6), 511 << 6), low_first=False)
        words(robot, "I2C:0x1E", 0x68 if board == "microbit" else 0xE8, (410, -300, 0), low_first=True)
        words(robot, "I2C:0x0E", 0x01, (-390, 300, 0), low_first=False)
        values = read()
        assert values["shaken.acceleration"] == pytest.approx(
            [0.5 * GRAVITY, -GRAVITY, 511 / 128 * GRAVITY], rel=1e-5
        )
        assert values["north.north"] == pytest.approx([-0.6, -0.8, 0.0], abs=1e-5)
        assert values["south.north"] == pytest.approx([0.6, 0.8, 0.0], abs=1e-5)
        assert (show(f"{CHIP}:0x2A").value, show(f"{CHIP}:0x0E").value) == (0x19, 1)
        assert (show("I2C:0x0E:0x10").value, show("I2C:0x0E:0x11").value) == (0x01, 0x80)
        assert [show(f"I2C:0x1E:{at}").value for at in (0x60, 0x61, 0x62)] == [0x8C, 0x02, 0x10]
        drive(f"{CHIP}:0x2A", 0)  # it had no power
        drive("I2C:0x1E:0x60", 3)
        drive("I2C:0x0E:0x10", 0)
        read()
        again = [show(one).value for one in (f"{CHIP}:0x2A", "I2C:0x1E:0x60", "I2C:0x0E:0x10")]
        assert again == [0x19, 0x8C, 0x01], "set up again"


@pytest.mark.parametrize(
    ("board", "suffix", "driver"),
    [
        pytest.param("microbit-v2", ".c", "lsm303agr_accelerometer", marks=pytest.mark.boards),
        ("host-python", ".py", "mma8653_accelerometer"),
        pytest.param(
            "microbit", ".cpp", "mma8653_accelerometer", marks=[pytest.mark.boards, pytest.mark.slow]
        ),
    ],
)
def test_verify_compares_them(board: str, suffix: str, driver: str, tmp_path: Path):
    if suffix != ".py":
        require_board(board)
    enable = {
        ".c": 'wb_compass_enable(wb_robot_get_device("{}"), 16);\n  ',
        ".cpp": 'robot.getCompass("{}")->enable(16);\n  ',
        ".py": 'robot.getDevice("{}").enable(16)\n',
    }[suffix]
    enabled = "".join(enable.format(name) for name in ("north", "south"))
    code = CODE[suffix].replace("while", f"{enabled}while", 1)
    code = code.replace(
        "#include <webots/accelerometer.h>", "#include <webots/accelerometer.h>\n#include <webots/compass.h>"
    )
    code = code.replace(
        "#include <webots/Robot.hpp>", "#include <webots/Compass.hpp>\n#include <webots/Robot.hpp>"
    )
    compasses = '"shaken" } Compass { name "north" } Compass { name "south" }'
    (tmp_path / "w.wbt").write_text(WORLD.replace('"shaken" }', compasses))
    (tmp_path / f"code{suffix}").write_text(code)
    bus = ("GP4", "GP5") if board == "host-python" else BUS[board]
    own = INTERNAL if board == "microbit-v2" else bus
    text = hardware_text(board, own, own, driver)
    head = f'format = 1\nflavor = "standalone"\ncontroller = "code{suffix}"\n'
    (tmp_path / "hardware.toml").write_text(text.replace("format = 1\n", head))
    options = ["--steps", "40", "--flavor", "standalone"]
    assert main(["-q", "firmware", "verify", str(tmp_path / "hardware.toml"), *options]) == 0


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The driver of a micro:bit V2's two buses, with parts that follow the wires bit by bit, one on each."""
    require_tool("cc", "compiles the model")
    text = hardware_text("microbit-v2", BUS["microbit-v2"], INTERNAL)
    project = tmp_path / "firmware"
    generate(mapped(tmp_path, text, table_of(DEVICES)), project)
    program = tmp_path / "model"
    sources = [Path(__file__).with_name("two_buses.c"), project / "i2c.c"]
    subprocess.run(["cc", "-Wall", "-Werror", "-I", project, "-o", program, *sources], check=True)
    return program


def _said(model: Path, *words: str) -> list[str]:
    return subprocess.run([model, *words], capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.parametrize(("held", "left", "then"), [(0, 0, 1), (1, 0, 1), (9, 0, 1), (200, 191, 0)])
def test_no_part_answers_while_the_data_line_is_held(model: Path, held: int, left: int, then: int):
    """A line that is low acknowledges all addresses, and gives zeros. Nine clocks free it (UM10204, 3.1.16),
    unless it is connected to ground."""
    assert _said(model, "held", str(held)) == [f"held: {int(held == 0)}, {left} clocks left, {then}"]


def test_each_part_is_on_its_bus(model: Path):
    assert _said(model, "0x1D", "0x1E") == ["0x1D: first 5A, second --", "0x1E: first --, second 40"]


@pytest.mark.parametrize(
    ("shaken", "north", "problem"),
    [
        (("P20", "I2C_INT_SCL"), INTERNAL, "I2C_INT_SCL and P20 are not of the same I2C bus"),
        (("P8", "P19"), INTERNAL, "P8"),
    ],
)
def test_lines_of_two_buses_are_refused(
    shaken: tuple[str, str], north: tuple[str, str], problem: str, tmp_path: Path
):
    (tmp_path / "hardware.toml").write_text(hardware_text("microbit-v2", shaken, north))
    with pytest.raises(HardwareError, match=problem):
        load_hardware(tmp_path / "hardware.toml", table_of(DEVICES))
