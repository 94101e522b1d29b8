"""Measures distances around it in layers, and makes clouds of points."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from hal.modes.devices.image_device import ImageDevice

__all__ = ["Lidar", "LidarPoint"]

FREQUENCY, CLOUD_ON, CLOUD_OFF = 16, 17, 18
POINT = struct.Struct("<fffif")


class LidarPoint(NamedTuple):
    """One point of a cloud."""

    x: float
    y: float
    z: float
    """In the frame of the lidar, in m."""
    layer_id: int
    """0 is the topmost layer."""
    time: float
    """When it was measured, in s."""

    @property
    def layer(self) -> int:
        """`layer_id`, as Webots' Python class spells it."""
        return self.layer_id


class Lidar(ImageDevice):
    """Measures distances around it in layers, and makes clouds of points."""

    state = (1, FREQUENCY, CLOUD_ON, CLOUD_OFF)
    max_range = frequency = min_frequency = max_frequency = vertical_fov = 0.0
    layers = horizontal_resolution = 0
    cloud = False

    def take_constants(self, id_: int, width: int, height: int, *optics: Any) -> None:
        """Size and optics."""
        self.width, self.height = width, height
        self.take_optics(*optics[:3], *optics[3:])

    def take_optics(self, fov: float, near: float, planar: int, max_range: float, *rest: Any) -> None:
        """Optics; they come again when somebody changes them."""
        self.fov, self.near, self.planar, self.max_range = fov, near, planar, max_range
        self.layers, self.frequency, self.min_frequency, self.max_frequency, self.vertical_fov, number = rest
        self.horizontal_resolution = int(number)

    def get_range_image(self) -> memoryview[float] | None:
        """The newest distances in m, layer after layer from the top; None before the first ones."""
        self.check_enabled("get_range_image")
        return self.floats(self.layers * self.horizontal_resolution)

    def get_layer_range_image(self, layer: int) -> memoryview[float] | None:
        """The newest distances of one layer in m, from 0 (the topmost) on."""
        if not self._is_layer("get_layer_range_image", layer):
            return None
        return self.floats(self.horizontal_resolution, layer * self.horizontal_resolution)

    def _is_layer(self, method: str, layer: int) -> bool:
        if 0 <= layer < self.layers:
            return True
        self.error(method, f"called with an invalid layer ({layer}); allowed: 0 to {self.layers - 1}.")
        return False

    def enable_point_cloud(self) -> None:
        """Start making clouds of points."""
        self._switch(True)

    def disable_point_cloud(self) -> None:
        """Stop making clouds of points."""
        self._switch(False)

    def _switch(self, on: bool) -> None:
        self.cloud = on
        for commands in (self.pending, self.said):
            commands.pop(CLOUD_OFF if on else CLOUD_ON, None)
        self.command(CLOUD_ON if on else CLOUD_OFF)

    def is_point_cloud_enabled(self) -> bool:
        """True when clouds of points are made."""
        return self.cloud

    def _points(self, start: int, count: int) -> list[LidarPoint] | None:
        ranges = 4 * self.layers * self.horizontal_resolution
        raw = self.shared.get(POINT.size * count, ranges + POINT.size * start) if self.cloud else None
        return None if raw is None else [LidarPoint(*one) for one in POINT.iter_unpack(raw)]

    def get_point_buffer(self) -> bytes | None:
        """The bytes of the newest cloud: 20 for each point; None before the first one, and when it is off."""
        ranges = 4 * self.layers * self.horizontal_resolution
        return self.shared.get(POINT.size * self.get_number_of_points(), ranges) if self.cloud else None

    def get_point_cloud(self) -> list[LidarPoint] | None:
        """The newest cloud, layer after layer from the top; None before the first one, and when it is off."""
        return self._points(0, self.get_number_of_points())

    def get_layer_point_cloud(self, layer: int) -> list[LidarPoint] | None:
        """The points of one layer, from 0 (the topmost) on."""
        if not self._is_layer("get_layer_point_cloud", layer):
            return None
        return self._points(layer * self.horizontal_resolution, self.horizontal_resolution)

    def get_point(self, index: int) -> LidarPoint | None:
        """One point of the cloud, from 0 on; None when there is none."""
        found = self._points(index, 1) if 0 <= index < self.get_number_of_points() else None
        return found[0] if found else None

    def get_number_of_points(self) -> int:
        """Number of points in a cloud: layers times points in a layer."""
        return self.layers * self.horizontal_resolution

    def get_horizontal_resolution(self) -> int:
        """Number of points in a layer."""
        return self.horizontal_resolution

    def get_number_of_layers(self) -> int:
        """Number of layers."""
        return self.layers

    def get_min_frequency(self) -> float:
        """The lowest frequency of the rotation, in Hz."""
        return self.min_frequency

    def get_max_frequency(self) -> float:
        """The highest frequency of the rotation, in Hz."""
        return self.max_frequency

    def get_frequency(self) -> float:
        """The frequency of the rotation, in Hz."""
        return self.frequency

    def set_frequency(self, frequency: float) -> None:
        """Set the frequency of the rotation, in Hz, within its limits."""
        if not self.min_frequency <= frequency <= self.max_frequency:
            limits = f"{self.min_frequency} to {self.max_frequency}"
            self.error("set_frequency", f"called with 'frequency' argument {frequency}; allowed: {limits}.")
            return
        self.frequency = float(frequency)
        self.command(FREQUENCY, self.frequency)

    def get_vertical_fov(self) -> float:
        """The vertical field of view, in rad."""
        return self.vertical_fov

    def get_min_range(self) -> float:
        """The shortest distance that is measured, in m."""
        return self.near

    def get_max_range(self) -> float:
        """The longest distance that is measured, in m."""
        return self.max_range
