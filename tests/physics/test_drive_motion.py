"""Fluids, propellers and belts, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.physics.worlds import FLOOR, NEW, OLD, G, box, simulation, world
from wbridge.wbcore.simulation import Simulation

WATER = "Fluid { %s boundingObject Pose { translation 0 0 -50 children [ Box { size 100 100 100 } ] } }"


def immersed(more: str, fluid: str = "fluid") -> str:
    return f'immersionProperties ImmersionProperties {{ fluidName "{fluid}" {more} }}'


def test_a_floating_box_sinks_in_by_the_ratio_of_densities():
    properties = immersed("viscousResistanceForceCoefficient 1e6 viscousResistanceTorqueCoefficient 1e5")
    s = simulation(WATER % "" + box(fields=properties, size="1 1 0.4", physics="density 300"))
    s.run(10.0)
    # 0.3 of 0.4 m are immersed: the center is 0.2 - 0.12 above the surface.
    assert s.node("BOX").translation[2] == pytest.approx(0.2 - 0.12, abs=1e-4)


def test_a_fluid_of_old_worlds_has_its_surface_across_y():
    text = (
        """Fluid { boundingObject Transform { translation 0 -50 0 children [ Box { size 100 100 100 } ] } }"""
    )
    properties = immersed("viscousResistanceForceCoefficient 1e6 viscousResistanceTorqueCoefficient 1e5")
    s = simulation(text + box(fields=properties, size="1 0.4 1", physics="density 500"), OLD)
    s.run(10.0)
    assert s.node("BOX").translation[1] == pytest.approx(0, abs=1e-4)


def test_without_immersion_properties_a_fluid_has_no_effect():
    s = simulation(WATER % "" + box(fields="translation 0 0 -1", physics="density 300"))
    s.run(0.5)
    assert s.node("BOX").linear_velocity[2] == pytest.approx(-0.5 * G)


def test_the_name_selects_the_fluid():
    s = simulation(
        WATER % 'name "oil"'
        + box(fields="translation 0 0 -1 " + immersed("", "water"), physics="density 300")
    )
    s.run(0.5)
    assert s.node("BOX").linear_velocity[2] == pytest.approx(-0.5 * G)


def test_quadratic_drag_by_the_immersed_area_gives_a_terminal_velocity():
    """rho A c v^2 = (rho_s - rho) V g, all of the ball's surface being immersed."""
    properties = immersed("dragForceCoefficients 0.2 0 0")
    ball = (
        f"DEF B Solid {{ translation 0 0 -5 {properties} boundingObject Sphere {{ radius 0.1 }} "
        "physics Physics { density 3000 } }"
    )
    s = simulation(WATER % "" + ball)
    s.run(3.0)
    area, volume = 4 * math.pi * 0.01, 4 / 3 * math.pi * 1e-3
    expected = math.sqrt(2000 * volume * G / (1000 * area * 0.2))
    assert -s.node("B").linear_velocity[2] == pytest.approx(expected, rel=1e-3)


def test_quadratic_drag_by_projected_areas_differs_by_axis():
    properties = immersed('referenceArea "xyz-projected area" dragForceCoefficients 0.5 0.5 0.5')
    text = box(fields="translation 0 0 -5 " + properties, size="0.1 0.2 0.4", physics="density 3000")
    s = simulation(WATER % "" + text)
    s.run(3.0)
    # falling along z, the projection is 0.1 * 0.2
    expected = math.sqrt(2000 * 0.008 * G / (1000 * 0.02 * 0.5))
    assert -s.node("BOX").linear_velocity[2] == pytest.approx(expected, rel=1e-3)


def test_viscous_resistance_gives_a_terminal_velocity():
    """viscosity k v = (rho_s - rho) V g when all is immersed."""
    properties = immersed("viscousResistanceForceCoefficient 10000")
    text = box(fields="translation 0 0 -5 " + properties, size="0.1 0.1 0.1", physics="density 3000")
    s = simulation(WATER % "viscosity 0.002" + text)
    s.run(2.0)
    assert -s.node("BOX").linear_velocity[2] == pytest.approx(2 * G / (0.002 * 10000), rel=1e-3)


def test_a_stream_carries_a_body_along():
    properties = immersed("viscousResistanceForceCoefficient 10000")
    text = box(fields="translation 0 0 -5 " + properties, size="0.1 0.1 0.1", physics="density 1000")
    s = simulation(WATER % "streamVelocity 0.5 0 0 viscosity 0.002" + text)
    s.run(2.0)
    assert s.node("BOX").linear_velocity[0] == pytest.approx(0.5, rel=1e-3)


def propeller(constants: str, fields: str = "") -> str:
    device = 'device DEF M RotationalMotor { name "p" maxVelocity 1000 acceleration -1 maxTorque 1e9 }'
    part = f"Propeller {{ shaftAxis 0 0 1 {constants} {device} }}"
    return box("BOX", f"{fields} children [ {part} ]", "1 1 1", "mass 2 density -1").replace(
        "DEF BOX Solid", "DEF BOX Robot"
    )


def spin(s, speed: float) -> None:
    motor = s.physics.handles.motors[s.node("M").node]
    motor.set_position(math.inf)
    motor.set_velocity(speed)


def test_a_propeller_pushes_by_the_square_of_its_speed():
    s = simulation(propeller("thrustConstants 0.001 0 torqueConstants 0.0001 0"), info="gravity 0")
    spin(s, 50)
    s.run(1.0)
    assert s.node("BOX").linear_velocity == pytest.approx([0, 0, 0.001 * 2500 / 2], rel=1e-6)
    # the torque acts against the turning propeller: I = m / 6
    assert s.node("BOX").angular_velocity[2] == pytest.approx(-0.0001 * 2500 / (2 / 6), rel=1e-6)


def test_helices_have_no_mass():
    """Both solids are kinematic in Webots (WbSolid::setSolidMerger): its Mavic hovers although
    the eight helices of 0.1 kg would outweigh the rest."""
    helix = (
        '%s Solid { name "%s" boundingObject Sphere { radius 0.1 } physics Physics { density -1 mass 7 } }'
    )
    helices = helix % ("fastHelix", "fast") + helix % ("slowHelix", "slow")
    s = simulation(propeller(f"thrustConstants 0.001 0 torqueConstants 0 0 {helices}"), info="gravity 0")
    spin(s, 50)
    s.run(1.0)
    assert s.node("BOX").linear_velocity == pytest.approx([0, 0, 0.001 * 2500 / 2], rel=1e-6)


def test_what_fell_asleep_on_the_floor_takes_off_when_its_propeller_turns():
    text = propeller("thrustConstants 0.001 0 torqueConstants 0 0", "translation 0 0 0.5")
    s = Simulation(world("WorldInfo { basicTimeStep 8 }\n" + FLOOR + text, NEW))
    s.run(3.0)
    assert s.physics.engine.statistics["awake"] == 0
    spin(s, 1.2 * math.sqrt(2 * G / 0.001))
    start = s.node("BOX").translation[2]
    s.run(1.0)
    assert s.node("BOX").translation[2] - start == pytest.approx((1.2**2 - 1) * G / 2, rel=0.03)


def test_a_propeller_hovers_when_its_thrust_is_the_weight():
    speed = math.sqrt(2 * G / 0.001)
    s = simulation(propeller("thrustConstants 0.001 0 torqueConstants 0 0"))
    spin(s, speed)
    s.run(1.0)
    assert s.node("BOX").translation == pytest.approx([0, 0, 0], abs=1e-3)


def test_thrust_falls_with_the_speed_of_advance():
    """t1 w^2 - t2 w v = 0 at v = t1 w / t2."""
    s = simulation(propeller("thrustConstants 0.01 0.05 torqueConstants 0 0"), info="gravity 0")
    spin(s, 50)
    s.run(20.0)
    assert s.node("BOX").linear_velocity[2] == pytest.approx(0.01 * 50 / 0.05, rel=1e-3)


BELT = """Robot { children [ DEF T Track { %s boundingObject Box { size 4 1 0.2 }
  device DEF M LinearMotor { name "belt" maxVelocity 2 maxForce 100 } } ] }"""


@pytest.mark.parametrize("speed", [0.5, -0.3])
def test_a_belt_carries_a_box_at_its_speed(speed: float):
    load = box(fields="translation 0 0 0.15", size="0.2 0.2 0.1", physics="mass 1 density -1")
    s = simulation(BELT % "" + load, step_ms=8)
    spin(s, speed)
    s.run(1.5)
    assert s.node("BOX").linear_velocity == pytest.approx([speed, 0, 0], abs=0.01)


def test_a_belt_of_an_old_world_carries_along_its_x_axis_too():
    text = BELT.replace("4 1 0.2", "4 0.2 1") % "" + box(
        fields="translation 0 0.15 0", size="0.2 0.1 0.2", physics="mass 1 density -1"
    )
    s = simulation(text, OLD, step_ms=8)
    spin(s, 0.5)
    s.run(1.5)
    assert s.node("BOX").linear_velocity == pytest.approx([0.5, 0, 0], abs=0.01)


def test_a_belt_counts_its_travel():
    s = simulation(BELT % "", step_ms=8)
    spin(s, 0.5)
    s.run(2.0)
    assert s.physics.handles.tracks[s.node("T").node].position == pytest.approx(1.0, rel=0.01)


def test_a_vehicle_on_two_belts_drives_and_turns():
    def belt(name: str, y: float) -> str:
        return (
            f'DEF {name} Track {{ name "{name}" translation 0 {y} 0 contactMaterial "rubber" '
            "boundingObject Box { size 0.2 0.1 0.1 } "
            "physics Physics { mass 1 density -1 } "
            f'device DEF M{name} LinearMotor {{ name "m{name}" maxForce 100 maxVelocity 2 }} }}'
        )

    text = (
        'Solid { name "floor" translation 0 0 -0.05 boundingObject Plane { } }'
        "DEF V Robot { boundingObject Box { size 0.2 0.3 0.08 } physics Physics { mass 2 density -1 } "
        f"children [ {belt('L', 0.2)} {belt('R', -0.2)} ] }}"
    )
    s = simulation(text, step_ms=8)
    for name, speed in (("ML", 0.4), ("MR", 0.4)):
        motor = s.physics.handles.motors[s.node(name).node]
        motor.set_position(math.inf)
        motor.set_velocity(speed)
    s.run(2.0)
    assert s.node("V").linear_velocity == pytest.approx(np.array([0.4, 0, 0]), abs=0.02)
    s.physics.handles.motors[s.node("ML").node].set_velocity(-0.4)
    s.run(1.0)
    assert s.node("V").angular_velocity[2] > 0.3


@pytest.mark.parametrize(("left", "right"), [(5.0, 5.0), (2.0, 6.0), (-3.0, 3.0)])
def test_differential_wheels_without_physics_move_by_the_manual_s_geometry(left: float, right: float):
    text = "DEF R DifferentialWheels { wheelRadius 0.02 axleLength 0.1 maxAcceleration 1e9 slipNoise 0 }"
    s = simulation(text, "#VRML_SIM V8.3.1 utf8\n", step_ms=8)
    (drive,) = s.physics.drives
    drive.set_speeds(left, right)
    s.run(2.0)
    turn = (right - left) * 0.02 / 0.1
    speed = (right + left) * 0.02 / 2
    heading = turn * 2.0
    if turn:
        expected = [speed / turn * (math.cos(heading) - 1), 0, -speed / turn * math.sin(heading)]
    else:
        expected = [0, 0, -speed * 2]
    assert s.node("R").translation == pytest.approx(np.array(expected), abs=1e-4)


def test_differential_wheels_accelerate_no_faster_than_they_may():
    text = "DEF R DifferentialWheels { wheelRadius 0.02 axleLength 0.1 maxAcceleration 10 slipNoise 0 }"
    s = simulation(text, "#VRML_SIM V8.3.1 utf8\n", step_ms=10)
    (drive,) = s.physics.drives
    drive.set_speeds(5, 5)
    s.run(0.2)
    assert drive.speeds == pytest.approx((2.0, 2.0))


def test_a_kinematic_robot_stops_at_a_wall():
    text = """DEF R DifferentialWheels { wheelRadius 0.02 axleLength 0.1 maxAcceleration 1e9 slipNoise 0
      boundingObject Box { size 0.1 0.1 0.1 } }
      Solid { translation 0 0 -0.5 boundingObject Box { size 1 1 0.1 } }"""
    s = simulation(text, "#VRML_SIM V8.3.1 utf8\n", step_ms=8)
    (drive,) = s.physics.drives
    drive.set_speeds(5, 5)
    s.run(10.0)
    assert s.node("R").translation[2] == pytest.approx(-0.4, abs=0.01)


def test_slip_noise_comes_from_the_world_s_random_numbers():
    text = "DEF R DifferentialWheels { wheelRadius 0.02 axleLength 0.1 slipNoise 0.1 }"

    def place(seed: int) -> tuple[float, ...]:
        s = simulation(text, "#VRML_SIM V8.3.1 utf8\n", seed=seed)
        s.physics.drives[0].set_speeds(5, 5)
        s.run(1.0)
        return tuple(s.node("R").translation)

    assert place(1) == place(1)
    assert place(1) != place(2)


def test_wheels_of_kinematic_differential_wheels_turn_with_it():
    wheel = 'DEF {0} Solid {{ name "{1} wheel" translation {2} 0.02 0 }}'
    wheels = wheel.format("L", "left", -0.05) + wheel.format("R", "right", 0.05)
    text = f"DifferentialWheels {{ maxAcceleration 1e9 slipNoise 0 children [ {wheels} ] }}"
    s = simulation(text, "#VRML_SIM V8.3.1 utf8\n", step_ms=10)
    s.physics.drives[0].set_speeds(1.0, 2.0)
    s.run(0.5)
    angles = [s.physics.handles.joints[s.node(name).node].positions[0] for name in ("L", "R")]
    assert angles == pytest.approx([0.5, 1.0])


def test_a_robot_without_physics_drives_by_its_wheel_motors():
    def wheel(name: str, y: float) -> str:
        bounding = "Pose { rotation 1 0 0 1.5707963 children [ Cylinder { radius 0.04 height 0.01 } ] }"
        return (
            f"HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 1 0 anchor 0 {y} 0.04 }} "
            f'device DEF {name} RotationalMotor {{ name "{name}" acceleration 10 }} '
            f'endPoint Solid {{ name "{name}" translation 0 {y} 0.04 boundingObject {bounding} }} }}'
        )

    s = simulation(f"DEF V Robot {{ children [ {wheel('L', 0.1)} {wheel('R', -0.1)} ] }}", step_ms=8)
    for name, speed in (("L", 1.0), ("R", 2.0)):
        motor = s.physics.handles.motors[s.node(name).node]
        motor.set_position(math.inf)
        motor.set_velocity(speed)
    s.run(1.0)
    before = s.node("V").pose
    s.run(2.0)
    moved = np.linalg.inv(before) @ s.node("V").pose
    turn = (2.0 - 1.0) * 0.04 / 0.2 * 2.0
    assert math.atan2(moved[1, 0], moved[0, 0]) == pytest.approx(turn, rel=1e-3)
    radius = 1.5 * 0.04 / (0.04 / 0.2)
    assert moved[:3, 3] == pytest.approx(
        [radius * math.sin(turn), radius * (1 - math.cos(turn)), 0], abs=1e-3
    )


@pytest.mark.parametrize("speed", [4.0, -2.0])
def test_differential_wheels_with_physics_roll_forward_along_minus_z(speed: float):
    """The wheels carry the robot; a ball in front and one behind slide without friction."""
    wheel = (
        'DEF {0} Solid {{ name "{1} wheel" translation {2} 0.02 0 '
        "rotation 1 0 0 0 boundingObject Transform {{ "
        "rotation 0 0 1 1.5707963 children [ Cylinder {{ radius 0.02 height 0.005 }} ] }} "
        "physics Physics {{ mass 0.02 density -1 }} }}"
    )
    wheels = wheel.format("L", "left", -0.03) + wheel.format("R", "right", 0.03)
    slide = (
        'Solid {{ name "{0}" translation 0 0.01 {1} contactMaterial "ice" '
        "boundingObject Sphere {{ radius 0.01 }} "
    )
    slides = "".join(
        slide.format(name, z) + "physics Physics { mass 0.01 density -1 } }"
        for name, z in (("f", -0.04), ("b", 0.04))
    )
    text = f"""Solid {{ name "floor" boundingObject Plane {{ }} }}
      DEF V DifferentialWheels {{ maxForce 0.3 maxSpeed 10 boundingObject Transform {{ translation 0 0.04 0
      children [ Box {{ size 0.04 0.04 0.06 }} ] }} physics Physics {{ mass 0.1 density -1 }}
      children [ {wheels} {slides} ] }}"""
    info = 'contactProperties ContactProperties { material1 "ice" coulombFriction 0 bounce 0 }'
    s = simulation(text, "#VRML_SIM V8.3.1 utf8\n", info=info, step_ms=8)
    for name in ("L", "R"):
        motor = s.physics.handles.motors[s.node(name).node]
        motor.set_position(math.inf)
        motor.set_velocity(speed)
    s.run(0.5)
    before = s.node("V").translation
    s.run(2.0)
    moved = s.node("V").translation - before
    assert moved == pytest.approx(np.array([0, 0, -0.02 * speed * 2]), abs=2e-3)


def test_each_of_two_merged_solids_has_its_own_immersion_properties():
    """A float that the fluid carries, with an equal box welded on top that the fluid passes through.

    Both are under water; only the lower one is pushed up, by rho V g against the weight of both.
    """
    lower = immersed("")
    text = (
        f'DEF BOX Solid {{ translation 0 0 -10 {lower} name "lower" boundingObject Box {{ size 1 1 1 }} '
        "physics Physics { density 400 } children [ "
        'Solid { translation 0 0 2 name "upper" boundingObject Box { size 1 1 1 } '
        "physics Physics { density 400 } } ] }"
    )
    s = simulation(WATER % "" + text)
    s.run(0.5)
    # 1000 V g of thrust on 800 V of mass; the first step is made before the water is found.
    assert s.node("BOX").linear_velocity[2] == pytest.approx(0.25 * G * 0.5, abs=2 * G * 0.001)


def test_drag_acts_on_the_merged_solid_that_has_it_only():
    """Two balls on one axis, one with drag: only that one's surface counts in the terminal velocity."""
    ball = (
        'Solid {{ {place} name "{name}" {properties} boundingObject Sphere {{ radius 0.1 subdivision 3 }} '
        "physics Physics {{ density 2000 }} {more} }}"
    )
    other = ball.format(
        place="translation 0 0 1", name="other", properties=immersed("dragForceCoefficients 0 0 0"), more=""
    )
    drag = immersed("dragForceCoefficients 0.2 0 0")
    text = "DEF BALL " + ball.format(
        place="translation 0 0 -3", name="ball", properties=drag, more=f"children [ {other} ]"
    )
    s = simulation(WATER % "" + text, info="")
    s.run(8.0)
    radius = 0.1
    # rho A c v^2 = 2 (rho_s - rho) V g with A = 4 pi r^2 of one ball and V of each.
    volume, area = 4 / 3 * math.pi * radius**3, 4 * math.pi * radius**2
    expected = math.sqrt(2 * 1000 * volume * G / (1000 * area * 0.2))
    assert s.node("BALL").linear_velocity[2] == pytest.approx(-expected, rel=1e-3)
