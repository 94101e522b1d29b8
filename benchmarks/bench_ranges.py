"""Pictures of distances: lidars and range finders, compared with rays of ODE to the same bodies."""

from __future__ import annotations

import random
from functools import partial

import numpy as np

from benchmarks.bench_scene import HEADER
from benchmarks.case import Case, best_seconds
from wbcore.devices import range_geometry
from wbcore.devices.range_device import RangeDevice
from wbcore.scene.load import load_text
from wbcore.simulation import Simulation

REPEATS = 30
HEIGHT = 0.3
"""Of the sensor above the ground, in m."""
REACH = 10.0
LIDAR = (
    f'Lidar {{ name "sensor" horizontalResolution 512 numberOfLayers 16 fieldOfView 6.28 '
    f"verticalFieldOfView 0.4 maxRange {REACH:g} %s }}"
)
FINDER = f'RangeFinder {{ name "sensor" width %d height %d fieldOfView 1.2 maxRange {REACH:g} }}'


def cases() -> list[Case]:
    """The measurements of this file."""
    return [
        Case("lidar of 512 x 16 rays among 20 objects", partial(picture_ms, LIDAR % "", 20), 1.0, "ms"),
        Case("the same, compared with rays of ODE", relative_to_ode, 0.7, "x"),
        Case(
            "the same with a point cloud and noise", partial(picture_ms, LIDAR % "noise 0.001", 20), 1.5, "ms"
        ),
        Case("the same among 1,000 objects", partial(picture_ms, LIDAR % "", 1000), 2.0, "ms"),
        Case("range finder of 64 x 64 pixels", partial(picture_ms, FINDER % (64, 64), 20), 0.5, "ms"),
        Case("range finder of 640 x 480 pixels", partial(picture_ms, FINDER % (640, 480), 20), 5.0, "ms"),
    ]


def scene(device: str, count: int) -> Simulation:
    """Boxes and spheres on the ground around a robot with a device."""
    rng = random.Random(1)
    ground = "Plane { size 40 40 }"
    parts = [f"Solid {{ children [ Shape {{ geometry {ground} }} ] boundingObject {ground} }}\n"]
    side = 4.0 if count < 100 else 10.0
    for number in range(count):
        x, y = (rng.choice((-1, 1)) * rng.uniform(0.7, side) for _ in range(2))
        shape = "Box { size 0.5 0.5 0.5 }" if number % 2 else "Sphere { radius 0.25 }"
        parts.append(
            f'Solid {{ name "{number}" translation {x} {y} 0.25 boundingObject {shape} '
            f"children [ Shape {{ geometry {shape} }} ] }}\n"
        )
    robot = f'Robot {{ name "robot" translation 0 0 {HEIGHT} children [ {device} ] }}\n'
    return Simulation(
        load_text(HEADER + "WorldInfo { }\nViewpoint { }\n" + "".join(parts) + robot, "test.wbt")
    )


def sensor(simulation: Simulation) -> RangeDevice:
    """The enabled device of the robot."""
    device = simulation.robots.list[0].device("sensor")
    assert isinstance(device, RangeDevice)
    device.on_enable(32)
    if "noise" in device.node.fields:
        device.on_enable_point_cloud()  # type: ignore[attr-defined]
    simulation.step()
    return device


def picture_ms(text: str, count: int) -> float:
    """Time of one picture as a device measures it, in ms; the scene is not rebuilt."""
    device = sensor(scene(text, count))
    return 1000 * best_seconds(partial(device.measure, 0.032), REPEATS)


def relative_to_ode() -> float:
    """Time of a picture relative to that of ODE's rays to the bounding objects of the same scene."""
    simulation = scene(LIDAR % "", 20)
    device = sensor(simulation)
    rays = range_geometry.layered(512, 16, 6.28, 0.4, 0.0, False).directions.reshape(-1, 3)
    count = len(rays)
    engine = simulation.physics.engine
    plain = engine.add_rays(
        np.zeros((count, 3)).tolist(), rays.tolist(), [REACH] * count, None, (0, 0, HEIGHT)
    )
    plain.schedule(1)
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(REPEATS):  # alternating, so that other work on the machine disturbs both
        for found, work in zip(times, (partial(device.measure, 0.032), engine.cast), strict=True):
            found.append(best_seconds(work, 1))
    return min(times[0]) / min(times[1])
