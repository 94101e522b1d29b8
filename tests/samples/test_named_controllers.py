"""Controllers of Webots that worlds name, written anew: they move what they are for."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.samples.runs import run
from tests.samples.test_avoiders import Explorer
from wbridge.wbcore.simulation import Simulation

WORLD = "#VRML_SIM R2025a utf8\nWorldInfo {\n  basicTimeStep 16\n}\n"


def world(folder: Path, body: str) -> Path:
    path = folder / "a.wbt"
    path.write_text(WORLD + body)
    return path


def test_the_belt_runs_at_its_speed_for_its_time(tmp_path: Path):
    places: list[float] = []
    box = (
        "ConveyorBelt {\n  size 2 0.5 0.6\n  speed 0.2\n  timer 3\n}\n"
        'DEF BOX Solid {\n  translation -0.8 0 0.66\n  name "box"\n  boundingObject Box {\n'
        "    size 0.1 0.1 0.1\n  }\n  physics Physics {\n    density -1\n    mass 1\n  }\n}\n"
    )
    run(world(tmp_path, box), 5, lambda simulation: places.append(simulation.node("BOX").translation[0]))
    # 0.2 m/s for 3 s; the box falls on the belt and is accelerated by friction within 0.1 s.
    assert places[-1] - places[0] == pytest.approx(0.6, abs=0.03)


def test_an_e_puck_wanders_and_touches_nothing(tmp_path: Path):
    arena = (
        "RectangleArena {\n}\n"
        "WoodenBox {\n  translation 0.25 0.2 0.05\n  size 0.1 0.1 0.1\n}\n"
        'DEF E_PUCK E-puck {\n  controller "e-puck_avoid_obstacles"\n}\n'
    )
    explorer = Explorer("E_PUCK", 0.1)
    run(world(tmp_path, arena), 40, explorer)
    assert explorer.obstacles == set()
    assert len(explorer.squares) >= 10


def test_a_youbot_moves_its_arm_to_the_floor_and_back(tmp_path: Path):
    turns: dict[str, list[float]] = {"arm1": [], "arm2": []}

    def look(simulation: Simulation) -> None:
        robot = next(iter(simulation.robots))
        for device in robot.devices:
            if device.name in ("arm1sensor", "arm2sensor"):
                turns[device.name.removesuffix("sensor")].append(device.measured().position)

    body = 'RectangleArena {\n  floorSize 4 4\n}\nYoubot {\n  controllerArgs [ "demo" ]\n}\n'
    done = run(world(tmp_path, body), 24, look)
    assert done.outcome.reason == "reached the requested time"
    assert min(turns["arm1"]) == pytest.approx(-math.pi / 2, abs=0.05)
    assert min(turns["arm2"]) == pytest.approx(-0.97, abs=0.05)
    assert turns["arm2"][-1] == pytest.approx(1.57, abs=0.05)
