"""Time of robots of our models with controllers that read all joints, relative to ODE's dense solver.

They stand, or swing all their motors. The whole step counts: collisions, motors, sensors, controller.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from benchmarks.case import Case, Reading, Unavailable, compare
from benchmarks.checkout import CHECKOUT, SCENE
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.physics.solvers import VARIABLE
from wbridge.wbcore.scene.load import World, load_text
from wbridge.wbcore.simulation import Simulation

TURN_STEPS, TURNS, RUNS = 200, 4, 3
"""Between turns, the run looks at its clock: 35 us, which the steps of short turns would share."""


def world_of(model: str, height: float, manner: str) -> World:
    """A robot on a floor.

    Args:
        model: path of its PROTO file under protos/robots, without suffix.
        height: of its origin (m).
        manner: standing or moving.
    """
    floor, name = CHECKOUT / "protos" / "floors" / "Floor.proto", model.rpartition("/")[2]
    return load_text(
        f"""#VRML_SIM R2025a utf8
        EXTERNPROTO "{floor}"
        EXTERNPROTO "{CHECKOUT}/protos/robots/{model}.proto"
        WorldInfo {{ basicTimeStep 8 physicsDisableTime 0 }}
        Floor {{ size 9 9 }}
        {name} {{ translation 0 0 {height} controller "mover" controllerArgs [ "{manner}" ] }}
        """,
        str(SCENE),
    )


def turns(model: str, height: float, manner: str, solver: str) -> list[float]:
    """Processor time (s) of each turn of a run."""
    times: list[float] = []

    def note(simulation: Simulation) -> None:
        times.append(time.process_time())

    with Runner(world_of(model, height, manner), RunOptions(inline=True, solver=solver)) as runner:
        runner.on_step, runner.look_every = note, TURN_STEPS
        runner.limit = TURN_STEPS * (TURNS + 1) + 1
        runner.run()
    return [b - a for a, b in zip(times[1:], times[2:], strict=False)]


def fastest_runs(model: str, height: float, manner: str) -> Reading:
    """Microseconds of a step with both solvers: the mean over all turns, of each the fastest run."""
    runs: dict[str, list[list[float]]] = {"sparse": [], "dense": []}
    for _ in range(RUNS):
        for solver, all_times in runs.items():
            all_times.append(turns(model, height, manner, solver))
    own, dense = (
        sum(map(min, zip(*all_times, strict=True))) / len(all_times[0]) / TURN_STEPS * 1e6
        for all_times in runs.values()
    )
    return compare(own, dense)


def memory() -> Reading:
    """MB per further simulation of the NAO's world with both solvers."""
    if not Path("/proc/self/smaps_rollup").exists():
        raise Unavailable("this system does not show the memory of processes in /proc")
    command = [sys.executable, "-m", "benchmarks.world_memory", str(CHECKOUT / "worlds" / "nao.wbt")]
    own, dense = (
        float(
            subprocess.run(
                command, capture_output=True, check=True, env=os.environ | {VARIABLE: solver}
            ).stdout
        )
        for solver in ("sparse", "dense")
    )
    return compare(own, dense)


ROBOTS = {
    "NAO": ("softbank/Nao", 0.334, 4.0),
    "Spot": ("boston_dynamics/Spot", 0.624, 3.0),
    "Atlas": ("boston_dynamics/Atlas", 1.0, 3.0),
    "UR5e": ("universal_robots/UR5e", 0.0, 3.0),
    "TIAGo": ("pal_robotics/TiagoSteel", 0.095, 3.0),
}
"""Models with their height (m) and the least gain over the dense solver."""


def cases() -> list[Case]:
    """Each robot, standing and moving, and the memory of one."""
    speeds = [
        Case(
            f"step with the sparse solver: {name}, {manner}",
            partial(fastest_runs, model, height, manner),
            1 / gain,
            "us",
            "dense",
        )
        for name, (model, height, gain) in ROBOTS.items()
        for manner in ("standing", "moving")
    ]
    return [*speeds, Case("memory of a further NAO with the sparse solver", memory, 1.2, "MB", "dense")]
