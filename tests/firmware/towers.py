"""A robot with parts that measure, light and turn, for boards that run C and for those that run Python."""

from __future__ import annotations

from pathlib import Path

from tests.firmware.tables import step_rows
from wbridge.wbfirmware.boards.board import load_board

__all__ = ["DEVICES", "PINS", "changing_devices", "tower_map"]

WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 }
DEF FLOOR Solid { translation 0 0 -0.5 boundingObject Box { size 20 20 1 } }
Robot {
  translation 0 0 0.14
  name "tower"
  children [
    TouchSensor {
      name "weight" type "force" translation 0 0 -0.09 rotation 0 1 0 1.5707963
      boundingObject Box { size 0.1 0.6 0.6 } physics Physics { density -1 mass 0.3 }
    }
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 1 0 anchor 0 0 0.3 }
      device RotationalMotor { name "shaker" maxVelocity 8 }
      endPoint Solid {
        translation 0.05 0 0.3
        name "mass"
        boundingObject Sphere { radius 0.02 }
        physics Physics { density -1 mass 0.1 }
      }
    }
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [ RotationalMotor { name "turret" maxVelocity 4 } PositionSensor { name "angle" } ]
      endPoint Solid {
        translation 0 0 0.6
        name "head"
        children [
          DistanceSensor { name "eye" lookupTable [ 0 1000 0, 2 0 0 ] numberOfRays 1 translation 0.1 0 0 }
          DistanceSensor { name "far" lookupTable [ 0 0 0, 4 4000 0 ] numberOfRays 1 translation 0.1 0 0.02 }
          DistanceSensor { name "ground" lookupTable [ 0 0 0, 2 1000 0 ] translation 0.1 0 -0.02 }
          InertialUnit { name "unit" }
          Compass { name "north" }
        ]
        boundingObject Box { size 0.1 0.1 0.05 }
        physics Physics { density -1 mass 0.1 }
      }
    }
    LED { name "pixel" gradual TRUE color [ ] }
    LED { name "third" color [ 1 0 0, 1 0.5 0 ] }
  ]
  boundingObject Box { size 0.2 0.2 0.08 }
  physics Physics { density -1 mass 2 }
}
Solid { name "slope" translation 0.9 0 0.7 rotation 0 0 1 0.6 boundingObject Box { size 0.1 6 2 } }
"""
CODE = """from controller import Robot

robot = Robot()
names = ("weight", "eye", "far", "ground", "unit", "north", "angle")
weight, eye, far, ground, unit, north, angle = (robot.getDevice(one) for one in names)
shaker, turret, pixel, third = (robot.getDevice(one) for one in ("shaker", "turret", "pixel", "third"))
for one in (weight, eye, far, ground, unit, north, angle):
    one.enable(16)
for one in (shaker, turret):
    one.setPosition(float("inf"))
k = 0
while robot.step(16) != -1:
    shaker.setVelocity(6 if k < 60 else -4)
    turret.setVelocity(1.5 if k % 50 < 35 else -2.0)
    values = [weight.getValue(), eye.getValue(), far.getValue(), ground.getValue(), angle.getValue()]
    values += north.getValues() + unit.getQuaternion() + unit.getRollPitchYaw()
    pixel.set(0x0203 * (k % 60))
    third.set(k % 3)
    k += 1
"""
C_CODE = """#include <math.h>
#include <webots/compass.h>
#include <webots/distance_sensor.h>
#include <webots/inertial_unit.h>
#include <webots/led.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>
#include <webots/touch_sensor.h>

int main(void) {
  wb_robot_init();
  WbDeviceTag shaker = wb_robot_get_device("shaker"), turret = wb_robot_get_device("turret");
  WbDeviceTag pixel = wb_robot_get_device("pixel"), third = wb_robot_get_device("third");
  wb_touch_sensor_enable(wb_robot_get_device("weight"), 16);
  wb_distance_sensor_enable(wb_robot_get_device("eye"), 16);
  wb_distance_sensor_enable(wb_robot_get_device("far"), 16);
  wb_distance_sensor_enable(wb_robot_get_device("ground"), 16);
  wb_inertial_unit_enable(wb_robot_get_device("unit"), 16);
  wb_compass_enable(wb_robot_get_device("north"), 16);
  wb_position_sensor_enable(wb_robot_get_device("angle"), 16);
  wb_motor_set_position(shaker, INFINITY);
  wb_motor_set_position(turret, INFINITY);
  for (int k = 0; wb_robot_step(16) != -1; k++) {
    wb_motor_set_velocity(shaker, k < 60 ? 6 : -4);
    wb_motor_set_velocity(turret, k % 50 < 35 ? 1.5 : -2.0);
    wb_led_set(pixel, 0x0203 * (k % 60));
    wb_led_set(third, k % 3);
  }
  return 0;
}
"""
MAP = """format = 1
world = "tower.wbt"
robot = "tower"
board = "BOARD"
flavor = "standalone"
controller = "code.py"
[devices.turret]
driver = "drv8833"
forward = "PWM1"
backward = "PWM2"
full_speed = 6.0
encoder = "angle"
speed_p = 0.4
speed_i = 8.0
speed_d = 0.001
[devices.angle]
driver = "quadrature_encoder"
a = "IN1"
b = "IN2"
counts = 720.0
[devices.shaker]
driver = "hbridge"
pwm = "PWM3"
forward = "OUT1"
backward = "OUT2"
full_speed = 9.0
[devices.far]
driver = "ultrasonic"
trigger = "OUT3"
echo = "IN3"
[devices.ground]
driver = "qtr_rc"
pin = "RC1"
longest = 2000.0
low = 0.0
high = 1000.0
[devices.weight]
driver = "hx711_force"
data = "IN4"
clock = "OUT4"
gain = 64
zero = 1000.0
scale = 200.0
[devices.pixel]
driver = "ws2812"
pin = "OUT5"
[devices.third]
driver = "ws2812"
pin = "OUT5"
place = 2
[devices.eye]
driver = "vl53l0x_distance"
sda = "SDA"
scl = "SCL"
[devices.unit]
driver = "bno055_inertial_unit"
sda = "SDA"
scl = "SCL"
[devices.north]
driver = "ak8963_compass"
sda = "SDA"
scl = "SCL"
offset = [10.0, 0.0, -3.0]
"""
NAMES = "PWM1 PWM2 PWM3 OUT1 OUT2 OUT3 OUT4 OUT5 IN1 IN2 IN3 IN4 RC1 SDA SCL".split()
ON_PICO = "GP0 GP1 GP2 GP18 GP19 GP6 GP10 GP11 GP16 GP17 GP7 GP9 GP8 GP4 GP5".split()
PINS = {
    "host": "D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 D13 D14 D20 D21".split(),
    "arduino-uno": "D5 D6 D3 D2 D4 D7 D8 D9 D10 D11 D12 D13 A0 A4 A5".split(),
    "arduino-mega": "D6 D7 D2 D22 D23 D24 D25 D26 D50 D51 D52 D27 D53 D20 D21".split(),
    "pico": "GP2 GP3 GP6 GP18 GP19 GP20 GP10 GP11 GP16 GP17 GP21 GP9 GP8 GP4 GP5".split(),
    "host-python": ON_PICO,
    "pico-micropython": ON_PICO,
    "pyboard": "X1 X2 X3 X11 X12 X19 X20 X21 X5 X6 Y5 Y6 Y9 X10 X9".split(),
    "esp32-s3-micropython": "IO4 IO5 IO6 IO1 IO2 IO7 IO10 IO11 IO12 IO13 IO14 IO15 IO16 IO8 IO9".split(),
    "esp32-micropython": "IO4 IO13 IO14 IO16 IO17 IO18 IO19 IO23 IO25 IO26 IO27 IO32 IO33 IO21 IO22".split(),
}
"""The pins of each board whose emulator has the parts."""
DEVICES = {"turret", "angle", "shaker", "far", "ground", "weight", "pixel", "third", "eye", "unit", "north"}


def tower_map(folder: Path, board: str) -> Path:
    """Write world, controller and hardware map of the robot."""
    suffix = "c" if load_board(board).python is None else "py"
    (folder / "tower.wbt").write_text(WORLD)
    (folder / f"code.{suffix}").write_text(C_CODE if suffix == "c" else CODE)
    text = MAP.replace("BOARD", board).replace("code.py", f"code.{suffix}")
    for name, pin in zip(NAMES, PINS[board], strict=True):
        text = text.replace(f'"{name}"', f'"{pin}"')
    path = folder / "hardware.toml"
    path.write_text(text)
    return path


def changing_devices(table: Path) -> set[str]:
    """The devices with more than two different values on the board, by the table that verify has written."""
    values: dict[str, set[str]] = {}
    for row in step_rows(table):
        if row["result"] != "given":
            values.setdefault(row["device"], set()).add(row["board"])
    return {name for name, found in values.items() if len(found) > 2}
