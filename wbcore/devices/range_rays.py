"""The rays of a range finder or lidar in the visible world."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.devices.range_geometry import Grid, Plane, view_axes
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.exact_sums import along_rows, product
from wbridge.wbcore.physics.mount import Mount
from wbridge.wbcore.physics.pose import matrix
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wbridge.wbcore.devices.device import Device


class RangeRays:
    """Rays of all numbers of a picture; they see the visible shapes, also those of their own robot."""

    def __init__(self, device: Device, grid: Callable[[], Grid | Plane], opaque_only: bool = False) -> None:
        """
        Args:
            device: the range finder or lidar.
            grid: returns the directions, when the device's fields have changed.
            opaque_only: transparent surfaces are invisible.
        """
        self._device, self._grid, self._opaque_only = device, grid, opaque_only
        self._mount = Mount(device.simulation.physics, lambda: device.node)
        self._image: _engine.RangeImage | None = None
        self._directions: Grid | Plane | None = None
        self._version = -1
        self._hiding: tuple[int, frozenset[Node]] = (0, frozenset())
        self.invisible: frozenset[Node] = frozenset()
        """Nodes that the device does not see, besides those that supervisors hide."""

    def carry(self, node: Node) -> None:
        """Show that a node below the device has moved."""
        if self._mount.follow():
            self._image = None
        visual = self._device.simulation.visual
        visual.refresh()
        visual.move(node, self._mount.body, self._mount.inner)

    def forget(self) -> None:
        """Fields have changed."""
        self._image = self._directions = None

    def detach(self) -> None:
        """Let go of the scene."""
        self._image = None

    def image(self) -> _engine.RangeImage:
        """Return the rays in the current scene."""
        device = self._device
        visual = device.simulation.visual
        version = visual.refresh()
        if self._mount.follow():
            self._image = None
        if self._image is None or version != self._version:
            self._version, self._hiding = version, (0, frozenset())
            self._image = self._make_image()
        self._hide(self._image)
        return self._image

    def _make_image(self) -> _engine.RangeImage:
        place, grid = self._mount.inner, self._current_grid()
        where = self._device.simulation.visual.scene, self._mount.body, place.position, place.orientation
        if isinstance(grid, Plane):
            forward, left, up = self._axes
            places = grid.left.tolist(), grid.up.tolist()
            return _engine.plane_image(*where, forward, left, up, *places, opaque_only=self._opaque_only)
        directions = along_rows(grid.directions, self._axes.T)
        return _engine.range_image(*where, directions, grid.shares, opaque_only=self._opaque_only)

    def _current_grid(self) -> Grid | Plane:
        if self._directions is None:
            self._directions = self._grid()
        return self._directions

    @property
    def _axes(self) -> NDArray[np.float64]:
        return view_axes(self._device.conventions.z_up)

    def points(self, ranges: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return where rays of these lengths end (m, world), shape (n, 3), without infinite ones."""
        self.image()
        grid = self._current_grid()
        rows, columns = np.nonzero(np.isfinite(ranges))
        lengths = ranges[rows, columns].astype(np.float64)
        if isinstance(grid, Plane):
            ways = np.stack([np.ones_like(lengths), grid.left[columns], grid.up[rows]], axis=-1)
        else:
            ways = grid.directions[rows, columns]
            if grid.shares is not None:
                lengths /= grid.shares[rows, columns]
        turn = product(np.array(matrix(self._mount.orientation())), self._axes.T)
        ends: NDArray[np.float64] = along_rows(ways * lengths[:, None], turn) + self._mount.position()
        return ends

    def _hide(self, image: _engine.RangeImage) -> None:
        """Apply what is hidden from the device."""
        visual = self._device.simulation.visual
        hidden = self.invisible | self._device.simulation.hidden.of(self._device.node)
        if not hidden and not self._hiding[1]:
            return
        hiding = (visual.built, hidden)
        if hiding != self._hiding:
            self._hiding = hiding
            image.hide(visual.instances_below(hiding[1]))
