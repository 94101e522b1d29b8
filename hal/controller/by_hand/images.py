"""Hand-written methods of image devices and displays."""

from __future__ import annotations

from wbridge.hal.api.by_hand import pixels
from wbridge.hal.client.session import current
from wbridge.hal.controller.by_hand.device import Device, Sensor
from wbridge.hal.project_release import is_older
from wbridge.hal.readings import LidarPoint

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from typing import Any

    from wbridge.hal.client._native import Display, DisplayImage
    from wbridge.hal.client.devices import Camera, Lidar, RangeFinder
    from wbridge.hal.controller.by_hand.values import CameraRecognitionObject

RGB = 3
"""The format of images without opacity, `Display.RGB`."""


def columns(values: Any, width: int, height: int) -> list[list[Any]]:
    """Convert values in rows to columns: element [x][y]."""
    return [[values[y * width + x] for y in range(height)] for x in range(width)]


def grid(values: memoryview[float], width: int, height: int) -> list[list[float]]:
    """Convert a range image to rows: element [y][x]; to columns in worlds from before R2023a."""
    if is_older(current().get_world_path(), "R2023a"):
        return columns(values, width, height)
    return [list(values[y * width : (y + 1) * width]) for y in range(height)]


def _from_columns(data: Any, channels: int) -> tuple[int, int, bytes]:
    """Return width, height and bytes, rows from the top, of lists with the channels of a pixel at [x][y]."""
    height = len(data[0]) if data and hasattr(data[0], "__len__") else 0
    for x, column in enumerate(data):
        if not hasattr(column, "__len__"):
            raise ValueError(
                f"imageNew(): the column at [{x}] is {column}; expected a list of pixels, or bytes for data"
            )
        if len(column) != height:
            raise ValueError(f"imageNew(): column {x} has {len(column)} pixels; the first one has {height}")
        for y, pixel in enumerate(column):
            if not _is_pixel(pixel, channels):
                numbers = f"{channels} numbers from 0 to 255"
                raise ValueError(f"imageNew(): the pixel at [{x}][{y}] is {pixel}; allowed: {numbers}")
    return len(data), height, bytes(part for y in range(height) for column in data for part in column[y])


def _is_pixel(value: Any, channels: int) -> bool:
    return (
        hasattr(value, "__len__")
        and len(value) == channels
        and all(hasattr(part, "__index__") and 0 <= part < 256 for part in value)
    )


class CameraBase(Sensor):
    """Hand-written methods of Camera."""

    _device: Camera

    def __init__(self, name: str | int) -> None:
        """See `Device`; a camera of the type "range-finder" is a range-finder now."""
        super().__init__(name)
        if self._device.node_type == "RangeFinder":
            from wbridge.hal.client.devices import Camera  # start-up: only for old controllers

            self._device = Camera(self._tag)

    def getImageArray(self) -> list[list[list[int]]] | None:
        """The latest image as lists: red, green, blue of the pixel at [x][y]; None before the first image."""
        return self._array(self._device.get_image())

    def getRecognitionSegmentationImageArray(self) -> list[list[list[int]]] | None:
        """The latest segmentation image as lists: red, green and blue of the pixel at [x][y]."""
        return self._array(self._device.recognition_get_segmentation_image())

    def getRecognitionObjects(self) -> list[CameraRecognitionObject]:
        """The recognized objects in the latest sample."""
        from wbridge.hal.controller.by_hand.values import (
            CameraRecognitionObject,  # start-up: few controllers ask
        )

        return [CameraRecognitionObject(*one) for one in self._device.recognition_get_objects()]

    def _array(self, image: bytes | None) -> list[list[list[int]]] | None:
        if image is None:
            return None
        colors = [[image[at + 2], image[at + 1], image[at]] for at in range(0, len(image), 4)]
        return columns(colors, self._device.get_width(), self._device.get_height())

    imageGetRed = staticmethod(pixels.wb_camera_image_get_red)
    imageGetGreen = staticmethod(pixels.wb_camera_image_get_green)
    imageGetBlue = staticmethod(pixels.wb_camera_image_get_blue)
    imageGetGray = staticmethod(pixels.wb_camera_image_get_gray)
    imageGetGrey = imageGetGray

    def getType(self) -> int:
        """Old: 99 ("c") for a color camera, 114 ("r") for a camera of the type "range-finder"."""
        return self._device.get_type()

    def getMaxRange(self) -> float:
        """Old: the maximum range of a camera of the type "range-finder", in m."""
        return self._device.get_max_range()

    def getRangeImage(self) -> list[float] | None:
        """Old: the latest distances in m, row by row from the top; None before the first image."""
        image = self._device.get_range_image()
        return None if image is None else list(image)

    def getRangeImageArray(self) -> list[list[float]] | None:
        """Old: the latest distances in m as lists: pixel [x][y]; None before the first image."""
        image = self._device.get_range_image()
        return None if image is None else columns(image, self._device.get_width(), self._device.get_height())

    @staticmethod
    def rangeImageGetDepth(image: list[float], width: int, x: int, y: int) -> float:
        """Old: the distance at a pixel of a range image, in m."""
        return image[y * width + x]


class RangeFinderBase(Sensor):
    """Hand-written methods of RangeFinder."""

    _device: RangeFinder

    def getRangeImage(self, data_type: str = "list") -> Any:
        """The latest distances in m, row by row from the top, or infinity; None before the first image.

        Args:
            data_type: "list", or "buffer" for the bytes of 32-bit floats, which is faster.
        """
        return _as(data_type, self._device.get_range_image())

    @property
    def range_image(self) -> list[float] | None:
        """The latest distances in m, row by row from the top, or infinity; None before the first image."""
        image = self._device.get_range_image()
        return None if image is None else list(image)

    def getRangeImageArray(self) -> list[list[float]] | None:
        """The latest distances in m as lists: pixel [y][x], or [x][y] in worlds from before R2023a; None
        before the first image."""
        image = self._device.get_range_image()
        return None if image is None else grid(image, self._device.get_width(), self._device.get_height())

    @staticmethod
    def rangeImageGetDepth(image: list[float], width: int, x: int, y: int) -> float:
        """The distance at a pixel of a range image, in m."""
        return image[y * width + x]

    def getNear(self) -> float:
        """Old: the minimum range, in m."""
        return self._device.get_min_range()

    def getType(self) -> int:
        """Old: 114 ("r") for a range-finder."""
        return ord("r")


def _as(data_type: str, image: memoryview[float] | None) -> Any:
    if image is None:
        return None
    return bytes(image) if _is_buffer(data_type) else list(image)


def _is_buffer(data_type: str) -> bool:
    if data_type not in ("list", "buffer"):
        raise ValueError(f'data_type is "{data_type}"; allowed: "list" and "buffer"')
    return data_type == "buffer"


class LidarBase(Sensor):
    """Hand-written methods of Lidar."""

    _device: Lidar

    @property
    def range_image(self) -> list[float] | None:
        """The latest distances in m, layer by layer from the top; None before the first sample."""
        image = self._device.get_range_image()
        return None if image is None else list(image)

    def getRangeImage(self) -> list[float] | None:
        """The latest distances in m, layer by layer from the top; None before the first sample."""
        return self.range_image

    def getLayerRangeImage(self, layer: int) -> list[float] | None:
        """The latest distances of one layer, in m; layer 0 is the topmost."""
        image = self._device.get_layer_range_image(layer)
        return None if image is None else list(image)

    def getRangeImageArray(self) -> list[list[float]] | None:
        """The latest distances in m as lists: point x of layer y at [y][x], or at [x][y] in worlds from
        before R2023a; None before the first sample."""
        image = self._device.get_range_image()
        if image is None:
            return None
        return grid(image, self._device.get_horizontal_resolution(), self._device.get_number_of_layers())

    def getPointCloud(self, data_type: str = "list") -> list[LidarPoint] | bytes | None:
        """The latest point cloud, layer by layer from the top; None before the first or if disabled.

        Args:
            data_type: "list", or "buffer" for 20 bytes per point (x, y, z, layer, time), which is faster.
        """
        if _is_buffer(data_type):
            return self._device.get_point_buffer()
        return self._device.get_point_cloud()

    def getLayerPointCloud(self, layer: int, data_type: str = "list") -> list[LidarPoint] | bytes | None:
        """The points of one layer; layer 0 is the topmost.

        Args:
            layer: from 0.
            data_type: as of `getPointCloud`.
        """
        if _is_buffer(data_type):
            return self._device.get_layer_buffer(layer)
        return self._device.get_layer_point_cloud(layer)


class DisplayBase(Device):
    """Hand-written methods of Display."""

    _device: Display

    def attachCamera(self, camera: Device | None) -> None:
        """Show the images of a camera behind the drawings; camera and display must have the same size."""
        self._device.attach_camera(0 if camera is None else camera.tag)

    def drawPolygon(self, x: list[int], y: list[int]) -> None:
        """Draw the outline of a polygon through the points, in pixels."""
        self._device.draw_polygon(x, y)

    def fillPolygon(self, x: list[int], y: list[int]) -> None:
        """Fill a polygon through the points, in pixels."""
        self._device.fill_polygon(x, y)

    def imageNew(
        self, data: Any, format: int, width: int | None = None, height: int | None = None
    ) -> DisplayImage | None:
        """Create an image from pixels, for pasting.

        Args:
            data: bytes, rows from the top, or lists with the channels of the pixel at [x][y].
            format: `Display.RGB`, `RGBA`, `ARGB`, `BGRA` or `ABGR`.
            width: in pixels; ignored for lists.
            height: in pixels; ignored for lists.
        """
        if isinstance(data, (list, tuple)):
            width, height, data = _from_columns(data, 3 if format == RGB else 4)
        return self._device.image_new(width or 0, height or 0, data, format)

    def imagePaste(self, image: DisplayImage, x: int, y: int, blend: bool = False) -> None:
        """Paste an image with its upper left corner at (x, y), in pixels; `blend` applies its alpha."""
        self._device.image_paste(image, x, y, blend)
