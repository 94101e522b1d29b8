"""Fields of range finders and lidars that a supervisor sets to anything: the run goes on."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tests.devices.rig import Rig, robot, world

NUMBERS = (math.nan, math.inf, -math.inf, -1.0, 0.0, 1e308, 1e-308, 7.0)
FIELDS = {
    "RangeFinder": ("fieldOfView", "near", "minRange", "maxRange", "noise", "resolution", "motionBlur"),
    "Lidar": (
        *("fieldOfView", "verticalFieldOfView", "tiltAngle", "near", "minRange", "maxRange", "noise"),
        *("resolution", "defaultFrequency", "minFrequency", "maxFrequency"),
    ),
}
SIZES = {"RangeFinder": ("width", "height"), "Lidar": ("horizontalResolution", "numberOfLayers")}
WALL = "Solid { translation 2.5 0 0 children [ Shape { geometry Box { size 1 9 9 } } ] }"


def attempt(rig: Rig, field: str, value: float) -> None:
    try:
        rig.set("C", field, value)
    except ValueError:
        return
    rig.step()


@pytest.mark.parametrize("more", ["", 'type "rotating"', 'projection "planar"', 'projection "spherical"'])
@pytest.mark.parametrize("kind", FIELDS)
def test_any_number_in_any_field(drive: Callable[..., Rig], kind: str, more: str):
    if kind == "RangeFinder" and "type" in more:
        return
    device = f'DEF C {kind} {{ name "c" {more} }}'
    rig = drive(world(robot(device), WALL))
    rig.enable("c")
    if kind == "Lidar":
        rig["c"].enable_point_cloud()
    rig.step()
    for field in FIELDS[kind]:
        before = rig.node("C").get(field)
        for value in NUMBERS:
            attempt(rig, field, value)
        rig.set("C", field, before)
    for field in SIZES[kind]:
        for size in (0, -1, 2, 2**31 - 1, 65536, 3):
            attempt(rig, field, size)
    rig.step()
    assert rig["c"].get_range_image() is not None
