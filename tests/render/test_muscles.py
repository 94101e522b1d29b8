"""Pictures of muscles between a joint and its end point.

Judges: manual, chapter Muscle: a spheroid of constant volume from the start to the end, and the mixture of
two colors; WbMuscle.cpp: the radius sqrt(3 volume / (4 pi length)), and which color is the second one.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.physics.worlds import NEW
from tests.render.formulas import linear, shown
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.visual.shapes import shapes_of

AMBIENT = "DirectionalLight { intensity 0 ambientIntensity 1 }"
ARM = """
{light} DEF ARM Robot {{ name "{name}" controller "<none>" children [ DEF JOINT HingeJoint {{
  jointParameters HingeJointParameters {{ axis 1 0 0 anchor 3 0 -0.5 }}
  device DEF MOTOR RotationalMotor {{ name "motor" maxTorque 10 maxVelocity 4 muscles [ {muscle} ] }}
  endPoint DEF END Solid {{ translation 3 0 0.5 {end} }} }} ] }}"""
MUSCLE = "DEF MUSCLE Muscle {{ volume 0.3 startOffset 3 0.4 -0.5 {fields} }}"
COLORS = "color [ 0 0 1, 0 1 0, 1 0 0 ]"
MASS = "physics Physics { density -1 mass 1 inertiaMatrix [ 1 1 1, 0 0 0 ] }"
IDLE, SECOND, THIRD = np.eye(3)[[2, 1, 0]]


def arm(fields: str = "", end: str = "", light: str = AMBIENT) -> str:
    return ARM.format(muscle=MUSCLE.format(fields=fields), end=end, light=light, name="arm")


def silhouette(start: tuple[float, ...], end: tuple[float, ...], size: int = 129) -> np.ndarray:
    """Which pixels show the spheroid of 0.3 m^3, seen from the origin along x: rays that meet a unit sphere,
    where lengths along and across the axis are measured in half axes."""
    along = np.subtract(end, start)
    length = np.linalg.norm(along)
    radius = math.sqrt(3 * 0.3 / (4 * math.pi * length))
    tangent = math.tan(0.7854 / 2) * (1 - 2 * (np.arange(size) + 0.5) / size)
    rays = np.stack(np.broadcast_arrays(1.0, tangent[None, :], tangent[:, None]), axis=-1)

    def measured(v: np.ndarray) -> np.ndarray:
        part = (v @ along / length)[..., None] * (along / length)
        return (v - part) / radius + part / (length / 2)

    d, c = measured(rays), measured(np.add(start, end) / 2)
    return (d @ c) ** 2 >= (d * d).sum(axis=-1) * (c @ c - 1)


def color(picture: np.ndarray) -> np.ndarray:
    """The color of all pixels that are not black."""
    (found,) = np.unique(picture[picture.any(axis=-1)], axis=0)
    return found


def ambient(mixed: np.ndarray) -> np.ndarray:
    """What is shown of a color in ambient light: a fifth of it."""
    return np.array([shown(linear(0.2 * one)) for one in mixed])


def test_a_spheroid_keeps_its_volume_when_the_end_point_moves(studio):
    studio.load(arm("endOffset 0 0.1 0"), size=(129, 129))
    expected = silhouette((3, 0.4, -0.5), (3, 0.1, 0.5))
    assert ((studio.take().any(axis=-1)) != expected).sum() <= 0.03 * expected.sum()
    studio.set("END", "translation", (3.2, -0.3, 0.2))
    expected = silhouette((3, 0.4, -0.5), (3.2, -0.2, 0.2))
    assert ((studio.take().any(axis=-1)) != expected).sum() <= 0.03 * expected.sum()
    studio.set("MUSCLE", "visible", False)
    assert not studio.take().any()


def test_a_muscle_without_colors_is_red_and_light_makes_it_round(studio):
    """The front of the spheroid faces the light."""
    studio.load(arm(light="DirectionalLight { direction 1 0 0 ambientIntensity 0 }"), size=(65, 65))
    picture = studio.take()
    assert picture[..., 0].max() == pytest.approx(shown(1), abs=1)
    assert picture[picture.any(axis=-1)][:, 0].min() < 0.8 * shown(1)
    assert not picture[..., 1:].any()


@pytest.mark.parametrize(("torque", "second"), [(5.0, SECOND), (-2.5, THIRD)])
def test_a_torque_mixes_in_a_color(studio, torque: float, second: np.ndarray):
    """A torque about x turns the end point away from the start: the muscle gets longer."""
    studio.load(arm(COLORS, MASS))
    assert color(studio.take()) == pytest.approx(ambient(IDLE), abs=1)
    studio.simulation.robots.list[0].devices[0].on_set_force(torque)
    studio.simulation.step()
    share = abs(torque) / 10
    assert color(studio.take()) == pytest.approx(ambient((1 - share) * IDLE + share * second), abs=1)


@pytest.mark.parametrize(("velocity", "second"), [(3.0, SECOND), (-1.0, THIRD)])
def test_without_physics_the_velocity_mixes_in_a_color(studio, velocity: float, second: np.ndarray):
    studio.load(arm(COLORS))
    motor = studio.simulation.robots.list[0].devices[0]
    motor.on_set_position(math.inf)
    motor.on_set_velocity(velocity)
    for _ in range(25):  # until it has that velocity
        studio.simulation.step()
    share = abs(velocity) / 4
    assert color(studio.take()) == pytest.approx(ambient((1 - share) * IDLE + share * second), abs=1)


@pytest.mark.parametrize(("side", "second"), [(0.5, THIRD), (-0.5, SECOND)])
def test_a_motor_that_holds_a_weight_shows_its_torque(studio, side: float, second: np.ndarray):
    """1 kg, 0.5 m beside the axis, is held by 4.905 N m; in place, the sign of the torque decides.

    About x, the weight on the left (y above 0) turns clockwise, so that the motor's torque is positive.
    """
    studio.load(arm(COLORS, MASS.replace("1 inertia", f"1 centerOfMass [ 0 {side} 0 ] inertia")))
    for _ in range(10):
        studio.simulation.step()
    share = 4.905 / 10
    assert color(studio.take()) == pytest.approx(ambient((1 - share) * IDLE + share * second), abs=1)


def test_fields_change_during_a_run(studio):
    studio.load(arm(COLORS))
    studio.set("MUSCLE", "color", [(1.0, 0.5, 0.0)])
    assert color(studio.take()) == pytest.approx(ambient(np.array((1, 0.5, 0))), abs=1)
    before = studio.take().any(axis=-1).sum()
    studio.set("MUSCLE", "volume", 0.1)
    assert studio.take().any(axis=-1).sum() < 0.8 * before


def test_a_muscle_casts_shadows_unless_its_field_says_otherwise(studio):
    wall = "Solid { translation 5 0 0 children [ Shape { appearance Appearance { material Material { } } "
    wall += "geometry Box { size 0.1 9 9 } } ] }"
    light = "DirectionalLight { direction 1 -0.5 0 castShadows TRUE ambientIntensity 0 }"
    studio.load(wall + arm(light=light), size=(65, 65))
    with_shadow = (studio.take().sum(axis=-1) == 0).sum()
    studio.set("MUSCLE", "castShadows", False)
    assert (studio.take().sum(axis=-1) == 0).sum() < with_shadow - 50


@pytest.mark.parametrize("gone", ["ARM", "JOINT", "END"])
def test_another_camera_goes_on_without_the_muscle(studio, gone: str):
    """A muscle ends with its robot, its joint or its end point."""
    studio.load(arm(COLORS))
    assert studio.take().any()
    studio.simulation.edits.remove(studio.simulation.world.find(gone))
    assert not studio.take().any()


def test_a_muscle_that_is_shown_again_has_its_current_color(studio):
    studio.load(arm(COLORS))
    assert studio.take().any()
    studio.set("MUSCLE", "visible", False)
    assert not studio.take().any()
    studio.set("MUSCLE", "color", [(1.0, 0.5, 0.0)])
    studio.set("MUSCLE", "visible", True)
    assert color(studio.take()) == pytest.approx(ambient(np.array((1, 0.5, 0))), abs=1)


def test_a_muscle_that_is_added_to_a_motor_shows_its_torque(studio):
    """Its joint did not measure forces before."""
    studio.load(ARM.format(muscle="", end=MASS, light=AMBIENT, name="arm"))
    studio.simulation.step()
    (muscle,) = load_text(NEW + MUSCLE.format(fields=COLORS), "muscle.wbt").nodes
    studio.simulation.edits.insert(studio.simulation.world.find("MOTOR"), "muscles", 0, muscle)
    motor = studio.simulation.robots.list[0].devices[0]
    motor.on_set_position(math.inf)
    motor.on_set_velocity(4.0)
    motor.on_set_available_force(5.0)
    studio.simulation.step()
    assert color(studio.take()) == pytest.approx(ambient((IDLE + SECOND) / 2), abs=1)


def test_a_muscle_without_length_is_not_drawn(studio):
    """It keeps its volume, and would become a disk with a radius of kilometers."""
    studio.load(arm("endOffset 0 0.4 -1"))
    assert not studio.take().any()
    studio.set("MUSCLE", "endOffset", (0.0, 0.4, 0.0))
    assert studio.take().any()


def test_a_muscle_that_is_used_again_is_drawn_at_both_joints(studio):
    other = ARM.format(muscle="USE MUSCLE", end="", light="", name="other")
    studio.load(arm(COLORS) + other.replace("DEF ARM Robot {", "Robot { translation 0 1 0"))
    physics = studio.simulation.physics
    first, second = (one.node for one in shapes_of(physics))
    assert first is not second
    assert [one.node for one in shapes_of(physics)] == [first, second]
