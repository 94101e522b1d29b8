"""A cart that swings a pendulum: a robot whose parameters can be found from its readings."""

from pathlib import Path

from tests.fleet.worlds import write, write_controller

TEXT = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 8 }
DEF ROBOT Robot {
  name "swing"
  translation 0 0 1
  controller "drive"
  children [
    SliderJoint {
      jointParameters JointParameters { axis 1 0 0 }
      device [
        LinearMotor { name "drive" maxVelocity 1 maxForce 200 acceleration 2 }
        PositionSensor { name "place" noise 0.002 }
      ]
      endPoint DEF CART Solid {
        name "cart"
        physics Physics { density -1 mass 1 }
        boundingObject Box { size 0.1 0.1 0.1 }
        children [
          HingeJoint {
            jointParameters DEF HINGE HingeJointParameters { axis 0 1 0 dampingConstant 0.01 }
            device [ PositionSensor { name "angle" noise 0.01 } ]
            endPoint DEF BOB Solid {
              name "bob"
              translation 0 0 -0.3
              boundingObject Sphere { radius 0.05 }
              physics Physics { density -1 mass 0.5 }
            }
          }
          DistanceSensor { name "eye" lookupTable [ 0 0 0.01, 4 1000 0.01 ] rotation 0 0 1 0 }
        ]
      }
    }
  ]
}
Solid {
  translation 1.5 0 1
  name "wall"
  boundingObject Box { size 0.1 2 2 }
}
"""
DRIVE = """\
import math
from controller import Robot
robot = Robot()
step = 16
motor = robot.getDevice("drive")
for name in ("place", "angle", "eye"):
    robot.getDevice(name).enable(step)
motor.setPosition(float("inf"))
count = 0
while robot.step(step) != -1:
    count += 1
    if count % 25 == 0:
        motor.setVelocity(0.7 * math.copysign(1, math.sin(count * 0.071) - 0.2 * math.sin(count * 0.33)))
"""


def swing(folder: Path) -> Path:
    """Write the world and its controller."""
    write_controller(folder, "drive", DRIVE)
    return write(folder, TEXT)
