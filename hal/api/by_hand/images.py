"""Pixels of a camera's image, and old camera functions that RangeFinder replaces."""

from __future__ import annotations

from hal.client.session import current, find
from hal.modes import messages, report
from hal.modes.devices.camera import Camera
from hal.modes.devices.range_finder import RangeFinder

__all__ = [
    "wb_camera_get_max_range",
    "wb_camera_get_range_image",
    "wb_camera_get_type",
    "wb_camera_image_get_blue",
    "wb_camera_image_get_gray",
    "wb_camera_image_get_green",
    "wb_camera_image_get_grey",
    "wb_camera_image_get_red",
    "wb_camera_range_image_get_depth",
]

Pixels = bytes | bytearray | memoryview | None
COLOR, RANGE = ord("c"), ord("r")
NAN = float("nan")


def _no_image(function: str) -> int:
    """Report None instead of an image; 0."""
    report.error(function, messages.invalid_argument("image", "None"))
    return 0


def wb_camera_image_get_red(image: Pixels, width: int, x: int, y: int) -> int:
    """The red of a pixel, 0 to 255; x and y are counted from the upper left corner."""
    if image is None:
        return _no_image("wb_camera_image_get_red")
    return image[4 * (y * width + x) + 2]


def wb_camera_image_get_green(image: Pixels, width: int, x: int, y: int) -> int:
    """The green of a pixel, 0 to 255; x and y are counted from the upper left corner."""
    if image is None:
        return _no_image("wb_camera_image_get_green")
    return image[4 * (y * width + x) + 1]


def wb_camera_image_get_blue(image: Pixels, width: int, x: int, y: int) -> int:
    """The blue of a pixel, 0 to 255; x and y are counted from the upper left corner."""
    if image is None:
        return _no_image("wb_camera_image_get_blue")
    return image[4 * (y * width + x)]


def wb_camera_image_get_gray(image: Pixels, width: int, x: int, y: int) -> int:
    """The mean of red, green and blue of a pixel, rounded down: 0 to 255."""
    if image is None:
        return _no_image("wb_camera_image_get_gray")
    at = 4 * (y * width + x)
    return sum(image[at : at + 3]) // 3


def wb_camera_image_get_grey(image: Pixels, width: int, x: int, y: int) -> int:
    """Alias of `wb_camera_image_get_gray`."""
    return wb_camera_image_get_gray(image, width, x, y)


def _node_type(tag: int) -> str:
    device = current().device(tag)
    return "" if device is None else device.node_type


def wb_camera_get_type(tag: int) -> int:
    """The type: 99 ("c") for a camera, 114 ("r") for a range-finder."""
    return RANGE if _node_type(tag) == RangeFinder.__name__ else COLOR


def wb_camera_get_max_range(tag: int) -> float:
    """Old name of `wb_range_finder_get_max_range`."""
    device = find(tag, RangeFinder, "wb_camera_get_max_range")
    return device.get_max_range() if device is not None else NAN


def wb_camera_get_range_image(tag: int) -> memoryview[float] | None:
    """Old name of `wb_range_finder_get_range_image`."""
    if _node_type(tag) == Camera.__name__:
        report.error("wb_camera_get_range_image", messages.color_camera())
        return None
    device = find(tag, RangeFinder, "wb_camera_get_range_image")
    return device.get_range_image() if device is not None else None


def wb_camera_range_image_get_depth(range_image: memoryview[float], width: int, x: int, y: int) -> float:
    """Old name of `wb_range_finder_image_get_depth`."""
    return RangeFinder.image_get_depth(range_image, width, x, y)
