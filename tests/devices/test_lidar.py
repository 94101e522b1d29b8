"""Lidars that turn, and point clouds.

Judges: manual, chapter Lidar; WbLidar.cpp: the columns of a rotating lidar go clockwise, seen from above,
from the back, and it starts looking ahead; a point is (r cos(theta) cos(phi), r sin(theta) cos(phi),
r sin(phi)).
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.devices.rig import OLD, Rig, robot, world

ROOM = """Solid { children [ Shape { geometry IndexedFaceSet {
  coord Coordinate { point [ 2 -3 -9 2 3 -9 2 3 9 2 -3 9 -2 -3 -9 -2 3 -9 -2 3 9 -2 -3 9 ] }
  coordIndex [ 0 3 2 1 -1 4 5 6 7 -1 1 2 6 5 -1 0 4 7 3 -1 ] } } ] }"""
"""Four walls seen from inside: x = +-2, y = +-3."""
FIXED = (
    'DEF C Lidar { name "c" horizontalResolution 36 fieldOfView 1.2 numberOfLayers 3 '
    "verticalFieldOfView 0.4 maxRange 10 %s }"
)
TURNING = (
    'DEF C Lidar { name "c" type "rotating" horizontalResolution 100 numberOfLayers 2 maxRange 10 '
    "fieldOfView 1 verticalFieldOfView 0.2 defaultFrequency 6.25 minFrequency 1 maxFrequency 50 %s }"
)
"""With 16 ms per step, a tenth of a revolution per step."""


def to_room(azimuth: Any) -> Any:
    with np.errstate(divide="ignore"):
        return np.minimum(2 / np.abs(np.cos(azimuth)), 3 / np.abs(np.sin(azimuth)))


def make(drive: Callable[..., Rig], device: str, around: str = ROOM, **options: Any) -> Rig:
    return drive(world(robot(device), around), **options)


def ranges(rig: Rig) -> Any:
    lidar = rig["c"]
    shape = lidar.get_number_of_layers(), lidar.get_horizontal_resolution()
    return np.array(lidar.get_range_image()).reshape(shape)


def cloud(rig: Rig) -> Any:
    lidar = rig["c"]
    points = np.array([(one.x, one.y, one.z, one.layer_id, one.time) for one in lidar.get_point_cloud()])
    return points.reshape(lidar.get_number_of_layers(), lidar.get_horizontal_resolution(), 5)


# Many rays.


@pytest.mark.parametrize("rotating", [False, True])
def test_the_bits_do_not_depend_on_the_processors(drive: Callable[..., Rig], rotating: bool):
    """With as many rays as several threads measure, and noise; on one processor a single one does."""
    device = re.sub(
        "horizontalResolution [0-9]+", "horizontalResolution 4096", TURNING if rotating else FIXED
    )
    device = re.sub("numberOfLayers [0-9]+", "numberOfLayers 16", device) % "noise 0.01"
    usable = os.sched_getaffinity(0)
    found = []
    for processors in (usable, {min(usable)}):
        os.sched_setaffinity(0, processors)
        try:
            rig = make(drive, device)
            rig["c"].enable(16)
            rig.step(5)
            found.append(ranges(rig))
        finally:
            os.sched_setaffinity(0, usable)
    assert np.isfinite(found[0]).sum() > 20_000
    assert np.array_equal(*found)


# Point clouds.


@pytest.mark.parametrize("tcp", [False, True])
def test_points_lie_where_the_rays_end(drive: Callable[..., Rig], tcp: bool):
    rig = make(drive, FIXED % "", tcp=tcp)
    rig.enable("c")
    rig["c"].enable_point_cloud()
    rig.step()
    points, distances = cloud(rig), ranges(rig)
    theta = 0.6 - (np.arange(36) + 0.5) * 1.2 / 36
    for layer, phi in enumerate((0.2, 0.0, -0.2)):
        r = to_room(theta) / math.cos(phi)
        assert distances[layer] == pytest.approx(r, abs=1e-5)
        expected = np.stack(
            [np.cos(theta) * np.cos(phi), np.sin(theta) * np.cos(phi), np.full(36, np.sin(phi))]
        )
        assert points[layer, :, :3] == pytest.approx((r * expected).T, abs=1e-5)
        assert set(points[layer, :, 3]) == {layer}


def test_the_times_of_a_scan_go_back_from_the_first_column(drive: Callable[..., Rig]):
    """WbLidar.cpp: a period is spread over the columns, from the current time backward."""
    rig = make(drive, FIXED % "")
    rig.enable("c", period=32)
    rig["c"].enable_point_cloud()
    rig.step(2)
    assert cloud(rig)[1, :, 4] == pytest.approx(0.032 - 0.032 * np.arange(36) / 36, abs=1e-7)


def test_points_of_a_tilted_lidar_are_in_its_node(drive: Callable[..., Rig]):
    """All points of a level wall above lie at its height, wherever the rays go."""
    ceiling = "Solid { translation 0 0 3.5 children [ Shape { geometry Box { size 50 50 1 } } ] }"
    rig = make(drive, FIXED % "tiltAngle 0.8", ceiling)
    rig.enable("c")
    rig["c"].enable_point_cloud()
    rig.step()
    points = cloud(rig)
    assert points[..., 2] == pytest.approx(np.full((3, 36), 3.0), abs=1e-5)
    assert np.linalg.norm(points[..., :3], axis=-1) == pytest.approx(ranges(rig), abs=1e-5)


def test_points_of_a_planar_lidar_are_on_the_wall(drive: Callable[..., Rig]):
    rig = make(drive, FIXED % 'projection "planar"')
    rig.enable("c")
    rig["c"].enable_point_cloud()
    rig.step()
    assert cloud(rig)[..., 0] == pytest.approx(np.full((3, 36), 2.0), abs=1e-5)
    assert ranges(rig) == pytest.approx(np.full((3, 36), 2.0), abs=1e-5)


def test_points_of_old_worlds_have_y_up(drive: Callable[..., Rig]):
    wall = "Solid { translation 0 0 -3 children [ Shape { geometry Box { size 50 50 1 } } ] }"
    rig = make(drive, FIXED % "", wall, header=OLD)
    rig.enable("c")
    rig["c"].enable_point_cloud()
    rig.step()
    points = cloud(rig)
    assert points[..., 2] == pytest.approx(np.full((3, 36), -2.5), abs=1e-5)
    assert (points[0, :, 1] > 0).all()
    assert (np.diff(points[0, :, 0]) > 0).all()  # from left to right


def test_points_without_a_hit_are_infinite_and_no_number_is_missing(drive: Callable[..., Rig]):
    rig = make(drive, FIXED % "", "")
    rig.enable("c")
    rig["c"].enable_point_cloud()
    rig.step()
    points = cloud(rig)
    assert np.isinf(points[..., 0]).all()
    assert not np.isnan(points).any()


def test_a_new_controller_has_no_point_cloud(drive: Callable[..., Rig]):
    rig = make(drive, FIXED % "")
    rig["c"].enable_point_cloud()
    rig.step()
    assert rig.model("c").has_point_cloud
    rig.robot.connect(rig.robot.dialect)
    assert not rig.model("c").has_point_cloud


# Rotation.


def test_each_step_measures_what_the_head_has_passed(drive: Callable[..., Rig]):
    """It starts at the middle column, ahead; a tenth of all columns follow per step."""
    rig = make(drive, TURNING % "")
    rig.enable("c")
    theta = -math.pi - 2 * math.pi * np.arange(100) / 100
    for count in range(1, 11):
        rig.step()
        seen = np.isfinite(ranges(rig)[0])
        expected = (np.arange(100) - 50) % 100 < 10 * count
        assert (seen == expected).all()
    for layer, phi in enumerate((0.1, -0.1)):
        assert ranges(rig)[layer] == pytest.approx(to_room(theta) / math.cos(phi), abs=1e-5)


def test_only_the_columns_of_the_last_step_are_new(drive: Callable[..., Rig]):
    rig = make(drive, TURNING % "")
    rig.enable("c")
    rig["c"].enable_point_cloud()
    rig.step(10)
    before = ranges(rig), cloud(rig)
    rig.set("ROBOT", "translation", (0.5, 0.0, 0.0))
    rig.step()
    changed = (np.arange(100) - 50) % 100 < 10
    assert ((ranges(rig) != before[0])[0] <= changed).all()
    assert (ranges(rig) != before[0])[0].sum() >= 9
    assert ((cloud(rig)[0, :, 4] != before[1][0, :, 4]) == changed).all()


def test_points_of_a_rotating_lidar_have_the_time_at_which_it_passed(drive: Callable[..., Rig]):
    """Manual: `time` is when the point was acquired; points are acquired sequentially."""
    rig = make(drive, TURNING % "")
    rig.enable("c")
    rig["c"].enable_point_cloud()
    rig.step(10)
    times = np.roll(cloud(rig)[0, :, 4], -50)
    assert times == pytest.approx(np.arange(100) * 0.16 / 100, abs=1e-6)


def test_the_frequency_changes_during_a_run(drive: Callable[..., Rig]):
    rig = make(drive, TURNING % "")
    rig.enable("c")
    rig["c"].set_frequency(12.5)
    rig.step(2)
    assert rig.node("C").get("defaultFrequency") == 12.5
    assert np.isfinite(ranges(rig)[0]).sum() == 40


def test_a_fast_head_measures_all_columns_once(drive: Callable[..., Rig]):
    rig = make(drive, (TURNING % "").replace("6.25", "80").replace("maxFrequency 50", "maxFrequency 90"))
    rig.enable("c")
    rig.step()
    assert np.isfinite(ranges(rig)).all()


def test_a_rotating_lidar_measures_in_each_step(drive: Callable[..., Rig]):
    """WbLidar.cpp: its period is always the basic time step."""
    rig = make(drive, TURNING % "")
    rig.enable("c", period=160)
    rig.step(3)
    assert np.isfinite(ranges(rig)[0]).sum() == 30


def test_the_rotating_head_turns_and_others_see_it(drive: Callable[..., Rig]):
    """WbLidar.cpp: it turns clockwise, by 2 pi times frequency times the step."""
    inner = "Pose { translation 0.15 0 0 children [ Shape { geometry Box { size 0.02 0.02 0.2 } } ] }"
    cover = "Shape { geometry Box { size 0.4 0.4 0.4 } }"
    head = f"rotatingHead DEF HEAD Solid {{ children [ {inner} {cover} ] }}"
    beside = 'Lidar { name "beside" translation -1 0 0 numberOfLayers 1 horizontalResolution 9 maxRange 5 }'
    rig = make(drive, TURNING % head + beside, ROOM)
    rig.enable("c", "beside")
    rig.step(2)
    *axis, angle = rig.node("HEAD").get("rotation")
    assert axis[2] * angle == pytest.approx(-2 * 2 * math.pi / 10)
    seen = ranges(rig)[0, 50:70]  # not the small box in the head
    assert seen == pytest.approx(
        to_room(-math.pi - 2 * math.pi * np.arange(50, 70) / 100) / math.cos(0.1), abs=1e-5
    )
    assert rig["beside"].get_range_image()[4] == pytest.approx(1 - 0.2 / math.cos(math.radians(18)))
    rig.step(3)
    assert rig["beside"].get_range_image()[4] == pytest.approx(0.8)  # half a revolution


def test_a_reset_turns_the_head_back(drive: Callable[..., Rig]):
    rig = make(drive, TURNING % "rotatingHead DEF HEAD Solid { rotation 1 0 0 0.5 }")
    rig.enable("c")
    for _ in range(2):
        rig.step(3)
        assert rig.node("HEAD").get("rotation") != pytest.approx((1, 0, 0, 0.5))
        rig.simulation.reset()
        assert rig.node("HEAD").get("rotation") == pytest.approx((1, 0, 0, 0.5))


def test_a_state_contains_the_head(drive: Callable[..., Rig]):
    rig = make(drive, TURNING % "noise 0.01")
    rig.enable("c")
    rig["c"].enable_point_cloud()
    rig.step(3)
    state = rig.simulation.state()
    rig.step(4)
    once = ranges(rig), cloud(rig)
    rig.simulation.restore(state)
    rig.step(4)
    assert np.array_equal(once[0], ranges(rig))
    assert np.array_equal(once[1], cloud(rig))


def test_contradicting_limits_are_reported_and_replaced(
    drive: Callable[..., Rig], caplog: pytest.LogCaptureFixture
):
    """WbRangeFinder.cpp: maxRange becomes minRange + 1."""
    device = FIXED.replace("maxRange 10", "minRange 4 maxRange 3 near 0.1") % ""
    rig = make(
        drive, device, "Solid { translation 5 0 0 children [ Shape { geometry Box { size 1 9 9 } } ] }"
    )
    rig.enable("c")
    rig.step()
    assert rig["c"].get_max_range() == 5
    assert ranges(rig)[1, 18] == pytest.approx(4.5, abs=0.01)
    assert "is not above minRange 4; 5 is used" in caplog.text


def test_a_huge_picture_is_refused(drive: Callable[..., Rig], caplog: pytest.LogCaptureFixture):
    rig = make(drive, 'Lidar { name "c" horizontalResolution 65535 numberOfLayers 65535 }')
    rig.enable("c")
    rig.step()
    assert rig["c"].get_range_image() is None
    assert "allowed: 1 to" in caplog.text
