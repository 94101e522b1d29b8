"""The Tinkerbots construction kit: fields, sockets, joints, and a car made of blocks.

Judge: fields, places, limits and masses of Webots' own Tinkerbots*.proto (R2022b and R2023b); a wheel that
rolls covers its radius times the angle that it turns.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.protos.bench import bench
from tests.protos.models import FILES, made, parts
from wbridge.wbcore.scene.load import LoadOptions, load_proto, load_text
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.simulation import Simulation

CORNERS = ("", "A", "B", "C", "D")
MASSES = {
    "Base": 0.065, "Motor": 0.046, "Twister": 0.04, "Pivot": 0.032, "Grabber": 0.035, "DistanceSensor": 0.034,
    "LightSensor": 0.03, "Cube": 0.031, "Wheel": 0.018, "Axle": 0.01, "Finger": 0.002, "BrickAdapter": 0.001,
    "CubieBoxWithCrossSlots": 0.001, "CubieFemaleCube": 0.001, "CubieMaleCube": 0.001, "CubiePyramid": 0.001,
    "CubieTriangle": 0.001,
}  # fmt: skip
FACES = {
    "Base": ["up", "down", "left", "right", "back"],
    "Motor": ["up", "left", "right"],
    "DistanceSensor": ["up", "left", "right", "back"],
    "LightSensor": ["up", "left", "right", "back"],
    "Cube": ["up", "left", "right", "front", "back"],
}
# Some cross-shaped sockets of the base: place and rotation.
SOCKETS = {
    "upA": ((-0.01, 0.01, 0.015), (0, 0, 1, 3.1415)),
    "upC": ((0.01, -0.01, 0.015), (0, 0, 1, 0)),
    "downB": ((-0.01, 0.01, -0.015), (0.707108, 0.707105, 0, 3.14153)),
    "leftA": ((0.01, -0.015, 0.01), (0.57735, -0.57735, 0.57735, 2.0944)),
    "leftC": ((-0.01, -0.015, -0.01), (0.57735, 0.57735, -0.57735, 2.0944)),
    "rightA": ((-0.01, 0.015, 0.01), (0.57735, 0.57735, 0.57735, -2.0944)),
    "rightC": ((0.01, 0.015, -0.01), (-0.57735, 0.57735, 0.57735, 2.0944)),
    "backA": ((-0.015, -0.01, 0.01), (0, 1, 0, -1.5708)),
    "backC": ((-0.015, 0.01, -0.01), (0.707105, 0, -0.707105, -3.14159)),
}


CUBIES = {
    "BoxWithCrossSlots": ("box with cross slots cubie", {
        "up": (-0.01, 0, 0.02), "front": (0.005, 0, 0.015), "back": (-0.025, 0, 0.015),
        "left": (-0.01, -0.005, 0.015), "right": (-0.01, 0.005, 0.015),
    }),
    "BoxWithRoundSlots": ("box with round slots cubie", {
        "up": (-0.01, 0, 0.02), "front": (0.005, 0, 0.015), "back": (-0.025, 0, 0.015),
        "axis": (-0.01, -0.01, 0.015),
    }),
    "FemaleCube": ("female cube cubie", {
        "up": (0, 0, 0.02), "front": (0.005, 0, 0.015), "back": (-0.005, 0, 0.015),
        "left": (0, -0.005, 0.015), "right": (0, 0.005, 0.015),
    }),
    "MaleCube": ("male cube cubie", {
        "up": (0, 0, 0.02), "front": (0.005, 0, 0.015), "back": (-0.005, 0, 0.015),
        "left": (0, -0.005, 0.015),
    }),
    "Pyramid": ("pyramid cubie", {"front": (0.0005, 0, 0.011), "back": (-0.0005, 0, 0.011)}),
    "Triangle": ("triangle cubie", {"": (0.005, 0, 0.015)}),
}  # fmt: skip
"""Name and places of the sockets of each small part, in its own frame."""
OUTWARDS = {
    "up": (0, 0, 1), "front": (1, 0, 0), "back": (-1, 0, 0), "left": (0, -1, 0), "right": (0, 1, 0),
    "axis": (0, 1, 0), "": (1, 0, 0),
}  # fmt: skip
"""Where an axle in a socket points; an axle for a round hole goes through it."""


def block(kind: str, fields: str = "") -> str:
    return f"Tinkerbots{kind} {{ {fields} }}"


def base(fields: str) -> Node:
    return made(block("Base", fields) + "\n")


def simulation(text: str) -> Simulation:
    named = "".join(f'EXTERNPROTO "{path}"\n' for name, path in FILES.items() if name in text)
    arena = "DEF FLOOR Solid { translation 0 0 -0.5 boundingObject Box { size 9 9 1 } }"
    world = load_text(
        f"#VRML_SIM R2025a utf8\n{named}WorldInfo {{ }}\nViewpoint {{ }}\n{arena}\n{text}\n", ""
    )
    assert world.report.errors == []
    return Simulation(world)


@pytest.mark.parametrize(("kind", "faces"), FACES.items())
def test_every_face_has_five_sockets(kind: str, faces: list[str]):
    fields = load_proto(FILES[f"Tinkerbots{kind}"], LoadOptions(expand=False)).nodes[0].spec.fields
    slots = {name for name in fields if name.endswith("Slot")} - {"extensionSlot", "frontSlot", "backSlot"}
    wanted = {f"{face}{corner}Slot" for face in faces for corner in CORNERS}
    assert slots == wanted - {"frontSlot", "backSlot"}
    assert {"frontSlot", "backSlot"} <= set(fields) or kind != "Motor"


@pytest.mark.parametrize(("kind", "mass"), MASSES.items())
def test_masses(kind: str, mass: float):
    found = load_proto(FILES[f"Tinkerbots{kind}"]).nodes[0].root
    assert sum(one.get("mass") for one in parts(found, "Physics")) == pytest.approx(mass)


@pytest.mark.parametrize("name", SOCKETS)
def test_where_sockets_of_the_base_are(name: str):
    place, (*axis, angle) = SOCKETS[name]
    of = simulation(block("Base", f'{name}Slot TinkerbotsAxle {{ name "a" }}'))
    (axle,) = [one.node for one in of.physics.solids() if one.node.get("name") == "a"]
    pose = of.physics.pose(axle)
    assert pose.position == pytest.approx(place, abs=1e-6)
    expected = [math.cos(angle / 2), *(math.sin(angle / 2) * one for one in axis)]
    assert abs(np.dot(pose.orientation, expected)) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("kind", CUBIES)
def test_where_sockets_of_small_parts_are(kind: str):
    name, places = CUBIES[kind]
    slots = {face: f"{face}Slot" if face else "slot" for face in places}
    axles = " ".join(f'{slot} TinkerbotsAxle {{ name "axle {face}" }}' for face, slot in slots.items())
    of = simulation(block("Base", f"upASlot {block(f'Cubie{kind}', axles)}"))
    poses = {one.node.get("name"): of.physics.pose(one.node) for one in of.physics.solids()}
    # The first socket of the upper face is turned by half a turn about z.
    corner = np.array([-0.01, 0.01, 0.015])
    for face, place in places.items():
        pose = poses[f"axle {face}"]
        expected = corner + np.array([-1, -1, 1]) * place
        assert pose.position == pytest.approx(expected, abs=1e-6)
        tip = np.subtract(pose.point((0.0, 0.0, 1.0)), pose.position) * [-1, -1, 1]
        outwards = np.array(OUTWARDS[face], float)
        if kind == "Pyramid":
            outwards = np.array([math.copysign(math.sin(1.05), outwards[0]), 0, math.cos(1.05)])
        assert tip == pytest.approx(outwards, abs=1e-3)
    assert name in poses


@pytest.mark.parametrize("kind", ["Pyramid", "Triangle"])
def test_slopes_are_yellow_or_blue(kind: str):
    for color, wanted in (("yellow", (1, 0.6, 0)), ("blue", (0, 0.45, 1))):
        robot = base("upASlot " + block(f"Cubie{kind}", f'color "{color}"'))
        assert wanted in {tuple(one.get("baseColor")) for one in parts(robot, "PBRAppearance")}


@pytest.mark.parametrize(
    ("kind", "name", "limits"),
    [("Motor", "m", (0, 0)), ("Twister", "t", (-1.57, 1.57)), ("Pivot", "p", (-1.57, 1.57))],
)
def test_motors_have_the_name_of_their_block(kind: str, name: str, limits: tuple[float, float]):
    robot = base(f'upSlot {block(kind, f"""name "{name}" """)}')
    (motor,) = parts(robot, "RotationalMotor")
    assert motor.get("name") == name
    assert (motor.get("minPosition"), motor.get("maxPosition")) == limits
    assert motor.get("maxTorque") == 0.5
    assert [one.get("name") for one in parts(robot, "PositionSensor")] == [f"{name} sensor"]
    assert [one.get("name") for one in parts(robot, "LED")] == [f"{name} led"]


@pytest.mark.parametrize(
    ("kind", "axis"), [("Motor", (-1, 0, 0)), ("Twister", (0, 0, -1)), ("Pivot", (0, -1, 0))]
)
def test_axes_of_the_blocks(kind: str, axis: tuple[float, float, float]):
    (joint,) = parts(base(f"upSlot {block(kind)}"), "HingeJointParameters")
    assert joint.get("axis") == axis


def test_the_axles_of_a_motor_point_outwards():
    axles = 'frontSlot TinkerbotsAxle { name "front" } backSlot TinkerbotsAxle { name "back" }'
    of = simulation(block("Base", f"upSlot {block('Motor', axles)}"))
    named = {one.node.get("name"): one.node for one in of.physics.solids()}
    for name, side in (("front", 1), ("back", -1)):
        pose = of.physics.pose(named[name])
        assert pose.position == pytest.approx((side * 0.015, 0, 0.04), abs=1e-6)
        assert pose.point((0.0, 0.0, 0.01)) == pytest.approx((side * 0.025, 0, 0.04), abs=1e-6)


def test_the_fingers_of_a_grabber():
    robot = base(f"upSlot {block('Grabber', 'fingerASlot TinkerbotsFinger { }')}")
    motors = parts(robot, "RotationalMotor")
    assert [one.get("name") for one in motors] == [f"grabber finger {one}" for one in "ABC"]
    assert {(one.get("minPosition"), one.get("maxPosition")) for one in motors} == {(0, 1.31)}
    anchors = [one.get("anchor") for one in parts(robot, "HingeJointParameters")]
    expected = [(0.016, 0, 0.034), (-0.008, 0.01385, 0.034), (-0.008, -0.01385, 0.034)]
    assert anchors == [pytest.approx(one, abs=1e-5) for one in expected]


def test_sensors_have_the_name_of_their_block():
    light = block("LightSensor", 'name "light"')
    robot = base(f"leftSlot {block('DistanceSensor', 'numberOfRays 3')} rightSlot {light}")
    (distance,), (light_sensor,) = parts(robot, "DistanceSensor"), parts(robot, "LightSensor")
    assert (distance.get("name"), distance.get("numberOfRays")) == ("distance sensor", 3)
    assert light_sensor.get("name") == "light"


def test_a_car_of_blocks_rolls():
    """Wheels of 26.25 mm turn on both ends of a motor's axles; the base slides on its front edge."""
    axle = block("Axle", "endSlot TinkerbotsWheel { }")
    motor = block("Motor", f"rotation 0 0 1 1.5708 frontSlot {axle} backSlot {axle}")
    with bench(f'TinkerbotsBase {{\n  controller "<none>"\n  backSlot {motor}\n}}\n') as one:
        one.run(0.5)
        start = one.place
        one.spin({"motor": 4.0})
        one.run(3)
        way = one.place - start
        start_up = 4.0**2 / 10 / 2
        assert float(np.hypot(way[0], way[1])) == pytest.approx(0.02625 * (4.0 * 3 - start_up), rel=0.05)
