"""Old camera functions that RangeFinder replaces."""

from __future__ import annotations

from wbridge.hal.client.arguments import NAN
from wbridge.hal.client.devices import RangeFinder
from wbridge.hal.client.session import current
from wbridge.hal.reports import messages, report

COLOR, RANGE = ord("c"), ord("r")


def _node_type(tag: int) -> str:
    device = current().device(tag)
    return "" if device is None else device.node_type


def wb_camera_get_type(tag: int) -> int:
    """The type: 99 ("c") for a camera, 114 ("r") for a range-finder."""
    if _node_type(tag) == "Camera":
        return COLOR
    return COLOR if current().find(tag, RangeFinder, "wb_camera_get_type") is None else RANGE


def wb_camera_get_max_range(tag: int) -> float:
    """Old name of `wb_range_finder_get_max_range`."""
    device = current().find(tag, RangeFinder, "wb_camera_get_max_range")
    return device.get_max_range() if device is not None else NAN


def wb_camera_get_range_image(tag: int) -> memoryview[float] | None:
    """Old name of `wb_range_finder_get_range_image`."""
    if _node_type(tag) == "Camera":
        report.error("wb_camera_get_range_image", messages.color_camera())
        return None
    device = current().find(tag, RangeFinder, "wb_camera_get_range_image")
    return device.get_range_image() if device is not None else None


def wb_camera_range_image_get_depth(range_image: memoryview[float], width: int, x: int, y: int) -> float:
    """Old name of `wb_range_finder_image_get_depth`."""
    return RangeFinder.image_get_depth(range_image, width, x, y)
