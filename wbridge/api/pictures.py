"""Cameras, range finders and lidars that a script reads: arrays that are views of the device's memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbridge.api.sensors import period_of
from wbridge.wbcore.devices.camera import Camera as CameraDevice
from wbridge.wbcore.devices.image_device import ImageDevice
from wbridge.wbcore.devices.lidar import Lidar as LidarDevice
from wbridge.wbcore.devices.range_device import RangeDevice

POINT = np.dtype([("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("layer", "<i4"), ("time", "<f4")])
"""A point of a lidar: meters in the lidar's axes, its layer from the top, and when it was measured (s)."""


class PictureSensor:
    """A camera, range finder or lidar. The first request for it enables it."""

    device: Any

    def __init__(self, device: ImageDevice) -> None:
        self.device = device

    def __repr__(self) -> str:
        return f'<{type(self).__name__} "{self.name}" of robot "{self.device.robot.name}">'

    @property
    def name(self) -> str:
        """The field `name`."""
        return str(self.device.name)

    @property
    def period(self) -> int:
        """Sampling period (ms); 0: off."""
        return int(self.device.sampling.period)

    @period.setter
    def period(self, value: int) -> None:
        """Begin a new period, as `enable` of a controller."""
        self.device.on_enable(period_of(value, f'{self.device.entry.type} "{self.name}"'))

    def capture(self) -> None:
        """Take a picture now, besides the regular ones; the arrays show it."""
        self.device.capture(self._pixels(), float("inf"))

    def _pixels(self) -> NDArray[np.uint8]:
        pixels: NDArray[np.uint8] | None = self.device.pixels
        if pixels is None:
            raise RuntimeError(
                f'"{self.name}" is off; set its period to some milliseconds, or see the warning above'
            )
        return pixels


class Camera(PictureSensor):
    """A camera."""

    device: CameraDevice

    @property
    def image(self) -> NDArray[np.uint8]:
        """(height, width, 3) red, green, blue from the top left: a view, which follows the simulation. It is
        black before the first picture.

        Raises:
            RuntimeError: the camera is off.
        """
        self._pixels()
        picture = self.device.picture
        assert picture is not None, "there is memory for it"
        return picture[..., 2::-1]


class RangeFinder(PictureSensor):
    """A range finder."""

    device: RangeDevice

    @property
    def image(self) -> NDArray[np.float32]:
        """(height, width) distances in m from the top left: a view, which follows the simulation. Infinite
        where nothing is in range, and before the first picture.

        Raises:
            RuntimeError: the device is off.
        """
        return self.device.ranges_of(self._pixels())


class Lidar(RangeFinder):
    """A lidar: (layers, columns) distances in `image`, and points."""

    @property
    def points(self) -> NDArray[Any]:
        """(layers, columns) points, each of the type `POINT`: a view, which follows the simulation. The first
        use enables the point cloud; the points are those of the next picture.

        Raises:
            RuntimeError: the lidar is off.
        """
        assert isinstance(self.device, LidarDevice), "it is a lidar"
        pixels = self._pixels()
        if not self.device.has_point_cloud:
            self.device.on_enable_point_cloud()
        return self.device.points_of(pixels).view(POINT)[..., 0]
