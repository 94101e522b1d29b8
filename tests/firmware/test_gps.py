"""A GPS module at the second serial line.

Judges: published examples of NMEA 0183's sentences with their checksums ($GPGGA ... *47, $GPRMC ... *6A: 48
degrees 7.038 minutes north, 11 degrees 31 minutes east, altitude 545.4 m, 22.4 knots), and WGS84's radius for
meters.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.firmware.conftest import require_board
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of
from wbridge.hal.table import DeviceTable
from wbridge.main import main
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbverify.coupling.nmea_gps import sentence

GGA = b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n"
RMC = b"$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A\r\n"
PLACE = (48.0 + 7.038 / 60, 11.0 + 31.0 / 60, 545.4)
PINS = {"host": ("D30", "D13"), "arduino-mega": ("D19", "D13")}


def hardware_text(board: str, more: str = "") -> str:
    return (
        f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\n[link]\ntable = false\n'
        f'[devices.gps]\ndriver = "nmea_gps"\nrx = "{PINS[board][0]}"\n{more}'
    )


class Module:
    def __init__(self, robot: Robot) -> None:
        self.robot = robot

    def send(self, *lines: bytes) -> dict[str, Any]:
        """What the robot reads after some sentences."""
        for line in lines:
            self.robot.bench.give(line)
            self.robot.pass_time(0.01)
        self.robot.step()
        return self.robot.step()


def table(system: str) -> DeviceTable:
    return table_of({"gps": ("GPS", {"coordinateSystem": system})})


def program(folder: Path, board: str, system: str, more: str = "") -> Built:
    require_board(board)
    return build(mapped(folder, hardware_text(board, more), table(system)), folder / "firmware")


@pytest.fixture(scope="module", params=[pytest.param("host", marks=pytest.mark.slow), "arduino-mega"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return program(tmp_path_factory.mktemp("gps"), request.param, "WGS84")


@pytest.fixture
def gps(built: Built) -> Iterator[Module]:
    robot = Robot(built, table("WGS84"))
    with robot.bench:
        yield Module(robot)


def test_the_published_examples(gps: Module):
    assert gps.send() == {}
    values = gps.send(GGA, RMC)
    assert values["gps.position"] == pytest.approx(PLACE, rel=1e-6)
    assert values["gps.speed"] == pytest.approx(22.4 * 1852 / 3600, rel=1e-6)
    assert sentence(GGA[1:-5].decode()) == GGA and sentence(RMC[1:-5].decode()) == RMC


@pytest.mark.parametrize(
    "line",
    [
        GGA.replace(b"*47", b"*46"),
        GGA.replace(b"4807", b"4808"),
        GGA.replace(b"*47", b""),
        GGA.replace(b"*47", b"*4"),
        sentence("GPGGA,123519,4807.038,N,01131.000,E,0,08,0.9,545.4,M,46.9,M,,"),
        sentence("GPGGA,123519,,,,,0,00,,,M,,M,,"),
        sentence("GPGGA,123519,4807.038,N,01131.000,E,1"),
        sentence("GPGGA,123519,99999999.0,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"),
        sentence("GPGSV,2,1,08,01,40,083,46,02,17,308,41,12,07,344,39,14,22,228,45"),
        b"$" * 300 + b"\r\n",
        b"x" * 300 + b"\r\n",
        bytes(range(128, 256)) + b"\r\n",
    ],
)
def test_damaged_sentences_and_those_without_a_fix_change_nothing(gps: Module, line: bytes):
    assert "gps.position" not in gps.send(line[:200], line[200:])
    assert "gps.position" in gps.send(b"junk", GGA)


def test_all_sides_of_the_earth_and_all_systems(gps: Module):
    line = sentence("GNGGA,000000.00,3351.12345,S,15112.54321,W,2,12,0.5,-3.25,M,0,M,,")
    place = (-(33 + 51.12345 / 60), -(151 + 12.54321 / 60), -3.25)
    assert gps.send(line)["gps.position"] == pytest.approx(place, rel=1e-6)


def test_an_old_position_is_none(gps: Module):
    gps.send(GGA, RMC)
    for _ in range(40):
        gps.robot.pass_time(0.1)
        values = gps.robot.step()
    assert values == {}


@pytest.mark.parametrize("board", ["host", pytest.param("arduino-mega", marks=pytest.mark.slow)])
def test_local_coordinates_are_meters_east_north_and_up(board: str, tmp_path: Path):
    more = "latitude = 48.1173\nlongitude = 11.5\naltitude = 500.0\n"
    robot = Robot(program(tmp_path, board, "local", more), table("local"))
    with robot.bench:
        x, y, z = Module(robot).send(GGA)["gps.position"]
        off = 0.7 if board == "arduino-mega" else 0.05  # its numbers have 7 digits
        assert x == pytest.approx((PLACE[1] - 11.5) * 111319.49 * 0.66762, abs=off)
        assert y == pytest.approx((PLACE[0] - 48.1173) * 111319.49, abs=off)
        assert z == pytest.approx(45.4, abs=1e-3)


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 gpsCoordinateSystem "SYSTEM" gpsReference 48.1 11.5 500 }
Robot {
  name "all"
  linearVelocity 3 -2 0.5
  children [ GPS { name "gps" } LED { name "led" color [ 1 0 0 ] } ]
  boundingObject Box { size 0.1 0.1 0.1 }
  physics Physics { }
}
"""
CODE = {
    ".c": """#include <stdio.h>
#include <webots/gps.h>
#include <webots/led.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag gps = wb_robot_get_device("gps");
  wb_gps_enable(gps, 16);
  const WbDeviceTag led = wb_robot_get_device("led");
  for (int step = 0; wb_robot_step(16) != -1; step++) {
    const double *place = wb_gps_get_values(gps);
    wb_led_set(led, step / 8 % 2);
    printf("%.3f %.3f %.3f\\n", place[0], place[1], place[2]);
  }
}
""",
    ".cpp": """#include <stdio.h>
#include <webots/GPS.hpp>
#include <webots/LED.hpp>
#include <webots/Robot.hpp>

int main() {
  webots::Robot robot;
  webots::GPS *gps = robot.getGPS("gps");
  gps->enable(16);
  webots::LED *led = robot.getLED("led");
  for (int step = 0; robot.step(16) != -1; step++) {
    const double *place = gps->getValues();
    led->set(step / 8 % 2);
    printf("%.3f %.3f %.3f\\n", place[0], place[1], place[2]);
  }
}
""",
    ".py": """from controller import Robot

robot = Robot()
gps = robot.getDevice("gps")
gps.enable(16)
led = robot.getDevice("led")
step = 0
while robot.step(16) != -1:
    led.set(step // 8 % 2)
    step += 1
    x, y, z = gps.getValues()
    print(f"{x:.3f} {y:.3f} {z:.3f}")
""",
}
VERIFIED = {**PINS, "host-python": ("GP1", "GP20"), "pico-micropython": ("GP1", "GP20")}


@pytest.mark.parametrize(
    ("board", "suffix", "system"),
    [
        pytest.param("host", ".c", "local", marks=pytest.mark.slow),
        pytest.param("host", ".cpp", "WGS84", marks=pytest.mark.slow),
        ("host-python", ".py", "local"),
        ("arduino-mega", ".c", "WGS84"),
        pytest.param("arduino-mega", ".cpp", "local", marks=pytest.mark.boards),
        pytest.param("pico-micropython", ".py", "WGS84", marks=pytest.mark.boards),
        pytest.param("pico-micropython", ".py", "local", marks=pytest.mark.boards),
    ],
)
def test_the_board_reads_what_the_module_of_the_simulated_robot_sends(
    board: str, suffix: str, system: str, tmp_path: Path
):
    if suffix != ".py":
        require_board(board)
    text = f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\nflavor = "standalone"\n'
    text += f'controller = "code{suffix}"\n[devices.gps]\ndriver = "nmea_gps"\nrx = "{VERIFIED[board][0]}"\n'
    (tmp_path / "w.wbt").write_text(WORLD.replace("SYSTEM", system))
    (tmp_path / f"code{suffix}").write_text(CODE[suffix])
    text += "latitude = 48.1\nlongitude = 11.5\naltitude = 500.0\n"
    text += f'[devices.led]\ndriver = "gpio_led"\npin = "{VERIFIED[board][1]}"\n'
    (tmp_path / "hardware.toml").write_text(text)
    words = ["--steps", "60", "--flavor", "standalone"]
    assert main(["-q", "firmware", "verify", str(tmp_path / "hardware.toml"), *words]) == 0
