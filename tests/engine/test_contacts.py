"""Contacts: friction, bounce, rolling, directions of friction, and the lists of contacts."""

import math

import numpy as np
import pytest

from tests.engine.helpers import G, free_world, ground, run, solid, turned
from wbridge.wbcore.engine import Body, ContactProperties, Shape, World

INFINITE = -1


def hard(**more: object) -> ContactProperties:
    """Stiff contacts without bounce."""
    return ContactProperties(**{"bounce": 0, "soft_cfm": 1e-8, **more})  # type: ignore[arg-type]


def slope(tilt: float, properties: ContactProperties, shape: Shape | None = None) -> tuple[World, Body]:
    """A shape resting on a plane that falls towards +x."""
    world = World(dt=0.002)
    world.set_contact_properties(0, 0, properties)
    ground(world, tilt)
    shape = shape or Shape.box((0.2, 0.2, 0.1))
    half = shape.size[2] / 2 if shape.kind == "box" else shape.size[0]
    body = world.add_body(
        shape.mass(1000), (half * math.sin(tilt), 0, half * math.cos(tilt)), turned(tilt, (0, 1, 0))
    )
    world.add_geom(shape, body)
    return world, body


def downhill(body: Body, tilt: float) -> float:
    """Speed along the slope (m/s)."""
    return float(np.dot(body.linear_velocity, (math.cos(tilt), 0, -math.sin(tilt))))


@pytest.mark.parametrize("mu", [0.3, 0.6])
def test_a_box_sticks_below_the_friction_angle_and_slides_above(mu: float):
    angle = math.atan(mu)
    for tilt, slides in ((angle - 0.01, False), (angle + 0.01, True)):
        world, box = slope(tilt, hard(coulomb_friction=[mu]))
        run(world, 1)
        expected = G * (math.sin(tilt) - mu * math.cos(tilt)) if slides else 0.0
        # Landing and the small lever of friction disturb the first steps.
        assert downhill(box, tilt) == pytest.approx(expected, abs=0.005)


def test_stopping_distance():
    world, box = slope(0.0, hard(coulomb_friction=[0.4]))
    box.linear_velocity = (2, 0, 0)
    run(world, 2)
    # v^2 / (2 mu g), less about v h / 2 of the integrator.
    assert box.position[0] == pytest.approx(4 / (2 * 0.4 * G), abs=0.006)
    assert box.linear_velocity[0] == pytest.approx(0, abs=1e-6)


def test_infinite_friction_never_slides():
    tilt = math.radians(50)
    world, box = slope(tilt, hard(coulomb_friction=[INFINITE]), Shape.box((0.5, 0.5, 0.05)))
    run(world, 1)
    assert downhill(box, tilt) == pytest.approx(0, abs=1e-3)


def test_no_friction_slides_like_on_ice():
    tilt = 0.2
    world, box = slope(tilt, hard(coulomb_friction=[0]))
    run(world, 1)
    assert downhill(box, tilt) == pytest.approx(G * math.sin(tilt), rel=2e-3)


@pytest.mark.parametrize(
    "shape, share",
    [(Shape.sphere(0.1), 2 / 5), (Shape.cylinder(0.1, 0.4), 1 / 2)],
    ids=["sphere", "cylinder"],
)
def test_rolling_down_a_slope(shape: Shape, share: float):
    # Rolling without slipping: a = g sin(tilt) / (1 + I / (m r^2)).
    tilt = 0.15
    world = World(dt=0.001)
    world.set_contact_properties(0, 0, hard(coulomb_friction=[INFINITE]))
    ground(world, tilt)
    body = world.add_body(shape.mass(1000), (0.1 * math.sin(tilt), 0, 0.1 * math.cos(tilt)))
    world.add_geom(shape, body)
    if shape.kind == "cylinder":
        body.set_pose(body.position, turned(math.pi / 2, (1, 0, 0)))
    run(world, 1)
    assert downhill(body, tilt) == pytest.approx(G * math.sin(tilt) / (1 + share), rel=0.01)
    assert body.angular_velocity[1] * 0.1 == pytest.approx(downhill(body, tilt), rel=0.01)


def test_infinite_rolling_friction_holds_a_ball_on_a_slope():
    # Manual, ContactProperties.rollingFriction: -1 stands for infinity.
    world = World(dt=0.001)
    world.set_contact_properties(0, 0, hard(coulomb_friction=[INFINITE], rolling_friction=(INFINITE, 0, 0)))
    ground(world, 0.2)
    ball = solid(world, Shape.sphere(0.1), (0, 0, 0.1 / math.cos(0.2)))
    run(world, 1)
    assert np.linalg.norm(ball.linear_velocity) < 1e-3


def test_rolling_friction_brings_a_ball_to_rest():
    world = World(dt=0.002)
    world.set_contact_properties(0, 0, hard(rolling_friction=(0.01, 0, 0)))
    ground(world)
    ball = solid(world, Shape.sphere(0.1), (0, 0, 0.1))
    ball.linear_velocity, ball.angular_velocity = (1, 0, 0), (0, 10, 0)
    run(world, 1)
    # The torque rho N and the force it makes through the contact: a = (rho / r) g / (1 + 2/5).
    assert ball.linear_velocity[0] == pytest.approx(1 - 0.1 * G / 1.4, abs=0.02)
    run(world, 2)
    assert ball.linear_velocity[0] == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("restitution", [1.0, 0.7, 0.3])
def test_bounce_height(restitution: float):
    world = World(dt=0.0005)
    world.set_contact_properties(0, 0, hard(bounce=restitution))
    ground(world)
    ball = solid(world, Shape.sphere(0.1), (0, 0, 1.1))
    run(world, math.sqrt(2 / G) * 1.01)
    highest = 0.0
    for _ in range(1200):
        world.step()
        highest = max(highest, ball.position[2] - 0.1)
    # The contact is found up to one step late: v h = 2 mm of depth, and ERP pushes it out.
    assert highest == pytest.approx(restitution**2, abs=0.015)


def test_slow_contacts_do_not_bounce():
    world = World(dt=0.001)
    world.set_contact_properties(0, 0, hard(bounce=1, bounce_velocity=3))
    ground(world)
    ball = solid(world, Shape.sphere(0.1), (0, 0, 0.3))
    run(world, 1)
    assert ball.position[2] == pytest.approx(0.1, abs=1e-3)


def test_slip_moves_in_proportion_to_the_force():
    world = World(dt=0.001)
    world.set_contact_properties(0, 0, hard(coulomb_friction=[INFINITE], force_dependent_slip=[0.01]))
    ground(world)
    box = solid(world, Shape.box((0.4, 0.4, 0.1)), (0, 0, 0.05))
    for _ in range(500):
        box.add_force((8, 0, 0), point=(box.position[0], 0, 0))
        world.step()
    # Four contacts share the force, so each slips with 0.01 * 2 N.
    assert len(world.contacts()) == 4
    assert box.linear_velocity[0] == pytest.approx(0.02, rel=0.02)


def pushed(properties: ContactProperties, direction: tuple[float, float], up: str = "z") -> float:
    """Friction coefficient that a box on a plane shows when it slides in a direction of the ground."""
    world = World(dt=0.001)
    world.set_contact_properties(1, 2, properties)
    upright = turned(math.pi / 2, (1, 0, 0)) if up == "y" else (1, 0, 0, 0)
    world.add_geom(Shape.plane(up), orientation=upright, material=2)
    body = world.add_body(Shape.box((0.4, 0.4, 0.04)).mass(1000), (0, 0, 0.02))
    size = (0.4, 0.04, 0.4) if up == "y" else (0.4, 0.4, 0.04)
    world.add_geom(Shape.box(size, up), body, orientation=upright, material=1)
    world.step(200)
    body.linear_velocity = (4 * direction[0], 4 * direction[1], 0)
    start = body.linear_velocity
    world.step(100)
    return float(np.linalg.norm(np.subtract(start, body.linear_velocity)) / (G * 0.1))


@pytest.mark.parametrize("up", ["z", "y"])
@pytest.mark.parametrize(
    "values, along_first, across",
    [
        ([0.4], 0.4, 0.4),
        # Directions of box and plane are parallel, so c = 1 and s = 0.
        ([0.1, 0.3], 0.2, 0.6),
        ([0.1, 0.3, 0.2], 0.3, 0.5),
        ([0.1, 0.3, 0.2, 0.05], 0.3, 0.35),
    ],
)
def test_friction_coefficients_by_direction(up: str, values: list[float], along_first: float, across: float):
    # The first direction of a box and a plane is x in new worlds. In old ones it is z, which is -y here.
    first, second = ((1, 0), (0, 1)) if up == "z" else ((0, 1), (1, 0))
    assert pushed(hard(coulomb_friction=values), first, up) == pytest.approx(along_first, abs=0.01)
    assert pushed(hard(coulomb_friction=values), second, up) == pytest.approx(across, abs=0.01)


def test_friction_rotation_turns_the_directions_of_one_material():
    # Turned by a quarter: c = 0, s = 1, and the first direction of the box is y now.
    properties = hard(coulomb_friction=[0.1, 0.3, 0.2, 0.05], friction_rotation=(math.pi / 2, 0))
    assert pushed(properties, (0, 1)) == pytest.approx(0.1 + 0.05, abs=0.01)
    assert pushed(properties, (1, 0)) == pytest.approx(0.3 + 0.2, abs=0.01)


@pytest.mark.parametrize("values", [[0.1, 0.9], [0.1, 0.9, 0.5], [0.1, 0.9, 0.5, 0.6]])
@pytest.mark.parametrize("leads", ["sphere", "plane"])
def test_shapes_without_directions_use_the_first_value(values: list[float], leads: str):
    # Manual, ContactProperties.coulombFriction: "If another primitive is used, only the first value will be
    # used for symmetric friction". WbSimulationCluster.cpp does so whichever of the two lacks directions.
    world = World(dt=0.001)
    world.set_contact_properties(1, 2, hard(coulomb_friction=values, force_dependent_slip=[0, 0.5]))
    ground(world).material = 2 if leads == "sphere" else 1
    ball = solid(world, Shape.sphere(0.1), (0, 0, 0.1), material=1 if leads == "sphere" else 2)
    ball.linear_velocity = (0, 3, 0)
    run(world, 0.1)
    assert 3 - ball.linear_velocity[1] == pytest.approx(0.1 * G * 0.1, rel=0.02)


def test_the_list_says_where_and_how_deep():
    world = World(dt=0.001)
    plane = ground(world)
    ball = world.add_body(Shape.sphere(0.1).mass(1000), (1, 2, 0.09))
    geom = world.add_geom(Shape.sphere(0.1), ball)
    world.collide()
    found = world.contacts()
    assert len(found) == 1
    assert found.points[0] == pytest.approx([1, 2, 0], abs=0.011)
    assert found.normals[0] == pytest.approx([0, 0, 1])
    assert found.depths[0] == pytest.approx(0.01)
    assert found.geoms.tolist() == [[geom.id, plane.id]]
    assert found.bodies.tolist() == [[ball.id, -1]]


@pytest.mark.parametrize("plane_first", [True, False])
def test_contact_forces_carry_the_weight(plane_first: bool):
    world = World(dt=0.001)
    world.contact_feedback = True
    if plane_first:
        ground(world)
    box = solid(world, Shape.box((0.2, 0.2, 0.2)), (0, 0, 0.1))
    if not plane_first:
        ground(world)
    run(world, 1)
    solved = world.contacts(solved=True)
    sign = 1 if solved.bodies[0][0] == box.id else -1
    assert sign * solved.forces.sum(axis=0) == pytest.approx([0, 0, 8 * G], rel=1e-3, abs=1e-6)


def test_at_most_the_deepest_contacts_are_kept():
    world = World(dt=0.001)
    world.set_contact_properties(0, 0, ContactProperties(max_contacts=2))
    ground(world)
    body = world.add_body(Shape.box((1, 1, 1)).mass(1000), (0, 0, 0.49), turned(0.01, (0, 1, 0)))
    world.add_geom(Shape.box((1, 1, 1)), body)
    world.collide()
    found = world.contacts()
    assert len(found) == 2
    # Turning about y lowers the corners at +x.
    assert (found.points[:, 0] > 0).all()


def test_no_contacts_across_a_gap():
    world = free_world()
    solid(world, Shape.sphere(0.1), (0, 0, 0))
    solid(world, Shape.sphere(0.1), (0.21, 0, 0))
    world.collide()
    assert len(world.contacts()) == 0


def test_properties_can_be_removed_again():
    world = World(dt=0.002)
    ground(world)
    box = solid(world, Shape.box((0.2, 0.2, 0.1)), (0, 0, 0.05))
    world.set_contact_properties(0, 0, hard(coulomb_friction=[0]))
    world.step(10)
    box.linear_velocity = (1, 0, 0)
    run(world, 0.1)
    assert box.linear_velocity[0] == pytest.approx(1, abs=1e-3)
    world.remove_contact_properties(0, 0)
    run(world, 0.05)
    assert box.linear_velocity[0] < 0.7
    with pytest.raises(ValueError, match="no contact properties"):
        world.remove_contact_properties(0, 0)


@pytest.mark.parametrize(
    "values",
    [
        {"coulomb_friction": []},
        {"coulomb_friction": [1, 2, 3, 4, 5]},
        {"coulomb_friction": [-2]},
        {"bounce": 1.5},
        {"bounce_velocity": -1},
        {"soft_erp": 2},
        {"soft_cfm": -1},
        {"max_contacts": 0},
        {"rolling_friction": (-2, 0, 0)},
        {"force_dependent_slip": [math.nan]},
    ],
)
def test_impossible_properties_are_refused(values: dict):
    with pytest.raises(ValueError, match="must be"):
        ContactProperties(**values)
