"""Motions that users of simulators reported as wrong, each with a value from outside.

The names of the parameters are public reports (owner/repository#number); the judges stand in the
    docstrings.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.devices.rig import Rig, rig
from tests.physics.worlds import FLOOR, NEW, G, box, simulation
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

ONE = "mass 1 density -1"


def hinge(motor: str, end: str, parameters: str = "axis 0 0 1", sensor: str = "p") -> str:
    return (
        f"DEF J HingeJoint {{ jointParameters HingeJointParameters {{ {parameters} }} "
        f'device [ {motor} PositionSensor {{ name "{sensor}" }} ] endPoint {end} }}'
    )


def spun(w: float, step_ms: int) -> Rig:
    """A hinge driven at a constant speed (rad/s)."""
    motor = 'RotationalMotor { name "m" maxVelocity 1000 maxTorque 1000 }'
    r = rig(hinge(motor, box("END", "", "0.2 0.2 0.2", ONE)), info=f"gravity 0 basicTimeStep {step_ms}")
    r.enable("p")
    r["m"].set_position(math.inf)
    r["m"].set_velocity(w)
    return r


@pytest.mark.parametrize("w", [45.0, 60.0, 90.0, -140.0])
def test_webots_6698_a_position_grows_evenly_at_high_speed(w: float):
    """cyberbotics/webots#6698: the position grows by w dt per step, also beyond 1.4 rad and half a turn
    per step.
    """
    r = spun(w, 33)
    values = []
    for _ in range(20):
        r.step()
        values.append(r["p"].get_value())
    assert np.diff(values[3:]) == pytest.approx(w * 0.033, rel=1e-6)


@pytest.mark.parametrize("w", [1.0, 7.3, 40.0])
def test_webots_5708_a_position_is_the_angle_of_the_body(w: float):
    """cyberbotics/webots#5708: sensor and orientation agree after hundreds of steps of velocity control."""
    r = spun(w, 16)
    r.step(400)
    turn = r.simulation.node("END").pose[:3, :3]
    angle = math.atan2(turn[1, 0], turn[0, 0])
    assert math.remainder(r["p"].get_value() - angle, 2 * math.pi) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("stop", [2.0, 2.6, 3.0, math.pi])
def test_webots_3947_a_flap_stays_between_its_stops(stop: float):
    """cyberbotics/webots#3947: a flap that is pushed over falls, and stays at its stop."""
    end = box("END", "translation 0.1 0 0", "0.2 0.02 0.1", "mass 0.1 density -1")
    joint = (
        f"HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 1 0 minStop 0 maxStop {stop} }} "
        f'device PositionSensor {{ name "p" }} endPoint {end} }}'
    )
    r = rig(joint, info="basicTimeStep 16")
    r.enable("p")
    low = high = 0.0
    for step in range(300):
        r.step()
        if step < 5:
            r.simulation.node("END").set_velocity((0, 0, -2), (0, 20, 0))
        low, high = min(low, r["p"].get_value()), max(high, r["p"].get_value())
    assert low > -0.1 and high < stop + 0.1


@pytest.mark.parametrize("torque", [-5.0, 5.0])
def test_webots_6101_a_torque_does_not_break_a_stop(torque: float):
    """cyberbotics/webots#6101: joint limits +-2.8 rad under 5 N m; judge: JointParameters.minStop,
    maxStop.
    """
    motor = 'RotationalMotor { name "m" maxTorque 20 }'
    text = hinge(motor, box("END", "", "0.1 0.1 0.1", ONE), "axis 0 0 1 minStop -2.8 maxStop 2.8")
    r = rig(text, info="gravity 0 basicTimeStep 8")
    r.enable("p")
    r["m"].set_torque(torque)
    reached = []
    for _ in range(400):
        r.step()
        reached.append(abs(r["p"].get_value()))
    # At most the way of one step beyond: 1.1 rad at the speed that 5 N m give to this small box.
    assert max(reached) < 2.8 + 1.1
    assert reached[-1] == pytest.approx(2.8, abs=0.02)


def test_webots_2823_limits_of_the_second_axis_are_those_of_the_second_motor():
    """cyberbotics/webots#2823: device2 limits axis 2 only."""
    text = (
        "Hinge2Joint { jointParameters HingeJointParameters { axis 1 0 0 } "
        "jointParameters2 JointParameters { axis 0 0 1 } "
        'device [ RotationalMotor { name "a" } PositionSensor { name "pa" } ] '
        'device2 [ RotationalMotor { name "b" minPosition -1 maxPosition 1 } PositionSensor { '
        'name "pb" } ] '
        f"endPoint {box('END', '', '0.1 0.1 0.1', ONE)} }}"
    )
    r = rig(text, info="gravity 0")
    r.enable("pa", "pb")
    r["a"].set_position(-2)
    r["b"].set_position(-2)
    r.step(120)
    assert r["pa"].get_value() == pytest.approx(-2, abs=1e-3)
    assert r["pb"].get_value() == pytest.approx(-1, abs=1e-3)


@pytest.mark.parametrize("position", [0.0, 1.9])
def test_webots_1855_a_slider_that_starts_at_a_stop_stays(position: float):
    """cyberbotics/webots#1855: no controller, no force: nothing moves."""
    end = box("END", f"translation {position} 0 0", "0.1 0.1 0.1")
    text = (
        f"SliderJoint {{ jointParameters JointParameters {{ axis 1 0 0 position {position} minStop "
        f"0 maxStop 1.9 }} "
        f'device [ LinearMotor {{ name "m" minPosition 0 maxPosition 1.9 maxForce 100 }} '
        f'PositionSensor {{ name "p" }} ] endPoint {end} }}'
    )
    r = rig(text, info="gravity 0")
    r.enable("p")
    values = []
    for _ in range(100):
        r.step()
        values.append(r["p"].get_value())
    assert values == pytest.approx([position] * 100, abs=1e-6)


@pytest.mark.parametrize("force", [10.0, 1e3, 1e6])
def test_webots_4323_a_strong_motor_at_rest_moves_nothing(force: float):
    """cyberbotics/webots#4323: gravity 0, target infinity, velocity 0: the box does not move."""
    end = box("END", "translation 0.5 0 0.2", "0.1 0.1 0.1", ONE)
    text = (
        "SliderJoint { jointParameters JointParameters { axis 1 0 0 } "
        f'device [ LinearMotor {{ name "m" maxForce {force} }} PositionSensor {{ name "p" }} ] '
        f"endPoint {end} }}"
    )
    r = rig(
        text,
        fields=f"boundingObject Box {{ size 0.1 0.1 0.1 }} physics Physics {{ {ONE} }}",
        info="gravity 0",
    )
    r.enable("p")
    r["m"].set_position(math.inf)
    r["m"].set_velocity(0)
    for _ in range(30):
        r.step()
        assert abs(r["p"].get_value()) < 1e-9
    assert np.linalg.norm(r.simulation.node("END").linear_velocity) < 1e-6


def test_webots_6776_the_torque_of_a_ball_joint_carries_its_weight():
    """cyberbotics/webots#6776: a lever of 0.5 m with 1 kg held level: m g l about y, nothing else."""
    end = box("END", "translation 0.5 0 0", "0.1 0.1 0.1", ONE)
    text = (
        "BallJoint { jointParameters BallJointParameters { anchor 0 0 0 } "
        "jointParameters2 JointParameters { axis 0 1 0 } jointParameters3 JointParameters { axis 0 0 1 } "
        'device RotationalMotor { name "a" } device2 RotationalMotor { name "b" maxTorque 50 } '
        f'device3 RotationalMotor {{ name "c" }} endPoint {end} }}'
    )
    base = "boundingObject Box { size 3 3 0.2 } physics Physics { density -1 mass 100 }"
    floor = "Solid { translation 0 0 -0.1 boundingObject Plane { } }"
    r = rig(text, floor, base, "contactProperties ContactProperties { softCFM 1e-8 bounce 0 }")
    for one in "abc":
        r[one].enable_torque_feedback(r.period)
    r.step(100)
    torques = [r[one].get_torque_feedback() for one in "abc"]
    assert torques == pytest.approx([0.5 * G * -1, 0, 0], abs=1e-6)


def test_webots_2417_a_constant_torque_gives_a_constant_angular_acceleration():
    """cyberbotics/webots#2417: alpha = T / I, at 1 rad/s as at 60 rad/s."""
    motor = 'RotationalMotor { name "m" maxTorque 10 }'
    r = rig(hinge(motor, box("END", "", "1 1 1", "mass 6 density -1")), info="gravity 0 basicTimeStep 8")
    r["m"].set_torque(2)
    speeds = []
    for _ in range(600):
        r.step()
        speeds.append(r.simulation.node("END").angular_velocity[2])
    assert np.diff(speeds[2:]) == pytest.approx(2 * 0.008, rel=1e-3)


MESH = (
    "IndexedFaceSet { coord Coordinate { point [ 0 0 0, 0 0 1, 0 1 0, 0 1 1, 1 0 1, 1 0 0, 1 "
    "1 0, 1 1 1 ] } coordIndex [ %s ] }"
)
CUBE = (
    "0 1 3 -1 0 3 2 -1 5 6 7 -1 5 7 4 -1 0 5 4 -1 0 4 1 -1 2 3 7 -1 2 7 6 -1 0 2 6 -1 0 6 5 "
    "-1 1 4 7 -1 1 7 3 -1"
)


def spin_up(s: Simulation, name: str, axis: int) -> float:
    """Angular velocity (rad/s) after a step of 1 ms under 1 N m about an axis."""
    body, _ = s.physics.carrier(s.node(name).node)
    torque = [0.0, 0.0, 0.0]
    torque[axis] = 1.0
    body.add_torque(torque)
    s.step()
    return float(s.node(name).angular_velocity[axis])


def test_webots_4931_a_cube_of_triangles_turns_as_a_box_does():
    """cyberbotics/webots#4931: a cube of faces and a Box have the same mass and moments: m a^2 / 6."""
    shape = f"Pose {{ translation -0.5 -0.5 -0.5 children [ {MESH % CUBE} ] }}"
    s = simulation(
        f"DEF MESH Solid {{ boundingObject {shape} physics Physics {{ density -1 mass 3 }} }}",
        info="gravity 0",
    )
    for axis in range(3):
        s.reset()
        assert spin_up(s, "MESH", axis) == pytest.approx(0.001 / (3 / 6), rel=1e-6)


def test_webots_4702_the_inertia_matrix_counts_about_the_center_of_mass():
    """cyberbotics/webots#4702; manual, Physics.inertiaMatrix: about the center of mass, wherever it is."""
    physics = "density -1 mass 1 centerOfMass [ 1 0 0 ] inertiaMatrix [ 0.4 0.4 0.4, 0 0 0 ]"
    s = simulation(
        f"DEF B Solid {{ boundingObject Sphere {{ radius 1 }} physics Physics {{ {physics} }} }}",
        info="gravity 0",
    )
    assert spin_up(s, "B", 2) == pytest.approx(0.001 / 0.4, rel=1e-6)


def test_webots_4131_a_belt_larger_than_its_robot_stays_where_it_is():
    """cyberbotics/webots#4131: boxes on a Track far beyond the robot's box: no value is lost in 20 s."""
    text = (
        "DEF R Robot { children [ DEF T Track { translation 0 0 0.06 boundingObject Box { size "
        "0.66 0.1 0.05 } "
        f'physics Physics {{ {ONE} }} device DEF M LinearMotor {{ name "belt" maxForce 50 }} }} ] '
        "boundingObject Box { size 0.1 0.1 0.12 } translation 0 0 0.06 }"
    )
    loads = "".join(
        box(f"L{i}", f"translation {0.2 * i - 0.2} 0 0.17", "0.05 0.05 0.05", "mass 0.5 density -1")
        for i in range(3)
    )
    s = simulation(text + loads + FLOOR, step_ms=16)
    motor = s.physics.handles.motors[s.node("M").node]
    motor.set_position(math.inf)
    motor.set_velocity(0.05)
    s.run(20)
    assert np.isfinite(s.node("T").pose).all()
    assert s.node("T").pose[:3, 3] == pytest.approx([0, 0, 0.12], abs=5e-3)
    assert s.node("L0").translation[0] > 0.1


@pytest.mark.parametrize(("z", "sign"), [(0.13, 1), (-0.13, -1)])
def test_webots_3693_the_lower_side_of_a_belt_runs_back(z: float, sign: int):
    """cyberbotics/webots#3693: what rests on a belt goes with it; what the belt rests on is pushed the
    other way.
    """
    text = (
        "Robot { children [ DEF T Track { boundingObject Box { size 6 1 0.2 } "
        'device DEF M LinearMotor { name "belt" maxForce 100 } } ] }'
    ) + box(fields=f"translation 0 0 {z}", size="0.2 0.2 0.06", physics=ONE)
    s = simulation(text, step_ms=8)
    motor = s.physics.handles.motors[s.node("M").node]
    motor.set_position(math.inf)
    motor.set_velocity(0.3)
    body, _ = s.physics.carrier(s.node("BOX").node)
    for _ in range(190):
        if z < 0:
            body.add_force((0, 0, 3 * G))
        s.step()
    assert s.node("BOX").linear_velocity[0] == pytest.approx(sign * 0.3, abs=0.01)


def test_webots_6888_a_fluid_that_changes_acts_at_once():
    """cyberbotics/webots#6888: a box in equilibrium floats up when the fluid gets denser: Archimedes."""
    text = (
        'DEF F Fluid { name "fluid" boundingObject Box { size 10 10 10 } density 500 }'
        "DEF B Solid { boundingObject Box { size 0.2 0.2 0.2 } physics Physics { density 500 } "
        'immersionProperties DEF I ImmersionProperties { fluidName "fluid" } }'
    )
    s = simulation(text)
    s.run(0.5)
    assert abs(s.node("B").linear_velocity[2]) < 1e-3
    s.set_field(s.node("F").node, "density", 1000.0)
    s.run(0.1)
    assert s.node("B").linear_velocity[2] == pytest.approx(G * 0.1, rel=0.02)
    before = s.node("B").linear_velocity[2]
    s.set_field(s.node("F").node, "density", 0.0)
    s.run(0.1)
    assert s.node("B").linear_velocity[2] - before == pytest.approx(-G * 0.1, rel=0.02)


def test_webots_6888_a_stream_that_changes_acts_at_once():
    """cyberbotics/webots#6888: ImmersionProperties and streamVelocity change during the run."""
    text = (
        'DEF F Fluid { name "fluid" boundingObject Box { size 10 10 10 } density 500 streamVelocity 0 0 0 }'
        "DEF B Solid { boundingObject Box { size 0.2 0.2 0.2 } physics Physics { density 500 } "
        'immersionProperties DEF I ImmersionProperties { fluidName "fluid" referenceArea '
        '"xyz-projection" } }'
    )
    s = simulation(text, info="gravity 0")
    s.run(0.1)
    s.set_field(s.node("F").node, "streamVelocity", (2.0, 0.0, 0.0))
    s.run(0.5)
    assert abs(s.node("B").linear_velocity[0]) < 1e-9
    s.set_field(s.node("I").node, "dragForceCoefficients", (1.0, 1.0, 1.0))
    s.step()
    # F = c rho v^2 A = 500 * 4 * 0.04 = 80 N on 4 kg.
    assert s.node("B").linear_velocity[0] == pytest.approx(0.02, rel=0.01)


@pytest.mark.parametrize("rolling", ["", "rollingFriction 0.001 0.002 0.003"])
def test_webots_6618_rolling_friction_leaves_sliding_friction_as_it_is(rolling: str):
    """cyberbotics/webots#6618: a box slides down with mu g, with and without asymmetric rolling
    friction.
    """
    info = f"contactProperties ContactProperties {{ coulombFriction 0.5 bounce 0 softCFM 1e-8 {rolling} }}"
    s = simulation(FLOOR + box(fields="translation 0 0 0.02", size="0.4 0.4 0.04"), info=info)
    for velocity in ((4, 0, 0), (0, 4, 0)):
        s.run(0.1)
        s.node("BOX").set_velocity(velocity, (0, 0, 0))
        s.run(0.1)
        assert 4 - np.linalg.norm(s.node("BOX").linear_velocity) == pytest.approx(0.5 * G * 0.1, rel=0.02)


@pytest.mark.parametrize(
    ("kind", "angle"),
    [("Box { size 0.4 0.4 0.04 }", math.pi / 4), ("Box { size 0.4 0.4 0.04 }", -math.pi / 4)],
)
def test_webots_3024_friction_turned_by_45_degrees_steers(kind: str, angle: float):
    """cyberbotics/webots#3024: with friction along one direction only, a pushed box glides along the
    other.
    """
    info = (
        'contactProperties ContactProperties { material1 "wheel" coulombFriction [ 0 2 0 ] '
        f"frictionRotation {angle} 0 bounce 0 softCFM 1e-8 }}"
    )
    s = simulation(
        FLOOR + box(fields='translation 0 0 0.02 contactMaterial "wheel"', size="0.4 0.4 0.04"), info=info
    )
    s.run(0.1)
    s.node("BOX").set_velocity((1, 0, 0), (0, 0, 0))
    s.run(0.3)
    vx, vy = s.node("BOX").linear_velocity[:2]
    assert abs(math.atan2(vy, vx)) == pytest.approx(math.pi / 4, abs=0.05)
    assert math.hypot(vx, vy) == pytest.approx(math.cos(math.pi / 4), rel=0.05)


def test_mujoco_1130_limits_of_a_joint_leave_others_alone():
    """google-deepmind/mujoco#1130: a wheel that spins freely keeps 100 rad/s although another joint is
    limited.
    """
    end = box("W", "", "0.2 0.2 0.2", ONE)
    free = f"DEF A HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 0 1 }} endPoint {end} }}"
    limited = (
        "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 minStop -0.5 maxStop 0.5 "
        "anchor 2 0 0 } "
        f"endPoint {box('L', 'translation 2 0 0', '0.2 0.2 0.2', ONE)} }}"
    )
    s = simulation(f"Robot {{ children [ {free} {limited} ] }}", info="gravity 0", step_ms=2)
    s.node("W").set_velocity((0, 0, 0), (0, 0, 100))
    s.run(2)
    assert s.node("W").angular_velocity == pytest.approx([0, 0, 100], abs=1e-6)
    assert s.node("L").angular_velocity == pytest.approx([0, 0, 0], abs=1e-9)


@pytest.mark.parametrize("torque", [1.0, 5.0])
def test_gazebo_330_a_joint_gives_its_effort_at_most(torque: float):
    """gazebosim/gazebo-classic#330: under position control alpha never exceeds maxTorque / I, nor speed
    maxVelocity.
    """
    motor = f'RotationalMotor {{ name "m" maxTorque {torque} maxVelocity 3 controlPID 100 0 0 }}'
    r = rig(hinge(motor, box("END", "", "1 1 1", "mass 6 density -1")), info="gravity 0 basicTimeStep 4")
    r["m"].set_position(3)
    speeds = [0.0]
    for _ in range(400):
        r.step()
        speeds.append(r.simulation.node("END").angular_velocity[2])
    assert max(speeds) <= 3 + 1e-6
    assert max(np.diff(speeds)) <= torque * 0.004 * (1 + 1e-6)


def test_webots_3051_a_hinge_without_parameters_returns_at_a_reset():
    """cyberbotics/webots#3051: a joint without jointParameters: reset is the file, also the second time."""
    end = box("END", "translation 0 0.5 0", "0.1 0.1 0.1", ONE)
    text = (
        f'DEF R Robot {{ children [ DEF J HingeJoint {{ device DEF M RotationalMotor {{ name "m" '
        f"}} endPoint {end} }} ] }}"
    )
    s = simulation(text, step_ms=16)
    start = s.hash()
    for _ in range(3):
        motor = s.physics.handles.motors[s.node("M").node]
        motor.set_position(math.inf)
        motor.set_velocity(3)
        s.run(1)
        assert abs(s.node("END").translation[1] - 0.5) > 0.01
        s.reset()
        assert s.node("END").translation == pytest.approx([0, 0.5, 0], abs=1e-12)
        assert s.hash() == start


def test_webots_5104_a_robot_in_a_loop_returns_at_a_reset():
    """cyberbotics/webots#5104: the robot whose joints refer back to itself is where the file has it."""
    loop = 'HingeJoint { endPoint SolidReference { solidName "base" } }'
    end = box("END", f"translation 0 -0.8 0 children [ {loop} ]", "0.2 0.2 0.2")
    text = (
        f'DEF R Robot {{ translation -0.18 0 0.779992 name "base" children [ HingeJoint {{ '
        f"endPoint {end} }} ] "
        "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } }"
    )
    s = simulation(text + FLOOR, step_ms=16)
    start = s.hash()
    s.run(1)
    s.set_field(s.node("R").node, "translation", (5.0, 5.0, 1.0))
    s.run(0.2)
    s.reset()
    assert s.node("R").translation == pytest.approx([-0.18, 0, 0.779992], abs=1e-12)
    assert s.hash() == start


def test_webots_1118_a_hundred_resets_leave_no_trace():
    """cyberbotics/webots#1118: after many jerky runs and resets a robot stands where the file has it, bit
    by bit.
    """
    wheel = (
        "HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 1 0 anchor 0 {y} 0.05 }} "
        "device DEF M{n} "
        'RotationalMotor {{ name "m{n}" }} endPoint Solid {{ name "w{n}" translation 0 {y} 0.05 '
        "rotation 1 0 0 1.5707963 "
        "boundingObject Cylinder {{ radius 0.05 height 0.02 }} physics Physics {{ }} }} }}"
    )
    text = FLOOR + (
        f"DEF R Robot {{ children [ {wheel.format(y=0.1, n=1)} {wheel.format(y=-0.1, n=2)} ] "
        "boundingObject Pose { translation 0 0 0.05 children [ Box { size 0.2 0.15 0.05 } ] } "
        "physics Physics { } }"
    )
    s = simulation(text, step_ms=32)
    start = s.hash()
    for turn in range(15):
        for n, speed in ((1, 6 - turn), (2, turn - 3)):
            motor = s.physics.handles.motors[s.node(f"M{n}").node]
            motor.set_position(math.inf)
            motor.set_velocity(speed)
        s.run(0.3)
        s.reset()
        assert s.hash() == start


def test_bullet_346_a_racket_turns_over_and_keeps_its_momentum():
    """bulletphysics/bullet3#346 (Dzhanibekov): a body spinning about its middle axis turns over; L
    stays.
    """
    s = simulation(
        box(size="1 2 3", fields="angularVelocity 0.01 3 0", physics="mass 12 density -1"),
        info="gravity 0",
        step_ms=1,
    )
    inertia = np.diag([13.0, 10, 5])

    def momentum() -> np.ndarray:
        turn = s.node("BOX").pose[:3, :3]
        return turn @ inertia @ turn.T @ s.node("BOX").angular_velocity

    before = momentum()
    lowest = 1.0
    for _ in range(60):
        s.run(0.2)
        lowest = min(lowest, s.node("BOX").pose[1, 1])
    assert lowest < -0.9
    assert np.linalg.norm(momentum() - before) < 0.05 * np.linalg.norm(before)


def test_webots_projects_7_a_body_with_an_open_mesh_uses_the_mass_it_is_given():
    """cyberbotics/webots-projects#7: mass and inertia are given; the mesh may be open."""
    shape = MESH % "0 1 3 -1 0 3 2 -1 5 6 7 -1"
    physics = "density -1 mass 2 inertiaMatrix [ 1 1 1, 0 0 0 ] centerOfMass [ 0 0 0 ]"
    s = simulation(
        f"DEF B Solid {{ boundingObject {shape} physics Physics {{ {physics} }} }}", info="gravity 0"
    )
    assert spin_up(s, "B", 0) == pytest.approx(0.001, rel=1e-9)


def test_webots_1483_a_platform_carries_what_lies_on_it():
    """cyberbotics/webots#1483: objects do not sink into a belt; the belt's two round ends carry too."""
    ends = (
        "Pose { translation %s 0 0 rotation 1 0 0 1.5707963 children [ Cylinder { radius 0.1 height 0.4 } ] }"
    )
    shape = f"Group {{ children [ Box {{ size 2 0.4 0.2 }} {ends % '-1'} {ends % '1'} ] }}"
    text = (
        f"Robot {{ translation 0 0 0.5 children [ DEF T Track {{ boundingObject {shape} "
        'device DEF M LinearMotor { name "belt" maxForce 100 } } ] }'
    ) + box(fields="translation -0.9 0 0.66", size="0.1 0.1 0.1", physics=ONE)
    s = simulation(text, step_ms=16)
    motor = s.physics.handles.motors[s.node("M").node]
    motor.set_position(math.inf)
    motor.set_velocity(0.5)
    s.run(1)
    lowest = 1.0
    while s.node("BOX").translation[0] < 0.9 and s.time < 6:
        s.step()
        lowest = min(lowest, float(s.node("BOX").translation[2]))
    assert s.time < 5
    assert lowest > 0.64


def test_webots_2487_contacts_of_extreme_softness_do_no_harm():
    """cyberbotics/webots#2288: softCFM at and below its bound."""
    for value in ("0.000001", "1e-300", "10"):
        s = simulation(
            FLOOR + box(fields="translation 0 0 0.5"),
            info=f"contactProperties ContactProperties {{ softCFM {value} }}",
            step_ms=16,
        )
        s.run(1)
        assert np.isfinite(s.node("BOX").pose).all()


CARRIERS = {
    "belt": "Robot { %s children [ Track { boundingObject Box { size 4 2 0.2 } device LinearMotor { } } ] }",
    "ramp": "Solid { %s boundingObject Box { size 4 2 0.2 } }",
}


@pytest.mark.parametrize(("mu", "acceleration"), [(0.3, 1.7549), (0.7, 0)])
@pytest.mark.parametrize("carrier", CARRIERS)
def test_webots_2412_a_belt_that_stands_is_a_ramp(carrier: str, mu: float, acceleration: float):
    """cyberbotics/webots#2412, gazebosim/gazebo-classic#989: g (sin a - mu cos a), tan a = 0.5, or none."""
    turn = math.atan(0.5)
    frame = f"rotation 0 1 0 {turn}"
    place = f"translation {0.2 * math.sin(turn)} 0 {0.2 * math.cos(turn)} {frame}"
    load = f'DEF B Solid {{ {place} contactMaterial "m" boundingObject Box {{ size 0.4 0.4 0.2 }} '
    load += f"physics Physics {{ {ONE} }} }}"
    contact = f'ContactProperties {{ material1 "m" bounce 0 softCFM 1e-6 coulombFriction {mu} }}'
    info = f"WorldInfo {{ basicTimeStep 4 contactProperties [ {contact} ] }}"
    with Simulation(load_text(f"{NEW}{info} {CARRIERS[carrier] % frame} {load}", "test.wbt")) as simulation:
        simulation.run(0.5)
        speed = float(np.linalg.norm(simulation.node("B").linear_velocity))
    assert speed == pytest.approx(0.5 * acceleration, abs=2e-3)


def test_webots_3771_rolling_friction_slows_a_ball():
    """cyberbotics/webots#3771: by rho g / (r (1 + 2/5))."""
    ball = "linearVelocity 1 0 0 angularVelocity 0 10 0 boundingObject Sphere { radius 0.1 }"
    contact = 'ContactProperties { material1 "m" bounce 0 coulombFriction 1 rollingFriction 0.001 0 0 }'
    text = f"{NEW}WorldInfo {{ basicTimeStep 2 contactProperties [ {contact} ] }} "
    text += f"DEF S Solid {{ {ball} physics Physics {{ {ONE} }} "
    text += 'translation 0 0 0.1 contactMaterial "m" } Solid { name "floor" boundingObject Plane { } }'
    with Simulation(load_text(text, "test.wbt")) as simulation:
        simulation.run(1)
        speed = simulation.node("S").linear_velocity[0]
    assert speed == pytest.approx(1 - 0.001 * 9.81 / (0.1 * 1.4), abs=1e-4)
