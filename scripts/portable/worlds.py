"""The worlds that are compared: their physics in files, and the hashes that Python computes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.bench_robots import crowd
from benchmarks.engine_scenes import SCENES
from wbcore.engine import Motor, World
from wbcore.physics.world import PhysicsWorld
from wbcore.scene.contact_law import choose_law
from wbcore.scene.load import World as Scene
from wbcore.scene.load import load_world

__all__ = ["STEPS", "Sample", "samples", "write_samples"]

ROOT = Path(__file__).resolve().parents[2]
STEPS, EVERY = 200, 10
"""Steps of a comparison, and those between two hashes."""
COUNTS = {"epucks": 5, "boxes": 20, "biped": 1}
CROWD = 20
PRECISE = ("epuck_arena", "nao", "obstacles")
"""Sample worlds that are also stepped under the other law of contact."""


@dataclass(frozen=True)
class Sample:
    """A world: its name, the file with its physics, and the step and hash after each `EVERY` steps."""

    name: str
    file: Path
    hashes: tuple[str, ...]


def samples() -> Iterator[tuple[str, Callable[[], World]]]:
    """Yield the name of each world, and a function that builds it.

    These are the sample worlds and the robots of the benchmarks. Their motors run: else most would rest.
    """
    for file in sorted((ROOT / "worlds").glob("*.wbt")):
        yield file.stem, partial(_driven, partial(load_world, file))
    yield f"{CROWD} e-pucks", partial(_driven, partial(crowd, CROWD))
    for name in PRECISE:
        load = partial(load_world, ROOT / "worlds" / f"{name}.wbt")
        yield f"{name}, precise", partial(_driven, load, "precise")
    for name, scene in SCENES.items():
        yield f"benchmark {name}", partial(scene, COUNTS.get(name, 0))


def _driven(load: Callable[[], Scene], law: str = "webots") -> World:
    """Physics plugins and controllers are left out."""
    scene = load()
    choose_law(scene, law)
    physics = PhysicsWorld(scene, 0)
    for number, motor in enumerate(physics.handles.motors.values()):
        _drive(motor, number)
    return physics.engine


def _drive(motor: Motor, number: int) -> None:
    """Every second motor turns on and on, at a tenth of its speed; the others go to a position."""
    speed = min(motor.max_velocity, 100.0) / 10
    motor.set_position(math.inf if number % 2 else 0.2)
    motor.set_velocity(speed)


def write_samples(folder: Path) -> list[Sample]:
    """Write the worlds into a folder, and step them."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(name, make(), folder) for name, make in samples()]


def _write(name: str, world: World, folder: Path) -> Sample:
    file = folder / (re.sub("[^a-z0-9_]+", "_", name) + ".physics")
    file.write_bytes(world.physics())
    hashes = []
    for _ in range(STEPS // EVERY):
        world.step(EVERY)
        hashes.append(f"{world.steps} {world.hash():016x}")
    return Sample(name, file, tuple(hashes))
