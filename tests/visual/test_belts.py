"""Where belts carry their wheels and the copies of their geometry. Judges: geometry and the manual."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from wbridge.wbcore.physics.pose import Pose
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.visual.belts import pieces_of
from wbridge.wbcore.visual.shapes import shapes_of

CONVEX = ((-0.4, 0.4, 0.2, True), (0.4, 0.4, 0.2, True), (0.2, 0.12, 0.1, True), (0, 0.12, 0.1, True),
          (-0.2, 0.12, 0.1, True))  # fmt: skip
CONCAVE = (-0.4, 0.0, 0.2, True), (0.0, 0.14, 0.1, False), (0.4, 0.0, 0.2, True)
"""Wheels of the examples in the manual, chapter Track: x, y, radius, inner."""


def world(folder: Path, wheels, count: int = 10, release: str = "R2023b") -> Simulation:
    shape = "children [ Shape { geometry Box { } } ]"
    parts = " ".join(
        f"TrackWheel {{ position {x} {y} radius {r} inner {str(inner).upper()} {shape} }}"
        for x, y, r, inner in wheels
    )
    path = folder / "belt.wbt"
    path.write_text(
        f"#VRML_SIM {release} utf8\nWorldInfo {{ }} Viewpoint {{ }}\nRobot {{ children [ DEF BELT Track {{\n"
        f"children [ {parts} ] boundingObject Box {{ }} physics Physics {{ }}\n"
        f'device LinearMotor {{ name "m" }} geometriesCount {count}\n'
        "animatedGeometry Shape { geometry Sphere { radius 0.01 } } } ] }\n"
    )
    return Simulation(path)


def line(simulation: Simulation, points: int = 4000) -> tuple[float, list[Pose]]:
    """The length of the belt, and poses along it."""
    ride = next(pieces_of(simulation.world, simulation.world.find("BELT")))
    length = ride.path.length
    return length, [ride.place(length * i / points) for i in range(points)]


def test_a_belt_around_two_equal_wheels_is_two_lines_and_a_circle(tmp_path: Path):
    length, _ = line(world(tmp_path, [(-1, 0, 0.25, True), (1, 0, 0.25, True)]))
    assert length == pytest.approx(2 * 2 + 2 * math.pi * 0.25, rel=1e-12)


def test_a_belt_around_one_wheel_is_a_circle(tmp_path: Path):
    length, poses = line(world(tmp_path, [(1, 2, 0.5, True)]))
    assert length == pytest.approx(math.pi, rel=1e-12)
    assert {round(math.dist(one.position, (1, 0, 2)), 9) for one in poses} == {0.5}


@pytest.mark.parametrize("wheels", [CONVEX, CONCAVE])
def test_a_belt_is_closed_smooth_and_touches_each_wheel_from_its_side(tmp_path: Path, wheels):
    length, poses = line(world(tmp_path, wheels))
    step = length / len(poses)
    for one, after in itertools.pairwise([*poses, poses[0]]):
        way = np.subtract(after.position, one.position)
        assert np.linalg.norm(way) == pytest.approx(step, rel=0.01)
        assert np.dot(one.direction((1, 0, 0)), way) > 0.99 * step, "x points along the belt"
    for x, y, radius, inner in wheels:
        nearest = min(poses, key=lambda one: math.dist(one.position, (x, 0, y)))
        assert math.dist(nearest.position, (x, 0, y)) == pytest.approx(radius, rel=1e-3)
        outward = np.subtract(nearest.position, (x, 0, y)) / radius * (1 if inner else -1)
        assert np.dot(nearest.direction((0, 0, 1)), outward) > 0.999, "z points away from the belt's inside"


def test_a_belt_of_an_old_world_runs_in_the_plane_of_x_and_y(tmp_path: Path):
    _, poses = line(world(tmp_path, CONVEX, release="R2021b"))
    assert {one.position[2] for one in poses} == {0.0}
    top = max(poses, key=lambda one: one.position[1])
    assert top.direction((1, 0, 0)) == pytest.approx((1, 0, 0), abs=1e-9)
    assert top.direction((0, 1, 0)) == pytest.approx((0, 1, 0), abs=1e-9)


def test_wheels_at_one_place_count_once(tmp_path: Path):
    doubled = [one for one in CONVEX for _ in range(2)]
    assert line(world(tmp_path, doubled))[0] == pytest.approx(line(world(tmp_path, CONVEX))[0], rel=1e-12)


def test_wheels_turn_and_pieces_run_with_the_belt(tmp_path: Path):
    simulation = world(tmp_path, CONCAVE, count=7)
    belt = simulation.physics.handles.tracks[simulation.world.find("BELT")]
    still = list(shapes_of(simulation.physics))
    belt.position = 0.05
    moved = list(shapes_of(simulation.physics))
    assert len(still) == len(CONCAVE) + 7
    for (x, y, radius, inner), before, after in zip(CONCAVE, still, moved, strict=False):
        assert after.place.position == pytest.approx((x, 0, y))
        turned = before.place.relative(after.place)
        w, *_, z = turned.orientation
        assert 2 * math.atan2(z, w) == pytest.approx((-1 if inner else 1) * 0.05 / radius)
    for before, after in zip(still[3:], moved[3:], strict=True):
        assert math.dist(before.place.position, after.place.position) == pytest.approx(0.05, rel=0.02)


def test_too_many_pieces_are_told_and_limited(tmp_path: Path, caplog):
    simulation = world(tmp_path, CONVEX, count=2_000_000_000)
    assert len(list(pieces_of(simulation.world, simulation.world.find("BELT")))) == 1000
    assert "geometriesCount is 2000000000; 1000 are shown" in caplog.text
