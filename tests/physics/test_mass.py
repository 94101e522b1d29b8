"""Masses of geometries, solids and merged bodies, by numbers computed by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.physics.worlds import NEW, OLD, box, part, plan, world
from wbridge.wbcore.engine import turned_inertia
from wbridge.wbcore.physics.mass import of_mesh
from wbridge.wbcore.physics.meshes import build
from wbridge.wbcore.physics.plan import BodyPlan
from wbridge.wbcore.simulation import Simulation


def body(text: str, header: str = NEW) -> BodyPlan:
    (only,) = part(text, header).bodies
    assert only.mass is not None
    return only


def moments(made: BodyPlan) -> list[float]:
    assert made.mass is not None
    off = np.array(made.mass.inertia) - np.diag(np.diag(made.mass.inertia))
    assert abs(off).max() < 1e-12
    return [float(x) for x in np.diag(made.mass.inertia)]


def solid(bounding: str, physics: str = "", fields: str = "") -> str:
    return f"Solid {{ {fields} boundingObject {bounding} physics Physics {{ {physics} }} }}"


def test_a_box_of_water():
    made = body(box(size="0.2 0.4 0.6"))
    m = 48.0
    assert made.mass.mass == pytest.approx(m)
    expected = [m / 12 * (0.16 + 0.36), m / 12 * (0.04 + 0.36), m / 12 * (0.04 + 0.16)]
    assert moments(made) == pytest.approx(expected)


def test_a_sphere_with_a_given_mass():
    made = body(solid("Sphere { radius 0.5 }", "mass 3 density -1"))
    assert made.mass.mass == 3
    assert moments(made) == pytest.approx([0.4 * 3 * 0.25] * 3)


def test_density_multiplies_the_volume():
    made = body(solid("Sphere { radius 0.1 }", "density 7800"))
    assert made.mass.mass == pytest.approx(7800 * 4 / 3 * math.pi * 1e-3)


@pytest.mark.parametrize(("header", "axis"), [(NEW, 2), (OLD, 1)])
def test_a_cylinder_stands_along_z_in_new_files_and_along_y_in_old_ones(header: str, axis: int):
    made = body(solid("Cylinder { radius 0.1 height 0.5 }", "mass 2 density -1"), header)
    across = 2 * (0.01 / 4 + 0.25 / 12)
    expected = [across, across, across]
    expected[axis] = 2 * 0.01 / 2
    assert moments(made) == pytest.approx(expected)


def test_a_capsule_is_a_cylinder_and_two_half_balls():
    made = body(solid("Capsule { radius 0.1 height 0.3 }"))
    cylinder, ball = 1000 * math.pi * 0.01 * 0.3, 1000 * 4 / 3 * math.pi * 1e-3
    assert made.mass.mass == pytest.approx(cylinder + ball)
    along = cylinder * 0.01 / 2 + 0.4 * ball * 0.01
    # Each half ball: its own inertia about its center, 83/320 m r^2, moved from 3/8 r beyond the flat side.
    half = ball / 2
    across = cylinder * (0.01 / 4 + 0.09 / 12) + 2 * half * (83 / 320 * 0.01 + (0.15 + 0.0375) ** 2)
    assert moments(made) == pytest.approx([across, across, along])


def test_shapes_of_a_group_add_up_at_their_places():
    text = """Group { children [
      Pose { translation 1 0 0 children [ Box { size 1 1 1 } ] }
      Pose { translation -1 0 0 children [ Shape { geometry Box { size 1 1 1 } } ] }
    ] }"""
    made = body(solid(text))
    assert made.mass.mass == pytest.approx(2000)
    assert made.mass.center == pytest.approx((0, 0, 0))
    own = 1000 / 6
    assert moments(made) == pytest.approx([2 * own, 2 * own + 2000, 2 * own + 2000])


def test_a_turned_box_has_turned_moments():
    made = body(
        solid(
            "Pose { rotation 0 0 1 1.5707963267948966 children [ Box { size 1 2 3 } ] }", "mass 12 density -1"
        )
    )
    assert moments(made) == pytest.approx([1 + 9, 4 + 9, 1 + 4])


def test_a_closed_mesh_weighs_what_it_encloses():
    corners = [(x, y, z) for x in (0, 2) for y in (0, 3) for z in (0, 4)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    made = of_mesh(build(corners, faces))
    assert made is not None
    assert made.mass == pytest.approx(24000)
    assert made.center == pytest.approx((1, 1.5, 2))
    expected = np.diag([9 + 16, 4 + 16, 4 + 9]) * 2000
    assert made.inertia == pytest.approx(expected, abs=1e-6)


def test_a_mesh_turned_inside_out_has_no_mass_of_its_own():
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    outside = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    good = of_mesh(build(corners, outside))
    assert good is not None
    assert good.mass == pytest.approx(1000 / 6)
    assert of_mesh(build(corners, [face[::-1] for face in outside])) is None


def test_an_open_mesh_counts_one_kilogram():
    text = """IndexedFaceSet { coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0 ] } coordIndex [ 0 1 2 -1 ] }"""
    assert body(solid(text)).mass.mass == pytest.approx(1)


def test_without_a_bounding_object_the_mass_is_given_or_one_kilogram():
    assert body("Solid { physics Physics { mass 4 density -1 } }").mass.mass == 4
    made = body("Solid { physics Physics { } }")
    assert made.mass.mass == 1
    assert moments(made) == [1, 1, 1]


def test_a_given_center_moves_the_inertia_along():
    made = body(box(size="1 1 1", physics="mass 6 density -1 centerOfMass [ 0 0 0.25 ]"))
    assert made.mass.center == (0, 0, 0.25)
    assert moments(made) == pytest.approx([1, 1, 1])


@pytest.mark.parametrize("release", ["V5.10", "V7.0", "V7.1", "V8.3.1", "R2019b", "R2025a"])
@pytest.mark.parametrize("center", ["0 0 0.25", "[ 0 0 0.25 ]", "[ 0 0 0.25, 1 1 1 ]"])
def test_the_center_is_one_vector_or_a_list_in_files_of_each_release(release: str, center: str):
    header = f"#VRML_SIM {release} utf8\n"
    made = body(box(size="1 1 1", physics=f"mass 6 density -1 centerOfMass {center}"), header)
    assert made.mass.center == (0, 0, 0.25)


def test_a_given_inertia_matrix_counts_about_the_center():
    physics = "mass 2 density -1 centerOfMass [ 0.1 0 0 ] inertiaMatrix [ 3 4 5, 0.1 0.2 0.3 ]"
    made = body(box(physics=physics))
    assert made.mass.mass == 2
    assert made.mass.center == (0.1, 0, 0)
    assert made.mass.inertia == ((3, 0.1, 0.2), (0.1, 4, 0.3), (0.2, 0.3, 5))


def test_an_inertia_matrix_that_is_not_positive_is_said_and_replaced():
    made = plan(box(physics="mass 2 density -1 centerOfMass [ 0 0 0 ] inertiaMatrix [ 1 1 1, 2 0 0 ]"))
    (found,) = made.report.errors
    assert "inertiaMatrix [ 1 1 1, 2 0 0 ] is not positive definite" in found.message
    assert made.parts[0].bodies[0].mass.inertia[0][0] == pytest.approx(2 / 6)


@pytest.mark.parametrize(
    ("physics", "need"),
    [
        ("inertiaMatrix [ 1 1 1, 0 0 0 ] centerOfMass [ 0 0 0 ]", "mass above 0"),
        ("mass 1 density -1 inertiaMatrix [ 1 1 1, 0 0 0 ]", "one centerOfMass"),
    ],
)
def test_an_inertia_matrix_needs_a_mass_and_a_center(physics: str, need: str):
    (found,) = plan(box(physics=physics)).report.errors
    assert need in found.message


SMALL = "Sphere { radius 1e-300 }"
BODY = "DEF A Solid {{ boundingObject {} physics Physics {{ mass {} density -1 }} }}"


@pytest.mark.parametrize(
    ("shape", "kg"),
    [
        (SMALL, "1"),
        (f"Group {{ children [ {SMALL} {SMALL} ] }}", "1"),
        ("Box { size 1 1 1 }", "1e-150"),
    ],
)
def test_a_body_whose_inertia_cannot_be_inverted_is_named_and_gets_1_kg(shape: str, kg: str):
    """Judge: IEEE 754: the product of three such moments is 0."""
    s = Simulation(world(BODY.format(shape, kg)))
    (found,) = s.findings
    assert f"A: a body of {kg} kg with this inertia cannot move: give it a mass and a size" in found.message
    assert s.physics.plan.parts[0].bodies[0].mass.mass == 1


def test_merged_solids_add_up_by_steiner():
    text = """DEF A Solid {
      boundingObject Box { size 1 1 1 } physics Physics { mass 6 density -1 }
      children [ Solid { translation 2 0 0 name "b"
        boundingObject Box { size 1 1 1 } physics Physics { mass 3 density -1 } } ] }"""
    made = body(text)
    assert made.mass.mass == 9
    assert made.mass.center == pytest.approx((2 / 3, 0, 0))
    # reduced mass 6 * 3 / 9 = 2 kg at a distance of 2 m
    assert moments(made) == pytest.approx([1.5, 1.5 + 8, 1.5 + 8])


def test_the_scale_of_old_solids_counts_with_its_cube_and_fifth_power():
    text = "Solid { scale 2 2 2 boundingObject Box { size 1 1 1 } physics Physics { mass 6 density -1 } }"
    made = body(text, OLD)
    assert made.mass.mass == pytest.approx(48)
    assert moments(made) == pytest.approx([48 / 12 * 8] * 3)


def test_rounding_in_a_sum_of_turned_shapes_is_no_error():
    turned = (
        "Pose { rotation 0.3 0.5 0.8 1.1 translation 0.02 0.01 0.03 children [ Sphere { radius 0.04 } ] }"
    )
    inner = (
        f'Solid {{ rotation 1 2 3 0.4 name "b" boundingObject {turned} '
        f"physics Physics {{ mass 1e-8 density -1 }} }}"
    )
    made = plan(
        f"Solid {{ boundingObject {turned} physics Physics {{ mass 1e-8 density -1 }} children [ {inner} ] }}"
    )
    assert list(made.report) == []
    assert made.parts[0].bodies[0].mass.mass == pytest.approx(2e-8)


def test_a_turned_inertia_has_the_same_bits_on_every_processor():
    """R I R^T, each sum from left to right with one rounding per step; in exact fractions here."""
    rotation, inertia = (
        [0.1, 0.2, 0.3, 0.7, -0.6, 0.5, 0.9, 0.3, -0.4],
        [3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5],
    )

    def product(a: list[float], b: list[float]) -> list[float]:
        made = []
        for i in range(3):
            for j in range(3):
                sum_ = 0.0
                for k in range(3):
                    sum_ = float(Fraction(a[3 * i + k]) * Fraction(b[3 * k + j]) + Fraction(sum_))
                made.append(sum_)
        return made

    transposed = [rotation[3 * j + i] for i in range(3) for j in range(3)]
    assert turned_inertia(rotation, inertia) == tuple(product(product(rotation, inertia), transposed))


CUBE_POINTS = "0 0 0, 1 0 0, 1 1 0, 0 1 0, 0 0 1, 1 0 1, 1 1 1, 0 1 1"
OUTWARDS = "0 3 2 1 -1 4 5 6 7 -1 0 1 5 4 -1 1 2 6 5 -1 2 3 7 6 -1 3 0 4 7 -1"


@pytest.mark.parametrize(("ccw", "inverted"), [("TRUE", False), ("FALSE", True)])
def test_a_mesh_that_is_inside_out_is_reported_with_its_place(ccw: str, inverted: bool):
    """The signed volume of its tetrahedra is negative."""
    faces = f"coord Coordinate {{ point [ {CUBE_POINTS} ] }} coordIndex [ {OUTWARDS} ]"
    shape = f"IndexedFaceSet {{ ccw {ccw} {faces} }}"
    made = plan(f"Solid {{\nboundingObject {shape}\nphysics Physics {{ }} }}")
    found = [one for one in made.report.warnings if one.code == "mesh-volume"]
    assert len(found) == inverted
    assert all("is inside out" in one.message and "set ccw TRUE" in one.message for one in found)
    assert made.parts[0].solids[0].mass.mass == pytest.approx(1 if inverted else 1000)
