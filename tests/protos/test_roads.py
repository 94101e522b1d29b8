"""Roads: where they run, what stands beside them, and that roads of old worlds run the same way."""

from __future__ import annotations

import math

import pytest

from tests.conftest import CHECKOUT
from tests.protos.models import findings, load, made, parts, pose
from wbridge.wbcore.scene.load import load_text


def meshes(root) -> list:
    """The points of each mesh below a node, in the frame inside of the node."""
    found = []
    for one in parts(root, "IndexedFaceSet"):
        place, turn = pose(one, root)
        found.append(
            [
                tuple(place[k] + sum(turn[k][n] * point[n] for n in range(3)) for k in range(3))
                for point in one.get("coord").get("point")
            ]
        )
    return found


def extent(points) -> list[tuple[float, float]]:
    return [(round(min(axis), 3), round(max(axis), 3)) for axis in zip(*points, strict=True)]


BARE = "rightBorder FALSE\n  leftBorder FALSE\n  lines []\n"


def test_a_straight_road_runs_along_x():
    (road,) = meshes(made(f"StraightRoadSegment {{\n  length 30\n  width 8\n  {BARE}}}\n"))
    assert extent(road) == [(0, 30), (-4, 4), (0, 0)]


def test_a_curved_road_bends_to_the_right_around_its_origin():
    (road,) = meshes(made(f"CurvedRoadSegment {{\n  curvatureRadius 40\n  width 8\n  {BARE}}}\n"))
    distances = {round(math.hypot(x, y)) for x, y, _ in road}
    assert distances == {36, 44}
    assert extent(road)[0][1] == pytest.approx(44, abs=0.1)
    assert min(x for x, y, _ in road if y > 30) >= -0.3  # it starts along x


def test_sidewalks_and_barriers_stand_beside_the_road():
    root = made("StraightRoadSegment {\n  lines []\n  rightBarrier TRUE\n}\n")
    road, right, left, barrier = meshes(root)[:4]  # the bounding object uses the last of them again
    assert extent(road)[1] == (-3.5, 3.5)
    assert extent(right)[1:] == [(-4.3, -3.5), (0, 0.15)]
    assert extent(left)[1:] == [(3.5, 4.3), (0, 0.15)]
    assert extent(barrier)[1][1] <= -4.3
    # barriers hinder by default, roads and sidewalks on request
    group = root.get("boundingObject")
    assert [one.definition.type for one in group.get("children")] == ["IndexedFaceSet"]
    assert made("StraightRoadSegment {\n}\n").get("boundingObject") is None
    whole = made("StraightRoadSegment {\n  roadBoundingObject TRUE\n  leftBorderBoundingObject TRUE\n}\n")
    assert len(whole.get("boundingObject").get("children")) == 2


def lines(text: str) -> list[list[tuple[float, float]]]:
    root = made(f"StraightRoadSegment {{\n  length 16\n  {BARE.replace('lines []', text)}}}\n")
    return [extent(one) for one in meshes(root)[1:]]


def test_lines_between_lanes():
    assert lines("lines [\n    RoadLine {\n    }\n  ]") == [[(0, 11), (-0.075, 0.075), (0.005, 0.005)]]
    assert lines('lines [\n    RoadLine {\n      type "continuous"\n    }\n  ]')[0][0] == (0, 16)
    assert lines('lines [\n    RoadLine {\n      type "double"\n    }\n  ]')[0][1] == (-0.225, 0.225)
    assert lines('lines [\n    RoadLine {\n      type "none"\n    }\n  ]') == []
    four = "numberOfLanes 4\n  width 8\n  lines [\n" + "    RoadLine {\n    }\n" * 3 + "  ]"
    assert [round(sum(one[1]) / 2, 3) for one in lines(four)] == [-2, 0, 2]


def middles(road) -> tuple[list[float], list[float]]:
    """Middle of a road at its start and at its end; each strip begins on the right and ends on the left."""
    pairs = (road[0], road[3]), (road[-3], road[-2])
    start, end = ([(a + b) / 2 for a, b in zip(*pair, strict=True)] for pair in pairs)
    return start, end


@pytest.mark.parametrize("between", [-1, 0, 4])
def test_a_road_goes_through_its_first_and_last_way_point(between):
    path = f"wayPoints [ 0 0 0, 10 0 0, 10 10 2 ]\n  splineSubdivision {between}"
    (road,) = meshes(made(f"Road {{\n  {path}\n  {BARE}}}\n"))
    start, end = middles(road)
    assert start == pytest.approx([0, 0, 0], abs=1e-3)
    assert end == pytest.approx([10, 10, 2], abs=1e-3)
    assert len(road) == 4 * (8 if between == 4 else 2)


def test_an_intersection_has_its_roads_at_equal_angles():
    root = made("RoadIntersection {\n  roadsWidth 10\n  startRoadsLength [ 5 ]\n  startRoadBorder FALSE\n}\n")
    starts = parts(root, "Solid")[1:]
    assert len(starts) == 4
    for k, one in enumerate(starts):
        angle = math.pi / 4 + k * math.pi / 2
        expected = (5 * math.cos(angle), 5 * math.sin(angle), 0)
        assert one.get("translation") == pytest.approx(expected, abs=1e-9)


def test_a_road_of_an_old_world_runs_through_the_same_places():
    head = "#VRML_SIM R2021a utf8\nWorldInfo {\n}\nViewpoint {\n}\n"
    text = f"Road {{\n  wayPoints [ 0 0 0, 3 1 20 ]\n  width 2\n  splineSubdivision 0\n  {BARE}}}\n"
    world = load_text(head + text, str(CHECKOUT / "worlds" / "none.wbt"))
    assert findings(world) == []
    (road,) = meshes(world.nodes[-1].root)
    start, end = middles(road)
    assert start == pytest.approx([0, 0, 0], abs=1e-3)
    assert end == pytest.approx([3, 1, 20], abs=1e-3)


def test_values_that_make_no_sense_are_told_and_replaced():
    for use in (
        "Road {\n  wayPoints [ 1 1 1, 1 1 1 ]\n}\n",
        "Road {\n  width 0\n}\n",
        "Road {\n  numberOfLanes 0\n}\n",
        "StraightRoadSegment {\n  length 0\n}\n",
        "CurvedRoadSegment {\n  curvatureRadius 0\n}\n",
        "RoadIntersection {\n  roadNumber 1\n}\n",
        "PedestrianCrossing {\n  size 0 1\n}\n",
        "RoadPillars {\n  depth 0\n}\n",
    ):
        world = load(use)
        assert len(world.report.notes) == 1, use
        assert world.report.errors == []
