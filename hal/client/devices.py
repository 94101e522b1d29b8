"""What Python adds to devices of the binding of the C library: named results."""

from __future__ import annotations

from wbridge.hal.client import _native
from wbridge.hal.client.arguments import NAN
from wbridge.hal.protocol import picture_files
from wbridge.hal.readings import LidarPoint, MouseState, RadarTarget, RadioEvent, RecognizedObject
from wbridge.hal.reports import messages, report

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Camera", "Lidar", "Mouse", "Radar", "Radio", "RangeFinder"]

_mapped: dict[int, tuple[int, memoryview]] = {}
"""Views of the files with pictures, by the library's image: its number, and the file."""


def _view_of_file(image: int, serial: int, file: int, size: int) -> memoryview:
    """The bytes of a mapped file: of the same mapping while the library has the same one."""
    kept = _mapped.get(image)
    if kept is None or kept[0] != serial:
        kept = _mapped[image] = (serial, memoryview(picture_files.readable(file, size)))
    return kept[1]


_native.use_mapper(_view_of_file)


class Camera(_native.Camera):
    """A camera."""

    def recognition_get_objects(self) -> list[RecognizedObject]:
        """The recognized objects in the latest sample."""
        return [RecognizedObject(*fields) for fields in super().recognition_get_objects()]

    def recognition_get_object(self, index: int) -> RecognizedObject | None:
        """The object at an index (from 0), or None."""
        fields = super().recognition_get_object(index)
        return None if fields is None else RecognizedObject(*fields)


class RangeFinder(_native.RangeFinder):
    """A range-finder."""

    @staticmethod
    def image_get_depth(image: memoryview[float] | list[float] | None, width: int, x: int, y: int) -> float:
        """The distance at a pixel of a range image, in m."""
        if image is None:
            report.error("wb_range_finder_image_get_depth", messages.invalid_argument("image", "None"))
            return NAN
        return image[y * width + x]


class Lidar(_native.Lidar):
    """A lidar."""

    def get_point_cloud(self) -> list[LidarPoint] | None:
        """The latest point cloud, layer by layer from the top; None before the first or if disabled."""
        return _points(super().get_point_cloud())

    def get_layer_point_cloud(self, layer: int) -> list[LidarPoint] | None:
        """The points of one layer; layer 0 is the topmost."""
        return _points(super().get_layer_point_cloud(layer))

    def get_point(self, index: int) -> LidarPoint | None:
        """A point of the point cloud by index (from 0), or None."""
        point = super().get_point(index)
        return None if point is None else LidarPoint(*point)


def _points(points: list[LidarPoint] | None) -> list[LidarPoint] | None:
    return None if points is None else [LidarPoint(*one) for one in points]


class Radar(_native.Radar):
    """A radar."""

    def get_targets(self) -> list[RadarTarget]:
        """The targets in the latest sample."""
        return [RadarTarget(*one) for one in super().get_targets()]

    def get_target(self, index: int) -> RadarTarget | None:
        """The target at an index (from 0), or None."""
        target = super().get_target(index)
        return None if target is None else RadarTarget(*target)


class Radio(_native.Radio):
    """A radio."""

    def set_callback(self, callback: Callable[[RadioEvent], object] | None) -> None:
        """Set the function that is called with each received message; None removes it."""
        super().set_callback(callback and (lambda *event: callback(RadioEvent(*event))))


class Mouse(_native.Mouse):
    """The mouse."""

    def get_state(self) -> MouseState:
        """The pointer's position and the buttons."""
        return MouseState(*super().get_state())

    def get_state_pointer(self) -> MouseState:
        """The pointer's position and the buttons."""
        return self.get_state()
