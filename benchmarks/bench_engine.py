"""Speed of the engine, stepped one by one from Python, as a share of a plain C++ loop over ODE."""

from __future__ import annotations

import subprocess
import time
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.case import Case, Unavailable, best_seconds
from benchmarks.engine_scenes import SCENES, epucks
from wbcore.engine import World

CHECKOUT = Path(__file__).resolve().parent.parent
BUILD = CHECKOUT / "build" / "benchmarks"
ROUNDS = 41


def plain_program() -> Path:
    """The plain loops, compiled if they are not yet."""
    source = CHECKOUT / "benchmarks" / "native"
    for command in (["cmake", "-S", source, "-B", BUILD], ["cmake", "--build", BUILD]):
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError as missing:
            raise Unavailable(f"{missing.filename} is not installed") from None
        if done.returncode != 0:
            raise Unavailable(f"the plain loops do not compile: {done.stderr.strip()[-300:]}")
    return BUILD / "plain_ode"


def engine_seconds(world: World, steps: int) -> float:
    """Seconds for steps that are called one by one."""
    step = world.step
    start = time.perf_counter()
    for _ in range(steps):
        step()
    return time.perf_counter() - start


def share_of_plain(scene: str, count: int, steps: int, warm_up: int = 0) -> float:
    """Speed of the engine divided by that of the plain loop; the median of turns that they take."""
    world = SCENES[scene](count)
    command = [str(plain_program()), scene, str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as plain:

        def plain_seconds(n: int) -> float:
            assert plain.stdin is not None and plain.stdout is not None
            plain.stdin.write(f"{n}\n")
            plain.stdin.flush()
            return float(plain.stdout.readline())

        if warm_up:
            plain_seconds(warm_up), engine_seconds(world, warm_up)
        shares = [plain_seconds(steps) / engine_seconds(world, steps) for _ in range(ROUNDS)]
        plain.stdin.close()  # type: ignore[union-attr]
    return median(shares)


def cost_growth() -> float:
    """Cost per robot among 100 robots, divided by that among 10."""
    few, many = epucks(10), epucks(100)
    few.step(100), many.step(100)
    per_few = best_seconds(lambda: few.step(500), ROUNDS) / 500 / 10
    per_many = best_seconds(lambda: many.step(50), ROUNDS) / 50 / 100
    return per_many / per_few


def cases() -> list[Case]:
    """The scenes in which a plain loop is matched, and how the cost of a robot grows with the others."""
    scenes = [
        ("arm with 7 joints", "arm", 1, 5000, 1000, 0.95),
        ("idle robot, 8 rays", "idle", 1, 5000, 1000, 0.95),
        ("20 e-pucks, 160 rays", "epucks", 20, 200, 100, 0.95),
        ("biped with 20 joints", "biped", 1, 250, 100, 0.95),
        ("200 boxes falling", "boxes", 200, 20, 0, 0.6),
    ]
    return [
        Case(
            f"{title}: share of plain ODE",
            partial(share_of_plain, scene, count, steps, warm),
            limit,
            "x",
            True,
        )
        for title, scene, count, steps, warm, limit in scenes
    ] + [Case("cost per robot, 100 to 10 e-pucks", cost_growth, 1.5, "x")]
