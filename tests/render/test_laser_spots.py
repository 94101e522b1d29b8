"""The red spots of lasers.

Judge: manual, DistanceSensor (type laser: a red spot whose radius is the aperture, seen by cameras);
WbDistanceSensor.cpp for what the manual leaves open.
"""

from __future__ import annotations

from math import atan, cos, radians, sin, tan

import numpy as np
import pytest

from wbridge.wbcore.view.scene_view import SceneView

WALL = (
    "DEF WALL Solid { translation 4 0 0 rotation 0 0 1 %s children [ Shape { appearance Appearance { "
    "material Material { diffuseColor 0 0 1 emissiveColor 0 0 1 } } geometry DEF BOX Box { size 2 9 9 } } ] "
    "boundingObject USE BOX }"
)
LASER = (
    'Robot { controller "<none>" name "l" translation 0 0.5 0 rotation 0 0 1 %s children [ DEF LASER '
    'DistanceSensor { type "%s" aperture %s lookupTable [ 0 0 0 10 10 0 ] } ] }'
)


def load(studio, kind: str = "laser", aperture: float = 0.3, wall: float = 0, turn: float = 0):
    studio.load(WALL % wall + LASER % (turn, kind, aperture), "fieldOfView 1", size=(99, 99))
    (laser,) = studio.simulation.robots.list[0].devices
    return laser


def switch(studio, laser, period: int) -> None:
    laser.sampling.period = period
    laser.enabled(period)
    studio.simulation.step()


def red(picture: np.ndarray) -> np.ndarray:
    return (picture[..., 0] > 200) & (picture[..., 2] < 50)


def test_a_spot_is_where_the_beam_ends_and_as_large_as_the_aperture(studio):
    laser = load(studio)
    assert not red(studio.take()).any(), "it is off"
    switch(studio, laser, 16)
    rows, columns = np.nonzero(red(studio.take()))
    per_m = 99 / (2 * tan(0.5) * 3)  # pixels of 1 m on the wall, 3 m away
    assert rows.mean() == pytest.approx(49, abs=0.6)
    assert columns.mean() == pytest.approx(49 - 0.5 * per_m, abs=0.6)
    for spread in (rows, columns):
        assert spread.max() - spread.min() + 1 == pytest.approx(0.6 * per_m, abs=2)
    assert len(rows) == pytest.approx(np.pi * (0.3 * per_m) ** 2, rel=0.06)
    switch(studio, laser, 0)
    assert not red(studio.take()).any()


def test_the_spot_lies_on_the_surface(studio):
    """Its left and right ends are 0.3 m along the surface of a turned wall."""
    laser = load(studio, wall=0.8)
    switch(studio, laser, 16)
    _, columns = np.nonzero(red(studio.take()))
    center = np.array(laser.laser_hit().at)
    ends = [center + side * np.array([-sin(0.8), cos(0.8), 0]) for side in (-0.3, 0.3)]
    seen = [49 - 99 / (2 * tan(0.5)) * y / x for x, y, _ in ends]
    assert [columns.min(), columns.max()] == pytest.approx(sorted(seen), abs=1)


@pytest.mark.parametrize(
    ("kind", "aperture", "turn"), [("generic", 0.3, 0), ("laser", 0, 0), ("laser", 0.3, atan(9) + 0.2)]
)
def test_no_spot(studio, kind: str, aperture: float, turn: float):
    """Other types, no aperture, nothing within the range."""
    laser = load(studio, kind, aperture, turn=turn)
    switch(studio, laser, 16)
    assert not red(studio.take()).any()


@pytest.mark.parametrize(("angle", "spots"), [(78, 1), (82, 0)])
def test_no_spot_where_the_beam_grazes_a_surface(studio, angle: float, spots: int):
    wall = (WALL % 0).replace("2 9 9", "2 99 9")
    laser = (LASER % (radians(angle), "laser", 0.3)).replace("10 10 0", "50 50 0")
    studio.load(wall + laser)
    (laser,) = studio.simulation.robots.list[0].devices
    switch(studio, laser, 16)
    assert laser.laser_hit() is not None
    assert len(studio.simulation.drawings()) == spots


def test_a_removed_laser_leaves_no_spot_and_pages_follow(studio):
    laser = load(studio)
    view = SceneView(studio.simulation)
    switch(studio, laser, 16)
    (spot,) = view.changes()["draw plugin"]
    assert (spot["shape"], spot["color"]) == ("triangles", [1, 0, 0, 1])
    points = np.array(spot["at"]).reshape(-1, 3)
    assert points.mean(axis=0) == pytest.approx([3 - 0.0005, 0.5, 0], abs=1e-3)
    studio.simulation.edits.remove(studio.simulation.world.find("LASER"))
    studio.simulation.step()
    assert view.changes().get("draw plugin", []) == []
    assert studio.simulation.drawings() == ()
