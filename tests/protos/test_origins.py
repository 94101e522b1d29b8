"""Models stand where saved public worlds have them: their origins are those of Webots' models.

The judges are heights of models at rest in worlds that Webots saved, and joints in its PROTOs.
"""

from __future__ import annotations

import pytest

from tests.protos.models import made, parts
from wbridge.wbcore import Simulation
from wbridge.wbcore.scene.load import load_text

FLOOR = "Solid { boundingObject Plane { size 20 20 } }\n"


@pytest.mark.parametrize(
    ("release", "place"), [("R2023b", (0, 0, 0)), ("R2025a", (0, 0, 0)), ("V8.3.1", (0, 0.91, 0))]
)
def test_a_simple_chair_at_rest_stays_where_it_is(release: str, place: tuple[float, float, float]):
    """Old worlds, in which y points up, measure its height from 0.91 m above the floor."""
    x, y, z = place
    text = f"#VRML_SIM {release} utf8\nWorldInfo {{ }}\n{FLOOR}SimpleChair {{ translation {x} {y} {z} }}\n"
    simulation = Simulation(load_text(text, "/worlds/test.wbt"))
    for _ in range(30):
        simulation.step()
    solid = simulation.physics.handles.solids[simulation.world.nodes[-1].root]
    assert simulation.physics.solid_pose(solid).position == pytest.approx(place, abs=0.005)


def test_the_lever_of_a_valve_turns_by_a_quarter_turn_about_x():
    valve = made("LeverValve { jointFriction 2 }\n")
    assert valve.type == "Solid"
    joint = valve.get("children")[0].get("jointParameters")
    assert joint.get("axis") == (1, 0, 0)
    assert (joint.get("minStop"), joint.get("maxStop"), joint.get("staticFriction")) == (0, 1.5708, 2)


def test_the_scale_of_a_lever_valve_scales_its_body():
    valve = made("LeverValve { scale 1 1 1 }\n")
    assert valve.get("boundingObject").get("children")[0].get("size") == (0.35, 0.29, 0.3)


def test_a_platform_cart_rolls_on_its_wheels():
    """Pushed by 20 N for 10 steps, it rolls on; a cart that slides would not begin to move."""
    text = f"#VRML_SIM R2025a utf8\nWorldInfo {{ }}\n{FLOOR}PlatformCart {{ }}\n"
    simulation = Simulation(load_text(text, "/worlds/test.wbt"))
    physics = simulation.physics
    cart = simulation.world.nodes[-1]
    body, _ = physics.carrier(cart)
    for step in range(60):
        if step < 10:
            body.add_force((20, 0, 0))
        simulation.step()
    x, y, z = physics.solid_pose(physics.handles.solids[cart.root]).position
    assert x > 0.1 and abs(y) < 0.01 and z == pytest.approx(0, abs=0.005)


def test_a_platform_cart_without_physics_has_no_joints():
    assert parts(made("PlatformCart { physics NULL }\n"), "HingeJoint") == []
    assert [len(parts(made("PlatformCart { }\n"), kind)) for kind in ("HingeJoint", "Hinge2Joint")] == [2, 2]
