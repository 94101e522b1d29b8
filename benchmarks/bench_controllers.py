"""Time of runs with controllers, relative to a plain C++ loop over ODE and to an echo of another process."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import pairwise
from statistics import median

from benchmarks.bench_robots import Turns
from benchmarks.case import Case, Reading, Unavailable, alternate, compare, of_turns, seconds_of
from benchmarks.checkout import BENCHMARKS, BUILD, CHECKOUT, SCENE
from benchmarks.controller_scenes import SCENES
from benchmarks.plain import PlainWorld
from benchmarks.processors import processor
from benchmarks.yardsticks import (
    ECHO,
    IMPORT,
    PYTHON_MEMORY,
    PYTHON_START,
    echo,
    import_seconds,
    peak_of,
    python_memory,
    python_start,
)
from wbridge.libcontroller import compiling
from wbridge.wbcore.controllers.lockstep import Lockstep
from wbridge.wbcore.controllers.output import Output
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.controllers.server import Server
from wbridge.wbcore.scene.load import load_text, load_world
from wbridge.wbcore.simulation import Simulation

ROUNDS = 31
WORLDS = 3
CONTROLLER = BENCHMARKS / "controllers" / "all_devices" / "all_devices.py"
C_CONTROLLER = BENCHMARKS / "controllers" / "all_devices_c"
ROUND_STEPS, ARENA_STEPS = 100, 5000
SWAY = 0.01
"""rad or rad/s by which the controllers move their targets in each step, as the plain loop does."""


def lockstep_of(scene: str, count: int) -> Lockstep:
    """The lockstep of a scene from controller_scenes."""
    return Lockstep(Simulation(load_text(SCENES[scene](count))))


def arguments_of(lockstep: Lockstep) -> list[list[str]]:
    """The arguments of all controllers."""
    return [list(map(str, session.robot.node.get("controllerArgs"))) for session in lockstep.sessions]


def turns_beside_plain(scene: str, count: int, steps: int) -> list[tuple[float, float]]:
    """Run a scene like `wbridge run --inline`, with controllers that use all devices in each step.

    Returns the seconds of the run and of the plain loop, of all turns but the first."""
    plain = PlainWorld(scene, count, SWAY)
    world = load_text(SCENES[scene](count), str(SCENE))
    with Runner(world, RunOptions(inline=True)) as runner:
        alternation = Turns(plain.seconds, steps)
        runner.on_step, runner.look_every = alternation, steps
        runner.limit = steps * (ROUNDS + 1)
        runner.run()
    plain.close()
    return alternation.turns[1:]


def beside_plain(scene: str, count: int, steps: int) -> Reading:
    """Microseconds of a step, and of one of the plain loop: the median of all turns of all worlds."""
    turns = [turn for _ in range(WORLDS) for turn in turns_beside_plain(scene, count, steps)]
    return of_turns(turns, per=steps * 1e-6)


@contextmanager
def client(server: Server, lockstep: Lockstep, program: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A controller process for the only robot."""
    session = lockstep.sessions[0]
    session.expected = True
    folder = str(server.instance.folder)
    environment = installed() | {
        "WEBOTS_INSTANCE_PATH": folder,
        "WEBOTS_ROBOT_NAME": session.robot.name,
    }
    command = [*program, *arguments_of(lockstep)[0]]
    with subprocess.Popen(command, env=environment) as process:
        yield process
        process.kill()


def in_python() -> list[str]:
    """The command of the controller in Python."""
    return [sys.executable, str(CONTROLLER)]


def in_c() -> list[str]:
    """The command of the same controller in C."""
    try:
        return [str(compiling.compile_controller(C_CONTROLLER))]
    except compiling.BuildError as error:
        raise Unavailable(str(error)) from None


def over_physics(
    program: Callable[[], list[str]], percentile: int = 50, apart: bool = False, rounds: int = 200
) -> Reading:
    """Microseconds that a controller process adds to the physics of a step of the arm, and an echo.

    Args:
        program: returns the command of the controller.
        percentile: which of the steps of the calmest rounds counts; the physics' is always the median.
        apart: simulator and controller may use all processors. Then the time depends on the load of the
            machine and on how long it takes to wake a processor. Otherwise, they share one.
        rounds: number of rounds of ROUND_STEPS steps.
    """
    lockstep = lockstep_of("arm", 1)
    bare = lockstep_of("arm", 1).simulation
    server = Server(port=0)
    server.serve(lockstep.sessions)
    together, alone, echoes = [], [], []
    with nullcontext() if apart else processor(0), client(server, lockstep, program()):
        step_with_process(server, lockstep)
        for _ in range(rounds):
            together.append(step_times(lambda: step_with_process(server, lockstep)))
            alone.append(step_times(bare.step))
            echoes.append(echo())
    server.close()
    steps = sorted(time_ns for times in calmest(together) for time_ns in times)
    physics = median(time_ns for times in calmest(alone) for time_ns in times)
    return compare((steps[len(steps) * percentile // 100] - physics) / 1000, calm(echoes) * 1e6)


def calm(costs: list[float]) -> float:
    """The median of the smallest tenth."""
    return median(sorted(costs)[: math.ceil(len(costs) / 10)])


def calmest(rounds: list[list[int]]) -> list[list[int]]:
    """The fastest tenth of the rounds: two processes seldom keep both cores of a busy machine for long."""
    return sorted(rounds, key=sum)[: math.ceil(len(rounds) / 10)]


def step_with_process(server: Server, lockstep: Lockstep) -> None:
    """Make a step with the controller process, as soon as it requests one."""
    while not lockstep.is_ready:
        server.poll(None)
    lockstep.step()


def step_times(step: Callable[[], None]) -> list[int]:
    """Nanoseconds of each of ROUND_STEPS steps."""
    times = [time.perf_counter_ns()]
    for _ in range(ROUND_STEPS):
        step()
        times.append(time.perf_counter_ns())
    return [end - start for start, end in pairwise(times)]


def over_inline(runs: int = 3) -> Reading:
    """Microseconds that a controller process adds to a step of the e-puck arena with the controller inside
    of the simulator, the median of all steps of several runs of each; and an echo. All share one
    processor."""
    steps: dict[bool, list[int]] = {True: [], False: []}
    echoes = []
    with processor(0):
        for _ in range(runs):
            for inline, times in steps.items():
                times += arena_steps(inline)
                echoes += [echo() for _ in range(10)]
    return compare((median(steps[False]) - median(steps[True])) / 1000, calm(echoes) * 1e6)


def arena_steps(inline: bool) -> list[int]:
    """Run the e-puck arena; returns the nanoseconds of each step."""
    looks: list[int] = []
    world = load_world(str(CHECKOUT / "worlds" / "epuck_arena.wbt"))
    with open(os.devnull, "wb") as nowhere:
        output = Output(nowhere.fileno(), nowhere.fileno(), False)
        with Runner(world, RunOptions(inline=inline, output=output)) as runner:
            runner.on_step = lambda _: looks.append(time.perf_counter_ns())
            runner.limit = ARENA_STEPS
            runner.run()
    return [end - start for start, end in pairwise(looks[1:])]


def installed() -> dict[str, str]:
    """An environment in which modules are compiled once, like those of an installed program."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPATH": str(CHECKOUT), "PYTHONPYCACHEPREFIX": str(BUILD / "bytecode")}


def import_client() -> Reading:
    """Milliseconds of `from controller import Robot` in a running interpreter, and of a standard module."""
    client, module = (
        partial(import_seconds, f"from {source} import {name}", installed(), str(CHECKOUT))
        for source, name in (("controller", "Robot"), ("asyncio", "run"))
    )
    return alternate(client, module, 9, per=1e-3)


def one_step() -> list[str]:
    """The command for one step in the e-puck arena."""
    world = CHECKOUT / "worlds" / "epuck_arena.wbt"
    return [sys.executable, "-m", "wbridge", "run", str(world), "--steps", "1", "--quiet"]


def first_step() -> Reading:
    """Milliseconds of `wbridge run` for one step, and of a start of Python."""
    own = seconds_of(lambda: subprocess.run(one_step(), env=installed(), check=True))
    return alternate(own, python_start, 9, per=1e-3)


def memory_of_first_step() -> Reading:
    """Largest resident memory (MB) of the same, and of Python."""
    return compare(max(peak_of(one_step(), installed()) for _ in range(3)), python_memory())


def cases() -> list[Case]:
    """Runs with inline controllers and controller processes, and the import time of the client."""
    scenes = [
        ("arm, 7 motors and sensors", "arm", 1, 100, 2),
        ("biped, 20 motors and sensors", "biped", 1, 20, 1.5),
        ("20 e-pucks, 160 sensors", "epucks", 20, 20, 1.8),
    ]
    plain = [
        Case(
            f"step with inline controllers: {title}",
            partial(beside_plain, scene, count, steps),
            limit,
            "us",
            "plain ODE",
        )
        for title, scene, count, steps, limit in scenes
    ]
    processes = [
        Case(
            f"process in {name} over the physics, {title}",
            partial(over_physics, program, *which),
            limit,
            "us",
            ECHO,
        )
        for name, program in (("Python", in_python), ("C", in_c))
        for title, which, limit in (
            ("median", (50,), 6),
            ("90th percentile", (90,), 12),
            ("on all processors", (50, True), 12),
        )
    ]
    return [
        *plain,
        *processes,
        Case("process instead of inline, e-puck arena", over_inline, 6, "us", ECHO),
        Case("import of the client", import_client, 1, "ms", IMPORT),
        Case("wbridge run to the first step, e-puck arena", first_step, 45, "ms", PYTHON_START),
        Case("resident memory of that run", memory_of_first_step, 5, "MB", PYTHON_MEMORY),
    ]
