"""The helices of propellers: which one is seen, and how it turns. Judges: the manual, and geometry."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.render.conftest import Studio
from tests.visual.test_scene import simulation
from wbridge.wbcore.physics.pose import IDENTITY
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.view.scene_view import SceneView

BALL = "Shape { geometry Sphere { radius 0.1 } }"
THRESHOLD = 75.4
"""rad/s: the default of fastHelixThreshold."""


def drone(shape: str = BALL, more: str = "") -> str:
    """A robot with a propeller about z at (0, 2, 0); its slow helix is at y 3, the fast one at y 4."""
    return (
        'Robot { controller "<none>" boundingObject Box { } physics Physics { } children [ Propeller { '
        f"shaftAxis 0 0 1 centerOfThrust 0 2 0 thrustConstants 0 0 torqueConstants 0 0 {more} "
        'device RotationalMotor { name "m" maxVelocity 1000 maxTorque 1e6 } '
        f"slowHelix Solid {{ translation 0 3 0 children [ {shape} ] }} "
        f'fastHelix Solid {{ name "f" translation 0 4 0 children [ Group {{ children [ {shape} ] }} ] }} '
        "} ] }"
    )


def spin(s: Simulation, speed: float, steps: int = 1) -> float:
    """Turn the propeller; return its angle (rad)."""
    (propeller,) = s.physics.handles.propellers.values()
    propeller.motor.set_position(math.inf)
    propeller.motor.set_velocity(speed)
    s.step(steps)
    return float(propeller.motor.position)


def is_met(s: Simulation, distance: float, angle: float) -> bool:
    """Whether a ball is at this distance from the axis, in the direction that was y before the turn."""
    place = (-distance * math.sin(angle), 2 + distance * math.cos(angle), 5.0)
    rays = s.visual.rays(None, IDENTITY._replace(position=place), [(0.0, 0.0, -1.0)], 100)
    s.visual.refresh()
    rays.cast()
    return float(rays.distances[0]) == pytest.approx(4.9, abs=1e-6)


@pytest.mark.parametrize("speed", [THRESHOLD - 1e-6, THRESHOLD + 1e-6, 10 - THRESHOLD, -10 - THRESHOLD])
def test_rays_meet_the_helix_of_the_speed_where_it_has_turned_to(speed: float):
    s = simulation(drone())
    angle = spin(s, speed, 3)
    is_fast = abs(speed) > THRESHOLD
    assert (is_met(s, 1, angle), is_met(s, 2, angle)) == (not is_fast, is_fast)


@pytest.mark.parametrize("physics", ["", "physics Physics { density -1 mass 0.1 }"])
def test_a_helix_with_a_bounding_object_turns_too(physics: str):
    shape = f"boundingObject Sphere {{ radius 0.1 }} {physics}"
    s = simulation(drone().replace("slowHelix Solid {", f"slowHelix Solid {{ {shape}"))
    assert is_met(s, 1, spin(s, 50, 3))


def test_the_slow_helix_is_back_when_the_propeller_stops():
    s = simulation(drone())
    spin(s, 2 * THRESHOLD)
    assert is_met(s, 2, spin(s, 2 * THRESHOLD))
    angle = spin(s, 0.0)
    assert is_met(s, 1, angle)
    assert not is_met(s, 2, angle)


def test_a_threshold_of_its_own():
    s = simulation(drone(more="fastHelixThreshold 5"))
    assert is_met(s, 2, spin(s, 6))
    assert is_met(s, 1, spin(s, 4))


def test_cameras_show_the_helix_of_the_speed(tmp_path: Path):
    studio = Studio(tmp_path)
    colors = {"slow": "1 0 0", "fast": "0 0 1"}
    look = "appearance Appearance { material Material { emissiveColor %s } }"
    shape = f"Shape {{ {look} geometry Box {{ size 30 30 1 }} }}"
    text = drone().replace(BALL, shape % colors["slow"], 1).replace(BALL, shape % colors["fast"], 1)
    studio.load(f"Pose {{ translation 6 0 0 rotation 0 1 0 1.5708 children [ {text} ] }}")
    before = studio.take()[16, 16]
    spin(studio.simulation, 2 * THRESHOLD)
    during = studio.take()[16, 16]
    spin(studio.simulation, 1.0)
    after = studio.take()[16, 16]
    assert np.argmax(before) == 0
    assert np.argmax(during) == 2
    assert (after == before).all()


def test_viewers_get_turning_objects_and_are_told_which_surface_is_invisible():
    s = simulation(drone())
    view = SceneView(s)
    assert [one["invisible"] for one in view.describe()["surfaces"]] == [False, True]
    angle = spin(s, 2 * THRESHOLD)
    messages = view.changes()
    assert {key: one["invisible"] for key, one in messages.items()} == {"surface 0": True, "surface 1": False}
    positions, turns = view.poses()
    shapes = view.describe()["shapes"]
    row = list(view.moving()).index(shapes[1]["body"])
    w, x, y, z = turns[row]
    x0, y0, _ = shapes[1]["place"][:3]
    cosine, sine = 1 - 2 * (y * y + z * z), 2 * (x * y + w * z)
    met = (positions[row, 0] + cosine * x0 - sine * y0, positions[row, 1] + sine * x0 + cosine * y0)
    assert met == pytest.approx((-2 * math.sin(angle), 2 + 2 * math.cos(angle)), abs=1e-9)
