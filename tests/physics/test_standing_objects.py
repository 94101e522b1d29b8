"""Bundled objects and sensors with physics stand still for a minute, in worlds of all releases."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.physics.test_standing import DRIFT, RATE, RELEASES, TIRES, Y_UP, model
from tests.physics.worlds import PURE
from tests.protos.models import CARS, FILES, ROBOTS

HEAVY = ("Cow", "Forklift", "Horse")
"""Models that are too heavy for contacts as soft as the default."""
PARTS = (
    *"CabinetHandle DoorKnob DoorLever NaoHand NaoLeg Robotino3Wheel".split(),
    *"TiagoBody TiagoFrontArm TiagoLeftArm".split(),
)
"""Parts of others, which do not stand by themselves."""
FIELDS = {
    r"mass +0(?!\.)": "mass 5",
    "palletMass": "palletMass 10",
    "enablePhysics": "enablePhysics TRUE",
    "physics": "physics Physics { density 500 }",
}
"""Fields (patterns) that let an object move, and what to write into them."""
SMALL = {
    "SolidBox": "size 0.1 0.1 0.1",
    "SolidPipe": "radius 0.1 height 0.2",
    "SolidRoundedBox": "size 0.1 0.1 0.1",
    "SolidTorus": "majorRadius 0.1 minorRadius 0.02",
}
"""Of shapes that are 2 m high by default, with their origin in the middle."""
DRIFTS = {"Laptop": 1e-6}
"""Of a lid that the friction of its hinge holds, which gives by WorldInfo.CFM times its torque."""
ASLEEP = ("SolidPipe",)
"""A ring of 16 boxes: its 48 contacts tremble (1 mrad/s) until it falls asleep, as it does by default."""
SETTLED = 15.0
"""When tall objects have ceased to sway (s)."""
SINKS = 0.5
"""How far (m) objects may drop onto the floor: the origins of balls and lidars are in their middle."""
LEANS = 0.1
"""How much (rad) objects may lean when they have settled: those with a heavy end."""


def objects() -> dict[str, str]:
    """All models with physics that are neither robots nor cars nor parts, with the fields they need."""
    found: dict[str, str] = {}
    for name, path in FILES.items():
        if {*path.parts} & {"abstract", "joints"} or name in (*ROBOTS, *CARS, *PARTS):
            continue
        text = path.read_text(encoding="utf-8")
        if re.search(r"^\{[^{]*\bSlot \{", text, re.MULTILINE):  # parts that hold only in another one's slot
            continue
        given = [more for field, more in FIELDS.items() if re.search(rf"^  field \S+ +{field}\b", text, re.M)]
        if given or re.search(r"\bphysics +(%<.*>%)? *Physics \{", text):
            found[name] = " ".join([*given, SMALL.get(name, "")])
    return found


OBJECTS = objects()


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_stands_for_a_minute(name: str, release: str):
    info = f"{'' if name in ASLEEP else PURE} {TIRES if name in HEAVY else ''}"
    s = model(name, info, release, OBJECTS[name])
    bodies = [body for plan, body in s.physics.handles.bodies.items() if body is not None and plan.is_dynamic]
    assert bodies, "nothing of it moves"
    before = np.array([[*one.position, *one.rotation] for one in bodies])
    s.run(SETTLED)
    settled = np.array([[*one.position, *one.rotation] for one in bodies])
    up = 1 if release in Y_UP else 2
    assert np.abs(settled - before)[:, up].max() < SINKS
    assert np.abs(settled - before)[:, 3:].max() < LEANS
    drift = DRIFTS.get(name, DRIFT)
    s.run(60.0 - s.time)
    assert np.array([[*one.position, *one.rotation] for one in bodies]) == pytest.approx(settled, abs=drift)
    rates = np.array([[*one.linear_velocity, *one.angular_velocity] for one in bodies])
    assert np.abs(rates).max() < RATE


def test_most_objects_that_people_push_are_tested():
    assert len(OBJECTS) > 90
