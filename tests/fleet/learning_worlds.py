"""A cart on a rail: what it does follows from a formula."""

from pathlib import Path

from tests.fleet.worlds import write

STEP_MS = 8
SPEED = 0.5
"""m/s, the limit of the cart's motor."""

CART = """
DEF {def_name} Robot {{
  name "{name}"
  translation 0 {y} 0.1
  controller "<none>"
  children [
    SliderJoint {{
      jointParameters JointParameters {{ axis 1 0 0 }}
      device [
        LinearMotor {{ name "drive" maxVelocity 0.5 maxForce 1000 {limits} }}
        PositionSensor {{ name "place" {noise} }}
      ]
      endPoint DEF CART Solid {{
        children [ Shape {{ geometry Box {{ size 0.1 0.1 0.1 }} }} ]
        name "cart of {name}"
        boundingObject Box {{ size 0.1 0.1 0.1 }}
        physics Physics {{ }}
      }}
    }}
    DistanceSensor {{ name "eye" lookupTable [ 0 0 0, 1 1000 0 ] }}
  ]
}}
"""


def cart(name: str = "cart", def_name: str = "ROBOT", y: float = 0, limits: str = "", noise: str = "") -> str:
    """Return a robot whose cart slides along x."""
    return CART.format(name=name, def_name=def_name, y=y, limits=limits, noise=noise)


def rail(folder: Path, *robots: str) -> Path:
    """Write a world with carts and without gravity."""
    head = f"#VRML_SIM R2025a utf8\nWorldInfo {{ basicTimeStep {STEP_MS} gravity 0 }}\n"
    return write(folder, head + "".join(robots or (cart(),)))
