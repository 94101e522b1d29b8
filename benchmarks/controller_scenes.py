"""The scenes of benchmarks/native/scenes.cpp as worlds with controllers: arm, e-pucks and biped."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

Vector = Sequence[float]
Y: Vector = (0, 1, 0)
HEAD = """#VRML_SIM R2025a utf8
WorldInfo {
  basicTimeStep 8
  physicsDisableTime 0
  contactProperties ContactProperties {
  }
}
"""
GROUND = "Solid {\n  boundingObject Plane {\n    size 100 100\n  }\n}\n"


def numbers(values: Iterable[float]) -> str:
    """Numbers separated by spaces."""
    return " ".join(f"{one:.9g}" for one in values)


def box(*size: float) -> str:
    """A box."""
    return f"Box {{ size {numbers(size)} }}"


def physics(mass: float, radius: float) -> str:
    """Physics with the inertia of a sphere."""
    inertia = 0.4 * mass * radius**2
    rows = f"[{numbers([inertia] * 3)}, 0 0 0]"
    return f"physics Physics {{ density -1 mass {mass} centerOfMass 0 0 0 inertiaMatrix {rows} }}"


def joint(name: str, anchor: Vector, axis: Vector, velocity: float, torque: float, end: str) -> str:
    """A hinge with a motor and a position sensor; anchor and axis in the frame of its parent."""
    return f"""HingeJoint {{
  jointParameters HingeJointParameters {{ anchor {numbers(anchor)} axis {numbers(axis)} }}
  device [
    RotationalMotor {{ name "{name} motor" maxVelocity {velocity} maxTorque {torque} }}
    PositionSensor {{ name "{name} sensor" }}
  ]
  endPoint {end}
}}
"""


def solid(name: str, place: Vector, shape: str, mass: float, radius: float, children: str = "") -> str:
    """A body."""
    return f"""Solid {{
  name "{name}" translation {numbers(place)} children [ {children} ]
  boundingObject {shape} {physics(mass, radius)}
}}"""


def chain(
    name: str,
    start: Vector,
    count: int,
    length: float,
    way: int,
    link: Callable[[int, str], str],
    axes: Sequence[Vector],
    limits: tuple[float, float],
) -> str:
    """A chain of links; `link` makes the body with a number and its children."""
    text = ""
    for number in reversed(range(count)):
        anchor = start if number == 0 else (0, 0, way * length / 2)
        text = joint(f"{name} {number}", anchor, axes[number % 2], *limits, link(number, text))
    return text


def robot(name: str, arguments: str, children: str, rest: str = "") -> str:
    """A robot with the controller that uses all devices."""
    return f"""Robot {{
  name "{name}" controller "all_devices" controllerArgs [ {arguments} ] children [ {children} ] {rest}
}}
"""


def arm(_: int = 0) -> str:
    """Seven links on hinges of alternating axes."""

    def link(number: int, text: str) -> str:
        place = (0, 0, 0.1) if number == 0 else (0, 0, 0.2)
        return solid(f"link {number}", place, box(0.05, 0.05, 0.15), 1, 0.05, text)

    links = chain("joint", (0, 0, 0), 7, 0.2, 1, link, ((0, 0, 1), Y), (2, 50))
    return HEAD + robot("arm", '"0.3", "position"', links)


def biped(_: int = 0) -> str:
    """Two legs, two arms and a head on a trunk: twenty hinges that hold their positions."""

    def limb(name: str, x: float, y: float, z: float, joints: int, length: float, way: int) -> str:
        def link(number: int, text: str) -> str:
            is_foot = name.endswith("leg") and number == joints - 1
            shape = box(0.25, 0.15, 0.02) if is_foot else box(0.06, 0.06, length * 0.7)
            place = (x, y, z - 1 + way * length / 2) if number == 0 else (0, 0, way * length)
            return solid(f"{name} {number}", place, shape, 0.5, 0.05, text)

        return chain(name, (x, y, z - 1), joints, length, way, link, (Y, (1, 0, 0)), (5, 200))

    limbs = "".join(
        limb(f"{name} leg", 0, 0.1 * side, 0.8, 6, 0.14, -1)
        + limb(f"{name} arm", 0, 0.22 * side, 1.15, 3, 0.15, -1)
        for name, side in (("right", -1), ("left", 1))
    )
    rest = f"translation 0 0 1 boundingObject {box(0.15, 0.3, 0.4)} {physics(5, 0.2)}"
    head = limb("head", 0, 0, 1.2, 2, 0.1, 1)
    return HEAD + GROUND + robot("biped", '"0", "position"', limbs + head, rest)


def epuck(number: int, x: float, y: float) -> str:
    """A two-wheeled robot with two casters and eight distance sensors."""
    wheels = "".join(
        joint(
            f"wheel {side}",
            (0, 0.026 * side, -0.0005),
            Y,
            10,
            0.1,
            solid(f"wheel {side}", (0, 0.026 * side, -0.0005), WHEEL, 0.01, 0.02),
        ).replace(f'PositionSensor {{ name "wheel {side} sensor" }}', "")
        for side in (-1, 1)
    )
    sensors = "".join(map(distance_sensor, range(8)))
    body = f"""Group {{ children [
      Pose {{ children [ {box(0.06, 0.04, 0.02)} ] }}
      Pose {{ translation 0.03 0 -0.016 children [ Sphere {{ radius 0.005 }} ] }}
      Pose {{ translation -0.03 0 -0.016 children [ Sphere {{ radius 0.005 }} ] }}
    ] }}"""
    rest = f"translation {x:.3g} {y:.3g} 0.021 boundingObject {body} {physics(0.15, 0.03)}"
    return robot(f"e-puck {number}", '"3", "velocity"', wheels + sensors, rest)


WHEEL = "Pose { rotation 1 0 0 -1.5707963267948966 children [ Cylinder { radius 0.0205 height 0.004 } ] }"


def distance_sensor(number: int) -> str:
    """One of eight sensors around a robot, with a ray of 0.1 m."""
    angle = 2 * math.pi * number / 8
    place = (0.03 * math.cos(angle), 0.03 * math.sin(angle), 0)
    return f"""DistanceSensor {{ name "ps{number}" translation {numbers(place)} rotation 0 0 1 {angle:.9g}
      lookupTable [ 0 1000 0, 0.1 0 0 ] }}
"""


def epucks(count: int) -> str:
    """Robots on a grid, all turning."""
    side = math.ceil(math.sqrt(count))
    return HEAD + GROUND + "".join(epuck(i, 0.3 * (i % side), 0.3 * (i // side)) for i in range(count))


SCENES: dict[str, Callable[[int], str]] = {"arm": arm, "biped": biped, "epucks": epucks}
