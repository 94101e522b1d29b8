"""Time of the sparse solver, relative to the dense one of the distribution's ODE, and to MuJoCo where that is
installed.

Each scene runs several times. Its turns alternate with those of the other side; of each turn the fastest
counts, in processor time, so that what runs beside them disturbs little.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks.bench_engine import cpu_seconds
from benchmarks.bench_peers import module
from benchmarks.case import Case, Reading, compare
from benchmarks.other_ode import OtherOde
from benchmarks.solver_scenes import SCENES, build, mujoco_model

TURN_STEPS, TURNS, RUNS = 50, 16, 3
Turn = Callable[[], float]
"""Makes the steps of a turn; returns the seconds they took."""


def engine_turns(scene: str) -> Turn:
    """The turns of a new world; the targets of its motors change sign before each."""
    parts = SCENES[scene]()
    world, motors = build(parts, "sparse")
    target = -parts.swing

    def turn() -> float:
        nonlocal target
        target = -target
        for motor in motors:
            motor.set_position(target)
        return cpu_seconds(partial(world.step, TURN_STEPS))

    return turn


def other_ode_turns(scene: str) -> Turn:
    """The same over the distribution's ODE, in its process."""
    parts = SCENES[scene]()
    world, motors = build(parts, "dense")
    other = OtherOde(world, TURN_STEPS)
    target = -parts.swing

    def turn() -> float:
        nonlocal target
        target = -target
        return other.seconds(target if motors else None)

    return turn


def mujoco_turns(scene: str) -> Turn:
    """The same of MuJoCo."""
    mujoco = module("mujoco")
    parts = SCENES[scene]()
    model = mujoco.MjModel.from_xml_string(mujoco_model(parts))
    data = mujoco.MjData(model)
    target = -parts.swing

    def turn() -> float:
        nonlocal target
        target = -target
        data.ctrl[:] = target
        return cpu_seconds(partial(mujoco.mj_step, model, data, TURN_STEPS))

    return turn


def fastest_turns(own: Callable[[], Turn], other: Callable[[], Turn]) -> Reading:
    """Microseconds of a step of both sides: the mean over all turns, of each the fastest run."""
    best: list[tuple[float, float]] = [(1e9, 1e9)] * TURNS
    for run in range(RUNS):
        sides = own(), other()
        for i in range(TURNS):
            order = (0, 1) if (run + i) % 2 else (1, 0)
            seconds = {side: sides[side]() for side in order}
            best[i] = min(best[i][0], seconds[0]), min(best[i][1], seconds[1])
    per = TURNS * TURN_STEPS * 1e-6
    return compare(sum(turn[0] for turn in best) / per, sum(turn[1] for turn in best) / per)


GAINS = {
    "biped standing": 12,
    "biped falling, motors at their limits": 8,
    "two bipeds fallen over each other": 6,
    "arm, 7 joints": 2.4,
    "chain of 5 links": 1,
    "chain of 10 links": 1.3,
    "chain of 20 links": 4,
    "chain of 40 links": 14,
    "chain of 80 links": 50,
    "ring of 6 hinges": 1,
    "ring of 12 hinges": 3,
    "stack of 5 boxes": 4,
    "heap of 200 boxes": 1.1,
    "20 e-pucks and 20 boxes": 2,
}
"""Least gain over the dense solver of the distribution's ODE."""
SHARES = {
    "biped standing": 1,
    "biped falling, motors at their limits": 0.8,
    "arm, 7 joints": 0.8,
    "chain of 80 links": 0.8,
}
"""Least share of MuJoCo's speed."""


def cases() -> list[Case]:
    """Beside the distribution's ODE, and beside MuJoCo."""
    own = {scene: partial(engine_turns, scene) for scene in SCENES}
    dense = [
        Case(
            f"step of the sparse solver: {scene}",
            partial(fastest_turns, own[scene], partial(other_ode_turns, scene)),
            1 / gain,
            "us",
            "the installed ODE",
        )
        for scene, gain in GAINS.items()
    ]
    peers = [
        Case(
            f"step of the sparse solver beside MuJoCo: {scene}",
            partial(fastest_turns, own[scene], partial(mujoco_turns, scene)),
            1 / share,
            "us",
            "MuJoCo",
        )
        for scene, share in SHARES.items()
    ]
    return dense + peers
