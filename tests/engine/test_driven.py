"""What is driven is not at rest, however slowly it moves: it never falls asleep on its way.

The judge is v t, and for belts the speed of the belt. All bodies may sleep after 1 s below 0.01 m/s and
0.01 rad/s, as in worlds (WorldInfo.physicsDisableTime).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tests.engine.helpers import free_world, ground, run, solid, turned, unit_mass
from wbridge.wbcore.engine import Body, ContactProperties, Joint, Mass, Shape, World

DT = 0.016
CUBE = Shape.box((0.1, 0.1, 0.1))
Make = Callable[[World, Body, Body | None], tuple[Joint, int]]


def sleepy(body: Body) -> Body:
    """Let it sleep as bodies of worlds do."""
    body.set_auto_disable(1, 0.01, 0.01)
    return body


def block(world: World, position: tuple[float, float, float], density: float = 1000) -> Body:
    return sleepy(solid(world, CUBE, position, density))


def free_block(world: World, position: tuple[float, float, float] = (0, 0, 0)) -> Body:
    return sleepy(world.add_body(unit_mass(), position))


def slider(world: World, child: Body, parent: Body | None) -> tuple[Joint, int]:
    return world.add_slider(child, parent, axis=(1, 0, 0)), 0


def hinge(world: World, child: Body, parent: Body | None) -> tuple[Joint, int]:
    return world.add_hinge(child, parent, axis=(0, 0, 1)), 0


def first(world: World, child: Body, parent: Body | None) -> tuple[Joint, int]:
    return world.add_hinge2(child, parent), 0


def second(world: World, child: Body, parent: Body | None) -> tuple[Joint, int]:
    return world.add_hinge2(child, parent), 1


def ball(world: World, child: Body, parent: Body | None) -> tuple[Joint, int]:
    return world.add_ball(child, parent), 0


KINDS: list[Make] = [slider, hinge, first, second, ball]


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("velocity", [0.005, -0.0002, 1e-5])
def test_a_slow_motor_goes_its_way(make: Make, velocity: float):
    world = free_world(DT)
    joint, index = make(world, free_block(world), None)
    motor = joint[index].add_motor()
    motor.set_position(math.inf)
    motor.set_velocity(velocity)
    run(world, 10)
    assert joint[index].position == pytest.approx(10 * velocity, rel=0.005)


@pytest.mark.parametrize("make", KINDS)
def test_position_control_arrives_slowly(make: Make):
    world = free_world(DT)
    joint, index = make(world, free_block(world), None)
    motor = joint[index].add_motor()
    motor.set_velocity(0.004)
    motor.set_position(0.03)
    run(world, 5)
    assert joint[index].position == pytest.approx(0.02, rel=0.01)
    run(world, 15)
    assert joint[index].position == pytest.approx(0.03, abs=1e-5)
    assert world.statistics["awake"] == 0


def test_a_weak_gain_arrives_too():
    """de/dt = -P e."""
    world = free_world(DT)
    joint, _ = slider(world, free_block(world), None)
    motor = joint[0].add_motor()
    motor.set_pid(0.05, 0, 0)
    motor.set_position(0.1)
    run(world, 40)
    assert joint[0].position == pytest.approx(0.1 * (1 - math.exp(-2)), rel=0.01)


@pytest.mark.parametrize("control", ["velocity", "position"])
def test_a_slow_ramp_starts(control: str):
    """x = a t^2 / 2."""
    world = free_world(DT)
    joint, _ = slider(world, free_block(world), None)
    motor = joint[0].add_motor()
    motor.set_acceleration(1e-7)
    motor.set_position(math.inf if control == "velocity" else 5)
    motor.set_velocity(0.005)
    run(world, 20)
    assert joint[0].position == pytest.approx(1e-7 * 20**2 / 2, rel=0.01)


def test_a_small_force_accelerates():
    """x = F t^2 / (2 m)."""
    world = free_world(DT)
    joint, _ = slider(world, free_block(world), None)
    joint[0].add_motor().set_force(1e-6)
    run(world, 20)
    assert joint[0].position == pytest.approx(1e-6 * 20**2 / 2, rel=0.01)


def test_a_spring_creeps_to_its_end():
    """c dx/dt = -k x."""
    world = free_world(DT)
    joint = world.add_slider(free_block(world), axis=(1, 0, 0), position=0.05)
    joint[0].spring_constant, joint[0].damping_constant = 100, 2000
    run(world, 20)
    assert joint[0].position == pytest.approx(0.05 * math.exp(-1), rel=0.01)


def test_a_damped_door_falls_slowly():
    """c dq/dt = m g l."""
    world = World(dt=DT)
    door = sleepy(world.add_body(Mass.box(1, (1, 0.1, 0.1)), (0.5, 0, 0)))
    joint = world.add_hinge(door, axis=(0, 1, 0))
    joint[0].damping_constant = 1000
    run(world, 10)
    assert joint[0].position == pytest.approx(10 * 9.81 * 0.5 / 1000, rel=0.01)


def test_a_slow_arm_moves_although_its_base_stands_still():
    """The base rests on a box that rests on the floor, all of them below the thresholds."""
    world = World(dt=DT)
    ground(world)
    block(world, (0, 0, 0.05))
    base = block(world, (0, 0, 0.15))
    tip = sleepy(world.add_body(Mass.box(0.01, (0.02, 0.02, 0.02)), (0, 0, 0.25)))
    joint = world.add_slider(tip, base, axis=(1, 0, 0))
    motor = joint[0].add_motor()
    motor.set_position(math.inf)
    motor.set_velocity(0.003)
    run(world, 10)
    assert joint[0].position == pytest.approx(0.03, rel=0.01)
    motor.set_velocity(0)
    run(world, 3)
    assert world.statistics["awake"] == 0


def test_a_robot_rides_on_a_slow_part_of_another():
    world = World(dt=DT)
    world.set_contact_properties(0, 0, ContactProperties(bounce=0))
    stage = sleepy(solid(world, Shape.box((1, 1, 0.1)), (0, 0, 0.5)))
    joint = world.add_slider(stage, axis=(1, 0, 0))
    motor = joint[0].add_motor(10, 1e5)
    motor.set_position(math.inf)
    motor.set_velocity(0.004)
    rider = block(world, (0, 0, 0.6))
    on_rider = block(world, (0, 0, 0.7))
    run(world, 10)
    assert joint[0].position == pytest.approx(0.04, rel=0.01)
    for body in (rider, on_rider):
        assert body.position[0] == pytest.approx(0.04, rel=0.02)
        assert body.linear_velocity[0] == pytest.approx(0.004, rel=0.01)


def test_a_slow_lift_carries_what_sleeps_on_it():
    world = World(dt=DT, cfm=1e-9)
    world.set_contact_properties(0, 0, ContactProperties(bounce=0))
    stage = sleepy(solid(world, Shape.box((1, 1, 0.1)), (0, 0, 0.5)))
    joint = world.add_slider(stage)
    motor = joint[0].add_motor(10, 1e5)
    box = block(world, (0, 0, 0.6))
    run(world, 5)
    assert not box.awake
    height = box.position[2] - joint[0].position
    motor.set_position(math.inf)
    motor.set_velocity(0.002)
    run(world, 5)
    assert joint[0].position == pytest.approx(0.01, rel=0.02)
    assert box.position[2] - joint[0].position == pytest.approx(height, abs=1e-4)


def conveyor(world: World, velocity: float, body: Body | None = None) -> object:
    belt = world.add_geom(Shape.box((4, 1, 0.1)), body, (0, 0, -0.05) if body is None else (0, 0, 0))
    track = world.add_track(body)
    belt.set_track(track)
    track.motor.max_velocity = 10
    track.motor.set_position(math.inf)
    track.motor.set_velocity(velocity)
    return track


def test_a_box_rides_on_a_slow_belt():
    world = World(dt=DT)
    conveyor(world, 0.005)
    box = block(world, (0, 0, 0.05))
    run(world, 10)
    assert box.position[0] == pytest.approx(0.05, rel=0.01)


def test_a_belt_that_starts_takes_along_what_sleeps_on_it():
    world = World(dt=DT)
    track = conveyor(world, 0)
    box = block(world, (0, 0, 0.05))
    run(world, 5)
    assert not box.awake
    start = box.position[0]
    track.motor.set_velocity(0.005)  # type: ignore[attr-defined]
    run(world, 10)
    assert box.position[0] - start == pytest.approx(0.05, rel=0.01)
    track.motor.set_velocity(0)  # type: ignore[attr-defined]
    run(world, 5)
    assert not box.awake


def test_a_slow_tracked_vehicle_drives():
    world = World(dt=DT)
    ground(world)
    body = sleepy(world.add_body(Mass.box(5, (4, 1, 0.1)), (0, 0, 0.05)))
    conveyor(world, 0.005, body)
    run(world, 10)
    assert abs(body.position[0]) == pytest.approx(0.05, rel=0.02)


def test_a_propeller_pushes_a_joint_slowly():
    world = free_world(DT)
    boat = free_block(world)
    world.add_slider(boat, axis=(1, 0, 0))
    propeller = world.add_propeller(boat, thrust_constants=(1e-6, 0), torque_constants=(0, 0))
    propeller.motor.set_position(math.inf)
    propeller.motor.set_velocity(1)
    run(world, 20)
    # x = T t^2 / (2 m), less the time in which the motor starts
    assert boat.position[0] == pytest.approx(1e-6 * 20**2 / 2, rel=0.03)


def test_a_stream_carries_a_jointed_raft():
    """It comes to the stream's speed: m dv/dt = k (u - v)."""
    world = World(dt=DT)
    water = world.add_fluid(world.add_geom(Shape.plane()), 1000, 1, (0.004, 0, 0))
    rafts = [block(world, (x, 0, 0), 500) for x in (0, 0.2)]
    world.add_fixed(rafts[1], rafts[0])
    for raft in rafts:
        world.add_immersion(raft, water, viscous_force=5, viscous_torque=0.01)
    run(world, 10)
    before = rafts[0].position[0]
    run(world, 10)
    assert rafts[0].position[0] - before == pytest.approx(0.04, rel=0.02)


def test_forces_of_a_supervisor_move_a_heavy_box_slowly():
    """A force beyond friction: v = (F - mu m g) t / m, pushed for 10 s."""
    world = World(dt=DT)
    world.set_contact_properties(0, 0, ContactProperties(coulomb_friction=[0], bounce=0))
    ground(world)
    box = block(world, (0, 0, 0.05))
    for _ in range(round(10 / DT)):
        box.add_force((1e-4, 0, 0))
        world.step()
    assert box.position[0] == pytest.approx(1e-4 * 10**2 / 2, rel=0.01)


@pytest.mark.parametrize("make", KINDS)
def test_motors_that_hold_a_load_let_their_robot_sleep(make: Make):
    world = World(dt=DT)
    arm = sleepy(world.add_body(Mass.box(2, (0.5, 0.1, 0.1)), (0.25, 0, 0)))
    joint, index = make(world, arm, None)
    for axis in joint.axes:
        axis.add_motor(10, 1000)
    joint[index].motor.set_position(0.1)
    run(world, 6)
    assert world.statistics["awake"] == 0


def test_a_swaying_body_below_the_thresholds_falls_asleep():
    """WorldInfo: what is slower than the thresholds for the time is disabled."""
    world = World(dt=DT)
    bob = sleepy(world.add_body(Mass.sphere(1, 0.1), (0, 0, -1)))
    world.add_hinge(bob, axis=(0, 1, 0))
    bob.linear_velocity, bob.angular_velocity = (0.005, 0, 0), (0, -0.005, 0)
    run(world, 3)
    assert not bob.awake


def test_no_body_of_an_island_is_stopped_while_another_moves():
    """A free chain keeps its momentum: its slow link must not be brought to rest for a step."""
    world = free_world(DT)
    heavy = sleepy(world.add_body(Mass.sphere(100, 0.1)))
    light = sleepy(world.add_body(Mass.sphere(1, 0.1), (0.5, 0, 0)))
    world.add_slider(light, heavy, axis=(1, 0, 0))
    light.linear_velocity = (0.5, 0, 0)
    heavy.linear_velocity = (-0.005, 0, 0)
    run(world, 8)
    assert heavy.position[0] == pytest.approx(-0.04, rel=1e-6)
    assert light.position[0] == pytest.approx(0.5 + 4, rel=1e-6)


def test_a_wheel_turns_slowly_on_a_tilted_axle():
    world = World(dt=DT)
    wheel = sleepy(world.add_body(Mass.sphere(1, 0.1), orientation=turned(0.3, (0, 1, 0))))
    joint = world.add_hinge(wheel, axis=(0.6, 0, 0.8))
    motor = joint[0].add_motor()
    motor.set_position(math.inf)
    motor.set_velocity(0.002)
    run(world, 10)
    assert joint[0].position == pytest.approx(0.02, rel=0.01)


def test_sleep_of_slow_things_is_part_of_the_state():
    def scene() -> World:
        world = World(dt=DT)
        ground(world)
        block(world, (0.5, 0, 0.05))
        joint, _ = slider(world, free_block(world, (0, 0, 1)), None)
        motor = joint[0].add_motor()
        motor.set_position(0.02)
        motor.set_velocity(0.004)
        return world

    straight, other = scene(), scene()
    run(straight, 2)
    other.restore(straight.state())
    for world in (straight, other):
        run(world, 20)
    assert straight.hash() == other.hash()
    assert straight.statistics["awake"] == 0
