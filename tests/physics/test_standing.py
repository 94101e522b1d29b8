"""Robots that nobody drives stand still: without drift, without jitter, and asleep when WorldInfo says so.

All robots of the sample worlds, and all bundled models of robots and cars.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

import wbcore
from tests.physics.worlds import FLOOR, NEW, OLD, PURE
from wbcore.engine import Body
from wbcore.physics.plan import Part
from wbcore.scene.load import load_text
from wbcore.simulation import Simulation

CHECKOUT = Path(wbcore.__file__).resolve().parent.parent
PLUGINS = ("blimp", "scales")
"""Worlds whose motion is that of their physics plugins; see tests/samples/test_plugins.py."""
WORLDS = [one for one in sorted((CHECKOUT / "worlds").glob("*.wbt")) if one.stem not in PLUGINS]
WITH_ROBOTS = [path for path in WORLDS if path.stem not in ("ball_on_a_ramp", "obstacles")]
"""With Physics."""
EPUCK = CHECKOUT / "protos/robots/gctronic/E-puck.proto"
ON_SPRINGS = ("GhostDog",)
"""Robots whose springs give for long; see tests/protos/test_legs.py."""
ROBOTS = sorted(
    path
    for path in (CHECKOUT / "protos" / "robots").rglob("*.proto")
    if re.search(r"^\s*(Robot|E-puck|LinkedRobot|Car) \{", path.read_text(), re.MULTILINE)
    and path.parent.name != "abstract"
    and path.stem not in ON_SPRINGS
)
CARS = sorted(
    path
    for path in (CHECKOUT / "protos" / "vehicles").rglob("*.proto")
    if path.parent.name != "abstract" and not path.stem.endswith("Simple")
)
TIRES = "contactProperties ContactProperties { bounce 0 softCFM 1e-5 }"
"""Cars and an Atlas are too heavy for contacts as soft as the default."""
PUT = {
    "Irb4600-40": "staticBase TRUE",
    "Atlas": "translation 0 0 0.9272",
    "Khr3hv": "translation 0 0 0.3398",
    "Altino": "translation 0 0 0.02",
    "BoeBot": "translation 0 0 0.0377",
    "Hemisson": "translation 0 0 0.0035",
}
"""Industrial arms are bolted to the floor; the wheels or feet of some robots are below their origins."""
SETTLED = 4.0
"""When suspensions, too, have come to rest (s)."""
MOVED, TURNED = 2e-3, 1e-2
"""What settling may do: cars drop onto their suspensions and roll (m), the heavier end goes down (rad)."""
DRIFT = 1e-7
"""In a minute (m, rad): a castor, which nothing but its friction holds, creeps by a tenth of it."""
RATE = 1e-7
"""m/s, rad/s"""


def name(path: Path) -> str:
    return path.stem


def model(path: Path, info: str) -> Simulation:
    """A model on a plane."""
    old = path.stem == "EPuck"
    header = OLD if old else f'{NEW}EXTERNPROTO "{path.as_posix()}"\n'
    robot = f"DEF R {path.stem} {{ {PUT.get(path.stem, '')} }}"
    text = f"{header}WorldInfo {{ basicTimeStep 16 {info} }}\n{FLOOR}{robot}"
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


def check_that_it_stands(s: Simulation, until: float) -> None:
    """It stands where it was put, and after settling it neither moves nor trembles, though it is awake."""
    before = poses(s)
    assert len(before) > 0
    assert push_themselves(s) == []
    s.run(SETTLED)
    settled = poses(s)
    assert settled[:, :2] == pytest.approx(before[:, :2], abs=MOVED)
    assert settled[:, 3:] == pytest.approx(before[:, 3:], abs=TURNED)
    assert push_themselves(s) == []
    for _ in range(100):
        s.step()
        assert np.abs(velocities(s)).max() < RATE
    s.run(until - s.time)
    assert all(body.awake for body in bodies(s))
    assert poses(s) == pytest.approx(settled, abs=DRIFT)
    assert np.abs(velocities(s)).max() < RATE


@pytest.mark.parametrize("path", WITH_ROBOTS, ids=name)
def test_a_robot_of_a_sample_world_stands_for_a_minute(path: Path):
    s = Simulation(path)
    s.set_field(s.world.first("WorldInfo"), "physicsDisableTime", 0.0)
    check_that_it_stands(s, 60.0)


@pytest.mark.parametrize("path", [*ROBOTS, *CARS], ids=name)
def test_a_bundled_robot_or_car_stands(path: Path):
    heavy = path in CARS or path.stem == "Atlas"
    made = model(path, f"{PURE} {TIRES if heavy else ''}")
    check_that_it_stands(made, 15.0)


@pytest.mark.parametrize("path", WITH_ROBOTS, ids=name)
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
    s = model(EPUCK, f"physicsDisableTime {seconds}")
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
    s = model(EPUCK, f"{PURE} contactProperties ContactProperties {{ maxContactJoints 2 }}")
    s.run(1.0)
    (found,) = s.contact_limits()
    assert 'R "e-puck" > ' in found.message and 'wheel" and FLOOR' in found.message
