"""Handles of removed things raise, whatever is called on them; bad arguments raise ValueError."""

import math

import pytest

from tests.engine.helpers import free_world, solid, unit_mass
from wbridge.wbcore.engine import EngineError, HandleError, Mass, Motor, Shape, World

# Reading these is allowed: they say that the handle is of no use any more.
SAFE = {"valid", "id"}


def all_calls(handle: object) -> list[str]:
    names = [n for n in dir(type(handle)) if not n.startswith("_") and n not in SAFE]
    return [
        n for n in names if isinstance(getattr(type(handle), n), property) or n in {"remove", "state", "cast"}
    ]


def touch(handle: object, name: str) -> None:
    value = getattr(handle, name)
    if callable(value):
        value()


def removed_handles() -> list[object]:
    world = free_world()
    parent = solid(world, Shape.sphere(0.1), (0, 0, 0))
    body = solid(world, Shape.sphere(0.1), (1, 0, 0))
    geom = world.add_geom(Shape.sphere(0.1), body)
    joint = world.add_hinge(body, parent)
    axis = joint[0]
    motor = axis.add_motor()
    rays = world.add_rays([(0, 0, 0)], [(1, 0, 0)], [1], body)
    fluid = world.add_fluid(world.add_geom(Shape.box((1, 1, 1))))
    immersion = world.add_immersion(body, fluid)
    propeller, track = world.add_propeller(body), world.add_track(body)
    propeller_motor, track_motor = propeller.motor, track.motor
    fluid.remove()
    body.remove()
    assert parent.valid and world.body_count == 1 and world.joint_count == 0 and world.geom_count == 2
    world.step()
    return [
        body,
        geom,
        joint,
        axis,
        motor,
        rays,
        fluid,
        immersion,
        propeller,
        track,
        propeller_motor,
        track_motor,
    ]


@pytest.mark.parametrize("index", range(12))
def test_everything_on_a_removed_handle_raises(index: int):
    handle = removed_handles()[index]
    names = all_calls(handle)
    assert names or not [n for n in dir(type(handle)) if not n.startswith("_") and n not in SAFE | {"remove"}]
    for name in names:
        with pytest.raises(HandleError, match="removed"):
            touch(handle, name)


def test_a_handle_does_not_come_back_to_life_with_its_slot():
    world = free_world()
    old = world.add_body(unit_mass())
    old.remove()
    new = world.add_body(unit_mass(), (1, 2, 3))
    assert new.id == old.id and new.valid and not old.valid and old != new
    with pytest.raises(HandleError):
        _ = old.position
    assert "removed" in repr(old) and "removed" not in repr(new)


def test_equal_handles_stand_for_the_same_thing():
    world = free_world()
    body = world.add_body(unit_mass())
    assert world.body(body.id) == body and hash(world.body(body.id)) == hash(body)
    assert body != world.add_body(unit_mass()) and body != 3


def test_ids_that_are_not_in_use_raise():
    world = free_world()
    with pytest.raises(HandleError):
        world.body(0)
    with pytest.raises(HandleError):
        world.geom(5)


def test_things_of_another_world_are_refused():
    here, there = free_world(), free_world()
    stranger = there.add_body(unit_mass())
    body = here.add_body(unit_mass())
    for call in (
        lambda: here.add_geom(Shape.sphere(1), stranger),
        lambda: here.add_hinge(body, stranger),
        lambda: here.add_rays([(0, 0, 0)], [(1, 0, 0)], [1], stranger),
        lambda: here.add_propeller(stranger),
    ):
        with pytest.raises(HandleError, match="another world"):
            call()


def test_handles_keep_their_world_alive():
    body = free_world().add_body(unit_mass(), (1, 2, 3))
    assert body.position == (1, 2, 3)


def test_removing_a_removed_motor_s_joint_axis_raises_too():
    world = free_world()
    axis = world.add_hinge(world.add_body(unit_mass()))[0]
    motor = axis.add_motor()
    axis.remove_motor()
    with pytest.raises(HandleError):
        motor.set_position(1)


def test_a_full_world_says_so():
    world = World(capacity=2)
    world.add_body(unit_mass()), world.add_body(unit_mass())
    with pytest.raises(EngineError, match="no room"):
        world.add_body(unit_mass())


def test_a_joint_has_as_many_axes_as_its_kind():
    world = free_world()
    joint = world.add_hinge2(world.add_body(unit_mass()))
    assert len(joint.axes) == 2
    with pytest.raises(IndexError):
        joint[2]
    with pytest.raises(IndexError):
        joint[-1]


NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    "call",
    [
        lambda w, b: World(dt=0),
        lambda w, b: World(dt=NAN),
        lambda w, b: World(erp=2),
        lambda w, b: World(cfm=-1),
        lambda w, b: World(gravity=(0, 0, INF)),
        lambda w, b: World(capacity=0),
        lambda w, b: w.add_body(Mass.box(1, (1, 1, 1)), (NAN, 0, 0)),
        lambda w, b: w.add_body(Mass.box(1, (1, 1, 1)), orientation=(0, 0, 0, 0)),
        lambda w, b: b.set_pose((0, 0, INF), (1, 0, 0, 0)),
        lambda w, b: b.set_pose((0, 0, 0), (NAN, 0, 0, 0)),
        lambda w, b: b.add_force((NAN, 0, 0)),
        lambda w, b: b.add_force((0, 0, 0), (0, INF, 0)),
        lambda w, b: b.add_torque((0, NAN, 0)),
        lambda w, b: setattr(b, "linear_velocity", (NAN, 0, 0)),
        lambda w, b: setattr(b, "angular_velocity", (INF, 0, 0)),
        lambda w, b: b.set_damping(-0.1, 0),
        lambda w, b: b.set_damping(0, 1.1),
        lambda w, b: b.follow(None),
        lambda w, b: w.add_hinge(b, b),
        lambda w, b: w.add_hinge(b, axis=(0, 0, 0)),
        lambda w, b: w.add_hinge(b, anchor=(NAN, 0, 0)),
        lambda w, b: w.add_hinge(b, position=NAN),
        lambda w, b: w.add_hinge(b, stop_erp=3),
        lambda w, b: w.add_hinge(b, suspension_spring=-1),
        lambda w, b: w.add_hinge(b)[0].set_stops(1, -1),
        lambda w, b: w.add_hinge(b)[0].add_force(NAN),
        lambda w, b: w.add_hinge(b)[0].add_motor(max_force=-1),
        lambda w, b: setattr(w.add_hinge(b)[0], "spring_constant", -1),
        lambda w, b: setattr(w.add_hinge(b), "positions", [1, 2]),
        lambda w, b: setattr(w.add_hinge(b), "positions", [NAN]),
        lambda w, b: w.add_geom(Shape.plane(), b),
        lambda w, b: w.add_geom(Shape.sphere(1), b, role="ghost"),
        lambda w, b: w.set_self_collision(-1, True),
        lambda w, b: setattr(w, "dt", -1),
        lambda w, b: setattr(w, "erp", -1),
        lambda w, b: w.set_solver(quick_iterations=0),
        lambda w, b: w.add_fluid(w.add_geom(Shape.sphere(1), b), density=-0.5),
        lambda w, b: w.add_propeller(b, axis=(0, 0, 0)),
        lambda w, b: w.add_frame().add_force((1, 0, 0)),
        lambda w, b: w.add_frame().mass,
        lambda w, b: w.add_hinge(b, w.add_frame(), axis=(0, INF, 0)),
    ],
)
def test_impossible_arguments_raise_value_errors(call):
    world = free_world()
    body = world.add_body(unit_mass())
    with pytest.raises(ValueError, match=r"must|only|cannot|has no|is no|do not"):
        call(world, body)
    world.step()
    assert body.position == (0, 0, 0)


def test_the_wrong_number_of_coordinates_is_a_type_error():
    world = free_world()
    with pytest.raises(TypeError):
        world.add_body(unit_mass(), (1, 2))
    with pytest.raises(TypeError):
        world.add_body(unit_mass(), "abc")


def test_a_motor_of_its_own_has_no_feedback():
    motor = Motor()
    assert (motor.feedback, motor.position) == (0, 0)
