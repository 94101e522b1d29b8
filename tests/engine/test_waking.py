"""Whatever moves, starts to move, changes or vanishes wakes what touches it or rested on it.

The judge is statics: a sleeping box stands where its support is, and falls by g t^2 / 2 without one.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from tests.engine.helpers import G, ground, run, solid, turned
from tests.engine.test_driven import DT, block, sleepy
from wbridge.wbcore.engine import Body, ContactProperties, Geom, Mass, Mesh, Shape, World

PLATE = Shape.box((1, 1, 0.1))
TOP = 0.1
"""Height of the plate's upper side (m)."""


def standing(carrier: Callable[[World], Body | Geom]) -> tuple[World, Body | Geom, Body]:
    """A box asleep on a plate."""
    world = World(dt=DT)
    world.set_contact_properties(0, 0, ContactProperties(bounce=0))
    plate = carrier(world)
    box = block(world, (0, 0, TOP + 0.05))
    run(world, 3)
    assert not box.awake
    return world, plate, box


def framed(world: World) -> Body:
    frame = world.add_frame((0, 0, TOP - 0.05))
    world.add_geom(PLATE, frame)
    return frame


def follower(world: World) -> Body:
    """A frame whose plate belongs to a frame that follows it."""
    frame, plate = world.add_frame((0, 0, TOP - 0.05)), world.add_frame((0, 0, TOP - 0.05))
    plate.follow(frame)
    world.add_geom(PLATE, plate)
    return frame


def fixed(world: World) -> Geom:
    return world.add_geom(PLATE, None, (0, 0, TOP - 0.05))


def place(plate: Body | Geom, z: float, x: float = 0) -> None:
    if isinstance(plate, Body):
        plate.set_pose((x, 0, z), (1, 0, 0, 0))
    else:
        plate.set_offset((x, 0, z))


@pytest.mark.parametrize("carrier", [framed, follower, fixed])
@pytest.mark.parametrize("step_m", [1e-4, 1e-6, -1e-5])
def test_a_plate_lifts_and_lowers_what_sleeps_on_it(carrier: Callable[[World], Body | Geom], step_m: float):
    world, plate, box = standing(carrier)
    height = box.position[2]
    for k in range(1, 201):
        place(plate, TOP - 0.05 + k * step_m)
        world.step()
    run(world, 0.5)
    assert box.position[2] - height == pytest.approx(200 * step_m, abs=2e-5)
    run(world, 3)
    assert not box.awake


@pytest.mark.parametrize("carrier", [framed, follower, fixed])
def test_a_plate_that_is_moved_away_lets_the_box_fall(carrier: Callable[[World], Body | Geom]):
    world, plate, box = standing(carrier)
    height = box.position[2]
    place(plate, TOP - 0.05, 5)
    world.step(20)
    fall = G * DT**2 * 20 * 21 / 2
    assert height - box.position[2] == pytest.approx(fall, rel=1e-6)


@pytest.mark.parametrize("carrier", [framed, follower])
def test_a_plate_that_sinks_by_its_velocity_takes_the_box_along(carrier: Callable[[World], Body | Geom]):
    world, plate, box = standing(carrier)
    height = box.position[2]
    plate.linear_velocity = (0, 0, -0.004)  # type: ignore[union-attr]
    run(world, 10)
    assert height - box.position[2] == pytest.approx(0.04, abs=1e-3)
    plate.linear_velocity = (0, 0, 0)  # type: ignore[union-attr]
    run(world, 3)
    assert not box.awake


def test_a_kinematic_slider_lifts_what_sleeps_on_it():
    def carrier(world: World) -> Body:
        frame = framed(world)
        joint = world.add_slider(frame)
        joint[0].add_motor(1, 100)
        carrier.motor = joint[0].motor  # type: ignore[attr-defined]
        return frame

    world, _, box = standing(carrier)
    height = box.position[2]
    carrier.motor.set_velocity(0.005)  # type: ignore[attr-defined]
    carrier.motor.set_position(0.02)  # type: ignore[attr-defined]
    run(world, 5)
    assert box.position[2] - height == pytest.approx(0.02, abs=1e-4)


def test_a_moving_wall_pushes_what_sleeps_in_its_way():
    world, _, box = standing(framed)
    wall = world.add_frame((-0.3, 0, TOP + 0.06))
    world.add_geom(Shape.box((0.1, 0.5, 0.1)), wall)
    wall.linear_velocity = (0.05, 0, 0)
    run(world, 5)
    # Its right side is at -0.25 + 0.25; the contact yields by v dt / ERP = 4 mm.
    assert box.position[0] == pytest.approx(0.05 - 0.004, abs=0.001)


def test_a_turning_flap_wakes_what_it_reaches():
    world, _, box = standing(framed)
    flap = world.add_frame((-0.2, 0, TOP + 0.05))
    world.add_geom(Shape.box((0.4, 0.05, 0.05)), flap)
    flap.set_pose((-0.2, 0, TOP + 0.05), turned(math.pi / 2))
    run(world, 2)
    assert not box.awake
    flap.angular_velocity = (0, 0, -0.5)
    run(world, 3)
    assert box.position[0] > 0.01 or abs(box.position[1]) > 0.01


def test_a_plane_that_rises_lifts_what_sleeps_on_it():
    world = World(dt=DT)
    floor = ground(world)
    box = block(world, (0, 0, 0.05))
    run(world, 3)
    assert not box.awake
    for k in range(1, 101):
        floor.set_offset((0, 0, 1e-4 * k))
        world.step()
    run(world, 1)
    assert box.position[2] == pytest.approx(0.06, abs=2e-4)


def test_a_support_whose_shape_changes_wakes():
    world, _, box = standing(framed)
    plate = world.geom(0)
    plate.shape = Shape.box((1, 1, 0.06))
    run(world, 1)
    assert box.position[2] == pytest.approx(TOP - 0.02 + 0.05, abs=5e-4)
    run(world, 3)
    plate.shape = Shape.box((1, 1, 0.1))
    run(world, 1)
    assert box.position[2] == pytest.approx(TOP + 0.05, abs=5e-4)


def test_a_support_whose_offset_changes_wakes():
    world, _, box = standing(framed)
    world.geom(0).set_offset((0, 0, -0.02))
    run(world, 1)
    assert box.position[2] == pytest.approx(TOP - 0.02 + 0.05, abs=5e-4)


@pytest.mark.parametrize("change", ["enabled", "category", "collides_with", "removed", "frame removed"])
def test_a_support_that_holds_no_more_wakes(change: str):
    world, plate, box = standing(framed)
    geom, own = world.geom(0), world.geom(1)
    if change == "enabled":
        geom.enabled = False
    elif change == "category":
        geom.category, own.collides_with, geom.collides_with = 2, 1, 2
    elif change == "collides_with":
        geom.collides_with, own.category, own.collides_with = 0, 1, 0
    elif change == "removed":
        geom.remove()
    else:
        plate.remove()
    height = box.position[2]
    world.step(10)
    assert height - box.position[2] == pytest.approx(G * DT**2 * 55, rel=1e-6)


def test_a_body_taken_out_of_a_stack_lets_the_upper_ones_fall():
    world = World(dt=DT)
    ground(world)
    boxes = [block(world, (0, 0, 0.05 + 0.1 * k)) for k in range(3)]
    run(world, 4)
    assert world.statistics["awake"] == 0
    heights = [one.position[2] for one in boxes]
    boxes[1].set_pose((2, 0, heights[0]), (1, 0, 0, 0))
    world.step(5)
    assert heights[2] - boxes[2].position[2] == pytest.approx(G * DT**2 * 15, rel=1e-6)
    # Without their load, both rise by what their contacts had yielded to it.
    yielded = 2 * 9.81 * DT * 1e-3 / 0.2 / 4
    for box in boxes[:2]:
        assert heights[0] - 1e-6 < box.position[2] < heights[0] + yielded
    assert max(map(abs, boxes[1].angular_velocity)) < 1e-3
    assert boxes[1].position[0] == pytest.approx(2, abs=1e-5)


def test_a_tie_that_opens_lets_its_body_fall():
    world = World(dt=DT)
    box = block(world, (0, 0, 1))
    tie = world.add_fixed(box)
    run(world, 3)
    assert not box.awake
    height = box.position[2]
    tie.remove()
    world.step(10)
    assert height - box.position[2] == pytest.approx(G * DT**2 * 55, rel=1e-6)


@pytest.mark.parametrize("constant", ["spring_constant", "damping_constant", "static_friction", "brake"])
def test_joint_constants_wake(constant: str):
    world = World(dt=DT)
    door = sleepy(world.add_body(Mass.box(1, (1, 0.1, 0.1)), (0.5, 0, 0)))
    joint = world.add_hinge(door, axis=(0, 1, 0))
    joint[0].has_brake = True
    joint[0].static_friction, joint[0].brake = 10, 1e9
    run(world, 4)
    assert not door.awake
    setattr(joint[0], constant, 0.001)
    assert door.awake


def test_stops_that_move_away_wake():
    world = World(dt=DT)
    box = block(world, (0, 0, 1))
    joint = world.add_slider(box)
    joint[0].set_stops(0, 1)
    run(world, 3)
    assert not box.awake
    joint[0].set_stops(-0.1, 1)
    run(world, 2)
    assert box.position[2] == pytest.approx(0.9, abs=1e-3)


def test_a_motor_that_is_removed_wakes():
    world = World(dt=DT)
    box = block(world, (0, 0, 1))
    joint = world.add_slider(box)
    joint[0].add_motor(10, 100)
    run(world, 3)
    assert not box.awake
    joint[0].remove_motor()
    world.step(10)
    assert box.position[2] < 0.95


def test_friction_that_vanishes_lets_a_box_slide():
    """On a slope of 0.2 rad: g sin(0.2) t^2 / 2."""
    world = World(dt=DT)
    ground(world, 0.2)
    box = sleepy(solid(world, Shape.box((0.1, 0.1, 0.1)), (0.05 * math.sin(0.2), 0, 0.05 * math.cos(0.2))))
    box.set_pose(box.position, turned(0.2, (0, 1, 0)))
    run(world, 3)
    assert not box.awake
    start = box.position
    world.set_contact_properties(0, 0, ContactProperties(coulomb_friction=[0], bounce=0))
    run(world, 0.48)
    assert math.dist(start, box.position) == pytest.approx(G * math.sin(0.2) * 0.48**2 / 2, rel=0.1)


def test_a_fluid_that_changes_wakes_what_floats_in_it():
    world = World(dt=DT)
    surface = world.add_geom(Shape.plane())
    water = world.add_fluid(surface, 1000, 1)
    rafts = [block(world, (x, 0, 0), 500) for x in (0, 0.2)]
    world.add_fixed(rafts[1], rafts[0])
    for raft in rafts:
        world.add_immersion(raft, water, viscous_force=5, viscous_torque=0.01)
    run(world, 60)
    assert not rafts[0].awake
    assert rafts[0].position[2] == pytest.approx(0, abs=1e-3)
    water.density = 2000
    world.step()
    # Twice the buoyancy: it rises with g, and nothing is left of the forces before it slept.
    assert rafts[0].linear_velocity[2] == pytest.approx(G * DT, rel=0.01)
    run(world, 60)
    assert rafts[0].position[2] == pytest.approx(0.025, abs=1e-3)
    surface.set_offset((0, 0, 0.5))
    run(world, 60)
    assert rafts[0].position[2] == pytest.approx(0.525, abs=5e-3)


def test_gravity_wakes():
    world, _, box = standing(framed)
    world.gravity = (0, 0, 1)
    world.step(10)
    assert box.linear_velocity[2] == pytest.approx(10 * DT, rel=0.05)


def test_what_stands_still_far_from_all_motion_sleeps_on():
    world = World(dt=DT)
    ground(world)
    boxes = [block(world, (x, 0, 0.05)) for x in range(20)]
    run(world, 3)
    wall = world.add_frame((0, 5, 0.05))
    world.add_geom(Shape.box((0.1, 0.1, 0.1)), wall)
    wall.linear_velocity = (0.1, 0, 0)
    run(world, 1)
    assert not any(box.awake for box in boxes)
    assert world.statistics["rows"] == 0


def test_a_mesh_that_moves_wakes():
    vertices = [(-1, -1, 0.0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
    world = World(dt=DT)
    frame = world.add_frame()
    mesh = Mesh.of(np.array(vertices, dtype=float), np.array([(0, 1, 2), (0, 2, 3)], dtype=np.uint32))
    world.add_geom(Shape.mesh(mesh), frame)
    box = block(world, (0, 0, 0.05))
    run(world, 3)
    assert not box.awake
    for k in range(1, 101):
        frame.set_pose((0, 0, 1e-4 * k), (1, 0, 0, 0))
        world.step()
    run(world, 1)
    assert box.position[2] == pytest.approx(0.06, abs=2e-4)


def test_a_state_taken_while_a_plate_moves_continues_with_the_same_bits():
    def scene() -> tuple[World, Body, Body]:
        world, plate, box = standing(framed)
        return world, plate, box  # type: ignore[return-value]

    first, plate, _ = scene()
    other, other_plate, _ = scene()
    place(plate, TOP - 0.049)
    other.restore(first.state())
    for world, one in ((first, plate), (other, other_plate)):
        world.step(3)
        place(one, TOP - 0.048)
        world.step(100)
    assert first.hash() == other.hash()
