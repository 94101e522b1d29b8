"""The worlds that are compared: their physics in files, and the hashes that Python computes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.bench_robots import crowd
from benchmarks.driven import driven
from benchmarks.engine_scenes import SCENES
from wbridge.wbcore.engine import World
from wbridge.wbcore.scene.load import load_world

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
        yield file.stem, partial(driven, partial(load_world, file))
    yield f"{CROWD} e-pucks", partial(driven, partial(crowd, CROWD))
    for name in PRECISE:
        load = partial(load_world, ROOT / "worlds" / f"{name}.wbt")
        yield f"{name}, precise", partial(driven, load, "precise")
    for name, scene in SCENES.items():
        yield f"benchmark {name}", partial(scene, COUNTS.get(name, 0))


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
