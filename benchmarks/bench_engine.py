"""Time of the engine, stepped from Python, relative to a plain C++ loop over ODE."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import repeat

from benchmarks.case import Case, Reading, Unavailable, alternate, best_seconds, compare, of_turns
from benchmarks.checkout import CHECKOUT
from benchmarks.driven import driven
from benchmarks.engine_scenes import SCENES, arm, bipeds, chains, epucks, resting
from benchmarks.other_ode import OtherOde
from benchmarks.plain import PlainWorld, library
from wbridge.wbcore.engine import World
from wbridge.wbcore.scene.load import load_world

ROUNDS = 41
# Pairs of worlds to compare: their memory layout affects the speed by a few percent.
WORLDS = 5
SAME_M = 1e-6
LOOP_STEPS = 200_000
"""About a millisecond."""


def engine_seconds(world: World, steps: int) -> float:
    """Seconds for steps called one at a time."""
    step = world.step
    start = time.perf_counter()
    for _ in repeat(None, steps):
        step()
    return time.perf_counter() - start


def cpu_seconds(work: Callable[[], object]) -> float:
    """Seconds of processor time of this thread: what runs beside it counts less than with a clock."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


def check_same(plain: PlainWorld, world: World) -> None:
    """Check that the last body has the same position on both sides, up to rounding of the solvers."""
    places = plain.last_position(), tuple(world.positions[world.body_count - 1])
    if math.dist(*places) > SAME_M:
        raise ValueError(f"the plain loop differs: position {places[0]}, engine {places[1]}")


def turns_beside_plain(
    scene: str, count: int, steps: int, warm_up: int, same: bool
) -> list[tuple[float, float]]:
    """Seconds of the engine and of the plain loop, per turn.

    Short turns alternate in one thread, so that both run under the same machine load.
    """
    plain, world = PlainWorld(scene, count, same=same), SCENES[scene](count)
    plain.seconds(warm_up), engine_seconds(world, warm_up)
    check_same(plain, world)
    step, step_plain = partial(engine_seconds, world, steps), partial(plain.seconds, steps)
    turns = []
    for turn in range(ROUNDS):
        if turn % 2:
            own = cpu_seconds(step)
            turns.append((own, cpu_seconds(step_plain)))
        else:
            reference = cpu_seconds(step_plain)
            turns.append((cpu_seconds(step), reference))
    plain.close()
    return turns


def beside_plain(scene: str, count: int, steps: int, warm_up: int = 0, same: bool = False) -> Reading:
    """Microseconds of a step, and of one of the plain loop over the distribution's ODE, or the same: the
    median of all turns of all worlds."""
    turns = [turn for _ in range(WORLDS) for turn in turns_beside_plain(scene, count, steps, warm_up, same)]
    return of_turns(turns, per=steps * 1e-6)


def beside_other_ode(robot: str, steps: int) -> Reading:
    """Microseconds of a step of a sample world whose motors run, and of one over the distribution's ODE: the
    fastest of short turns that alternate."""
    world = driven(partial(load_world, CHECKOUT / "worlds" / f"{robot}.wbt"))
    with OtherOde(world, steps) as other:
        world.step(steps), other.seconds()
        turns = [(cpu_seconds(partial(engine_seconds, world, steps)), other.seconds()) for _ in range(ROUNDS)]
    return shortest(turns, steps * 1e-6)


def cost_growth() -> Reading:
    """Microseconds of a step per robot, with 100 robots and with 1."""
    few, many = epucks(1), epucks(100)
    few.step(100), many.step(100)
    of_few, of_many = (partial(engine_seconds, world, steps) for world, steps in ((few, 500), (many, 5)))
    return alternate(of_many, of_few, ROUNDS, per=5 * 100 * 1e-6, yardstick_per=500 * 1e-6)


def time_of_two_threads() -> Reading:
    """Microseconds of a step of two islands on two threads, with the same motion as on one; and of a step on
    one thread, times what two C loops gain from two threads at that moment.

    The islands have dense matrices: each takes longer than waking a thread."""
    if len(os.sched_getaffinity(0)) < 2:
        raise Unavailable("needs two processors")
    one, two = chains(2), chains(2)
    one.solver = two.solver = "dense"
    two.threads = 2
    one.step(100), two.step(100)
    # The shortest turns: two threads are slowed by anything that runs beside them, one thread is not.
    turns = [(engine_seconds(two, 10), engine_seconds(one, 10)) for _ in range(10 * ROUNDS)]
    if one.hash() != two.hash():
        raise ValueError("the motion depends on the number of threads")
    reading = shortest(turns, 10e-6)
    return compare(reading.own, reading.yardstick * gain_of_two_threads())


def gain_of_two_threads() -> float:
    """Time of two C loops on two threads relative to one after the other: 0.5 if both processors are free."""
    loop = partial(library().plain_loop, LOOP_STEPS)
    with ThreadPoolExecutor(2) as threads:
        turns = [
            (best_seconds(lambda: list(threads.map(lambda _: loop(), range(2))), 1), loop() + loop())
            for _ in range(5 * ROUNDS)
        ]
    return shortest(turns, 1).ratio


def shortest(turns: list[tuple[float, float]], per: float) -> Reading:
    """The shortest turns of both, divided by `per`."""
    return compare(min(turn[0] for turn in turns) / per, min(turn[1] for turn in turns) / per)


def cost_of_rest() -> Reading:
    """Microseconds of a step of a biped beside 1,000 boxes at rest, and of a biped alone."""
    alone, beside = bipeds(1), resting(1000)
    alone.step(300), beside.step(300)
    if beside.statistics["awake"] != alone.statistics["awake"]:
        raise ValueError("the boxes are not asleep")
    own, yardstick = (partial(engine_seconds, world, 10) for world in (beside, alone))
    return alternate(own, yardstick, 5 * ROUNDS, per=10e-6)


def seconds_in_turn(worlds: list[World], rounds: int) -> float:
    """Seconds for steps of several worlds, one step of each after another."""
    start = time.perf_counter()
    for _ in range(rounds):
        for world in worlds:
            world.step()
    return time.perf_counter() - start


def small_worlds() -> Reading:
    """Microseconds of a step of 64 arms in one process, and of 64 steps of one."""
    worlds = [arm(1) for _ in range(64)]
    for world in worlds:
        world.step(100)
    one = worlds[:1] * len(worlds)
    # The shortest turns: what runs beside them empties the cache, which slows 64 worlds and not one.
    turns = [(seconds_in_turn(worlds, 1), seconds_in_turn(one, 1)) for _ in range(20 * ROUNDS)]
    return shortest(turns, 1e-6)


def cases() -> list[Case]:
    """Time relative to a plain loop in several scenes, and time per robot with more robots."""
    scenes = [
        ("arm with 7 joints", "arm", 1, 100, 1000, 1.0, 0.97),
        ("idle robot, 8 rays", "idle", 1, 100, 1000, 1.3, 0.97),
        ("20 e-pucks, 160 rays", "epucks", 20, 10, 100, 1.15, 0.97),
        ("biped with 20 joints", "biped", 1, 10, 100, 1.1, 0.97),
        ("200 boxes falling", "boxes", 200, 20, 0, 1.1, 0.9),
    ]
    plain = [
        Case(
            f"step of the engine{', the same ODE' if same else ''}: {title}",
            partial(beside_plain, scene, count, steps, warm, same),
            1 / (of_same if same else of_other),
            "us",
            "its ODE in a plain loop" if same else "plain ODE",
        )
        for title, scene, count, steps, warm, of_other, of_same in scenes
        for same in (False, True)
    ]
    robots = [
        Case(
            f"step of the engine: {title}",
            partial(beside_other_ode, robot, 50),
            1 / 1.1,
            "us",
            "the engine over the distribution's ODE",
        )
        for title, robot in (("NAO", "nao"), ("UR5e", "ur5e"), ("Spot", "spot"))
    ]
    return [
        # First: after other worlds, which a run has not, the bodies would be scattered in memory.
        Case("step of a biped beside 1,000 boxes at rest", cost_of_rest, 1.2, "us", "the biped alone"),
        *plain,
        *robots,
        Case("step of the engine per e-puck, with 100", cost_growth, 1.5, "us", "with 1 e-puck"),
        Case(
            "step of two islands on two threads",
            time_of_two_threads,
            2 / 1.6,  # 1.6 times as fast as on one thread, where two processors are free
            "us",
            "on one, times the gain of C loops",
        ),
        Case("64 small worlds stepped in turn", small_worlds, 1.25, "us", "64 steps of one"),
    ]
