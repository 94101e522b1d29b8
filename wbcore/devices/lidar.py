"""The Lidar: distances in layers, and the points that they belong to.

Source: manual, chapter Lidar; WbLidar.cpp for the order of columns. A rotating lidar starts looking ahead and
turns clockwise, seen from above; each step measures the columns that it has passed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from wbridge.hal import table
from wbridge.wbcore.devices import range_geometry
from wbridge.wbcore.devices.device import DeviceRobot
from wbridge.wbcore.devices.range_device import MOST_RAYS, RANGE, TINY, RangeDevice
from wbridge.wbcore.devices.range_geometry import Grid
from wbridge.wbcore.physics.pose import Quat, axis_angle, multiply, to_axis_angle
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.rules import Place, lidar_projection

if TYPE_CHECKING:
    from numpy.typing import NDArray

POINT = 20
"""Bytes per point: x, y, z (f32), layer (i32), time (f32)."""
AHEAD = 0.5
"""Where a rotating lidar starts, as a share of the columns."""

MOST_HZ = 1e6
ROUNDING = 1e-6
"""Room for rounding, in columns."""


class Lidar(RangeDevice):
    """Measures distances in layers, and 3D points when the controller enables the point cloud."""

    KEPT: ClassVar[tuple[str, ...]] = ("has_point_cloud", "turns")
    KEPT_FIELDS: ClassVar[tuple[str, ...]] = ("defaultFrequency",)
    SIZES: ClassVar[frozenset[str]] = frozenset({"horizontalResolution", "numberOfLayers"})
    LARGEST: ClassVar[int] = MOST_RAYS * (RANGE + POINT)

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        self.has_point_cloud = False
        self._rest: tuple[Node, Quat] | None = None
        """The rotating head, and its orientation before it turns."""
        self.turns = 0.0
        """Revolutions of a rotating lidar since it was first enabled."""
        super().__init__(place, entry, robot)

    @property
    def frequency(self) -> float:
        """Rotation frequency in Hz."""
        return self.number("defaultFrequency", 10, 0, MOST_HZ)

    def constants(self) -> dict[str, object]:
        """The current size and ranges."""
        return {
            "id": self.simulation.nodes.number(self.node),
            "width": self.columns,
            "height": self.rows,
        } | dict(zip(_OPTICS, self.optics, strict=True))

    @property
    def optics(self) -> tuple[object, ...]:
        """In the protocol's order: view, ranges, layers, frequencies, resolution."""
        node = self.node
        return (
            self._fov,
            self.limits.least,
            int(self._is_planar),
            self.limits.most,
            self.rows,
            self.frequency,
            float(node.get("minFrequency")),
            float(node.get("maxFrequency")),
            self._vertical_fov,
            float(self.columns),
        )

    @property
    def columns(self) -> int:
        """Distances per layer."""
        return self.size("horizontalResolution")

    @property
    def rows(self) -> int:
        """The number of layers."""
        return self.size("numberOfLayers")

    @property
    def _fov(self) -> float:
        return self.number("fieldOfView", 1.5708, TINY, 2 * math.pi)

    @property
    def _vertical_fov(self) -> float:
        return self.number("verticalFieldOfView", 0.2, 0, math.pi)

    @property
    def _is_planar(self) -> bool:
        return bool(lidar_projection(self.place) == "planar")

    @property
    def is_rotating(self) -> bool:
        """Whether the head turns."""
        return str(self.node.get("type")).lower().startswith("r")

    @property
    def file_size(self) -> int:
        """The size in bytes of the distances and all points."""
        return self.count * (RANGE + POINT)

    @property
    def sent_size(self) -> int:
        """The points are sent only if they are enabled."""
        return self.file_size if self.has_point_cloud else self.count * RANGE

    def make_grid(self) -> Grid:
        """Return the rays of all layers."""
        size = self.columns, self.rows
        tilt = self.number("tiltAngle", 0, -math.pi / 2, math.pi / 2)
        if self.is_rotating:
            return range_geometry.turning(*size, self._vertical_fov, tilt)
        return range_geometry.layered(*size, self._fov, self._vertical_fov, tilt, self._is_planar)

    def clear(self, pixels: NDArray[np.uint8]) -> None:
        """Write infinite distances and coordinates."""
        super().clear(pixels)
        self.points_of(pixels)[..., :3] = np.inf

    def points_of(self, pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the points in the memory: (rows, columns, 5) x, y, z, the bits of the layer, time."""
        points = pixels[self.count * RANGE :].view("<f4")
        return points.reshape(self.rows, self.columns, POINT // RANGE)

    # Measuring.

    def on_enable(self, period: int) -> None:
        """Set the sampling period in ms; a rotating lidar measures in each step."""
        super().on_enable(round(1000 * self.simulation.step_s) if period and self.is_rotating else period)

    def begin(self, pixels: NDArray[np.uint8], elapsed: float) -> None:
        """Measure all columns, or those that a rotating lidar has passed."""
        end = self.simulation.time_ms / 1000
        if not self.is_rotating:
            self._measure(pixels, 0, self.columns, end, -self.sampling.period / 1000 / self.columns)
            return
        begin, step = self.turns, self.simulation.step_s
        self.turns = begin + self.frequency * step
        self._turn_head()
        first, last = (self._columns_until(turns) for turns in (begin, self.turns))
        first = max(first, last - self.columns)
        per_column = 1 / (self.frequency * self.columns) if self.frequency > 0 else 0.0
        time = end - step + (first - (begin + AHEAD) * self.columns) * per_column
        if last > first:
            self._measure(pixels, first % self.columns, last - first, time, per_column)

    def _turn_head(self) -> None:
        """Write the rotation of the node in `rotatingHead`; the lidar looks out of it."""
        found = self.node.get("rotatingHead")
        head = found.root if isinstance(found, Node) else None
        self._rays.invisible = frozenset() if head is None else frozenset([head])
        if head is None:
            return
        if self._rest is None or self._rest[0] is not head:
            *axis, angle = head.get("rotation")
            self._rest = head, axis_angle((axis[0], axis[1], axis[2]), angle)
        turn = axis_angle(self.conventions.solid_axis, -2 * math.pi * (self.turns % 1))
        self.simulation.world.set(head, "rotation", to_axis_angle(multiply(self._rest[1], turn)))
        self._rays.carry(head)

    def _columns_until(self, turns: float) -> int:
        """Return the number of columns that the head has passed, counted from the back."""
        return math.ceil((turns + AHEAD) * self.columns - ROUNDING)

    def _measure(self, pixels: NDArray[np.uint8], first: int, count: int, time: float, step: float) -> None:
        """Measure columns; the first one at a time, each other one a step later (s)."""
        self.trace(pixels, first, count)
        if self.has_point_cloud:
            ranges, points = self.ranges_of(pixels), self.points_of(pixels)
            self._rays.image().place(ranges, points, first, count, time, step)

    def connect(self) -> None:
        """Disable the point cloud for a new controller."""
        super().connect()
        self.has_point_cloud = False

    def reset(self) -> None:
        """Look ahead again; columns that the head has not passed since then are not of this run."""
        super().reset()
        self.turns = 0.0
        if self.is_rotating and self.pixels is not None:
            self.clear(self.pixels)
        if self._rest is not None:
            self._turn_head()

    # Commands.

    def on_set_frequency(self, frequency: float) -> None:
        """Set the frequency of a rotating lidar, in Hz."""
        low, high = self.node.get("minFrequency"), self.node.get("maxFrequency")
        if not low <= frequency <= high:
            raise ValueError(f"a frequency of {frequency} Hz; allowed: {low} to {high}")
        self.set_own_field("defaultFrequency", frequency)

    def shown_points(self) -> NDArray[np.float64] | None:
        """Return the latest measured points (m, world), shape (n, 3); None while the lidar is off."""
        if self.pixels is None or not self.sampling.period:
            return None
        return self._rays.points(self.ranges_of(self.pixels))

    def on_enable_point_cloud(self) -> None:
        """Enable the point cloud."""
        self.has_point_cloud = True

    def on_disable_point_cloud(self) -> None:
        """Disable the point cloud."""
        self.has_point_cloud = False


_OPTICS = (
    *("fov", "near", "planar", "max_range", "layers", "frequency", "min_frequency", "max_frequency"),
    *("vertical_fov", "horizontal_resolution"),
)
