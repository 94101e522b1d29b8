"""Pictures of cameras, relative to plain pictures in OpenGL, and to MuJoCo's renderer and PyBullet's
TinyRenderer on like scenes."""

from __future__ import annotations

import os
import random
import re
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.bench_scene import HEADER
from benchmarks.case import Case, Cost, Reading, Unavailable, best_seconds, compare, fastest, seconds_of
from benchmarks.plain_picture import PLAIN_PICTURE, plain_picture, plain_pictures
from benchmarks.yardsticks import PYTHON_CALLS, python_calls
from wbridge.wbcore.devices.camera import Camera
from wbridge.wbcore.devices.camera_noise import white_noise
from wbridge.wbcore.devices.image_device import ImageDevice
from wbridge.wbcore.devices.range_device import RangeDevice
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

REPEATS = 150
ANGLE = 1.2
COLORS = [(0.9, 0.2, 0.2), (0.2, 0.8, 0.3), (0.2, 0.3, 0.9), (0.9, 0.8, 0.2)]


LARGE, SMALL = (640, 480), (84, 84)


def cases() -> list[Case]:
    """The measurements of this file."""

    def case(name: str, measure: Callable[[], Reading], limit: float, yardstick: str = PLAIN_PICTURE) -> Case:
        return Case(name, measure, limit, "ms", yardstick)

    return [
        case("640 x 480 pixels, 20 objects", partial(pictures, [LARGE]), 17),
        case("640 x 480 pixels with shadows", partial(pictures, [LARGE], shadows=True), 26),
        case("640 x 480 colors and distances", colors_and_distances, 24),
        case("640 x 480 colors and distances with shadows", partial(colors_and_distances, shadows=True), 34),
        case("noise of 640 x 480 pixels", noise, 0.05, "the picture"),
        case("640 x 480 pixels, 1,000 objects", many, 8, "of 20"),
        case("eight cameras of 64 x 64 pixels", partial(pictures, [(64, 64)] * 8), 12, "8 plain pictures"),
        case("a picture without a visible object, of 20", empty, 6.5),
        case("a picture without a visible object, of 1,000", crowded, 1.3, "of 20"),
        case("a picture, the part in Python", partial(python_part, 20), 2.1, PYTHON_CALLS),
        case("a picture, the part in Python, 1,000 objects", partial(python_part, 1000), 2.4, PYTHON_CALLS),
        case("a step with three cameras of 84 x 84 pixels", step_with_cameras, 14, "3 plain pictures"),
        case("enabling a camera of 1920 x 1080 pixels", enabling, 40),
        case("640 x 480 pixels, beside MuJoCo", relative_to_mujoco, 0.7, "MuJoCo"),
        case("640 x 480 pixels, beside TinyRenderer", relative_to_pybullet, 0.2, "TinyRenderer"),
    ]


def objects(count: int) -> list[tuple[str, tuple[float, float, float], tuple[float, float, float]]]:
    """Kind, place (m) and color of boxes and spheres in front of the cameras."""
    rng, made = random.Random(1), []
    side = 3.0 if count < 100 else 12.0
    for number in range(count):
        place = (rng.uniform(1.0, 2 * side), rng.uniform(-side, side), 0.25)
        made.append(("box" if number % 2 else "sphere", place, COLORS[number % len(COLORS)]))
    return made


def scene(
    cameras: list[tuple[int, int]],
    count: int = 20,
    shadows: bool = False,
    turn: str = "0 0 1 0",
    further: str = "",
) -> Simulation:
    """The objects on a textured plane under a directional and a point light, before a robot with cameras.

    It has `further` devices.
    """
    parts = [
        "DirectionalLight { direction 0.4 -0.3 -1 ambientIntensity 0.4 "
        f"castShadows {str(shadows).upper()} }}",
        "PointLight { location 2 2 3 intensity 0.5 attenuation 0 0 1 }",
        "Solid { children [ Shape { appearance Appearance { material Material { } texture ImageTexture { url "
        f'[ "{texture()}" ] }} }} geometry Plane {{ size 20 20 }} }} ] }}',
    ]
    for number, (kind, (x, y, z), (r, g, b)) in enumerate(objects(count)):
        shape = "Box { size 0.5 0.5 0.5 }" if kind == "box" else "Sphere { radius 0.25 }"
        parts.append(
            f'Solid {{ name "{number}" translation {x} {y} {z} children [ Shape {{ appearance Appearance {{ '
            f"material Material {{ diffuseColor {r} {g} {b} }} }} geometry {shape} }} ] }}"
        )
    devices = " ".join(
        f'Camera {{ name "{i}" width {w} height {h} fieldOfView {ANGLE} }}'
        for i, (w, h) in enumerate(cameras)
    )
    parts.append(f"Robot {{ translation -1 0 0.8 rotation {turn} children [ {devices} {further} ] }}")
    return Simulation(load_text(HEADER + "WorldInfo { }\nViewpoint { }\n" + "\n".join(parts), "test.wbt"))


def texture() -> Path:
    """A chequered picture of 256 x 256 pixels."""
    import PIL.Image

    path = Path(tempfile.gettempdir()) / "wbridge_bench_chequers.png"
    at = np.arange(256) // 32 % 2
    PIL.Image.fromarray(((at[:, None] ^ at[None, :]) * 120 + 100).astype(np.uint8)).save(path)
    return path


def cameras_of(simulation: Simulation) -> list[Camera]:
    """The enabled cameras of the robot."""
    found = [one for one in simulation.robots.list[0].devices if isinstance(one, Camera)]
    for camera in found:
        camera.on_enable(32)
    simulation.step()
    return found


def pictures(sizes: list[tuple[int, int]], shadows: bool = False) -> Reading:
    """Milliseconds of one picture of each camera, as a robot samples them, and of plain pictures."""
    return fastest(taken(sizes, shadows=shadows), partial(plain_pictures, sizes), REPEATS, per=1e-3)


def noise() -> Reading:
    """Milliseconds of the noise of a picture, and of a picture without it."""
    simulation = scene([LARGE])
    cameras = cameras_of(simulation)
    pixels = np.full((LARGE[1], LARGE[0], 4), 128, np.uint8)
    work = seconds_of(lambda: white_noise(0.05, simulation.random)(pixels))
    return fastest(work, seconds_of(partial(take_all, simulation, cameras)), REPEATS, per=1e-3)


def many() -> Reading:
    """Milliseconds of a picture of 1,000 boxes and spheres, which are drawn at once, and of one of 20."""
    return fastest(taken([LARGE], 1000), taken([LARGE]), REPEATS, per=1e-3)


def taken(sizes: list[tuple[int, int]], count: int = 20, shadows: bool = False) -> Cost:
    """Return what takes one picture of each camera, in seconds."""
    simulation = scene(sizes, count, shadows)
    return seconds_of(partial(take_all, simulation, cameras_of(simulation)))


def colors_and_distances(shadows: bool = False) -> Reading:
    """Milliseconds of a picture of a camera and one of a range finder with the same view, sampled together,
    and of a plain picture."""
    finder = f'RangeFinder {{ name "depth" width 640 height 480 fieldOfView {ANGLE} maxRange 10 }}'
    simulation = scene([LARGE], shadows=shadows, further=finder)
    depth = simulation.robots.list[0].device("depth")
    assert isinstance(depth, RangeDevice)
    depth.on_enable(32)
    take = seconds_of(partial(take_all, simulation, [*cameras_of(simulation), depth]))
    return fastest(take, partial(plain_picture, *LARGE), REPEATS, per=1e-3)


def take_all(simulation: Simulation, sensors: Sequence[ImageDevice]) -> None:
    """Sample pictures as at the end of a step, without making one."""
    for sensor in sensors:
        sensor.sampling.last = -np.inf
    simulation.robots.list[0].sample()


def sky(count: int) -> Cost:
    """Return what takes a small picture of the sky: all but drawing."""
    (camera,) = cameras_of(scene([(8, 8)], count, turn="0 1 0 -1.5708"))
    return seconds_of(partial(camera.measure, 0.032))


def empty() -> Reading:
    """Milliseconds of a small picture of the sky, and of a plain picture."""
    return fastest(sky(20), partial(plain_picture, 8, 8), 5 * REPEATS, per=1e-3)


def crowded() -> Reading:
    """Milliseconds of a small picture of the sky with 1,000 objects, and with 20."""
    return fastest(sky(1000), sky(20), 5 * REPEATS, per=1e-3)


def python_part(count: int) -> Reading:
    """Milliseconds of a small picture of the sky in Python, where OpenGL's functions do nothing; and of
    calls."""
    take = sky(count)
    take()
    functions = import_module("OpenGL.GL")
    nothing = {
        name: do_nothing
        for name, function in vars(functions).items()
        if re.match("gl[A-Z]", name) and callable(function)
    }
    with patch.multiple(functions, **nothing):
        return fastest(take, python_calls, 10 * REPEATS, per=1e-3)


def do_nothing(*_: object) -> None:
    """Stand in for a function of OpenGL."""


def step_with_cameras() -> Reading:
    """Milliseconds of a step in which three cameras take pictures, and of plain pictures."""
    sizes = [SMALL] * 3
    simulation = scene(sizes)
    cameras = cameras_of(simulation)

    def step() -> None:
        simulation.step()
        take_all(simulation, cameras)

    return fastest(seconds_of(step), partial(plain_pictures, sizes), REPEATS, per=1e-3)


def enabling() -> Reading:
    """Milliseconds of enabling a large camera and of its first picture, beyond later ones, and of a plain
    picture; a small camera of the same world has worked before."""
    size = (1920, 1080)
    simulation = scene([(64, 64), size])
    small, large = (one for one in simulation.robots.list[0].devices if isinstance(one, Camera))
    small.on_enable(32)
    simulation.step(3)
    take_all(simulation, [small])

    def enable() -> None:
        large.on_enable(32)
        take_all(simulation, [small, large])

    first = best_seconds(enable, 1)
    later = best_seconds(partial(take_all, simulation, [small, large]), 5)
    plain = min(plain_picture(*size) for _ in range(5))
    return compare(1000 * (first - later), 1000 * plain)


def relative_to_mujoco() -> Reading:
    """Milliseconds of a picture, and of MuJoCo's (EGL, without anti-aliasing and shadows).

    It draws in a process of its own, because it wants other settings of PyOpenGL.
    """
    peer("mujoco")
    take = taken([LARGE])
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        theirs = pool.submit(mujoco_ms).result()
    return compare(1000 * min(take() for _ in range(REPEATS)), theirs)


def mujoco_ms() -> float:
    """Time of MuJoCo's picture, in ms."""
    os.environ["MUJOCO_GL"] = "egl"
    module = import_module("mujoco")
    bodies = "".join(
        f'<geom type="{kind}" size="{"0.25 0.25 0.25" if kind == "box" else "0.25"}" '
        f'pos="{x} {y} {z}" rgba="{r} {g} {b} 1"/>'
        for kind, (x, y, z), (r, g, b) in objects(20)
    )
    model = module.MjModel.from_xml_string(
        '<mujoco><visual><global offwidth="640" offheight="480"/><quality offsamples="0" shadowsize="0"/>'
        '</visual><asset><texture name="t" type="2d" builtin="checker" rgb1=".4 .4 .4" rgb2=".8 .8 .8" '
        'width="256" height="256"/><material name="m" texture="t"/></asset><worldbody>'
        '<light directional="true" dir="0.4 -0.3 -1" castshadow="false"/>'
        '<light pos="2 2 3" castshadow="false"/><geom type="plane" size="10 10 0.1" material="m"/>'
        '<camera name="c" pos="-1 0 0.8" xyaxes="0 -1 0 0 0 1" fovy="54"/>'
        f"{bodies}</worldbody></mujoco>"
    )
    data = module.MjData(model)
    module.mj_forward(model, data)
    renderer = module.Renderer(model, 480, 640)

    def take() -> None:
        renderer.update_scene(data, "c")
        renderer.render()

    return 1000 * best_seconds(take, REPEATS)


def relative_to_pybullet() -> Reading:
    """Milliseconds of a picture, and of TinyRenderer's (without shadows)."""
    module = peer("pybullet")
    client = module.connect(module.DIRECT)
    shapes = {
        "box": module.createVisualShape(module.GEOM_BOX, halfExtents=[0.25] * 3),
        "sphere": module.createVisualShape(module.GEOM_SPHERE, radius=0.25),
    }
    floor = module.createVisualShape(module.GEOM_BOX, halfExtents=[10, 10, 0.01])
    module.createMultiBody(0, -1, floor, [0, 0, -0.01])
    for kind, place, color in objects(20):
        body = module.createMultiBody(0, -1, shapes[kind], place)
        module.changeVisualShape(body, -1, rgbaColor=[*color, 1])
    view = module.computeViewMatrix([-1, 0, 0.8], [0, 0, 0.8], [0, 0, 1])
    projection = module.computeProjectionMatrixFOV(54, 4 / 3, 0.01, 100)

    def take() -> None:
        module.getCameraImage(640, 480, view, projection, shadow=0, renderer=module.ER_TINY_RENDERER)

    reading = fastest(taken([LARGE]), seconds_of(take), 5, per=1e-3)
    module.disconnect(client)
    return reading


def peer(name: str) -> Any:
    """The module of a peer."""
    try:
        return import_module(name)
    except ImportError:
        raise Unavailable(f"{name} is not installed") from None
