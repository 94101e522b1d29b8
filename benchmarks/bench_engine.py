"""Speed of the engine, stepped from Python, relative to a plain C++ loop over ODE."""

from __future__ import annotations

import math
import os
import time
from functools import partial
from itertools import repeat
from statistics import median

from benchmarks.case import Case, Unavailable, best_seconds
from benchmarks.engine_scenes import SCENES, arm, bipeds, chains, epucks, resting
from benchmarks.plain import PlainWorld
from wbcore.engine import World

ROUNDS = 41
# Pairs of worlds to compare: their memory layout affects the speed by a few percent.
WORLDS = 5
SAME_M = 1e-6


def engine_seconds(world: World, steps: int) -> float:
    """Seconds for steps called one at a time."""
    step = world.step
    start = time.perf_counter()
    for _ in repeat(None, steps):
        step()
    return time.perf_counter() - start


def check_same(plain: PlainWorld, world: World) -> None:
    """Check that the last body has the same position on both sides, up to rounding of the solvers."""
    places = plain.last_position(), tuple(world.positions[world.body_count - 1])
    if math.dist(*places) > SAME_M:
        raise ValueError(f"the plain loop differs: position {places[0]}, engine {places[1]}")


def shares_of_plain(scene: str, count: int, steps: int, warm_up: int) -> list[float]:
    """Speed of the engine relative to the plain loop, per turn.

    Short turns alternate in one thread, so that both run under the same machine load.
    """
    plain, world = PlainWorld(scene, count), SCENES[scene](count)
    plain.seconds(warm_up), engine_seconds(world, warm_up)
    check_same(plain, world)
    shares = []
    for turn in range(ROUNDS):
        if turn % 2:
            own = engine_seconds(world, steps)
            shares.append(plain.seconds(steps) / own)
        else:
            shares.append(plain.seconds(steps) / engine_seconds(world, steps))
    plain.close()
    return shares


def share_of_plain(scene: str, count: int, steps: int, warm_up: int = 0) -> float:
    """Speed of the engine relative to the plain loop: the median of all turns of all worlds."""
    return median(share for _ in range(WORLDS) for share in shares_of_plain(scene, count, steps, warm_up))


def cost_growth() -> float:
    """Time per robot with 100 robots, divided by that with 1."""
    few, many = epucks(1), epucks(100)
    few.step(100), many.step(100)
    per_few = best_seconds(lambda: few.step(5000), ROUNDS) / 5000
    per_many = best_seconds(lambda: many.step(50), ROUNDS) / 50 / 100
    return per_many / per_few


def ratio(slow: World, fast: World, steps: int) -> float:
    """Time of a step of `slow` relative to `fast`: the median of turns that alternate."""
    ratios = []
    for turn in range(ROUNDS):
        order = (slow, fast) if turn % 2 else (fast, slow)
        seconds = {id(world): engine_seconds(world, steps) for world in order}
        ratios.append(seconds[id(slow)] / seconds[id(fast)])
    return median(ratios)


def speed_of_two_threads() -> float:
    """Speed of two islands on two threads relative to one thread, with the same motion."""
    if len(os.sched_getaffinity(0)) < 2:
        raise Unavailable("needs two processors")
    one, two = chains(2), chains(2)
    two.threads = 2
    one.step(100), two.step(100)
    # The shortest turns: two threads are slowed by anything that runs beside them, one thread is not.
    turns = [(engine_seconds(one, 10), engine_seconds(two, 10)) for _ in range(10 * ROUNDS)]
    result = min(turn[0] for turn in turns) / min(turn[1] for turn in turns)
    if one.hash() != two.hash():
        raise ValueError("the motion depends on the number of threads")
    return result


def cost_of_rest() -> float:
    """Time of a biped beside 1,000 boxes at rest, relative to a biped alone."""
    alone, beside = bipeds(1), resting(1000)
    alone.step(300), beside.step(300)
    if beside.statistics["awake"] != alone.statistics["awake"]:
        raise ValueError("the boxes are not asleep")
    return ratio(beside, alone, 50)


def seconds_in_turn(worlds: list[World], rounds: int) -> float:
    """Seconds for steps of several worlds, one step of each after another."""
    start = time.perf_counter()
    for _ in range(rounds):
        for world in worlds:
            world.step()
    return time.perf_counter() - start


def share_of_one() -> float:
    """Speed of a step of 64 arms in one process, relative to a step of one."""
    worlds = [arm(1) for _ in range(64)]
    for world in worlds:
        world.step(100)
    one = worlds[:1] * len(worlds)
    # The shortest turns: what runs beside them empties the cache, which slows 64 worlds and not one.
    turns = [(seconds_in_turn(one, 1), seconds_in_turn(worlds, 1)) for _ in range(20 * ROUNDS)]
    return min(turn[0] for turn in turns) / min(turn[1] for turn in turns)


def cases() -> list[Case]:
    """Speed relative to a plain loop in several scenes, and time per robot with more robots."""
    scenes = [
        ("arm with 7 joints", "arm", 1, 800, 1000, 0.95),
        ("idle robot, 8 rays", "idle", 1, 800, 1000, 0.95),
        ("20 e-pucks, 160 rays", "epucks", 20, 30, 100, 0.95),
        ("biped with 20 joints", "biped", 1, 40, 100, 0.95),
        ("200 boxes falling", "boxes", 200, 20, 0, 0.6),
    ]
    shares = [
        Case(
            f"{title}: share of plain ODE",
            partial(share_of_plain, scene, count, steps, warm),
            limit,
            "x",
            True,
        )
        for title, scene, count, steps, warm, limit in scenes
    ]
    return [
        # First: after other worlds, which a run has not, the bodies would be scattered in memory.
        Case("a robot beside 1,000 boxes at rest, relative to it alone", cost_of_rest, 1.1, "x"),
        *shares,
        Case("engine time per robot, 100 relative to 1 e-puck", cost_growth, 1.3, "x"),
        Case("two islands on two threads, relative to one", speed_of_two_threads, 1.6, "x", True),
        Case("64 small worlds stepped in turn, share of 64 times one", share_of_one, 0.9, "x", True),
    ]
