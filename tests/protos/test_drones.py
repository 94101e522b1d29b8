"""The quadcopters weigh what their makers say and hover at the speeds that public controllers expect."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.protos.bench import Bench, bench
from tests.protos.models import made, named, parts

DAMPED = "basicTimeStep 8\n  defaultDamping Damping {\n    linear 0.5\n    angular 0.5\n  }"
MAVIC = ["front left propeller", "front right propeller", "rear left propeller", "rear right propeller"]


def attitude(one: Bench) -> tuple[float, float, float, float]:
    """Roll and pitch in rad as an InertialUnit gives them, and their rates in rad/s."""
    turned = one.turned
    rates = turned.T @ one.simulation.node("ROBOT").angular_velocity
    roll, pitch = math.atan2(turned[2, 1], turned[2, 2]), -math.asin(turned[2, 0])
    return roll, pitch, float(rates[0]), float(rates[1])


def test_a_mavic_has_the_devices_that_controllers_call():
    robot = made("Mavic2Pro {\n}\n")
    gimbal = ["camera yaw", "camera pitch", "camera roll"]
    motors = {one.get("name") for one in parts(robot, "RotationalMotor")}
    assert motors == {*MAVIC, *gimbal}
    assert {one.get("name") for one in parts(robot, "PositionSensor")} == {
        f"{name} sensor" for name in gimbal
    }
    assert {one.get("name") for one in parts(robot, "LED")} == {"front left led", "front right led"}
    for kind in ("GPS", "Gyro", "Compass", "InertialUnit"):
        assert len(parts(robot, kind)) == 1
    camera = named(robot, "camera")
    assert (camera.get("width"), camera.get("height")) == (400, 240)


def test_a_mavic_hovers_with_the_constants_of_public_controllers():
    # mavic2pro.c and mavic2pro.py of Webots: thrust 68.5, offset 0.6, gains 3, 50 and 30; target 1 m.
    signs = np.array([1, -1, -1, 1])
    with bench("Mavic2Pro {\n}\n", DAMPED) as one:
        # Mavic 2 specifications of DJI: takeoff weight 907 g.
        assert one.mass == pytest.approx(0.907, rel=0.005)
        for _ in range(2500):
            roll, pitch, roll_rate, pitch_rate = attitude(one)
            roll_input, pitch_input = 50 * roll + roll_rate, 30 * pitch + pitch_rate
            lift = 68.5 + 3 * max(-1.0, min(1.0, 1.6 - one.place[2])) ** 3
            mixed = lift + np.array([-1, 1, -1, 1]) * roll_input + np.array([1, 1, -1, -1]) * pitch_input
            one.spin(dict(zip(MAVIC, (signs * mixed).tolist(), strict=True)))
            one.simulation.step()
        assert one.place[2] == pytest.approx(1.015, abs=0.05)
        assert one.tilt < math.radians(1)
        assert np.hypot(*one.place[:2]) < 1


@pytest.mark.parametrize("name", ["front left", "front right", "rear left", "rear right"])
def test_the_right_front_and_left_rear_propeller_of_a_mavic_lift_at_negative_speeds(name: str):
    sign = -1 if name in ("front right", "rear left") else 1
    robot = made("Mavic2Pro {\n}\n")
    (propeller,) = [
        one for one in parts(robot, "Propeller") if one.get("device").root.get("name") == f"{name} propeller"
    ]
    assert math.copysign(1, propeller.get("thrustConstants")[0]) == sign
    x, y, _ = propeller.get("centerOfThrust")
    assert (x > 0, y > 0) == ("front" in name, "left" in name)


def test_a_crazyflie_weighs_50_g_and_rises_as_newton_says():
    with bench("Crazyflie {\n}\n") as one:
        # As in Webots, whose propellers lift 4e-5 N s2 each.
        assert one.mass == pytest.approx(0.05, rel=0.02)
        one.spin({f"m{number}_motor": (-1) ** number * 60.0 for number in (1, 2, 3, 4)})
        one.run(2.2)  # the motors speed up by 30 rad/s each second
        before = one.simulation.node("ROBOT").linear_velocity[2]
        one.run(0.4)
        after = one.simulation.node("ROBOT").linear_velocity[2]
        assert (after - before) / 0.4 == pytest.approx(4 * 4e-5 * 60**2 / 0.05 - 9.81, rel=0.05)
        assert one.tilt < math.radians(0.1)


def test_a_crazyflie_sees_in_four_directions():
    robot = made("Crazyflie {\n}\n")
    for name, angle in {"front": 0, "left": 90, "back": 180, "right": -90}.items():
        sensor = named(robot, f"range_{name}")
        turn = math.degrees(sensor.get("rotation")[3])
        assert math.cos(math.radians(turn - angle)) == pytest.approx(1, abs=1e-5)
        assert [entry[:2] for entry in map(list, sensor.get("lookupTable"))] == [[0, 0], [2, 2000]]
    assert named(robot, "inertial_unit").type == "InertialUnit"
