"""A connector that is pulled apart: the world of Webots' own test, rebuilt from its figures.

Judge: tests/physics of Webots, world connector_detach with its controller and physics plugin. From the third
step on a force that grows by 0.1 N a step pulls one robot from the other. The connector of strength 1 N
must be open at 0.736 s, neither earlier nor later.
"""

from __future__ import annotations

from tests.devices.rig import Rig

STEP_S = 0.032
ARM_SHAPE = """
boundingObject Group { children [
  Pose { translation 0.049 0.025 0 children [ Shape { geometry Box { size 0.008 0.05 0.015 } } ] }
  Pose { translation -0.049 0.025 0 children [ Shape { geometry Box { size 0.008 0.05 0.015 } } ] }
  Pose { translation 0 0.05 0 children [ Shape { geometry Box { size 0.12 0.01 0.04 } } ] }
] }
physics Physics { density -1 mass 0.05 }
"""
BODY_SHAPE = """
boundingObject Pose {
  translation 0 0.0415 0 rotation 1 0 0 -1.5708
  children [ Shape { geometry Cylinder { height 0.08 radius 0.045 } } ]
}
"""


def arm(rotation: str, connector: str) -> str:
    """An arm on a hinge that swings freely, with a connector at its end."""
    return f"""
    HingeJoint {{
      jointParameters HingeJointParameters {{ position -1.57 anchor 0 0.06 0 }}
      endPoint Solid {{
        translation 0 0.06 0 rotation {rotation}
        children [ Connector {{ translation 0 0.055 0 model "magnetic" tensileStrength 1 {connector} }} ]
        {ARM_SHAPE}
      }}
    }}"""


def two_robots() -> Rig:
    """A light robot and a heavy body on the floor, whose connectors touch."""
    active = 'name "a" rotation 0.70710678 0.70710678 0 -3.14159 type "active" autoLock TRUE'
    passive = 'rotation 0 0 -1 -1.5708 type "passive"'
    return Rig(f"""
WorldInfo {{ coordinateSystem "NUE" }}
DEF ACTIVE Robot {{
  translation 0.10186764 0 0.004082181 rotation 0 1 0 -1.57 controller "<extern>"
  children [ {arm("1 0 0 1.5707963", active)} ]
  {BODY_SHAPE} physics Physics {{ density -1 mass 0.05 }}
}}
DEF PASSIVE Solid {{
  translation -0.0081323259 0 0.0038990259 rotation 0 1 0 -1.57
  children [ {arm("-1 0 0 1.57", passive)} ]
  {BODY_SHAPE} physics Physics {{ density -1 mass 0.5 }}
}}
Solid {{ name "floor" translation 0.28 0 0 rotation 1 0 0 -1.5708 boundingObject Plane {{ }} }}
""")


def test_it_opens_at_the_step_that_webots_own_test_states():
    made = two_robots()
    connector = made["a"]
    connector.enable_presence(made.period)
    made.step()
    assert connector.get_presence() == 1
    connector.lock()
    body, _ = made.simulation.physics.carrier(made.node("ACTIVE"))
    # The second step is without force; in the n-th one the force is 0.1 (n - 2) N.
    steps = 1
    while connector.get_presence() == 1 and steps < 40:
        steps += 1
        backward = -made.simulation.node("ACTIVE").pose[:3, 2]
        body.add_force(tuple(float(part) * 0.1 * (steps - 2) for part in backward))
        made.step()
    assert steps * STEP_S == 0.736
