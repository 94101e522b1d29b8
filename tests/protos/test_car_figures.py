"""The figures of cars that controllers read and feel are those of Webots' PROTOs of the same names.

Judge: the releases R2019b (Lincoln, Range Rover), R2021b and R2021c (Citroen, Tesla, truck), R2022b (BMW,
Sprinter) and R2023b (Prius, bus, trailer of the truck); radii of wheels are those of the wheels of R2020a,
and for Tesla of R2019b.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.protos.models import load, made, named, parts, pose
from tests.vehicle.parameters import Parameters

FACTS: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("car_figures.json").read_text())


@pytest.mark.parametrize("name", FACTS)
def test_its_figures_are_those_of_the_original(name: str):
    facts = FACTS[name]
    robot = made(f"{name} {{\n}}\n")
    read = Parameters.parse(robot.get("customData"))
    wanted = facts["figures"]
    assert {
        key: list(one) if isinstance(one := getattr(read, key), tuple) else one for key in wanted
    } == wanted
    motor = next(one for one in parts(robot, "RotationalMotor") if one.get("name").endswith("_wheel"))
    radius = read.rear_wheel_radius if "rear" in motor.get("name") else read.front_wheel_radius
    assert motor.get("acceleration") * radius * facts["time0To100"] == pytest.approx(100 / 3.6)


@pytest.mark.parametrize("name", FACTS)
def test_it_weighs_what_the_original_weighs(name: str):
    robot = made(f"{name} {{\n  {'trailer NULL' if name == 'Truck' else ''}\n}}\n")
    masses = [one.get("mass") for one in parts(robot, "Physics") if one.get("mass") > 1]
    body, *wheels = FACTS[name]["masses"]
    assert sorted(masses) == sorted(wheels * (4 // len(wheels))) + [body]
    (center,) = robot.get("physics").get("centerOfMass")
    assert tuple(center) == pytest.approx(FACTS[name]["center"])


@pytest.mark.parametrize("name", FACTS)
@pytest.mark.parametrize("slot", ["Front", "Rear", "Top"])
def test_its_sensors_sit_where_they_sit_in_the_original(name: str, slot: str):
    robot = load(f"{name} {{\n  sensorsSlot{slot} [\n    GPS {{\n    }}\n  ]\n}}\n").nodes[0].root
    place, turn = pose(named(robot, "gps"), robot)
    assert place == pytest.approx(FACTS[name]["slots"][slot])
    assert turn[0][0] == pytest.approx(-1 if slot == "Rear" else 1)


def test_a_truck_pulls_its_trailer():
    truck = made("Truck {\n}\n")
    trailer = named(truck, "truck trailer")
    axles = [pose(one, truck)[0] for one in parts(trailer, "Solid") if "wheel(" in one.get("name")]
    # The pin is 1.35 m before the rear axle and 2.4 m behind the front of the trailer; its axles are 7.93 m
    # and more behind the front.
    assert sorted({round(x, 2) for x, _, _ in axles}) == pytest.approx([-6.38, -5.28, -4.18])
    assert sorted({round(y, 2) for _, y, _ in axles}) == [-1, 1]
    assert trailer.get("physics").get("mass") == 5000
