"""Robots on two wheels whose center of mass is below the axle sway like pendulums when they stand.

With its wheels locked by their motors, such a robot is one rigid body on a cylinder that rolls without
slipping: nothing in it takes energy away. With the radius r of the wheels, masses m at the heights h and
inertias I about the axle's direction the stiffness is k = g sum m (r - h) and the inertia about the line of
contact J = sum (I + m h^2), so w = sqrt(k / J). Semi-implicit Euler turns w into 2 asin(w dt / 2) / dt and
takes no energy either. Normal forces and joints have no part in it. Friction has hardly any: it moves the
center of mass with the force F = sum (m h) times the angular acceleration, and each of n contacts slips by
CFM F / n, so the amplitude declines with the exponent CFM (w sum m h)^2 / (2 n J).
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.physics.worlds import FLOOR, NEW, PURE, G
from wbridge import wbcore
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

CHECKOUT = Path(wbcore.__file__).resolve().parent.parent
EPUCK = CHECKOUT / "protos/robots/gctronic/E-puck.proto"
WHEEL_RADIUS = 0.02
"""Of the e-puck (m)."""
CLEARANCE = 1e-4
"""Of the e-puck's underside, with its wheels just touching the floor (m)."""
HALF_LENGTH = 0.025
"""Of the e-puck's underside (m)."""
BODY_MASS, MASS = 0.15, 0.16
"""Of the e-puck's body, and with its wheels (kg)."""
UNDAMPED = 1e-4
"""The exponent of a decline that takes hours (1/s). By friction it is 3.5e-6 for the e-puck."""
SLEEPY_RATE = 0.01
"""physicsDisableAngularThreshold by default (rad/s)."""
Motion = npt.NDArray[np.float64]


def epuck(info: str = PURE, step_ms: float = 16, version: str = "1") -> Simulation:
    """An e-puck on a plane, after half a second of settling."""
    text = (
        f'{NEW}EXTERNPROTO "{EPUCK.as_posix()}"\nWorldInfo {{ basicTimeStep {step_ms} {info} }}\n'
        f'{FLOOR}DEF R E-puck {{ version "{version}" controller "<none>" }}'
    )
    made = Simulation(load_text(text, str(CHECKOUT / "worlds" / "test.wbt")))
    assert made.findings == []
    made.run(0.5)
    return made


def weighted_drum(cfm: float) -> Simulation:
    """A cylinder with its center of mass below its axis, which lies along y, after settling."""
    lying = f"Pose {{ rotation 1 0 0 {math.pi / 2} children [ Cylinder {{ radius 0.1 height 0.2 }} ] }}"
    physics = "density -1 mass 3 centerOfMass 0 0 -0.04 inertiaMatrix [ 0.02 0.015 0.02, 0 0 0 ]"
    text = (
        f"{NEW}WorldInfo {{ basicTimeStep 4 {PURE} CFM {cfm} }}\n{FLOOR}"
        f"DEF R Solid {{ translation 0 0 0.1 boundingObject {lying} physics Physics {{ {physics} }} }}"
    )
    made = Simulation(load_text(text, "test.wbt"))
    made.run(0.5)
    return made


class Pendulum:
    """What the masses of a simulation's plan make of its sway on wheels of some radius (m)."""

    def __init__(self, s: Simulation, radius: float) -> None:
        bodies = [body for part in s.physics.plan.parts for body in part.bodies]
        masses = [body.mass.moved(body.pose) for body in bodies if body.mass is not None]
        self.moment = sum(one.mass * one.center[2] for one in masses)
        self.inertia = sum(float(one.inertia[1][1]) + one.mass * one.center[2] ** 2 for one in masses)
        stiffness = G * sum(one.mass * (radius - one.center[2]) for one in masses)
        self.w = math.asin(math.sqrt(stiffness / self.inertia) * s.step_s / 2) * 2 / s.step_s
        """Frequency in steps of this length (rad/s)."""

    def decline(self, cfm: float, contacts: int) -> float:
        """Exponent of the amplitude's decline by the compliance of friction (1/s)."""
        return cfm * (self.w * self.moment) ** 2 / (2 * contacts * self.inertia)


def kick(s: Simulation, rate: float) -> None:
    """Let all bodies turn as one about the line of contact, below the origin of the world (rad/s)."""
    for body in s.physics.handles.bodies.values():
        if body.kind == "dynamic":
            body.linear_velocity = (rate * body.center_of_mass[2], 0, 0)
            body.angular_velocity = (0, rate, 0)


def watched(s: Simulation, seconds: float) -> Motion:
    """Time, pitch and rate of pitch in each step, in rows."""
    node = s.node("R")
    rows = []
    for _ in range(round(seconds / s.step_s)):
        s.step()
        rows.append((s.time, math.asin(-node.pose[2, 0]), node.angular_velocity[1]))
    return np.array(rows)


def kicked(s: Simulation, rate: float, seconds: float) -> Motion:
    """The motion after a kick."""
    kick(s, rate)
    return watched(s, seconds)


def frequency(motion: Motion) -> float:
    """Of the pitch, from the first to the last time at which it goes up through its middle (rad/s)."""
    times, pitch = motion[:, 0], motion[:, 1] - (motion[:, 1].max() + motion[:, 1].min()) / 2
    (before,) = np.nonzero((pitch[:-1] < 0) & (pitch[1:] >= 0))
    share = pitch[before] / (pitch[before] - pitch[before + 1])
    crossings = times[before] + share * (times[before + 1] - times[before])
    return float(2 * math.pi * (len(crossings) - 1) / (crossings[-1] - crossings[0]))


def decline(motion: Motion) -> float:
    """Exponent at which the rate's peaks decline (1/s), fitted to all of them; they are found to 0.1 percent
    by a parabola through three steps."""
    rate = np.abs(motion[:, 2])
    (top,) = np.nonzero((rate[1:-1] > rate[:-2]) & (rate[1:-1] >= rate[2:]))
    before, at, after = rate[top], rate[top + 1], rate[top + 2]
    peaks = at + (after - before) ** 2 / (8 * (2 * at - before - after))
    return -float(np.polyfit(motion[top + 1, 0], np.log(peaks), 1)[0])


@pytest.mark.parametrize(("version", "hertz"), [("1", 1.215), ("2", 1.152)])
@pytest.mark.parametrize("step_ms", [4, 16, 32])
def test_an_epuck_sways_as_a_rolling_pendulum(step_ms: float, version: str, hertz: float):
    s = epuck(step_ms=step_ms, version=version)
    w = Pendulum(s, WHEEL_RADIUS).w
    assert frequency(kicked(s, 0.01, 10.0)) == pytest.approx(w, rel=1e-5)
    assert w / (2 * math.pi) == pytest.approx(hertz, rel=3e-3)


@pytest.mark.parametrize("cfm", [1e-5, 1e-3])
def test_a_cylinder_with_a_weight_below_its_axis_sways_so_too(cfm: float):
    s = weighted_drum(cfm)
    pendulum = Pendulum(s, 0.1)
    motion = kicked(s, 0.02, 10.0)
    assert frequency(motion) == pytest.approx(pendulum.w, rel=1e-4)
    assert decline(motion) == pytest.approx(pendulum.decline(cfm, contacts=2), rel=2e-3)


@pytest.mark.parametrize(
    "info",
    [
        "ERP 0.8",
        "CFM 1e-9",
        *(
            f"contactProperties ContactProperties {{ {one} }}"
            for one in ("bounce 0", "softCFM 1e-5", "softERP 0.8", "coulombFriction 0.1")
        ),
    ],
)
def test_neither_normal_forces_nor_joints_have_a_part_in_it(info: str):
    s = epuck(f"{PURE} {info}")
    motion = kicked(s, 0.01, 10.0)
    assert frequency(motion) == pytest.approx(Pendulum(s, WHEEL_RADIUS).w, rel=1e-5)
    assert abs(decline(motion)) < UNDAMPED


def test_it_goes_on_for_a_minute():
    motion = kicked(epuck(), 0.01, 60.0)
    assert np.abs(motion[-100:, 2]).max() == pytest.approx(0.01, rel=0.01)


def test_damping_of_the_world_takes_half_of_its_exponent_from_the_amplitude():
    """What is left of velocities after a second, 1 - d, works on one half of the energy."""
    share = 0.2
    s = epuck(f"{PURE} defaultDamping Damping {{ linear {share} angular {share} }}")
    motion = kicked(s, 0.01, 20.0)
    assert decline(motion) == pytest.approx(-math.log(1 - share) / 2, rel=0.02)


def test_rolling_friction_ends_it():
    s = epuck(f"{PURE} contactProperties ContactProperties {{ rollingFriction 1e-5 0 0 }}")
    assert np.abs(kicked(s, 0.01, 5.0)[-100:, 2]).max() < 1e-6


@pytest.mark.parametrize("step_ms", [16, 32])
def test_what_braking_leaves_is_bounded_by_the_clearance(step_ms: float):
    """The underside touches the floor at the angle a = (clearance - sinking) / half length, and loses energy
    until it does not; the rate is w a. At rest the wheels sink by their load times the compliance: a quarter
    of the weight at each of four contacts, and half of the body's at each hinge."""
    s = epuck(step_ms=step_ms)
    motors = s.physics.handles.motors.values()
    for speed in (6.0, 0.0):
        for motor in motors:
            motor.set_position(math.inf)
            motor.set_velocity(speed)
        s.run(1.0)
    s.run(5.0)
    motion = watched(s, 2.0)
    sinking = (MASS * G / 4 * 1e-3 + BODY_MASS * G / 2 * 1e-5) * s.step_s / 0.2
    angle = (CLEARANCE - sinking) / HALF_LENGTH
    assert np.abs(motion[:, 1]).max() == pytest.approx(angle, rel=0.05)
    assert np.abs(motion[:, 2]).max() == pytest.approx(angle * Pendulum(s, WHEEL_RADIUS).w, rel=0.05)


@pytest.mark.parametrize(("share", "sleeps"), [(0.8, True), (1.2, False)])
def test_it_falls_asleep_below_the_threshold_of_the_angular_velocity(share: float, sleeps: bool):
    """Above it the robot is at rest only near the ends of each swing, for less than physicsDisableTime."""
    s = epuck(info="")
    body, _ = s.physics.carrier(s.node("R").node)
    kick(s, share * SLEEPY_RATE)
    s.run(5.0)
    assert body.awake != sleeps
