"""Hand-written functions that read the pixels of camera images."""

from __future__ import annotations

from wbridge.hal.client.devices import RangeFinder
from wbridge.hal.reports import messages, report

Pixels = bytes | bytearray | memoryview | None


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


def wb_camera_range_image_get_depth(range_image: memoryview[float], width: int, x: int, y: int) -> float:
    """Old name of `wb_range_finder_image_get_depth`."""
    return RangeFinder.image_get_depth(range_image, width, x, y)
