"""Springs, dampers, brakes and suspensions follow the implicit integrator exactly and physics closely."""

import math

import pytest

from tests.engine.helpers import G, free_world, run, unit_mass
from wbridge.wbcore.engine import Joint, World

K, C = 200.0, 6.0


def implicit(x: float, v: float, k: float, c: float, h: float, force: float = 0.0) -> tuple[float, float]:
    """One step of a unit mass: the spring's force is that of the place and velocity at the step's end."""
    v = (v + h * (force - k * x)) / (1 + h * c + h * h * k)
    return x + h * v, v


def oscillator(world: World, kind: str, start: float) -> Joint:
    body = world.add_body(unit_mass())
    more = {"hinge2": {"axis2": (1, 0, 0)}, "ball": {"axis3": (0, 1, 0)}}.get(kind, {})
    name = "positions" if kind == "ball" else "position"
    value = (start, 0, 0) if kind == "ball" else start
    joint = getattr(world, f"add_{kind}")(body, axis=(0, 0, 1), **{name: value}, **more)
    joint[0].spring_constant, joint[0].damping_constant = K, C
    return joint


@pytest.mark.parametrize("kind", ["slider", "hinge", "hinge2", "ball"])
def test_damped_spring_step_by_step(kind: str):
    world = free_world(dt=0.004)
    joint = oscillator(world, kind, 0.05)
    x, v = 0.05, 0.0
    for _ in range(500):
        world.step()
        x, v = implicit(x, v, K, C, world.dt)
        # Angles: ODE's rotation step is 2 atan(v h / 2), off by (v h)^3 / 12 per step, under 1e-10 here.
        assert joint.positions[0] == pytest.approx(x, abs=1e-7)
        assert joint[0].velocity == pytest.approx(v, abs=1e-6)


def test_damped_spring_against_the_closed_form():
    world = free_world(dt=0.0001)
    joint = oscillator(world, "slider", 0.05)
    run(world, 0.5)
    decay, omega = C / 2, math.sqrt(K - C * C / 4)
    exact = 0.05 * math.exp(-decay * 0.5) * (math.cos(omega * 0.5) + decay / omega * math.sin(omega * 0.5))
    # The implicit step damps in addition by about h k / 2 per second.
    assert joint.positions[0] == pytest.approx(exact, abs=0.05 * 0.0001 * K)


def test_a_spring_carries_a_weight_at_its_extension():
    world = World(dt=0.002)
    body = world.add_body(unit_mass())
    joint = world.add_slider(body, axis=(0, 0, 1))
    joint[0].spring_constant, joint[0].damping_constant = K, 30
    run(world, 5)
    assert joint.positions[0] == pytest.approx(-G / K, rel=1e-6)


@pytest.mark.parametrize("part", ["damping_constant", "brake"])
def test_a_damper_alone_slows_down_exponentially(part: str):
    world = free_world(dt=0.001)
    body = world.add_body(unit_mass())
    joint = world.add_hinge(body, axis=(0, 0, 1))
    setattr(joint[0], part, 2.0)
    body.angular_velocity = (0, 0, 1)
    run(world, 1)
    # Implicit: the factor per step is 1 / (1 + c h).
    assert joint[0].velocity == pytest.approx((1 + 0.002) ** -1000, rel=1e-9)


def test_brake_and_damper_add_up():
    world = free_world(dt=0.001)
    body = world.add_body(unit_mass())
    joint = world.add_hinge(body, axis=(0, 0, 1))
    joint[0].damping_constant, joint[0].brake = 1.5, 0.5
    body.angular_velocity = (0, 0, 1)
    run(world, 1)
    assert joint[0].velocity == pytest.approx((1 + 0.002) ** -1000, rel=1e-9)


def test_a_spring_that_is_taken_away_is_gone():
    world = free_world(dt=0.001)
    joint = oscillator(world, "slider", 0.1)
    world.step(10)
    joint[0].spring_constant = joint[0].damping_constant = 0
    velocity = joint[0].velocity
    world.step(100)
    assert joint[0].velocity == pytest.approx(velocity, rel=1e-12)


def test_a_spring_and_a_motor_work_together():
    world = free_world(dt=0.002)
    joint = oscillator(world, "hinge", 0.0)
    motor = joint[0].add_motor(max_force=10)
    motor.set_force(4)
    run(world, 8)
    assert joint.positions[0] == pytest.approx(4 / K, rel=1e-4)


@pytest.mark.parametrize("kind", ["hinge", "hinge2"])
@pytest.mark.parametrize("axis", [(0, 0, 1), (1, 0, 0), (0.6, 0, 0.8)])
def test_suspension_sags_by_the_weight_along_its_axis(kind: str, axis):
    # The other two directions are held, so only the weight's part along the axis counts.
    world = World(dt=0.002)
    wheel = world.add_body(unit_mass())
    more = {"axis2": (0, 1, 0), "axis": (0, 0, 1)} if kind == "hinge2" else {"axis": (0, 1, 0)}
    getattr(world, f"add_{kind}")(
        wheel, suspension_spring=500, suspension_damping=40, suspension_axis=axis, **more
    )
    run(world, 6)
    sag = G * axis[2] / 500
    assert wheel.position == pytest.approx([-sag * a for a in axis], abs=2e-5)


def test_suspension_step_by_step():
    world = World(dt=0.002)
    wheel = world.add_body(unit_mass())
    world.add_hinge(
        wheel, axis=(0, 1, 0), suspension_spring=K, suspension_damping=C, suspension_axis=(0, 0, 1)
    )
    x, v = 0.0, 0.0
    for _ in range(300):
        world.step()
        x, v = implicit(x, v, K, C, world.dt, force=-G)
        assert wheel.position[2] == pytest.approx(x, abs=1e-8)


def test_a_suspended_hinge_turns_about_its_axis_only_and_measures_it():
    world = free_world(dt=0.002)
    car = world.add_body(unit_mass().scaled_to(1000), (0, 0, 1))
    wheel = world.add_body(unit_mass(), (1, 0, 1))
    joint = world.add_hinge(
        wheel,
        car,
        anchor=(1, 0, 0),
        axis=(0, 1, 0),
        suspension_spring=1e4,
        suspension_damping=100,
        suspension_axis=(0, 0, 1),
    )
    motor = joint[0].add_motor(max_velocity=20, max_force=1e4)
    motor.set_position(math.inf)
    motor.set_velocity(4)
    for _ in range(500):
        wheel.add_torque((0.5, 0, 0.5))
        world.step()
    assert joint[0].velocity == pytest.approx(4, rel=1e-3)
    assert joint.positions[0] == pytest.approx(4, rel=1e-2)
    spin = [a - b for a, b in zip(wheel.angular_velocity, car.angular_velocity, strict=True)]
    assert spin == pytest.approx([0, 4, 0], abs=0.01)
    same = sum(a * b for a, b in zip(joint.child_pose()[1], wheel.orientation, strict=True))
    assert abs(same) == pytest.approx(1, abs=1e-6)


def test_only_hinges_take_a_suspension():
    world = free_world()
    frame = world.add_frame()
    with pytest.raises(ValueError, match="suspension"):
        world.add_hinge(frame, suspension_spring=1)
