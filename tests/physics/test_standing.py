"""Robots that nobody drives stand still: without drift, without jitter, and asleep when WorldInfo says so.

All robots of the sample worlds, and all bundled models of robots and cars.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import CHECKOUT
from tests.physics.worlds import FLOOR, PURE
from tests.protos.models import CARS, FILES, ROBOTS, SUPERVISORS
from wbridge.wbcore.engine import Body
from wbridge.wbcore.physics.plan import Part
from wbridge.wbcore.physics.tree import up_of
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

PLUGINS = ("blimp", "scales")
"""Worlds whose motion is that of their physics plugins; see tests/samples/test_plugins.py."""
WORLDS = [one for one in sorted((CHECKOUT / "worlds").glob("*.wbt")) if one.stem not in PLUGINS]
WITH_ROBOTS = [path for path in WORLDS if path.stem not in ("ball_on_a_ramp", "obstacles")]
"""With Physics."""
Y_UP = {"V8.6": "", "R2020a": "", "R2021b": 'coordinateSystem "NUE"'}
"""Releases whose worlds have y up, and how they say so."""
RELEASES = ("V8.6", "R2021b", "R2022a", "R2025a")
TIRES = "contactProperties ContactProperties { bounce 0 softCFM 1e-5 }"
HEAVY = (*CARS, "Atlas", "Mir100", "Pr2", "Tiago", "Tiago++", "TiagoSteel", "TiagoTitanium", "Tiagopp")
"""Models that are too heavy for contacts as soft as the default."""
PUT = {
    "Altino": 0.02,
    "Atlas": 0.9272,
    "BoeBot": 0.0377,
    "DARwInOP": 0.236,
    "GhostDog": 0.287,
    "Hemisson": 0.0035,
    "Khr3hv": 0.3398,
}
"""Heights (m) of robots whose wheels or feet are below their origins."""
BOLTED = ("Irb4600-40", "ScaraT6")
"""Arms that are bolted to the floor unlike by default."""
SETTLED = 4.0
"""When suspensions, too, have come to rest (s)."""
MOVED, TURNED = 2e-3, 1e-2
"""What settling may do: cars drop onto their suspensions and roll (m), the heavier end goes down (rad)."""
SETTLING = {
    "GreenPowerEVStar": (8.5, 3e-3, TURNED),
    "TeslaModel3": (SETTLED, 3e-3, TURNED),
    "Tractor": (8.5, 0.025, 0.05),
    "car": (SETTLED, 3e-3, TURNED),
    "Truck": (8.5, 7e-3, 3e-2),
}
"""The four of cars, and a world with one, whose springs give way further at one end; the truck carries a
part of its trailer, and swings longer, as does the bus; the tractor has springs of 30 kN/m behind."""
DRIFT = 1e-7
"""In a minute (m, rad): a castor, which nothing but its friction holds, creeps by a tenth of it."""
DRIFTS = dict.fromkeys(
    ["Tiago", "Tiago++", "TiagoIron", "TiagoLite", "TiagoSteel", "TiagoTitanium", "Tiagopp"], 1e-6
)
"""Of robots whose castors carry more; the friction of a joint gives by WorldInfo.CFM times its torque."""
RATE = 1e-7
"""m/s, rad/s"""
ON_SPRINGS = ("GhostDog",)
"""Robots whose springs press their feet apart: they slip by WorldInfo.CFM times the force."""


def stem(path: Path) -> str:
    return path.stem


def model(name: str, info: str, release: str = "R2023b", more: str = "") -> Simulation:
    """A model, with more fields, on a plane in a world of a release."""
    release = "R2020a" if name == "EPuck" and release not in Y_UP else release
    height = PUT.get(name, 0)
    place = f"0 {height} 0" if release in Y_UP else f"0 0 {height}"
    fields = (f"translation {place} " if height else "") + ("staticBase TRUE" if name in BOLTED else more)
    extern = "" if release in Y_UP else f'EXTERNPROTO "{FILES[name].as_posix()}"\n'
    world = f"WorldInfo {{ {Y_UP.get(release, '')} basicTimeStep 16 {info} }}\n{FLOOR}"
    text = f"#VRML_SIM {release} utf8\n{extern}{world}DEF R {name} {{ {fields} }}"
    made = Simulation(load_text(text, str(CHECKOUT / "worlds" / "test.wbt")))
    assert [str(one) for one in made.findings] == []
    return made


def robots(s: Simulation) -> dict[Part, list[Body]]:
    """The bodies of the robots."""
    found: dict[Part, list[Body]] = {}
    for part in s.physics.plan.parts:
        if part.robots:
            handles = (s.physics.handles.bodies.get(one) for one in part.bodies if one.is_dynamic)
            found[part] = [one for one in handles if one is not None]
    return found


def bodies(s: Simulation) -> list[Body]:
    return [body for found in robots(s).values() for body in found]


def poses(s: Simulation) -> np.ndarray:
    """Position and rotation matrix of each body, in rows."""
    return np.array([[*one.position, *one.rotation] for one in bodies(s)])


def velocities(s: Simulation) -> np.ndarray:
    return np.array([[*one.linear_velocity, *one.angular_velocity] for one in bodies(s)])


def push_themselves(s: Simulation) -> list[str]:
    """Robots with parts that press on each other."""
    solids = {solid: part for part in robots(s) for solid in part.solids}
    owners = [
        [solids.get(s.physics.handles.geoms[one][0]) for one in pair]
        for pair in s.physics.engine.contacts().geoms.tolist()
        if all(one in s.physics.handles.geoms for one in pair)
    ]
    return [first.node.get("name") for first, second in owners if first is not None and first is second]


def check_that_it_stands(s: Simulation, until: float, name: str, drift: float = DRIFT) -> None:
    """It stands where it was put, and after settling it neither moves nor trembles, though it is awake."""
    after, moved, turned = SETTLING.get(name, (SETTLED, MOVED, TURNED))
    before = poses(s)
    assert len(before) > 0
    assert push_themselves(s) == []
    s.run(after)
    settled = poses(s)
    level = [axis for axis in range(3) if axis != "xyz".index(up_of(s.world.nodes[0]))]
    assert settled[:, level] == pytest.approx(before[:, level], abs=moved)
    assert settled[:, 3:] == pytest.approx(before[:, 3:], abs=turned)
    assert push_themselves(s) == []
    for _ in range(100):
        s.step()
        assert np.abs(velocities(s)).max() < RATE
    s.run(until - s.time)
    assert all(body.awake for body in bodies(s))
    assert poses(s) == pytest.approx(settled, abs=drift)
    assert np.abs(velocities(s)).max() < RATE


@pytest.mark.parametrize(
    # A Nao has most of all to compute; below it stands for 15 s.
    "path",
    [pytest.param(one, id=stem(one), marks=[pytest.mark.slow] * (stem(one) == "nao")) for one in WITH_ROBOTS],
)
def test_a_robot_of_a_sample_world_stands_for_a_minute(path: Path):
    s = Simulation(path)
    s.set_field(s.world.first("WorldInfo"), "physicsDisableTime", 0.0)
    check_that_it_stands(s, 60.0, path.stem)


STANDING = [name for name in (*ROBOTS, *CARS) if name not in (*ON_SPRINGS, *SUPERVISORS)]


@pytest.mark.parametrize("name", STANDING)
def test_a_bundled_robot_or_car_stands(name: str):
    world = model(name, f"{PURE} {TIRES if name in HEAVY else ''}")
    check_that_it_stands(world, 15.0, name, DRIFTS.get(name, DRIFT))


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("name", STANDING)
def test_a_bundled_robot_or_car_stands_for_a_minute_in_worlds_of_all_releases(name: str, release: str):
    made = model(name, f"{PURE} {TIRES if name in HEAVY else ''}", release)
    check_that_it_stands(made, 60.0, name, DRIFTS.get(name, DRIFT))


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_feet_that_springs_press_apart_slip_in_proportion_to_the_softness_of_the_world(release: str):
    rates = []
    for cfm in (1e-5, 1e-7):
        s = model("GhostDog", f"{PURE} CFM {cfm}", release)
        s.run(SETTLED)
        settled = poses(s)
        rates.append(np.abs(velocities(s)).max())
    assert rates[0] / rates[1] == pytest.approx(100, rel=0.2)
    s.run(60.0 - s.time)
    assert poses(s) == pytest.approx(settled, abs=3e-4)


@pytest.mark.parametrize("path", WITH_ROBOTS, ids=stem)
def test_a_robot_of_a_sample_world_falls_asleep_for_good(path: Path):
    s = Simulation(path)
    s.run(SETTLED)
    assert not any(body.awake for body in bodies(s))
    asleep = poses(s)
    s.run(60.0 - s.time)
    assert not any(body.awake for body in bodies(s))
    assert np.array_equal(poses(s), asleep)


def test_the_other_sample_worlds_have_no_robots_with_physics():
    for path in set(WORLDS) - set(WITH_ROBOTS):
        assert bodies(Simulation(path)) == [], path


@pytest.mark.parametrize("seconds", [0.5, 1.0, 1.7])
def test_a_robot_that_only_sinks_in_falls_asleep_after_the_time_of_the_world(seconds: float):
    s = model("E-puck", f"physicsDisableTime {seconds}")
    steps = math.ceil(seconds / s.step_s)
    s.step(steps - 1)
    assert all(body.awake for body in bodies(s))
    s.step()
    assert not any(body.awake for body in bodies(s))


@pytest.mark.parametrize("world", ["car", "four_wheel_robot", "pioneer", "two_wheels"])
def test_a_robot_with_a_steady_chassis_comes_to_rest_when_its_wheels_stop(world: str):
    """Sways die out when more than the wheels carries the robot; see test_sway.py for the others."""
    s = Simulation(CHECKOUT / "worlds" / f"{world}.wbt")
    wheels = [motor for node, motor in s.physics.handles.motors.items() if "steer" not in node.get("name")]
    for speed in (4.0, 0.0):
        for wheel in wheels:
            wheel.set_position(math.inf)
            wheel.set_velocity(speed)
        s.run(1.0)
        assert (np.abs(velocities(s)).max() > 0.1) == (speed > 0)
    s.run(SETTLED)
    assert not any(body.awake for body in bodies(s))


def test_parts_of_one_model_that_touch_one_floor_at_many_points_are_told_once():
    """The wheels of an e-puck touch it at two points each."""
    s = model("E-puck", f"{PURE} contactProperties ContactProperties {{ maxContactJoints 2 }}")
    s.run(1.0)
    (found,) = s.contact_limits()
    assert 'R "e-puck" > ' in found.message and 'wheel" and FLOOR' in found.message
