"""Lights in nodes that are used with USE shine at each place, for sensors and pictures."""

from __future__ import annotations

import pytest

from tests.physics.worlds import simulation
from wbridge.wbcore.visual.lights import lights_of

LAMP = "PointLight { location 0.5 0 0 }"
PLACES = {
    "a light": (
        f"Pose {{ translation 1 0 0 children [ DEF LAMP {LAMP} ] }} "
        "Pose { translation 0 2 0 children [ USE LAMP ] }",
        [(1.5, 0, 0), (0.5, 2, 0)],
    ),
    "a group": (
        f"Pose {{ translation 1 0 0 children [ DEF LAMPS Group {{ children [ {LAMP} ] }} ] }} "
        "Pose { translation 0 2 0 children [ USE LAMPS ] }",
        [(1.5, 0, 0), (0.5, 2, 0)],
    ),
    "a frame at the top": (
        f"DEF LAMPS Pose {{ translation 1 0 0 children [ {LAMP} ] }} USE LAMPS",
        [(1.5, 0, 0), (1.5, 0, 0)],
    ),
    "a frame": (
        f"Group {{ children [ DEF LAMPS Pose {{ translation 1 0 0 children [ {LAMP} ] }} ] }} "
        "Pose { translation 0 2 0 rotation 0 0 1 1.5707963267948966 children [ USE LAMPS ] }",
        [(1.5, 0, 0), (0, 3.5, 0)],
    ),
    "a frame in a solid": (
        f"DEF LAMPS Pose {{ translation 1 0 0 children [ {LAMP} ] }} "
        "Solid { translation 0 0 3 children [ Pose { translation 0 2 0 children [ USE LAMPS ] } ] }",
        [(1.5, 0, 0), (1.5, 2, 3)],
    ),
    "frames in frames": (
        f"DEF OUTER Pose {{ translation 1 0 0 children [ DEF INNER Pose {{ translation 0 1 0 "
        f"children [ {LAMP} ] }} "
        "Pose { translation 0 0 1 children [ USE INNER ] } ] } "
        "Pose { translation 10 0 0 children [ USE OUTER ] }",
        [(1.5, 1, 0), (1.5, 1, 1), (11.5, 1, 0), (11.5, 1, 1)],
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_each_place_has_its_light(name: str):
    text, places = PLACES[name]
    found = [light.position() for light in lights_of(simulation(text).physics)]
    assert [pytest.approx(place, abs=1e-12) for place in places] == found


def test_the_light_of_a_moving_solid_moves_along():
    made = simulation(
        f"DEF LAMPS Group {{ children [ {LAMP} ] }} DEF BALL Solid {{ children [ USE LAMPS ] "
        "boundingObject Sphere { } physics Physics { } linearVelocity 1 0 0 }",
        info="gravity 0",
        step_ms=100,
    )
    _, light = lights_of(made.physics)
    assert light.is_carried
    made.step(10)
    assert light.position() == pytest.approx((1.5, 0, 0), abs=1e-9)


def test_a_change_of_the_definition_moves_all():
    made = simulation(f"DEF LAMPS Pose {{ children [ {LAMP} ] }} Pose {{ children [ USE LAMPS ] }}")
    lights = lights_of(made.physics)
    lamps = made.world.first("Pose")
    assert all(light.is_in(lamps) for light in lights)
    made.edits.set(lamps, "translation", (0.0, 0.0, 1.0))
    assert [light.position() for light in lights_of(made.physics)] == [(0.5, 0, 1)] * 2
