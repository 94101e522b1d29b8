"""`wbridge firmware verify --flavor slave`: a user's map with commands over the link, through the pins.

The judge is the run on the desktop: its commands and the readings of its sensors.
"""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.rovers import prepare
from wbridge.main import main
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.boards.flavors import load_flavor
from wbridge.wbfirmware.building.build import PROGRAM, build, compile_project
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import load_hardware

STEPS = 60


def verify(path: Path, *more: str) -> int:
    """Run the command."""
    words = ["--steps", str(STEPS), "--flavor", "slave", "--table", str(path.with_name("table.csv"))]
    return main(["-q", "firmware", "verify", str(path), *words, *more])


def rows(path: Path) -> list[dict[str, str]]:
    """The table that it has written."""
    with path.with_name("table.csv").open(newline="") as file:
        return [row for row in csv.DictReader(file) if row["step"]]


@pytest.mark.parametrize("board", boards("arduino-uno", "pico", "host"))
def test_every_device_of_the_map_does_as_on_the_desktop(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    require_board(board)
    path = prepare(tmp_path, board, has_line=False) if board != "host" else _host(tmp_path)
    assert verify(path) == 0, capsys.readouterr()
    found = rows(path)
    assert {row["result"] for row in found} == {"agrees"}
    names = {row["device"] for row in found}
    assert names >= {"left motor", "right motor", "left encoder", "neck", "front", "bumper", "gyro", "status"}
    assert {row["value"] for row in found if row["device"] == "left motor"} >= {"velocity"}


def _host(folder: Path) -> Path:
    """The host has a second line, which this flavor does not compare."""
    return prepare(folder, "host", has_line=True)


class Project:
    """The rover's firmware of the flavor slave for an Uno."""

    def __init__(self, folder: Path) -> None:
        self.map = prepare(folder, "arduino-uno", has_line=False)
        tables = device_tables(load_world(folder / "worlds" / "rover.wbt"))
        whole = load_hardware(self.map, next(one for one in tables if one.name == "rover"))
        self.hardware: Hardware = whole._replace(flavor=load_flavor("slave"))
        self.folder = folder / "project"
        build(self.hardware, self.folder)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """It, built once."""
    require_board("arduino-uno")
    return Project(tmp_path_factory.mktemp("slave"))


@pytest.mark.boards
@pytest.mark.parametrize(
    ("file", "text", "wrong", "value"),
    [
        pytest.param("link.c", "robot_stop();", "(void)0;", "motion without a controller", id="no watchdog"),
        pytest.param("wire.c", "UART_DIVIDER(LINK_BAUD);", "UART_DIVIDER(LINK_BAUD) + 1;", "baud", id="baud"),
        pytest.param(
            *("link.c", "|| crc32(message, size - CHECK_BYTES) != get_u32(message + size - CHECK_BYTES)", ""),
            "wrong CRC-32",
            id="checksum",
        ),
        pytest.param(
            *(
                "link.c",
                "received_client != client) return REFUSED_BUSY;",
                "received_client == 0) return REFUSED_BUSY;",
            ),
            "refusal of a second client",
            id="a second client",
        ),
        pytest.param("link.c", "(flags & LINK_ENABLE) &&", "", "does not enable", id="enable"),
        pytest.param(
            *("link.c", "return reply_size > 0 ? (struct answer){reply, reply_size} : none;", "return none;"),
            "same answer to a repeated request",
            id="a lost answer",
        ),
        pytest.param(
            *("link.c", "!= (uint16_t)(sequence + 1)) return none;", "== sequence) return none;"),
            "answer to an old request",
            id="an old request",
        ),
        pytest.param(
            *("link.c", "sequence = 0;\n  robot_stop();", "sequence = 0;"),
            "has left",
            id="motors after the end",
        ),
        pytest.param("wire.c", "  if (next == rx_out) return;", "", "before noise", id="full buffer"),
        pytest.param("robot.c", "case 23:", "case 1023:", "velocity", id="a command goes nowhere"),
        pytest.param("robot.c", "hbridge_velocity(1, ", "hbridge_velocity(0, ", "velocity", id="wrong motor"),
        pytest.param(
            "robot.c", "encoder_position(1, ", "encoder_position(0, ", "position", id="wrong encoder"
        ),
        pytest.param("samples.c", "+= elapsed;", "+= 0 * elapsed;", "", id="nothing is sampled"),
        pytest.param("mpu6050.c", "(uint8_t)(range << 3)", "(uint8_t)(range << 2)", "range", id="range"),
    ],
)
def test_a_fault_is_found(project: Project, tmp_path: Path, file: str, text: str, wrong: str, value: str):
    shutil.copytree(project.folder, tmp_path / "project")
    place = tmp_path / "project" / file
    assert text in place.read_text()
    place.write_text(place.read_text().replace(text, wrong))
    compile_project(project.hardware, tmp_path / "project")
    assert verify(project.map, "--firmware", str(tmp_path / "project" / PROGRAM)) == 1
    assert any(value in row["value"] for row in rows(project.map) if row["result"] == "differs")


def test_a_map_of_the_flavor_is_compared_in_it_by_default(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The controller is that of the robot in its world, which also gives the desktop's commands."""
    require_board("host")
    path = prepare(tmp_path, "host", has_line=False)
    own = 'flavor = "standalone"\ncontroller = "controllers/rover"'
    path.write_text(path.read_text().replace(own, 'flavor = "slave"'))
    words = ["--steps", "20", "--table", str(tmp_path / "table.csv"), "--out", str(tmp_path / "host")]
    assert main(["-q", "firmware", "verify", str(path), *words]) == 0, capsys.readouterr()
    assert {row["place"] for row in rows(path)} == {"hil", "standalone", "slave"}
