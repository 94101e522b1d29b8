"""Joints move as closed forms say: pendulums, springs, dampers, stops, friction, loops, suspensions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.physics.worlds import OLD, G, box, simulation
from wbridge.wbcore.simulation import Simulation

STATIC = 'Solid {{ name "base" children [ {} ] }}'


def hung(kind: str, parameters: str, end: str, header: str | None = None, **options: object) -> Simulation:
    """A joint between the world and a solid named END."""
    node = "JointParameters" if kind == "SliderJoint" else "HingeJointParameters"
    joint = f"DEF J {kind} {{ jointParameters {node} {{ {parameters} }} endPoint {end} }}"
    arguments = {"header": header} if header else {}
    return simulation(STATIC.format(joint), **arguments, **options)  # type: ignore[arg-type]


def position(s: Simulation, index: int = 0) -> float:
    return float(s.physics.handles.joints[s.node("J").node].positions[index])


def zero_crossings(s: Simulation, steps: int) -> list[float]:
    """Times at which the joint goes through 0, rising, interpolated."""
    found = []
    before = position(s)
    for _ in range(steps):
        s.step()
        now = position(s)
        if before < 0 <= now:
            found.append(s.time - s.step_s * now / (now - before))
        before = now
    return found


@pytest.mark.parametrize("header", [None, OLD])
def test_a_pendulum_has_the_period_of_its_length_and_inertia(header: str | None):
    """A small box 1 m below the axis: T = 2 pi sqrt((m l^2 + I) / (m g l)), small angles (0.02 rad: 1e-4)."""
    down = "0 -1 0" if header else "0 0 -1"
    start = f"translation {down}"
    end = box("END", start, "0.1 0.1 0.1", "mass 1 density -1")
    s = hung("HingeJoint", "axis 1 0 0", end, header)
    s.node("END").set_velocity(linear=(0, 0, -0.06) if header else (0, 0.06, 0), angular=(0.06, 0, 0))
    times = zero_crossings(s, 6500)
    inertia = 1 + 0.01 / 6
    assert np.diff(times) == pytest.approx(2 * math.pi * math.sqrt(inertia / G), rel=1e-3)


def test_a_slider_with_a_spring_swings_with_its_own_period_and_decay():
    """k = 100 N/m, c = 1 N s/m, m = 1 kg; the spring is integrated implicitly, which adds damping h k / 2 at
    most."""
    end = box("END", "translation 0.1 0 0", "0.1 0.1 0.1", "mass 1 density -1")
    parameters = "axis 1 0 0 position 0.1 springConstant 100 dampingConstant 1"
    s = hung("SliderJoint", parameters, end, info="gravity 0", step_ms=0.1)
    times = zero_crossings(s, 20000)
    decay = 0.5 + 0.5 * 1e-4 * 100 / 2
    omega = math.sqrt(100 - 0.25)
    assert np.diff(times) == pytest.approx(2 * math.pi / omega, rel=2e-3)
    assert s.node("END").translation[0] == pytest.approx(
        0.1 * math.exp(-decay * 2) * math.cos(omega * 2), abs=3e-3
    )


def test_a_spring_carries_a_weight_at_mg_over_k():
    end = box("END", "", "0.1 0.1 0.1", "mass 2 density -1")
    s = hung("SliderJoint", "axis 0 0 1 springConstant 200 dampingConstant 40", end)
    s.run(3.0)
    assert position(s) == pytest.approx(-2 * G / 200, rel=1e-4)


def test_a_torsion_spring_holds_a_lever():
    """m g l cos(q) = k q in balance."""
    end = box("END", "translation 1 0 0", "0.1 0.1 0.1", "mass 1 density -1")
    s = hung("HingeJoint", "axis 0 -1 0 springConstant 50 dampingConstant 10", end)
    s.run(5.0)
    q = position(s)
    assert q < 0
    assert -50 * q == pytest.approx(G * math.cos(q), rel=1e-3)


def test_a_damper_slows_down_exponentially():
    end = box("END", "linearVelocity 1 0 0", "0.1 0.1 0.1", "mass 2 density -1")
    s = hung("SliderJoint", "axis 1 0 0 dampingConstant 4", end, info="gravity 0")
    s.node("END").set_velocity(linear=(1, 0, 0))
    s.run(1.0)
    # implicit: 1 / (1 + h c / m) per step
    assert s.node("END").linear_velocity[0] == pytest.approx((1 + 0.001 * 2) ** -1000, rel=1e-6)


def test_static_friction_decelerates_evenly():
    end = box("END", "", "0.1 0.1 0.1", "mass 2 density -1")
    s = hung("SliderJoint", "axis 1 0 0 staticFriction 3", end, info="gravity 0")
    s.node("END").set_velocity(linear=(1, 0, 0))
    s.run(0.5)
    assert s.node("END").linear_velocity[0] == pytest.approx(1 - 0.5 * 3 / 2, rel=1e-4)
    s.run(0.5)
    assert s.node("END").linear_velocity[0] == pytest.approx(0, abs=1e-4)


def test_static_friction_holds_a_smaller_force():
    end = box("END", "", "0.1 0.1 0.1", "mass 1 density -1")
    s = hung("SliderJoint", "axis 0 0 1 staticFriction 11", end)
    s.run(1.0)
    assert position(s) == pytest.approx(0, abs=2e-4)


@pytest.mark.parametrize(("kind", "low", "high"), [("SliderJoint", -0.3, 0.5), ("HingeJoint", -0.3, 0.5)])
def test_stops_end_the_motion_on_both_sides(kind: str, low: float, high: float):
    end = box("END", "", "0.1 0.1 0.1", "mass 1 density -1")
    s = hung(kind, f"axis 1 0 0 minStop {low} maxStop {high}", end, info="gravity 0")
    for speed, stop in ((1.0, high), (-1.0, low)):
        s.node("END").set_velocity(linear=(speed, 0, 0), angular=(speed, 0, 0))
        furthest = -math.inf
        for _ in range(2000):
            s.step()
            furthest = max(furthest, position(s) * speed)
        # one step beyond the stop at most, and back
        assert furthest == pytest.approx(stop * speed, abs=2e-3)


def test_a_hinge_stop_counts_from_the_position_in_the_file():
    end = box("END", "", "0.1 0.1 0.1", "mass 1 density -1")
    s = hung("HingeJoint", "axis 1 0 0 position 0.4 minStop 0 maxStop 0.5", end, info="gravity 0")
    s.node("END").set_velocity(angular=(1, 0, 0))
    s.run(0.05)
    assert position(s) == pytest.approx(0.45, abs=1e-4)
    furthest = 0.0
    for _ in range(200):
        s.step()
        furthest = max(furthest, position(s))
    assert furthest == pytest.approx(0.5, abs=2e-3)


def test_a_hinge_counts_its_turns():
    end = box("END", "", "0.1 0.1 0.1", "mass 1 density -1")
    s = hung("HingeJoint", "axis 0 0 1", end, info="gravity 0", step_ms=8)
    s.node("END").set_velocity(angular=(0, 0, 50))
    s.run(2.0)
    assert position(s) == pytest.approx(50 * 2, rel=1e-9)


def test_a_ball_joint_holds_its_anchor_and_turns_freely():
    joint = "DEF J BallJoint { jointParameters BallJointParameters { anchor 0 0 1 } endPoint %s }"
    s = simulation(STATIC.format(joint % box("END", "", "0.1 0.1 0.1", "mass 1 density -1")))
    s.node("END").set_velocity(linear=(1, 0, 0), angular=(0, 1, 0))
    for _ in range(20):
        s.run(0.1)
        place = s.node("END").pose
        assert place @ np.array([0, 0, 1, 1]) == pytest.approx(np.array([0, 0, 1, 1]), abs=1e-3)


def test_springs_of_a_ball_joint_bring_it_back():
    joint = """DEF J BallJoint { jointParameters BallJointParameters { springConstant 1 dampingConstant 0.05 }
      endPoint %s }"""
    s = simulation(
        STATIC.format(joint % box("END", "", "0.2 0.2 0.2", "mass 1 density -1")), info="gravity 0"
    )
    s.node("END").set_velocity(angular=(1, 2, 3))
    s.run(0.2)
    assert abs(position(s, 2)) > 0.05
    s.run(5.0)
    assert [position(s, i) for i in range(3)] == pytest.approx([0, 0, 0], abs=1e-3)


def test_hinge2_turns_about_both_axes_and_no_third():
    joint = """DEF J Hinge2Joint { jointParameters HingeJointParameters { axis 0 0 1 }
      jointParameters2 JointParameters { axis 0 1 0 } endPoint %s }"""
    s = simulation(
        STATIC.format(joint % box("END", "", "0.2 0.2 0.2", "mass 1 density -1")), info="gravity 0"
    )
    s.node("END").set_velocity(angular=(0.0, 0.5, 0.3))
    s.run(1.0)
    one, two = position(s, 0), position(s, 1)
    c1, s1, c2, s2 = math.cos(one), math.sin(one), math.cos(two), math.sin(two)
    expected = np.array([[c1, -s1, 0], [s1, c1, 0], [0, 0, 1]]) @ np.array(
        [[c2, 0, s2], [0, 1, 0], [-s2, 0, c2]]
    )
    assert abs(one) > 0.1
    assert abs(two) > 0.1
    assert s.node("END").pose[:3, :3] == pytest.approx(expected, abs=1e-3)


def test_a_fixed_touch_sensor_stays_in_place():
    sensor = (
        "DEF END TouchSensor { translation 0.5 0 0 boundingObject Box { size 0.1 0.1 0.1 } "
        "physics Physics { mass 0.1 density -1 } }"
    )
    s = simulation(
        "DEF R Robot { boundingObject Box { size 0.4 0.4 0.4 } physics Physics { mass 1 density -1 } "
        f"angularVelocity 0 0 2 children [ {sensor} ] }}",
        info="gravity 0",
    )
    s.run(1.0)
    assert s.node("R").pose @ np.array([0.5, 0, 0, 1]) == pytest.approx(s.node("END").pose[:, 3], abs=1e-3)


def crank(name: str, x: float, inner: str = "") -> str:
    """A vertical link that turns about y at its lower end."""
    end = box(name, f"translation {x} 0 0.5 children [ {inner} ]", "0.05 0.05 1", "mass 1 density -1")
    return (
        f"HingeJoint {{ jointParameters HingeJointParameters {{ axis "
        f"0 1 0 anchor {x} 0 0 }} endPoint {end} }}"
    )


def four_bars() -> Simulation:
    """A parallelogram: two cranks of 1 m and a coupler of 2 m on top, closed by a SolidReference."""
    close = """DEF J HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 1 0 0 }
      endPoint SolidReference { solidName "right" } }"""
    coupler = box("TOP", f"translation 1 0 0.5 children [ {close} ]", "2 0.05 0.05", "mass 1 density -1")
    top = (
        f"HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 1 "
        f"0 anchor 0 0 0.5 }} endPoint {coupler} }}"
    )
    return simulation(STATIC.format(crank("LEFT", 0, top) + crank("RIGHT", 2)), info="gravity 0")


def test_a_four_bar_loop_moves_as_a_parallelogram():
    s = four_bars()
    s.node("LEFT").set_velocity(linear=(0.5, 0, 0), angular=(0, 1, 0))
    s.node("TOP").set_velocity(linear=(1, 0, 0))
    s.node("RIGHT").set_velocity(linear=(0.5, 0, 0), angular=(0, 1, 0))
    s.run(1.0)
    left, top, right = (s.node(name).pose for name in ("LEFT", "TOP", "RIGHT"))
    turn = s.node("LEFT").rotation
    assert turn[3] == pytest.approx(1.0, abs=0.02)
    assert right[:3, :3] == pytest.approx(left[:3, :3], abs=2e-3)
    assert top[:3, :3] == pytest.approx(np.eye(3), abs=2e-3)
    assert top @ np.array([1, 0, 0, 1]) == pytest.approx(right @ np.array([0, 0, 0.5, 1]), abs=1e-3)
    assert s.gaps() == []


def test_a_loop_may_close_on_the_static_environment():
    close = """HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0 0 0.5 }
      endPoint SolidReference { solidName "<static environment>" } }"""
    s = simulation(box("A", f"translation 0 0 -0.5 children [ {close} ]", "0.05 0.05 1", "mass 1 density -1"))
    s.node("A").set_velocity(linear=(0.5, 0, 0), angular=(0, -1, 0))
    for _ in range(10):
        s.run(0.1)
        assert s.node("A").pose @ np.array([0, 0, 0.5, 1]) == pytest.approx(np.array([0, 0, 0, 1]), abs=1e-3)
    assert np.linalg.norm(s.node("A").translation - [0, 0, -0.5]) > 0.01


def suspended(kind: str = "HingeJoint") -> Simulation:
    """A chassis that can only slide up and down, on a wheel hub held in place by the floor."""
    wheel = box("WHEEL", "translation 0 0 -0.5", "0.2 0.2 0.2", "mass 1 density -1")
    joint = f"""{kind} {{ jointParameters HingeJointParameters {{ axis 0 1 0 anchor 0 0 -0.5
      suspensionAxis 0 0 1
      suspensionSpringConstant 2000 suspensionDampingConstant 10 }} endPoint {wheel} }}"""
    chassis = box("CHASSIS", f"children [ {joint} ]", "0.5 0.5 0.2", "mass 10 density -1")
    slider = f"SliderJoint {{ jointParameters JointParameters {{ axis 0 0 1 }} endPoint {chassis} }}"
    floor = 'Solid { name "floor" translation 0 0 -0.6 boundingObject Plane { } }'
    properties = "contactProperties ContactProperties { bounce 0 softCFM 1e-7 coulombFriction -1 }"
    return simulation(floor + STATIC.format(slider), info=properties)


def test_a_suspension_carries_the_chassis_at_mg_over_k():
    s = suspended()
    lowest = 0.0
    for _ in range(8000):
        s.step()
        lowest = min(lowest, s.node("CHASSIS").translation[2])
    rest = -10 * G / 2000
    assert s.node("CHASSIS").translation[2] == pytest.approx(rest, rel=0.02)
    # Let go at rest it swings to almost twice the depth: damping ratio 10 / (2 sqrt(k m)) = 0.035.
    assert lowest == pytest.approx(rest * (1 + math.exp(-math.pi * 0.035)), rel=0.05)


def test_a_kinematic_hinge_turns_what_has_no_physics():
    text = """Robot { children [ HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 anchor 1 0 0 }
      device RotationalMotor { name "m" maxVelocity 2 }
      endPoint DEF END Solid { translation 2 0 0 boundingObject Box { size 0.1 0.1 0.1 } } } ] }"""
    s = simulation(text)
    (motor,) = s.physics.handles.motors.values()
    motor.set_acceleration(1000)
    motor.set_position(math.pi / 2)
    s.run(2.0)
    assert s.node("END").translation == pytest.approx(np.array([1, 1, 0]), abs=1e-5)


def test_the_position_of_a_loop_on_the_static_environment_is_that_of_the_world_seen_from_the_solid():
    close = """DEF J HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 }
      endPoint SolidReference { solidName "<static environment>" } }"""
    s = simulation(box("A", f"children [ {close} ]", "0.2 0.2 0.2", "mass 1 density -1"), info="gravity 0")
    s.node("A").set_velocity(angular=(0, 0.5, 0))
    s.run(1.0)
    assert position(s) == pytest.approx(-0.5, rel=1e-3)


def test_joints_that_share_their_parameters_keep_the_position_in_the_file():
    arm = "HingeJoint { jointParameters %s HingeJointParameters { axis 0 0 1 position 0.25 } endPoint %s }"
    first = arm % ("DEF P", box("A", "translation 1 0 0", "0.1 0.1 0.1", "mass 1 density -1"))
    end = box("B", "translation -1 0 0", "0.1 0.1 0.1", "mass 1 density -1")
    second = f"HingeJoint {{ jointParameters USE P endPoint {end} }}"
    s = simulation(STATIC.format(first + second), info="gravity 0")
    for name, speed in (("A", 1), ("B", -1)):
        s.node(name).set_velocity(linear=(0, speed, 0), angular=(0, 0, 1))
    s.run(0.5)
    assert s.sync().find("P").get("position") == 0.25
    assert s.node("B").rotation[3] == pytest.approx(0.5, rel=0.01)
