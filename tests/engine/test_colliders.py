"""The engine's own colliders: points, normals and depths of contacts, judged by closed forms."""

import math

import numpy as np
import pytest

from tests.engine.helpers import Vector, free_world, turned
from tests.engine.resting import LYING, UPRIGHT, product, sheet
from wbridge.wbcore.engine import Shape
from wbridge.wbcore.engine._engine import ContactList
from wbridge.wbcore.physics.pose import rotate

RADIUS, HEIGHT = 0.2, 0.1
DEEP = 0.03
"""How far the lowest point is below the ground (m)."""


def touch(shape: Shape, position: Vector, orientation: Vector, ground: Shape, *at: Vector) -> ContactList:
    """The contacts of a body with a ground; their normals point into the body."""
    world = free_world()
    world.add_geom(ground, None, *(tuple(one) for one in at))
    body = world.add_body(shape.mass(1000), tuple(position), tuple(orientation))
    world.add_geom(shape, body)
    world.collide()
    found = world.contacts()
    assert (found.bodies[:, 0] == body.id).all()
    return found


def cylinder_on_plane(tilt: float, deep: float = DEEP) -> ContactList:
    height = HEIGHT / 2 * math.cos(tilt) + RADIUS * math.sin(tilt) - deep
    return touch(Shape.cylinder(RADIUS, HEIGHT), (0, 0, height), turned(tilt, (0, 1, 0)), Shape.plane())


@pytest.mark.parametrize(
    "tilt, expected",
    [
        # Webots' collider (src/ode/ode/src/collision_cylinder_plane.cpp): four fixed points on the rim
        # below 1.8 degrees, four that follow the lowest up to 18.4 degrees, beyond that one of each cap.
        (0.0, [DEEP] * 4),
        (
            0.02,
            [
                DEEP,
                DEEP - RADIUS * math.sin(0.02),
                DEEP - RADIUS * math.sin(0.02),
                DEEP - 2 * RADIUS * math.sin(0.02),
            ],
        ),
        (0.1, [DEEP, DEEP - RADIUS * math.sin(0.1), DEEP - RADIUS * math.sin(0.1)]),
        (0.4, [DEEP]),
    ],
)
def test_rim_points_of_a_cylinder_on_a_plane(tilt: float, expected: list[float]):
    found = cylinder_on_plane(tilt)
    assert sorted(found.depths, reverse=True) == pytest.approx(expected)
    assert found.normals == pytest.approx(np.tile((0.0, 0.0, 1.0), (len(expected), 1)))
    # Every point lies as deep as the contact says.
    assert -found.points[:, 2] == pytest.approx(np.array(found.depths))


def test_a_lying_cylinder_touches_a_plane_at_both_ends():
    found = touch(Shape.cylinder(0.1, 0.4), (0, 0, 0.09), turned(math.pi / 2, (1, 0, 0)), Shape.plane())
    assert sorted(found.points.tolist()) == [pytest.approx((0, -0.2, -0.01)), pytest.approx((0, 0.2, -0.01))]
    assert found.depths == pytest.approx([0.01, 0.01])


@pytest.mark.parametrize("up, standing", [("z", (1, 0, 0, 0)), ("y", turned(math.pi / 2, (1, 0, 0)))])
@pytest.mark.parametrize("tilt", [0.0, 0.02, 0.1, 0.4])
def test_a_level_height_field_holds_a_cylinder_like_a_plane(tilt: float, up: str, standing: Vector):
    height = HEIGHT / 2 * math.cos(tilt) + RADIUS * math.sin(tilt) - DEEP
    pose = ((1.03, 1.07, height), turned(tilt, (0, 1, 0)))
    field = Shape.heightfield(np.zeros((9, 9)), 0.3, 0.3, up=up)
    # A field that stands along y has its rows along z, which is -y here.
    corner = (0, 0, 0) if up == "z" else (0, 2.4, 0)
    on_field = touch(Shape.cylinder(RADIUS, HEIGHT), *pose, field, corner, standing)
    on_plane = touch(Shape.cylinder(RADIUS, HEIGHT), *pose, Shape.plane())
    order = [np.lexsort(np.round(one.points, 9).T) for one in (on_field, on_plane)]
    assert on_field.points[order[0]] == pytest.approx(on_plane.points[order[1]], abs=1e-12)
    assert on_field.depths[order[0]] == pytest.approx(on_plane.depths[order[1]], abs=1e-12)


def test_a_sloping_height_field_has_the_normal_of_its_slope():
    slope = 0.2
    rises = np.tile(np.arange(9) * 0.3 * slope, (9, 1))
    tilt = -math.atan(slope)
    n = np.array((-math.sin(math.atan(slope)), 0, math.cos(math.atan(slope))))
    center = np.array((1.23, 1.17, 1.23 * slope)) + n * (HEIGHT / 2 - DEEP)
    found = touch(
        Shape.cylinder(RADIUS, HEIGHT), center, turned(tilt, (0, 1, 0)), Shape.heightfield(rises, 0.3, 0.3)
    )
    assert len(found) == 4
    assert found.normals == pytest.approx(np.tile(n, (4, 1)))
    assert found.depths == pytest.approx([DEEP] * 4)


@pytest.mark.parametrize("cells", [1, 27])
@pytest.mark.parametrize(
    "shape, center, pose, points",
    [
        (Shape.box((0.4, 0.3, 0.2)), 0.1, (1, 0, 0, 0), 4),
        (Shape.cylinder(RADIUS, HEIGHT), HEIGHT / 2, (1, 0, 0, 0), 4),
        (Shape.capsule(0.1, 0.3), 0.1, turned(math.pi / 2, (1, 0, 0)), 2),
        (Shape.sphere(0.2), 0.2, (1, 0, 0, 0), 1),
    ],
    ids=["box", "cylinder", "capsule", "sphere"],
)
def test_a_flat_mesh_holds_a_shape_like_a_plane(
    cells: int, shape: Shape, center: float, pose: Vector, points: int
):
    turn = product(turned(0.3), pose)
    found = touch(shape, (0.013, 0.017, center - 0.001), turn, sheet(cells))
    assert found.normals == pytest.approx(np.tile((0.0, 0.0, 1.0), (points, 1)), abs=1e-9)
    assert found.depths == pytest.approx([0.001] * points)


def test_a_lying_capsule_touches_a_box_where_it_lies_on_it():
    # Half of the capsule sticks out over the edge of the box: it lies on the edge and on its inner end.
    lying = turned(math.pi / 2, (0, 1, 0))
    found = touch(Shape.capsule(0.1, 0.6), (0.5, 0, 0.09), lying, Shape.box((1, 1, 1)), (0, 0, -0.5))
    assert sorted(found.points.tolist()) == [pytest.approx((0.2, 0, -0.01)), pytest.approx((0.5, 0, -0.01))]
    assert found.depths == pytest.approx([0.01, 0.01])
    assert found.normals == pytest.approx(np.array([(0, 0, 1), (0, 0, 1)]), abs=1e-12)


def test_a_capsule_against_the_edge_of_a_box():
    # The axis runs along y at (0.05, 0.05) outside the edge: distance sqrt(2) * 0.05, along the diagonal.
    found = touch(
        Shape.capsule(0.1, 0.2),
        (0.55, 0, 0.55),
        turned(math.pi / 2, (1, 0, 0)),
        Shape.box((1, 1, 1)),
        (0, 0, 0),
    )
    d = math.sqrt(0.5)
    assert found.depths[0] == pytest.approx(0.1 - 0.05 * math.sqrt(2))
    assert found.normals[0] == pytest.approx((d, 0, d))


@pytest.mark.parametrize("depth", [0.05, 0.15])
def test_a_standing_capsule_pokes_into_a_box(depth: float):
    found = touch(
        Shape.capsule(0.1, 0.6), (0.1, 0.2, 0.4 - depth), (1, 0, 0, 0), Shape.box((2, 2, 2)), (0, 0, -1)
    )
    assert found.depths == pytest.approx([depth])
    assert found.normals[0] == pytest.approx((0, 0, 1))
    assert found.points[0] == pytest.approx((0.1, 0.2, -depth))


def test_a_capsule_beside_a_box_does_not_touch_it():
    found = touch(Shape.capsule(0.1, 0.6), (0.61, 0, 0), (1, 0, 0, 0), Shape.box((1, 1, 1)))
    assert len(found) == 0


@pytest.mark.parametrize(
    "shape, pose, at, points",
    [
        # A cap on the larger cap: four points of the rim.
        (Shape.cylinder(0.2, 0.1), UPRIGHT, (0.1, 0.2, 0.05), 4),
        # Lying on the cap: the ends of the line, cut off at the rim.
        (Shape.cylinder(0.1, 0.6), LYING, (0, 0, 0.1), 2),
        (Shape.capsule(0.1, 0.6), LYING, (0, 0, 0.1), 2),
        (Shape.capsule(0.1, 3), LYING, (0, 0, 0.1), 2),
        # Standing on the round end.
        (Shape.capsule(0.1, 0.6), UPRIGHT, (0.1, 0.2, 0.4), 1),
    ],
    ids=["disc", "lying can", "lying capsule", "long capsule", "standing capsule"],
)
def test_the_cap_of_a_cylinder_holds_a_shape_like_a_plane(
    shape: Shape, pose: Vector, at: Vector, points: int
):
    x, y, z = at
    found = touch(shape, (x, y, z - 0.001), pose, Shape.cylinder(1, 1), (0, 0, -0.5))
    assert found.normals == pytest.approx(np.tile((0.0, 0.0, 1.0), (points, 1)), abs=1e-9)
    assert found.depths == pytest.approx([0.001] * points)
    assert (np.hypot(found.points[:, 0], found.points[:, 1]) < 1 + 1e-5).all()


@pytest.mark.parametrize("make", [Shape.cylinder, Shape.capsule])
def test_crossing_round_bodies_touch_at_one_point_between_their_axes(make):
    # Both axes are level and cross at an angle: the depth is the sum of the radii less the distance.
    pose = product(turned(0.7), LYING)
    found = touch(make(0.1, 0.6), (0.02, 0.03, 0.29), pose, Shape.cylinder(0.2, 1), (0, 0, 0), LYING)
    assert found.depths == pytest.approx([0.01])
    assert found.normals[0] == pytest.approx((0, 0, 1), abs=1e-9)


@pytest.mark.parametrize("make", [Shape.cylinder, Shape.capsule])
def test_parallel_round_bodies_touch_at_the_ends_of_the_part_alongside(make):
    found = touch(make(0.1, 0.6), (0.0, 0.4, 0.29), LYING, Shape.cylinder(0.2, 1), (0, 0, 0), LYING)
    assert found.depths == pytest.approx([0.01, 0.01])
    assert sorted(found.points[:, 1]) == pytest.approx([0.1, 0.5])


@pytest.mark.parametrize("tilt", [0.01, 0.1])
def test_a_tilted_plate_has_contacts_at_both_ends_of_a_plane(tilt: float):
    # Its ends rise by 0.4 sin(tilt), more than its thickness; all of its lower face is below the plane.
    plate = Shape.box((0.4, 0.3, 0.001))
    found = touch(plate, (0, 0, -0.05), turned(tilt, (0, 1, 0)), Shape.plane())
    ends = sorted(found.points[:, 0])
    assert len(found) == 4
    assert ends[0] < -0.19 < 0.19 < ends[3]
    assert -found.points[:, 2] == pytest.approx(np.array(found.depths))


def test_a_box_lies_on_a_box_in_any_direction():
    """ODE took the rounding of parallel edges for a direction between the boxes."""
    generator = np.random.default_rng(5)
    for _ in range(60):
        axis = generator.normal(size=3)
        turn = turned(generator.uniform(0, math.tau), axis / np.linalg.norm(axis))
        frame = np.array([rotate(turn, axis) for axis in np.eye(3)])
        upper, lower = Shape.box((0.4, 0.3, 0.2)), Shape.box((2, 1, 0.2))
        contacts = touch(upper, (0.1, 0.05, 0.2 - 1e-4) @ frame, turn, lower, (0, 0, 0), turn)
        assert contacts.depths == pytest.approx(np.full(4, 1e-4))
        assert contacts.normals == pytest.approx(np.tile(frame[2], (4, 1)), abs=1e-9)
        assert np.mean(contacts.points, axis=0) == pytest.approx((0.1, 0.05, 0.1 - 1e-4) @ frame, abs=1.1e-4)
