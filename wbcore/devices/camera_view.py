"""The axes of a camera's view: forward, left, up; and what is visible in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.devices.image_points import ImagePoints
from wbridge.wbcore.devices.object_bounds import Bounds, Frustum
from wbridge.wbcore.engine import mathematics
from wbridge.wbcore.physics.exact_sums import along_rows, product
from wbridge.wbcore.physics.pose import Pose, cross, matrix
from wbridge.wbcore.scene.dialect import Dialect

if TYPE_CHECKING:
    from numpy.typing import NDArray

Points: TypeAlias = "NDArray[np.float64]"


class Frame:
    """A frame in the axes of the view."""

    def __init__(self, origin: Points, turn: Points) -> None:
        self._origin, self.turn = origin, turn

    def points(self, points: Points) -> Points:
        """Convert points of the frame."""
        turned: Points = along_rows(points, self.turn) + self._origin
        return turned


class CameraView:
    """A camera's pose, axes, projection and range."""

    def __init__(self, image: ImagePoints, pose: Pose, axes: Dialect, farthest: float) -> None:
        self.image, self.pose, self.farthest = image, pose, farthest
        forward, up = axes.view_axis, axes.view_up
        self._axes = np.array([forward, cross(up, forward), up])
        self._turn = product(self._axes, np.array(matrix(pose.orientation)).T)
        high = 2 * mathematics.atan(mathematics.tan(image.wide / 2) * image.aspect)
        self._frustum = Frustum(image.wide, high) if image.is_planar else None

    def points(self, points: Points) -> Points:
        """Convert points of the world to the axes of the view."""
        turned: Points = along_rows(points - np.array(self.pose.position), self._turn)
        return turned

    def relative(self, pose: Pose) -> Frame:
        """Return a pose of the world in the axes of the view."""
        return Frame(
            self.points(np.array([pose.position]))[0], product(self._turn, np.array(matrix(pose.orientation)))
        )

    def in_camera(self, vector: Points) -> Points:
        """Convert a vector of the view to the axes of the camera's node."""
        turned: Points = along_rows(vector, self._axes.T)
        return turned

    def in_world(self, points: Points) -> Points:
        """Convert points of the view to the world."""
        turned: Points = along_rows(points, self._turn.T) + np.array(self.pose.position)
        return turned

    def around_points(self, points: Points) -> Bounds | None:
        """Return the box around the visible part of a body with corners (view)."""
        if self._frustum is not None:
            return self._frustum.around_points(points)
        return Bounds(points.min(axis=0), points.max(axis=0), False)

    def around_round(self, center: Points, size: Points, is_ball: bool) -> Bounds | None:
        """Return the box around the visible part of a round geometry (view)."""
        if self._frustum is None:
            return Bounds(center - size / 2, center + size / 2, is_ball)
        if center[0] + size[0] / 2 <= 0:
            return None
        return self._frustum.around_round(center, size, is_ball)
