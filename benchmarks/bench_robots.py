"""Time of robots with their real sensors, compared with a plain C++ loop over ODE with the same parts.

The robots are e-pucks in an arena: infra-red sensors that see visible shapes, with noise, and an LED that
blinks. Another robot has light sensors.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial

from benchmarks.case import Case, Reading, compare, of_turns
from benchmarks.checkout import CHECKOUT, SCENE
from benchmarks.plain import PlainWorld
from benchmarks.plain_copy import PlainCopy
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import World, load_text, load_world
from wbridge.wbcore.simulation import Simulation

ARENA = CHECKOUT / "worlds" / "epuck_arena.wbt"
ROUNDS, SHORT_ROUNDS = 21, 100
SPEEDS = (3.0, -3.0)
"""rad/s of the wheels: the robots turn on the spot."""
APART_M = 0.3


def crowd(count: int) -> World:
    """E-pucks on a grid in an arena, each beside a box."""
    side = math.ceil(math.sqrt(count))
    places = [(APART_M * (i % side - side / 2), APART_M * (i // side - side / 2)) for i in range(count)]
    text = "".join(
        f"""E-puck {{ name "e-puck {i}" translation {x} {y} 0 controller "turner" }}
        WoodenBox {{ name "box {i}" translation {x + APART_M / 2} {y} 0.05 size 0.1 0.1 0.1 }}
        """
        for i, (x, y) in enumerate(places)
    )
    protos = "".join(
        f'EXTERNPROTO "{CHECKOUT}/protos/{name}.proto"\n'
        for name in ("floors/RectangleArena", "factory/WoodenBox", "robots/gctronic/E-puck")
    )
    size = APART_M * (side + 2)
    arena = f"RectangleArena {{ floorSize {size} {size} }}\n"
    head = "#VRML_SIM R2025a utf8\n" + protos + "WorldInfo { basicTimeStep 16 }\n"
    return load_text(head + arena + text, str(SCENE))


class Turns:
    """Alternates between a run and another loop, with equal numbers of steps."""

    def __init__(self, other: Callable[[int], float], steps: int) -> None:
        """
        Args:
            other: makes steps; returns the seconds they took.
            steps: of a turn.
        """
        self.turns: list[tuple[float, float]] = []
        """Seconds of the run and of the other loop."""
        self._other, self._steps = other, steps
        self._start = 0.0

    def __call__(self, simulation: Simulation) -> None:
        """Called at the start of the run and after each turn of steps."""
        if simulation.steps:
            own = time.perf_counter() - self._start
            self.turns.append((own, self._other(self._steps)))
        self._start = time.perf_counter()


def beside(make: Callable[[], World], other: Callable[[int], float], steps: int, rounds: int) -> Reading:
    """Microseconds of a step with inline controllers, and of one of another loop: the median of all turns."""
    with Runner(make(), RunOptions(inline=True)) as runner:
        alternation = Turns(other, steps)
        runner.on_step, runner.look_every = alternation, steps
        runner.limit = steps * (rounds + 1)
        runner.run()
    return of_turns(alternation.turns[1:], per=steps * 1e-6)


def beside_plain(make: Callable[[], World], rays: int, steps: int) -> Reading:
    """Microseconds of a step with inline controllers, and of one of the plain loop."""
    plain = PlainCopy(Simulation(make()), SPEEDS, rays)
    try:
        return beside(make, plain.seconds, steps, ROUNDS)
    finally:
        plain.close()


def lit(arguments: str) -> World:
    """A robot with 8 noisy light sensors among 4 lights and 12 obstacles that may hide them."""
    sensors = "".join(
        f'LightSensor {{ name "ls{i}" rotation 0 0 1 {i * math.pi / 4} occlusion TRUE }}' for i in range(8)
    )
    places = [(math.cos(i), math.sin(i)) for i in range(12)]
    walls = "".join(
        f'Solid {{ name "wall {i}" translation {x} {y} 0.1 boundingObject Box {{ size 0.1 0.1 0.2 }} }}\n'
        for i, (x, y) in enumerate(places)
    )
    lights = """DirectionalLight { direction -1 0 -1 } PointLight { location 2 0 1 }
        PointLight { location -2 1 1 } SpotLight { location 0 0 2 direction 0 0 -1 cutOffAngle 1.5 }
        """
    robot = f'Robot {{ controller "light_reader" controllerArgs [ "{arguments}" ] children [ {sensors} ] }}\n'
    head = "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 16 }\n"
    return load_text(head + lights + walls + robot, str(SCENE))


def light_sensors() -> Reading:
    """Microseconds that each of 8 light sensors takes in a step, and a step of plain ODE of a robot with 8
    rays."""
    plain, steps = PlainWorld("idle", 1), 50
    on, off = (seconds_per_step(partial(lit, arguments), steps) for arguments in ("on", "off"))
    reference = min(plain.seconds(steps) for _ in range(SHORT_ROUNDS)) / steps
    plain.close()
    return compare((on - off) / 8 * 1e6, reference * 1e6)


def seconds_per_step(make: Callable[[], World], steps: int) -> float:
    """The shortest time of a step with inline controllers, of several turns."""
    times: list[float] = []

    def note(simulation: Simulation) -> None:
        times.append(time.perf_counter())

    with Runner(make(), RunOptions(inline=True)) as runner:
        runner.on_step, runner.look_every = note, steps
        runner.limit = steps * (SHORT_ROUNDS + 1)
        runner.run()
    return min(b - a for a, b in zip(times[1:], times[2:], strict=False)) / steps


def cases() -> list[Case]:
    """An e-puck, twenty, and a hundred; light sensors."""
    arena = partial(beside_plain, partial(load_world, ARENA), 4, 1000)
    twenty = partial(beside_plain, partial(crowd, 20), 8, 40)
    hundred = partial(beside_plain, partial(crowd, 100), 8, 5)
    return [
        Case("step of the e-puck arena, 4 infra-red sensors", arena, 3, "us", "plain ODE"),
        Case("step of 20 e-pucks, 160 infra-red sensors", twenty, 1.7, "us", "plain ODE"),
        Case("light sensor among 4 lights with occlusion", light_sensors, 1, "us", "plain ODE, 8 rays"),
        Case("step of 100 e-pucks, 800 infra-red sensors", hundred, 1.8, "us", "plain ODE"),
    ]
