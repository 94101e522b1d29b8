"""Values that the API returns or takes: points, targets, objects, messages, and the mouse."""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "ContactPoint",
    "LidarPoint",
    "MouseState",
    "RadarTarget",
    "RadioEvent",
    "RadioMessage",
    "RecognizedObject",
]


class RecognizedObject(NamedTuple):
    """An object recognized by a camera."""

    id: int
    """Identifier of its node."""
    position: tuple[float, float, float]
    """Position relative to the camera, in m."""
    orientation: tuple[float, float, float, float]
    """Orientation relative to the camera: axis, and angle in rad."""
    size: tuple[float, float]
    """Sizes along the camera's x and y axes, in m: depth and width since R2022a, width and height before."""
    position_on_image: tuple[int, int]
    """Center in the image, in pixels from the left and the top."""
    size_on_image: tuple[int, int]
    """Width and height in the image, in pixels."""
    colors: list[float]
    """Red, green and blue of each color, each from 0 to 1."""
    model: str

    @property
    def number_of_colors(self) -> int:
        """The number of colors."""
        return len(self.colors) // 3


class LidarPoint(NamedTuple):
    """A point of a point cloud."""

    x: float
    y: float
    z: float
    """Coordinates in the lidar's frame, in m."""
    layer_id: int
    """Layer of the point; 0 is the topmost layer."""
    time: float
    """Time of the measurement, in s."""

    @property
    def layer(self) -> int:
        """`layer_id`, as Webots' Python class spells it."""
        return self.layer_id


class RadarTarget(NamedTuple):
    """A radar target."""

    distance: float
    """Distance to the target, in m."""
    received_power: float
    """Received power, in dBm."""
    speed: float
    """Radial speed relative to the radar, in m/s; positive if the target moves away."""
    azimuth: float
    """Horizontal angle, in rad; 0 is straight ahead."""

    @property
    def receiver_power(self) -> float:
        """`received_power`, as Webots' Python class spells it."""
        return self.received_power


class RadioMessage(NamedTuple):
    """A message to send."""

    body: bytes
    destination: str


class RadioEvent(NamedTuple):
    """A received message."""

    radio: int
    """Tag of the radio that received it."""
    data: bytes
    emitter: str
    """Address of the sender."""
    rssi: float
    """Signal strength, in dBm."""


class MouseState(NamedTuple):
    """The mouse pointer's position and the buttons."""

    u: float = float("nan")
    """Horizontal position in the 3D view, from 0 (left) to 1; NaN outside."""
    v: float = float("nan")
    """Vertical position in the 3D view, from 0 (top) to 1; NaN outside."""
    x: float = float("nan")
    """Position of the object under the pointer, in m; NaN if there is none or 3D positions are disabled."""
    y: float = float("nan")
    z: float = float("nan")
    left: bool = False
    middle: bool = False
    right: bool = False


class ContactPoint(NamedTuple):
    """A contact point between two solids."""

    point: tuple[float, float, float]
    """Position in world coordinates, in m."""
    node_id: int
    """Identifier of the solid."""
