"""Speed of runs with controllers, compared with a plain C++ loop over ODE and with the physics alone."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median

from benchmarks.case import Case, Unavailable, best_seconds
from benchmarks.controller_scenes import SCENES
from benchmarks.plain import BUILD, PlainWorld
from libcontroller import compiling
from wbcore.controllers.lockstep import Lockstep
from wbcore.controllers.output import Output
from wbcore.controllers.runner import Runner, RunOptions
from wbcore.controllers.server import Server
from wbcore.scene.load import load_text, load_world
from wbcore.simulation import Simulation

ROUNDS = 31
WORLDS = 3
CONTROLLER = Path(__file__).parent / "controllers" / "all_devices" / "all_devices.py"
C_CONTROLLER = Path(__file__).parent / "controllers" / "all_devices_c"
ROUND_STEPS, ARENA_STEPS = 100, 5000
SWAY = 0.01
"""rad or rad/s by which the controllers move their targets in each step, as the plain loop does."""
WORLD = Path(__file__).resolve().parent / "worlds" / "scene.wbt"
"""A path for the scenes, so that their controllers are found."""
CHECKOUT = Path(__file__).resolve().parent.parent


def lockstep_of(scene: str, count: int) -> Lockstep:
    """The lockstep of a scene from controller_scenes."""
    return Lockstep(Simulation(load_text(SCENES[scene](count))))


def arguments_of(lockstep: Lockstep) -> list[list[str]]:
    """The arguments of all controllers."""
    return [list(map(str, session.robot.node.get("controllerArgs"))) for session in lockstep.sessions]


class Turns:
    """Alternates between a run and the plain loop, with equal numbers of steps."""

    def __init__(self, plain: PlainWorld, steps: int) -> None:
        self.shares: list[float] = []
        """Speed of the run relative to the plain loop, per turn."""
        self._plain, self._steps = plain, steps
        self._start = 0.0

    def __call__(self, simulation: Simulation) -> None:
        """Called at the start of the run and after each turn of steps."""
        if simulation.steps == 0:
            self._start = time.perf_counter()
            return
        own = time.perf_counter() - self._start
        self.shares.append(self._plain.seconds(self._steps) / own)
        self._start = time.perf_counter()


def shares_of_plain(scene: str, count: int, steps: int) -> list[float]:
    """Run a scene like `wbridge run --inline`, with controllers that use all devices in each step.

    Returns the relative speeds of all turns but the first."""
    plain = PlainWorld(scene, count, SWAY)
    world = load_text(SCENES[scene](count), str(WORLD))
    with Runner(world, RunOptions(inline=True)) as runner:
        runner.on_step, runner.look_every = (turns := Turns(plain, steps)), steps
        runner.limit = steps * (ROUNDS + 1)
        runner.run()
    plain.close()
    return turns.shares[1:]


def share_of_plain(scene: str, count: int, steps: int) -> float:
    """Speed of a run relative to the plain loop: the median of all turns of all worlds."""
    return median(share for _ in range(WORLDS) for share in shares_of_plain(scene, count, steps))


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


def over_physics(program: Callable[[], list[str]], percentile: int = 50, rounds: int = 400) -> float:
    """Additional microseconds of a step of the arm with a controller process, compared with its physics.

    Args:
        program: returns the command of the controller.
        percentile: which of the steps of the calmest rounds counts; the physics' is always the median.
        rounds: number of rounds of ROUND_STEPS steps.
    """
    lockstep = lockstep_of("arm", 1)
    bare = lockstep_of("arm", 1).simulation
    server = Server(port=0)
    server.serve(lockstep.sessions)
    together, alone = [], []
    with client(server, lockstep, program()):
        step_with_process(server, lockstep)
        for _ in range(rounds):
            together.append(step_times(lambda: step_with_process(server, lockstep)))
            alone.append(step_times(bare.step))
    server.close()
    steps = sorted(time_ns for times in calmest(together) for time_ns in times)
    physics = median(time_ns for times in calmest(alone) for time_ns in times)
    return (steps[len(steps) * percentile // 100] - physics) / 1000


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


def over_inline(runs: int = 3) -> float:
    """Additional microseconds of a step of the e-puck arena with a controller process, compared with one
    inside the simulator, in the calmest rounds of several runs of each."""
    rounds: dict[bool, list[list[int]]] = {True: [], False: []}
    for _ in range(runs):
        for inline, found in rounds.items():
            found += arena_rounds(inline)
    process, inside = (median(map(sum, calmest(rounds[inline]))) for inline in (False, True))
    return (process - inside) / ROUND_STEPS / 1000


def arena_rounds(inline: bool) -> list[list[int]]:
    """Run the e-puck arena; returns the nanoseconds of each round of ROUND_STEPS steps."""
    looks: list[int] = []
    world = load_world(str(CHECKOUT / "worlds" / "epuck_arena.wbt"))
    with open(os.devnull, "wb") as nowhere:
        output = Output(nowhere.fileno(), nowhere.fileno(), False)
        with Runner(world, RunOptions(inline=inline, output=output)) as runner:
            runner.on_step = lambda _: looks.append(time.perf_counter_ns())
            runner.look_every, runner.limit = ROUND_STEPS, ARENA_STEPS
            runner.run()
    return [[end - start] for start, end in pairwise(looks[1:])]


def installed() -> dict[str, str]:
    """An environment in which modules are compiled once, like those of an installed program."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPATH": str(CHECKOUT), "PYTHONPYCACHEPREFIX": str(BUILD / "bytecode")}


def import_client() -> float:
    """Milliseconds of `from controller import Robot` in a running interpreter."""
    code = (
        "import time; t = time.perf_counter(); from controller import Robot; print(time.perf_counter() - t)"
    )
    command = [sys.executable, "-c", code]
    environment = installed()
    times = [float(subprocess.check_output(command, cwd=CHECKOUT, env=environment)) for _ in range(7)]
    return min(times) * 1000


def one_step() -> list[str]:
    """The command for one step in the e-puck arena."""
    world = CHECKOUT / "worlds" / "epuck_arena.wbt"
    return [sys.executable, "-m", "wbridge", "run", str(world), "--steps", "1", "--quiet"]


def first_step() -> float:
    """Seconds of `wbridge run` for one step."""
    return best_seconds(lambda: subprocess.run(one_step(), env=installed(), check=True), 7)


def memory_of_first_step() -> float:
    """Resident megabytes of the same.

    The peak that the system reports of a process includes the memory of the process that started it: a
    small process starts it here.
    """
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-S", "-c", code, *one_step()]
    return max(int(subprocess.check_output(command, env=installed())) for _ in range(3)) / 1024


def cases() -> list[Case]:
    """Runs with inline controllers and controller processes, and the import time of the client."""
    scenes = [
        ("arm, 7 motors and sensors", "arm", 1, 1500, 0.8),
        ("biped, 20 motors and sensors", "biped", 1, 100, 0.9),
        ("20 e-pucks, 160 sensors", "epucks", 20, 100, 0.35),
    ]
    shares = [
        Case(f"{title}: share of plain ODE", partial(share_of_plain, scene, count, steps), limit, "x", True)
        for title, scene, count, steps, limit in scenes
    ]
    processes = [
        (f"process in {name}, {what} over the physics", partial(over_physics, program, percentile), limit)
        for name, program in (("Python", in_python), ("C", in_c))
        for what, percentile, limit in (("median", 50, 15), ("99th percentile", 99, 100))
    ]
    return [
        *shares,
        *(Case(*measured, "us/step") for measured in processes),
        Case("process instead of inline, e-puck arena", over_inline, 15, "us/step"),
        Case("import of the client", import_client, 60, "ms"),
        Case("wbridge run to the first step, e-puck arena", first_step, 0.6, "s"),
        Case("resident memory of that run", memory_of_first_step, 90, "MB"),
    ]
