"""A car on a wide floor, driven by a controller that a test writes."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.conftest import CHECKOUT
from tests.samples.runs import run
from wbridge.wbcore.simulation import Simulation

STEP = 0.01
"""Duration of a step, in s."""
WORLD = """#VRML_SIM R2025a utf8

EXTERNPROTO "{protos}/floors/Floor.proto"
EXTERNPROTO "{protos}/vehicles/tesla/TeslaModel3.proto"
EXTERNPROTO "{protos}/vehicles/bmw/BmwX5.proto"

WorldInfo {{
  basicTimeStep 10
  contactProperties [
    ContactProperties {{
      bounce 0
      softCFM 1e-05
    }}
  ]
}}
Floor {{
  size 400 400
}}
DEF CAR {model} {{
  translation 0 0 0.3
  controller "drive"
}}
"""


class State(NamedTuple):
    """Of the car after a step."""

    x: float
    y: float
    vx: float
    vy: float
    yaw_rate: float

    @property
    def speed(self) -> float:
        """Over the ground, in m/s."""
        return float((self.vx**2 + self.vy**2) ** 0.5)


class Drive(NamedTuple):
    """What a drive gave."""

    states: list[State]
    """At the beginning and after each step."""
    lines: list[list[float]]
    """What the controller printed, as numbers."""


def drive(
    folder: Path,
    code: str,
    seconds: float,
    model: str = "TeslaModel3",
    look: Callable[[Simulation], object] = lambda simulation: None,
    others: str = "",
) -> Drive:
    """Let a controller drive.

    Args:
        folder: an empty one, for the project.
        code: what the controller does with its Driver `car`.
        seconds: simulated.
        model: of the car.
        look: is called with the simulation before the first step and after each one.
        others: more nodes of the world.
    """
    (folder / "worlds").mkdir()
    (folder / "controllers" / "drive").mkdir(parents=True)
    world = folder / "worlds" / "road.wbt"
    world.write_text(WORLD.format(protos=(CHECKOUT / "protos").as_posix(), model=model) + others)
    program = "from vehicle import Car\ncar = Car()\n" + textwrap.dedent(code)
    (folder / "controllers" / "drive" / "drive.py").write_text(program)
    states: list[State] = []

    def note(simulation: Simulation) -> None:
        node = simulation.node("CAR")
        (x, y, _), (vx, vy, _, _, _, yaw) = node.translation, node.velocity
        states.append(State(x, y, vx, vy, yaw))
        look(simulation)

    done = run(world, seconds, note)
    return Drive(states, [[float(word) for word in line.split()] for line in done.lines])
