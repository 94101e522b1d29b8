"""Fluids, propellers and belts: buoyancy depth, terminal velocity, thrust, belt speed."""

import math

import pytest

from tests.engine.helpers import G, ground, run, solid, turned, unit_mass
from wbridge.wbcore.engine import Body, ContactProperties, Fluid, Mass, Shape, World

WATER = 1000.0


def pool(dt: float = 0.002, **fluid: object) -> tuple[World, Fluid]:
    """Water up to z = 0, without bottom."""
    world = World(dt=dt)
    surface = world.add_geom(Shape.plane())
    return world, world.add_fluid(surface, WATER, **fluid)  # type: ignore[arg-type]


def floating(shape: Shape, density: float, **immersion: object) -> tuple[World, Body]:
    world, fluid = pool()
    body = solid(world, shape, (0, 0, -0.05), density)
    world.add_immersion(body, fluid, **{"viscous_force": 2e7, "viscous_torque": 2e6, **immersion})  # type: ignore[arg-type]
    return world, body


@pytest.mark.parametrize("share", [0.25, 0.6])
def test_a_box_floats_at_its_share_of_density(share: float):
    world, body = floating(Shape.box((1, 1, 0.4)), share * WATER)
    run(world, 20)
    assert body.position[2] == pytest.approx(0.2 - 0.4 * share, abs=1e-4)


@pytest.mark.parametrize(
    "shape", [Shape.sphere(0.3), Shape.capsule(0.2, 0.6), Shape.cylinder(0.3, 0.2)], ids=lambda s: s.kind
)
def test_round_shapes_float_half_immersed_at_half_the_density(shape: Shape):
    world, body = floating(shape, 0.5 * WATER)
    run(world, 20)
    assert body.position[2] == pytest.approx(0, abs=2e-3)


def test_a_heavy_body_sinks_with_its_weight_less_the_thrust():
    world, fluid = pool()
    body = solid(world, Shape.sphere(0.1), (0, 0, -1), 3 * WATER)
    world.add_immersion(body, fluid)
    run(world, 0.2)
    assert body.linear_velocity[2] == pytest.approx(-0.2 * G * 2 / 3, rel=1e-6)


def test_terminal_velocity_with_drag_on_the_immersed_area():
    # (rho_s - rho) V g = rho c A v^2 with the whole surface A.
    world, fluid = pool()
    radius, drag = 0.1, 0.3
    body = solid(world, Shape.sphere(radius), (0, 0, -1), 3 * WATER)
    world.add_immersion(body, fluid, drag_force=(drag, 0, 0))
    run(world, 5)
    area, volume = 4 * math.pi * radius**2, 4 / 3 * math.pi * radius**3
    expected = math.sqrt(2 * volume * G / (drag * area))
    assert body.linear_velocity[2] == pytest.approx(-expected, rel=1e-3)


def test_terminal_velocity_with_drag_on_the_projected_area():
    world, fluid = pool()
    size = (0.2, 0.3, 0.4)
    body = solid(world, Shape.box(size), (0, 0, -2), 2 * WATER)
    world.add_immersion(body, fluid, "xyz-projection", drag_force=(5, 6, 0.7))
    run(world, 5)
    expected = math.sqrt(size[2] * G / 0.7)
    assert body.linear_velocity[2] == pytest.approx(-expected, rel=1e-3)


def test_projected_drag_uses_the_axes_of_the_body():
    world, fluid = pool()
    body = world.add_body(
        Shape.box((0.2, 0.3, 0.4)).mass(2 * WATER), (0, 0, -2), turned(math.pi / 2, (0, 1, 0))
    )
    world.add_geom(Shape.box((0.2, 0.3, 0.4)), body)
    world.add_immersion(body, fluid, "xyz-projection", drag_force=(0.7, 6, 5))
    run(world, 5)
    # It sinks along its own x, with the area 0.3 * 0.4 and a height of 0.2.
    assert body.linear_velocity[2] == pytest.approx(-math.sqrt(0.2 * G / 0.7), rel=1e-3)


def test_viscous_resistance_grows_with_the_speed():
    world, fluid = pool()
    body = solid(world, Shape.sphere(0.1), (0, 0, -1), 3 * WATER)
    world.add_immersion(body, fluid, viscous_force=1e5)
    run(world, 5)
    expected = 2 * WATER * 4 / 3 * math.pi * 0.1**3 * G / (0.001 * 1e5)
    assert body.linear_velocity[2] == pytest.approx(-expected, rel=1e-3)


def test_a_stream_carries_along():
    world, fluid = pool(stream_velocity=(0.5, 0, 0))
    body = solid(world, Shape.sphere(0.1), (0, 0, -1), WATER)
    world.add_immersion(body, fluid, viscous_force=1e6)
    run(world, 3)
    assert body.linear_velocity[0] == pytest.approx(0.5, rel=1e-3)


def test_spin_is_slowed_by_torque_drag():
    world, fluid = pool()
    body = solid(world, Shape.sphere(0.1), (0, 0, -1), WATER)
    world.add_immersion(body, fluid, viscous_torque=1e3)
    body.angular_velocity = (0, 0, 5)
    world.step(5)
    # The torque is that of the velocity before the step.
    rate = 0.001 * 1e3 / (0.4 * body.mass.mass * 0.01)
    assert body.angular_velocity[2] == pytest.approx(5 * (1 - rate * 0.002) ** 5, rel=1e-6)


def test_bodies_without_immersion_properties_fall_through():
    world, _ = pool()
    body = solid(world, Shape.sphere(0.1), (0, 0, 0.2))
    run(world, 1)
    assert body.linear_velocity[2] == pytest.approx(-G, rel=1e-6)


@pytest.mark.parametrize("what", ["geom", "fluid", "immersion", "body"])
def test_a_fluid_or_body_may_vanish_while_it_acts(what: str):
    world = World(dt=0.002)
    geom = world.add_geom(Shape.plane())
    fluid = world.add_fluid(geom)
    body = solid(world, Shape.sphere(0.1), (0, 0, -1))
    immersion = world.add_immersion(body, fluid)
    world.step(10)
    {"geom": geom, "fluid": fluid, "immersion": immersion, "body": body}[what].remove()
    world.step(10)
    if what != "body":
        assert body.linear_velocity[2] == pytest.approx(-G * 10 * 0.002)


@pytest.mark.parametrize("up", ["z", "y"])
def test_the_surface_is_the_highest_face_along_the_up_axis(up: str):
    world = World(dt=0.002)
    size = (4, 4, 2) if up == "z" else (4, 2, 4)
    upright = (1, 0, 0, 0) if up == "z" else turned(math.pi / 2, (1, 0, 0))
    fluid = world.add_fluid(world.add_geom(Shape.box(size, up), None, (0, 0, 4), upright))
    body = solid(world, Shape.box((0.4, 0.4, 0.4)), (0, 0, 5), WATER / 2)
    world.add_immersion(body, fluid, viscous_force=2e6)
    run(world, 20)
    assert body.position[2] == pytest.approx(5, abs=1e-3)


@pytest.mark.parametrize("speed", [20.0, -20.0])
def test_propeller_thrust_and_torque(speed: float):
    world = World(dt=0.002, gravity=(0, 0, 0))
    body = world.add_body(unit_mass())
    propeller = world.add_propeller(body, (0, 0, 1), (0, 0, 0.5), (0.01, 0), (0.004, 0))
    propeller.motor.set_acceleration(-1)
    propeller.motor.max_velocity = 100
    propeller.motor.max_force = 1e6
    propeller.motor.set_available_force(1e6)
    propeller.motor.set_position(math.inf)
    propeller.motor.set_velocity(speed)
    world.step(100)
    thrust, torque = math.copysign(0.01 * 400, speed), math.copysign(0.004 * 400, speed)
    assert (propeller.thrust, propeller.torque) == pytest.approx((thrust, torque))
    assert body.linear_velocity == pytest.approx((0, 0, thrust * 0.2))
    assert body.angular_velocity == pytest.approx((0, 0, -torque * 0.2))


def test_propeller_loses_thrust_with_the_speed_of_advance():
    world = World(dt=0.002, gravity=(0, 0, 0))
    body = world.add_body(unit_mass())
    propeller = world.add_propeller(body, (0, 0, 1), (0, 0, 0), (0.01, 0.05), (0, 0))
    propeller.motor.set_position(math.inf)
    run(world, 60)
    # Thrust vanishes at t1 w = t2 V.
    assert body.linear_velocity[2] == pytest.approx(0.01 * 10 / 0.05, rel=1e-3)


def test_a_standing_propeller_does_nothing():
    world = World(dt=0.002, gravity=(0, 0, 0))
    body = world.add_body(unit_mass())
    propeller = world.add_propeller(body)
    run(world, 0.1)
    assert propeller.thrust == 0 and body.linear_velocity == (0, 0, 0)


def conveyor(up: str = "z") -> tuple[World, Body]:
    """A belt fixed to the world that carries a box."""
    world = World(dt=0.002)
    world.set_contact_properties(0, 0, ContactProperties(bounce=0, soft_cfm=1e-6))
    belt = world.add_body(Mass.box(10, (4, 1, 0.2)))
    geom = world.add_geom(Shape.box((4, 1, 0.2)), belt)
    world.add_fixed(belt)
    track = world.add_track(belt)
    geom.set_track(track)
    track.motor.set_position(math.inf)
    track.motor.set_velocity(0.5)
    box = solid(world, Shape.box((0.2, 0.2, 0.1)), (0, 0, 0.15))
    run(world, 1)
    assert track.speed == pytest.approx(0.5)
    assert track.position == pytest.approx(0.5, rel=1e-2)
    return world, box


def test_belt_speed():
    _, box = conveyor()
    assert box.linear_velocity[0] == pytest.approx(0.5, rel=1e-3)
    assert box.linear_velocity[1] == pytest.approx(0, abs=1e-4)


def tank(target: float) -> tuple[World, Body]:
    """A body on two belts."""
    world = World(dt=0.002)
    ground(world)
    hull = world.add_body(Mass.box(10, (1, 0.6, 0.2)), (0, 0, 0.1))
    for y in (-0.4, 0.4):
        geom = world.add_geom(Shape.box((1, 0.2, 0.2)), hull, (0, y, 0))
        track = world.add_track(hull, (0, y, 0))
        geom.set_track(track)
        track.motor.set_position(math.inf)
        track.motor.set_velocity(target)
    run(world, 2)
    return world, hull


def test_belts_drive_a_tank_at_their_speed():
    _, forward = tank(0.3)
    _, backward = tank(-0.3)
    assert forward.linear_velocity[0] == pytest.approx(-backward.linear_velocity[0], rel=1e-2)
    assert forward.linear_velocity[0] == pytest.approx(0.3, rel=0.05)


def test_positive_speeds_carry_loads_and_drive_tanks_forward():
    # The upper side moves along x and the lower side against it, which pushes the body along x.
    _, box = conveyor()
    _, hull = tank(0.3)
    assert box.linear_velocity[0] > 0 and hull.linear_velocity[0] > 0


def test_a_belt_in_force_control_has_the_speed_of_one_step():
    world = World(dt=0.002)
    body = world.add_body(Mass.box(2, (1, 1, 1)))
    track = world.add_track(body)
    track.motor.set_force(6)
    world.step(10)
    assert track.speed == pytest.approx(6 * 0.002 / 2)


def test_without_a_motor_the_belt_stands():
    world = World(dt=0.002)
    track = world.add_track(world.add_body(unit_mass()))
    track.motor.set_position(math.inf)
    world.step()
    assert track.speed == 10
    track.motorized = False
    world.step()
    assert track.speed == 0
