"""Pictures of distances: lidars, relative to rays of ODE to the same bodies, and range finders, relative to
plain pictures in OpenGL."""

from __future__ import annotations

import random
from functools import partial

import numpy as np

from benchmarks.bench_scene import HEADER
from benchmarks.case import Case, Cost, Reading, alternate, seconds_of
from benchmarks.plain_picture import PLAIN_PICTURE, plain_picture
from wbridge.wbcore.devices import range_geometry
from wbridge.wbcore.devices.range_device import RangeDevice
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

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
    title, rays = "lidar of 512 x 16 rays", "rays of ODE"
    return [
        Case(f"{title} among 20 objects", partial(lidar, LIDAR % "", 20), 0.3, "ms", rays),
        Case(
            f"{title} with a point cloud and noise",
            partial(lidar, LIDAR % "noise 0.001", 20),
            0.9,
            "ms",
            rays,
        ),
        Case(f"{title} among 1,000 objects", partial(lidar, LIDAR % "", 1000), 0.3, "ms", rays),
        Case("range finder of 64 x 64 pixels", partial(finder, 64, 64), 1.5, "ms", PLAIN_PICTURE),
        Case("range finder of 640 x 480 pixels", partial(finder, 640, 480), 6, "ms", PLAIN_PICTURE),
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


def finder(width: int, height: int) -> Reading:
    """Milliseconds of a picture as a range finder measures it, and of a plain picture."""
    device = sensor(scene(FINDER % (width, height), 20))
    return alternate(picture_of(device), partial(plain_picture, width, height), REPEATS, per=1e-3)


def picture_of(device: RangeDevice) -> Cost:
    """Return what takes a picture, in seconds; the scene is not rebuilt."""
    return seconds_of(partial(device.measure, 0.032))


def lidar(text: str, count: int) -> Reading:
    """Milliseconds of a picture, and of ODE's rays to the bounding objects of the same scene."""
    simulation = scene(text, count)
    device = sensor(simulation)
    rays = range_geometry.layered(512, 16, 6.28, 0.4, 0.0, False).directions.reshape(-1, 3)
    size = len(rays)
    engine = simulation.physics.engine
    plain = engine.add_rays(np.zeros((size, 3)).tolist(), rays.tolist(), [REACH] * size, None, (0, 0, HEIGHT))
    plain.schedule(1)
    return alternate(picture_of(device), seconds_of(engine.cast), REPEATS, per=1e-3)
