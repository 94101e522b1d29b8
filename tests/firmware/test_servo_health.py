"""Temperature and supply voltage that bus servos report.

Judges: the emulated servos; the makers' tables of registers: STS3215: voltage at 62 (0.1 V) and temperature
at 63; Dynamixel X: 144 (two bytes, 0.1 V) and 146 (degrees Celsius).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.firmware.conftest import require_board
from tests.firmware.test_servos import MOTOR, Arm, set_present
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of
from wbridge.main import main
from wbridge.wbfirmware.building.build import build
from wbridge.wbverify.serial_parts.dynamixel import REGISTER_BYTES as DYNAMIXEL_BYTES
from wbridge.wbverify.serial_parts.dynamixel import DynamixelLine
from wbridge.wbverify.serial_parts.sts import REGISTER_BYTES as STS_BYTES
from wbridge.wbverify.serial_parts.sts import StsLine

LIGHT: dict[str, Any] = {"lookupTable": []}
DEVICES: dict[str, tuple[str, dict[str, Any]]] = {
    "elbow": ("RotationalMotor", MOTOR),
    "angle": ("PositionSensor", {"type": "rotational", "motor": 1}),
    "warmth": ("LightSensor", LIGHT),
    "supply": ("LightSensor", LIGHT),
}
PLACES = {"sts": ((62, 1), (63, 1)), "dynamixel": ((144, 2), (146, 1))}


def hardware_text(kind: str, board: str, pins: tuple[str, str], baud: int = 1_000_000) -> str:
    text = f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\n[link]\ntable = false\n'
    text += f'[devices.elbow]\ndriver = "{kind}_servo"\nrx = "{pins[0]}"\ntx = "{pins[1]}"\nid = 7\n'
    text += f'baud = {baud}\n[devices.angle]\ndriver = "{kind}_servo_position"\nmotor = "elbow"\n'
    text += f'[devices.warmth]\ndriver = "{kind}_servo_health"\nmotor = "elbow"\n'
    return text + f'[devices.supply]\ndriver = "{kind}_servo_health"\nmotor = "elbow"\nvoltage = true\n'


@pytest.mark.parametrize("kind", PLACES)
def test_a_board_reads_what_its_servo_reports(kind: str, tmp_path: Path):
    require_board("host")
    table = table_of(DEVICES)
    built = build(mapped(tmp_path, hardware_text(kind, "host", ("D30", "D31")), table), tmp_path / "firmware")
    robot = Robot(built, table)
    arm = Arm(robot, *((StsLine(), STS_BYTES) if kind == "sts" else (DynamixelLine(), DYNAMIXEL_BYTES)))
    with robot.bench:
        volts, celsius = PLACES[kind]
        arm.servo("elbow").set(*volts, 121)
        arm.servo("elbow").set(*celsius, 43)
        set_present(arm, "elbow", 2048 + 1024)
        for _ in range(4):
            values = arm.step()
        assert values["warmth.value"] == pytest.approx(43.0)
        assert values["supply.value"] == pytest.approx(12.1)
        assert values["angle.position"] == pytest.approx(1.5708, abs=1e-4)
        arm.is_quiet = True
        for _ in range(24):
            values = arm.step()
        assert "warmth.value" not in values, "no old reading of a servo that does not answer"


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Robot {
  name "all"
  children [
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [
        RotationalMotor { name "elbow" maxVelocity 5 maxTorque 2 }
        PositionSensor { name "angle" }
      ]
      endPoint Solid { name "arm" boundingObject Sphere { radius 0.1 } physics Physics { } }
    }
    LightSensor { name "warmth" lookupTable [ 0 35 0, 1000 60 0 ] }
    LightSensor { name "supply" lookupTable [ 0 12.1 0, 1000 12.4 0 ] }
  ]
  boundingObject Box { size 0.1 0.1 0.1 }
  physics Physics { }
}
"""
CODE = """from controller import Robot

robot = Robot()
elbow, angle, warmth, supply = (robot.getDevice(one) for one in ("elbow", "angle", "warmth", "supply"))
for one in (angle, warmth, supply):
    one.enable(16)
k = 0
while robot.step(16) != -1:
    elbow.setPosition(0.5 if k % 60 < 30 and warmth.getValue() > 30 and supply.getValue() > 11 else -0.5)
    k += 1
"""


@pytest.mark.parametrize("kind", PLACES)
def test_verify_compares_the_readings(kind: str, tmp_path: Path):
    (tmp_path / "w.wbt").write_text(WORLD)
    (tmp_path / "code.py").write_text(CODE)
    text = hardware_text(kind, "host-python", ("GP1", "GP0")).replace("[link]\ntable = false\n", "")
    head = 'format = 1\nflavor = "standalone"\ncontroller = "code.py"\n'
    (tmp_path / "hardware.toml").write_text(text.replace("format = 1\n", head))
    words = ["--steps", "60", "--flavor", "standalone"]
    assert main(["-q", "firmware", "verify", str(tmp_path / "hardware.toml"), *words]) == 0
