"""Every sensor has its place in observations, for every sample world and every bundled robot.

Judges: Gymnasium's checker, the values that the chapters of the manual name for a robot at rest, and the list
of sensors of the catalogue.
"""

from __future__ import annotations

import json
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector.utils import batch_space

import wbridge.hal.catalogue
from tests.conftest import CHECKOUT
from tests.fleet.learning_worlds import rail
from tests.fleet.worlds import write
from wbridge.running.plugin_building import build_plugin
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import robots
from wbridge.wbfleet.gym import RobotEnv, RobotVectorEnv, Task, Verdict
from wbridge.wbfleet.gym.choice import UnknownDevice
from wbridge.wbfleet.gym.measurements import narrowed
from wbridge.wbfleet.gym.parallel_env import RobotsEnv
from wbridge.wbfleet.gym.picture_env import PictureEnv

WORLDS = sorted((CHECKOUT / "worlds").glob("*.wbt"))
WITHOUT_ROBOT = {"obstacles"}
ROBOTS = sorted(
    one for kind in ("robots", "vehicles") for one in (CHECKOUT / "protos" / kind).rglob("*.proto")
)
MAKERS = sorted({one.parent.name for one in ROBOTS})
EVERY = """
DEF ALL Robot {
  name "all"
  controller "<none>"
  supervisor TRUE
  physics Physics { mass 1 }
  boundingObject Box { size 0.2 0.2 0.2 }
  children [
    Accelerometer { } Altimeter { } Camera { width 8 height 4 } Compass { } Connector { }
    DistanceSensor { lookupTable [ 0 0 0, 1 1000 0 ] } GPS { } Gyro { } InertialUnit { }
    Lidar { horizontalResolution 16 numberOfLayers 2 minRange 0.1 maxRange 5 } LightSensor { }
    Microphone { } Radar { minRange 0.1 maxRange 50 horizontalFieldOfView 3 verticalFieldOfView 2 } Radio { }
    RangeFinder { width 8 height 4 maxRange 9 } Receiver { } VacuumGripper { }
    TouchSensor { name "bumper" type "bumper" } TouchSensor { name "force" type "force" }
    TouchSensor { name "force-3d" type "force-3d" }
    HingeJoint {
      device [ RotationalMotor { maxVelocity 6.28 } PositionSensor { } Brake { } ]
      endPoint Solid { name "wheel" physics Physics { mass 0.1 } boundingObject Sphere { radius 0.05 } }
    }
  ]
}
"""
TARGETS = "".join(
    f'Solid {{ name "target {x}" translation {x} 0 0 radarCrossSection 50'
    " children [ Shape { geometry Sphere { radius 0.5 } } ] }\n"
    for x in (9, 4, 6, 3, 5, 8, 7, 11, 10)
)
NUMBERS = {
    "accelerometer": 3, "altimeter": 1, "compass": 3, "connector": 1, "distance sensor": 1, "gps": 7,
    "gyro": 3, "inertial unit": 4, "light sensor": 1, "radar": 32, "vacuum gripper": 1, "bumper": 1,
    "force": 1, "force-3d": 3, "position sensor": 1,
}  # fmt: skip
"""How many numbers the sensors measure by their chapters; a radar: the eight nearest of its targets."""
PICTURES = {"camera": (4, 8, 3), "range-finder": (4, 8), "lidar": (2, 16)}
ELSEWHERE = {"microphone", "radio", "receiver"}
"""Sounds and packets have no fixed size."""


class Nothing(Task):
    def judge(self, simulation: Any, robot: str, action: Any) -> Verdict:
        return Verdict(0.0)


def checked(env: Any, steps: int = 2) -> None:
    """Let Gymnasium check an environment, and step it; its remarks on unbounded spaces are no mistakes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*(Box observation|Box action|Box) .*space.*|.*not have.*spec.*")
        warnings.filterwarnings("ignore", ".*(maximum and minimum|infinity).*|.*symmetric and norm.*")
        warnings.filterwarnings("ignore", ".*is different from the unwrapped version.*")
        check_env(env, skip_render_check=True)
    for _ in range(steps):
        seen, *_ = env.step(env.action_space.sample())
        assert env.observation_space.contains(seen)
    env.close()


@pytest.fixture
def world(tmp_path: Path) -> Path:
    return rail(tmp_path, EVERY, TARGETS)


def test_every_sensor_of_the_catalogue_is_in_the_world():
    """`NUMBERS`, `PICTURES` and `ELSEWHERE` are complete."""
    nodes = json.loads((Path(wbridge.hal.catalogue.__file__).parent / "devices.json").read_text())["kinds"]
    not_sensors = {"Robot", "Supervisor", "CustomRobot", "DifferentialWheels", "Servo", "Motor", "Brake"}
    not_sensors |= {"RotationalMotor", "LinearMotor", "Display", "Emitter", "LED", "Pen", "Skin", "Speaker"}
    assert {kind for kind in nodes if kind not in not_sensors and f" {kind} {{" not in EVERY} == set()


def test_every_sensor_has_its_numbers(world: Path):
    env = RobotEnv(world, Nothing())
    names = [name.partition(".")[0] for name in env.agent.readings.names]
    assert {name: names.count(name) for name in names} == NUMBERS
    assert set(env.agent.readings.left_out) == {*PICTURES, *ELSEWHERE}
    assert env.observation_space.dtype == env.observation_space.low.dtype == np.float32
    checked(env)


def test_values_at_rest(world: Path):
    """A robot that rests at the origin, along the axes of the world; north is y since R2022a."""
    env = RobotEnv(world, Nothing())
    first, _ = env.reset(seed=1)
    for seen in (first, env.step(np.zeros(1, np.float32))[0]):
        value = dict(zip(env.agent.readings.names, seen.tolist(), strict=True))
        assert [value[f"gyro.{axis}"] for axis in "xyz"] == pytest.approx([0, 0, 0], abs=1e-6)
        assert [value[f"compass.{axis}"] for axis in "xyz"] == pytest.approx([0, 1, 0], abs=1e-6)
        assert [value[f"inertial unit.{axis}"] for axis in "xyzw"] == pytest.approx([0, 0, 0, 1], abs=1e-6)
        assert [value[f"gps.position.{axis}"] for axis in "xyz"] == pytest.approx([0, 0, 0], abs=1e-6)
        assert value["gps.speed"] == pytest.approx(0, abs=1e-6)
        distances = [value[f"radar.{row}.distance"] for row in range(8)]
        assert distances == pytest.approx([3, 4, 5, 6, 7, 8, 9, 10], abs=0.2)
        assert value["connector"] == value["vacuum gripper"] == 0


def test_pictures_are_cameras_range_finders_and_lidars(world: Path):
    pytest.importorskip("OpenGL")
    env = PictureEnv(RobotEnv(world, Nothing()))
    seen, _ = env.reset(seed=1)
    assert {name: one.shape for name, one in seen.items() if name != "sensors"} == PICTURES
    assert seen["lidar"].dtype == seen["range-finder"].dtype == np.float32
    assert 2.5 <= seen["lidar"][1, 8] < 3 and 2.5 <= seen["range-finder"][2, 4] < 3
    checked(env)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [("camera", "PictureEnv adds"), ("receiver", "read them in the task"), ("microphone", "in the task")],
)
def test_a_sensor_without_numbers_says_where_its_samples_are(world: Path, pattern: str, why: str):
    with pytest.raises(UnknownDevice, match=why):
        RobotEnv(world, Nothing(), observations=[pattern])


def test_copies_observe_the_same(world: Path):
    """Copies with vectors take the engine's path, or that of Python if a sensor needs it."""
    vectors = ["accelerometer", "gyro", "inertial unit", "position sensor"]
    for chosen in (vectors, None):
        copies = RobotVectorEnv(world, Nothing, 2, observations=chosen)
        alone = RobotEnv(world, Nothing(), observations=chosen)
        first, _ = copies.reset(seed=[1, 1])
        assert first.tolist() == [alone.reset(seed=1)[0].tolist()] * 2
        action = np.ones((2, 1), np.float32)
        for _ in range(3):
            seen, *_ = copies.step(action)
            expected = alone.step(action[0])[0].tolist()
            assert seen.tolist() == [expected, expected]
        assert batch_space(alone.observation_space, 2) == copies.observation_space
        copies.close()
        alone.close()


def test_several_robots_observe_every_sensor(world: Path):
    env = RobotsEnv(world, Nothing())
    seen, _ = env.reset(seed=1)
    assert env.observation_space("all").contains(seen["all"])
    env.close()


def test_numbers_beyond_32_bits_stay_finite():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        seen = narrowed([1e300, -1e300, math.nan, math.inf])
    assert np.isfinite(seen).all() and seen[2] == 0


def test_limits_of_motors_are_not_exceeded_by_rounding(world: Path):
    """6.28 is not a number of 32 bits; the nearest is larger, and a motor would warn of it."""
    env = RobotEnv(world, Nothing())
    highest = env.action_space.high[0]
    assert float(highest) <= 6.28 < float(np.nextafter(highest, np.float32(9)))
    assert env.action_space.low[0] == -highest


def worlds() -> list[Any]:
    """Sample worlds; compiling the physics plugins of some is slow."""
    marks = {path: [pytest.mark.slow] if '  physics "' in path.read_text() else [] for path in WORLDS}
    return [pytest.param(path, id=path.stem, marks=marks[path]) for path in WORLDS]


@pytest.mark.parametrize("world", worlds())
def test_every_sample_world_is_an_environment(world: Path):
    loaded = load_world(world)
    if not list(robots(loaded.nodes)):
        assert world.stem in WITHOUT_ROBOT
        with pytest.raises(ValueError, match="no robot that could learn"):
            RobotEnv(world, Nothing())
        return
    if loaded.plugin is not None:
        build_plugin(loaded.plugin)
    checked(RobotEnv(world, Nothing()))


def world_of(model: Path, folder: Path) -> Path:
    """Write a world with a bundled model."""
    head = f'#VRML_SIM R2025a utf8\nEXTERNPROTO "{model}"\nWorldInfo {{ basicTimeStep 16 }}\n'
    return write(folder, f"{head}{model.stem} {{ }}\n")


# `make test` takes each third maker; a robot with every sensor is tested above.
@pytest.mark.parametrize(
    "maker", [pytest.param(one, marks=[pytest.mark.slow] * (k % 3 > 0)) for k, one in enumerate(MAKERS)]
)
def test_every_bundled_robot_is_an_environment(maker: str, tmp_path: Path):
    """Models of arms, grippers and sensors in these folders are no robots."""
    checks = 0
    for model in (one for one in ROBOTS if one.parent.name == maker):
        world = world_of(model, tmp_path)
        if list(robots(load_world(world).nodes)):
            checked(RobotEnv(world, Nothing()), steps=1)
            checks += 1
    assert checks
