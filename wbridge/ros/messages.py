"""Messages of ROS 2 that the bridge fills and reads, as their .msg and .srv files declare them.

Constants are left out. The classes tell type checkers the fields of messages; rclpy or `wbridge.ros.fake`
makes the objects.
"""

from __future__ import annotations


class Time:
    """A moment: whole seconds, and the rest in nanoseconds."""

    sec: int
    nanosec: int


class Clock:
    """The time of a simulation."""

    clock: Time


class Header:
    """When and in which frame something was measured."""

    stamp: Time
    frame_id: str


class Bool:
    """True or false."""

    data: bool


class Float64:
    """A number."""

    data: float


class Int32:
    """A whole number."""

    data: int


class String:
    """A text."""

    data: str


class SetBoolRequest:
    """Switch something on or off."""

    data: bool


class SetBoolResponse:
    """Whether it was switched."""

    success: bool
    message: str


class Vector3:
    """A vector."""

    x: float
    y: float
    z: float


class Point:
    """A position (m)."""

    x: float
    y: float
    z: float


class Quaternion:
    """An orientation."""

    x: float
    y: float
    z: float
    w: float


class PointStamped:
    """A position (m) at a time."""

    header: Header
    point: Point


class Vector3Stamped:
    """A vector at a time."""

    header: Header
    vector: Vector3


class CameraInfo:
    """The size of a camera's images (pixels), its distortion `d`, and the matrices `k`, `r` and `p`."""

    header: Header
    height: int
    width: int
    distortion_model: str
    d: list[float]
    k: list[float]
    r: list[float]
    p: list[float]


class Illuminance:
    """The brightness of light (lx)."""

    header: Header
    illuminance: float
    variance: float


class Image:
    """An image: `step` is the number of bytes of a row."""

    header: Header
    height: int
    width: int
    encoding: str
    is_bigendian: int
    step: int
    data: bytes


class Imu:
    """Orientation, turning rates (rad/s) and accelerations (m/s2)."""

    header: Header
    orientation: Quaternion
    orientation_covariance: list[float]
    angular_velocity: Vector3
    angular_velocity_covariance: list[float]
    linear_acceleration: Vector3
    linear_acceleration_covariance: list[float]


class JointState:
    """Positions (rad, m), velocities (rad/s, m/s) and efforts (N m, N) of joints."""

    header: Header
    name: list[str]
    position: list[float]
    velocity: list[float]
    effort: list[float]


class LaserScan:
    """Distances (m) at angles (rad, positive to the left) of a plane."""

    header: Header
    angle_min: float
    angle_max: float
    angle_increment: float
    time_increment: float
    scan_time: float
    range_min: float
    range_max: float
    ranges: list[float]
    intensities: list[float]


class MagneticField:
    """The magnetic field (T)."""

    header: Header
    magnetic_field: Vector3
    magnetic_field_covariance: list[float]


class NavSatFix:
    """A position on the earth (degrees, m)."""

    header: Header
    latitude: float
    longitude: float
    altitude: float


class Range:
    """A distance (m) within a cone (rad)."""

    header: Header
    radiation_type: int
    field_of_view: float
    min_range: float
    max_range: float
    range: float


MESSAGES: dict[str, type] = {
    "builtin_interfaces/msg/Time": Time,
    "rosgraph_msgs/msg/Clock": Clock,
    "std_msgs/msg/Header": Header,
    "std_msgs/msg/Bool": Bool,
    "std_msgs/msg/Float64": Float64,
    "std_msgs/msg/Int32": Int32,
    "std_msgs/msg/String": String,
    "std_srvs/srv/SetBool_Request": SetBoolRequest,
    "std_srvs/srv/SetBool_Response": SetBoolResponse,
    "geometry_msgs/msg/Point": Point,
    "geometry_msgs/msg/Vector3": Vector3,
    "geometry_msgs/msg/Quaternion": Quaternion,
    "geometry_msgs/msg/PointStamped": PointStamped,
    "geometry_msgs/msg/Vector3Stamped": Vector3Stamped,
    "sensor_msgs/msg/CameraInfo": CameraInfo,
    "sensor_msgs/msg/Illuminance": Illuminance,
    "sensor_msgs/msg/Image": Image,
    "sensor_msgs/msg/Imu": Imu,
    "sensor_msgs/msg/JointState": JointState,
    "sensor_msgs/msg/LaserScan": LaserScan,
    "sensor_msgs/msg/MagneticField": MagneticField,
    "sensor_msgs/msg/NavSatFix": NavSatFix,
    "sensor_msgs/msg/Range": Range,
}
"""Messages, requests and responses by the names that ROS knows."""
