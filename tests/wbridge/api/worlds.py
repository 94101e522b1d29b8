"""Worlds for the tests of the Python API."""

from __future__ import annotations

from pathlib import Path

from wbridge import wbcore

CHECKOUT = Path(wbcore.__file__).resolve().parent.parent
TWO_WHEELS = CHECKOUT / "worlds" / "two_wheels.wbt"
BOX = """
WorldInfo { basicTimeStep 16 }
DEF BOX Solid {
  translation 0 0 2
  children [ DEF LOOK Pose { children [ DEF SHAPE Shape { geometry Box { size 0.2 0.2 0.2 } } ] } ]
  name "box"
  boundingObject USE SHAPE
  physics DEF MASS Physics { density -1 mass 2 }
}
"""


def hinge(motor: str, sensor: str = "", physics: str = "physics Physics { density -1 mass 1 }") -> str:
    """A joint about the vertical axis with a bar at its end."""
    return (
        "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device [ "
        f"{motor} {sensor} ] endPoint Solid {{ translation 0.5 0 0 boundingObject DEF BAR Box "
        f"{{ size 0.4 0.1 0.1 }} {physics} }} }}"
    )


def robot(children: str, fields: str = "", name: str = "robot") -> str:
    """A robot that is fixed to the world."""
    return (
        f'DEF {name.upper()} Robot {{ name "{name}" controller "<none>" {fields} children [ {children} ] }}\n'
    )


TURNTABLE = "WorldInfo { basicTimeStep 8 }\n" + robot(
    hinge('RotationalMotor { name "motor" maxVelocity 5 maxTorque 1000 }', 'PositionSensor { name "angle" }')
    + ' GPS { name "gps" } DistanceSensor { name "ds" lookupTable [ 0 0 0.1 10 1000 0.1 ] }'
    + ' LED { name "led" } Camera { name "camera" width 8 height 6 }'
    + ' RangeFinder { name "rf" width 4 height 3 maxRange 2 }'
    + ' Lidar { name "lidar" horizontalResolution 8 numberOfLayers 2 maxRange 3 }'
)
