"""Turn a whole scene, gravity too, and nothing may change.

Physics has no preferred direction: poses, velocities and readings of a scene and of the same scene turned
about any axis differ by that turn only. A scene hangs in a Pose here, so that its own numbers stay.

Symmetric friction is the exception: ODE bounds it along two directions that it derives from the world's axes
(its manual, chapter Contact), so such scenes are turned by quarter turns only. Of a box that lies flat ODE
may take other corners as contacts when the turn has rounded their depths, which moves the box by millimeters.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tests.devices.rig import Rig
from wbridge.wbcore.physics.pose import Vec3, axis_angle, rotate

Turn = tuple[float, float, float, float]
QUARTER = math.pi / 2
UNTURNED: Turn = (0, 0, 1, 0)
EVEN: list[Turn] = [
    (1, 0, 0, QUARTER),
    (0, 1, 0, QUARTER),
    (0, 0, 1, QUARTER),
    (1, 0, 0, -QUARTER),
    (0, 1, 0, math.pi),
]
UNEVEN: list[Turn] = [
    (1 / math.sqrt(3), 1 / math.sqrt(3), 1 / math.sqrt(3), 2 * math.pi / 3),
    (0.6, 0, 0.8, 0.7),
    (0.36, 0.48, 0.8, 2.1),
]
FLOOR = 'Solid { name "floor" contactMaterial "floor" boundingObject Plane { size 9 9 } }\n'
G = 9.81


def scene(content: str, turn: Turn, info: str = "") -> Rig:
    """A scene in a Pose that is turned, with gravity along its own -z."""
    made = Rig(
        f"WorldInfo {{ basicTimeStep 8 physicsDisableTime 0 {info} }}\n"
        f"Pose {{ rotation {turn[0]} {turn[1]} {turn[2]} {turn[3]} children [ {content} ] }}\n"
    )
    physics = made.simulation.physics
    gravity = rotate(axis_angle(turn[:3], turn[3]), (0.0, 0.0, -G))
    physics.engine.gravity = physics.plan.settings.gravity = gravity
    return made


def place(made: Rig, name: str, turn: Turn) -> Vec3:
    """Where a solid is, in the scene's own axes."""
    x, y, z = (float(one) for one in made.simulation.node(name).translation)
    return rotate(axis_angle(turn[:3], -turn[3]), (x, y, z))


def box(fields: str = "", physics: str = "density -1 mass 2") -> str:
    return (
        f'DEF BODY Solid {{ name "body" contactMaterial "box" {fields} '
        f"boundingObject Box {{ size 0.4 0.3 0.2 }} physics Physics {{ {physics} }} }}\n"
    )


def robot(children: str, fields: str) -> str:
    return f'DEF BODY Robot {{ name "robot" {fields} children [ {children} ] }}\n'


BODY = "boundingObject Box { size 0.4 0.3 0.2 } physics Physics { density -1 mass 2 }"
SLIDING = "translation 0 0 0.1"
ASYMMETRIC = (
    'contactProperties ContactProperties { material1 "floor" material2 "box" coulombFriction [ 0.1, 0.6 ] '
    "bounce 0 }"
)


def drop(made: Rig, turn: Turn) -> None:
    made.step(60)


def slide(made: Rig, turn: Turn) -> None:
    velocity = rotate(axis_angle(turn[:3], turn[3]), (2.0, 1.0, 0.0))
    made.simulation.physics.set_velocity(made.node("BODY"), velocity, None)
    made.step(60)


def drive(name: str, speed: float = 2, steps: int = 60) -> Callable[[Rig, Turn], None]:
    def run(made: Rig, turn: Turn) -> None:
        made[name].set_position(math.inf)
        made[name].set_velocity(speed)
        made.step(steps)

    return run


IDLE = 'Robot { name "idle" }\n'
HINGE = (
    "HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 } device RotationalMotor "
    '{ name "m" maxTorque 50 } '
    'endPoint Solid { translation 0.5 0 0 name "end" boundingObject Box { size 0.1 0.1 0.1 } '
    "physics Physics { density -1 mass 1 } } }"
)
SLIDER = (
    "SliderJoint { jointParameters JointParameters { axis 0 0 1 springConstant 80 dampingConstant 2 } "
    'endPoint DEF BODY Solid { translation 0 0 0.5 name "end" boundingObject Sphere { radius 0.1 } '
    "physics Physics { density -1 mass 1 } } }"
)
TRACK = (
    'Robot { name "robot" children [ Track { translation 0 0 0.1 boundingObject Box { size 2 1 0.2 } '
    'device LinearMotor { name "m" maxVelocity 5 } } ] }'
)
CRAWLER = robot(
    "Track { boundingObject Box { size 0.8 0.2 0.1 } physics Physics { density -1 mass 1 } "
    'device LinearMotor { name "m" maxVelocity 5 } }',
    "translation 0 0 0.0495 physics Physics { density -1 mass 2 } boundingObject Box { size 0.1 0.1 0.05 }",
)
PROPELLER = robot(
    "Propeller { shaftAxis 0 0 1 centerOfThrust 0.1 0 0 "
    "thrustConstants 0.02 0.05 torqueConstants 0.001 0.002 "
    'device RotationalMotor { name "m" maxVelocity 100 maxTorque 100 } }',
    f"translation 0 0 1 {BODY}",
)
WATER = (
    'DEF WATER Fluid { name "fluid" boundingObject Box { size 9 9 4 } streamVelocity 0 0 0 viscosity 0.1 }\n'
    + box(
        "translation 0 0 2.05 rotation 0.6 0.8 0 0.5 "
        'immersionProperties ImmersionProperties { fluidName "fluid" '
        'referenceArea "xyz-projection" dragForceCoefficients 1 0.5 0.2 dragTorqueCoefficients 0.1 0.2 0.3 }'
    )
)

SCENES = {
    "fall and rest": (FLOOR + box("translation 0 0 0.4 rotation 0.6 0.8 0 0.4") + IDLE, "", drop),
    "friction": (FLOOR + box(SLIDING) + IDLE, "", slide),
    "asymmetric friction": (FLOOR + box(SLIDING) + IDLE, ASYMMETRIC, slide),
    "hinge": (robot(HINGE, f"translation 0 0 1 {BODY}"), "", drive("m")),
    "spring": (f'Robot {{ name "robot" children [ {SLIDER} ] }}', "", drop),
    "conveyor": (TRACK + box("translation 0 0 0.2995"), "", drive("m")),
    "crawler": (FLOOR + CRAWLER, "", drive("m")),
    "propeller": (PROPELLER, "", drive("m", 40)),
    "fluid": (WATER + IDLE, "", drop),
}
SYMMETRIC = ("fall and rest", "friction")
FLAT = ("asymmetric friction",)


@pytest.mark.parametrize("name", SCENES)
def test_a_turned_scene_moves_the_same_way(name: str):
    content, info, run = SCENES[name]
    first = scene(content, UNTURNED, info)
    start = place(first, "BODY", UNTURNED)
    run(first, UNTURNED)
    expected = place(first, "BODY", UNTURNED)
    assert math.dist(start, expected) > 0.005
    for turn in EVEN + ([] if name in SYMMETRIC else UNEVEN):
        made = scene(content, turn, info)
        run(made, turn)
        within = 3e-3 if name in FLAT and turn in UNEVEN else 1e-6
        assert place(made, "BODY", turn) == pytest.approx(expected, abs=within), turn


SENSORS = (
    'Accelerometer { name "accelerometer" } Gyro { name "gyro" } '
    'DistanceSensor { name "ray" translation 0 0 -0.11 rotation 0 1 0 1.5707963267948966 '
    "lookupTable [ 0 0 0 5 5 0 ] } "
    'TouchSensor { name "force" type "force-3d" lookupTable [ ] translation 0 0 0.2 '
    "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { density -1 mass 0.5 } }"
)


LANDING = 32
"""Steps until the robot reaches the floor."""


def readings(turn: Turn, steps: int) -> list[float]:
    made = scene(FLOOR + robot(SENSORS, f"translation 0 0 0.5 rotation 0.6 0.8 0 0.3 {BODY}"), turn)
    made.enable("accelerometer", "gyro", "ray", "force")
    found: list[float] = []
    for _ in range(steps):
        made.step()
        found += [*made["accelerometer"].get_values(), *made["gyro"].get_values()]
        found += [made["ray"].get_value(), *made["force"].get_values()]
    return found


@pytest.mark.parametrize("turn", EVEN + UNEVEN)
def test_sensors_read_the_same_in_a_turned_scene(turn: Turn):
    steps = LANDING + (8 if turn in EVEN else 0)
    assert readings(turn, steps) == pytest.approx(readings(UNTURNED, steps), abs=1e-6, rel=1e-6)
