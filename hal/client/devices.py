"""What Python adds to devices of the binding of the C library: named results, and attributes of pictures."""

from __future__ import annotations

from wbridge.hal.client import _native
from wbridge.hal.protocol import picture_files
from wbridge.hal.readings import LidarPoint, MouseState, RadarTarget, RadioEvent, RecognizedObject

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["Camera", "Emitter", "Lidar", "Mouse", "Radar", "Radio", "RangeFinder"]

_mapped: dict[int, tuple[int, memoryview]] = {}
"""Views of the files with pictures, by the library's image: its number, and the file."""


def _view_of_file(image: int, serial: int, file: int, size: int) -> memoryview:
    """The bytes of a mapped file: of the same mapping while the library has the same one."""
    kept = _mapped.get(image)
    if kept is None or kept[0] != serial:
        kept = _mapped[image] = (serial, memoryview(picture_files.readable(file, size)))
    return kept[1]


_native.use_mapper(_view_of_file)


class _WithPixels(_native.Device):
    """A device whose image has a width and a height."""

    @property
    def width(self) -> int:
        """The width of the image in pixels."""
        return int(self.get_width())

    @property
    def height(self) -> int:
        """The height of the image in pixels."""
        return int(self.get_height())


class Camera(_WithPixels, _native.Camera):
    """A camera."""

    def recognition_get_objects(self) -> list[Any]:
        """The recognized objects in the latest sample."""
        return [RecognizedObject(*one) for one in super().recognition_get_objects()]


class RangeFinder(_WithPixels, _native.RangeFinder):
    """A range-finder."""


class Lidar(_native.Lidar):
    """A lidar."""

    @property
    def horizontal_resolution(self) -> int:
        """The number of points per layer."""
        return int(self.get_horizontal_resolution())

    @property
    def layers(self) -> int:
        """The number of layers."""
        return int(self.get_number_of_layers())

    def get_point_cloud(self) -> list[Any] | None:
        """The latest point cloud, layer by layer from the top; None before the first or if disabled."""
        return _points(super().get_point_cloud())

    def get_layer_point_cloud(self, layer: int) -> list[Any] | None:
        """The points of one layer; layer 0 is the topmost."""
        return _points(super().get_layer_point_cloud(layer))


def _points(points: list[Any] | None) -> list[Any] | None:
    return None if points is None else [LidarPoint(*one) for one in points]


class Radar(_native.Radar):
    """A radar."""

    def get_targets(self) -> list[Any]:
        """The targets in the latest sample."""
        return [RadarTarget(*one) for one in super().get_targets()]


class Radio(_native.Radio):
    """A radio."""

    def set_callback(self, callback: Callable[[RadioEvent], object] | None) -> None:
        """Set the function that is called with each received message; None removes it."""
        super().set_callback(callback and (lambda *event: callback(RadioEvent(*event))))


class Emitter(_native.Emitter):
    """An emitter."""

    def error(self, method: str, text: str) -> None:
        """Report an invalid call of a method on stderr."""
        _native.Robot().report_error(f"wb_emitter_{method}", text)


class Mouse(_native.Mouse):
    """The mouse."""

    def get_state(self) -> MouseState:
        """The pointer's position and the buttons."""
        return MouseState(*super().get_state())
