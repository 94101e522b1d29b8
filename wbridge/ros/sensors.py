"""Sensors as topics: the message type of each kind, and how its values become a message."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wbridge.ros.messages import (
    Bool,
    CameraInfo,
    Float64,
    Illuminance,
    Image,
    Imu,
    LaserScan,
    MagneticField,
    NavSatFix,
    Point,
    PointStamped,
    Quaternion,
    Range,
    Vector3,
    Vector3Stamped,
)

if TYPE_CHECKING:
    from controller import (
        GPS,
        Accelerometer,
        Altimeter,
        Camera,
        Compass,
        Device,
        DistanceSensor,
        Gyro,
        InertialUnit,
        Lidar,
        LightSensor,
        PositionSensor,
        RangeFinder,
        TouchSensor,
    )

    NumberSensor = Altimeter | PositionSensor | TouchSensor

Fill = Callable[[Any, Any], None]
"""Called with a device and a message, of the classes that belong together."""
BUMPER, FORCE_3D = 0, 2
"""Types of touch sensors."""
WGS84 = 1
"""Coordinates of a GPS in degrees."""
INFRARED, ULTRASOUND = 1, 0
"""radiation_type of sensor_msgs/Range; type of distance sensors: 1 is infra-red."""
UNKNOWN = [-1.0] + [0.0] * 8
"""A covariance that says: this quantity is not measured (sensor_msgs/Imu)."""


class SensorTopic(NamedTuple):
    """The topic of a sensor."""

    type: str
    """Of its messages."""
    fill: Fill


def _set(place: Vector3 | Point | Quaternion, values: Sequence[float]) -> None:
    place.x, place.y, place.z = (float(number) for number in values[:3])


def _number(device: NumberSensor, message: Float64) -> None:
    message.data = float(device.getValue())


def _range(device: DistanceSensor, message: Range) -> None:
    message.radiation_type = INFRARED if device.getType() == 1 else ULTRASOUND
    message.field_of_view = float(device.getAperture())
    message.min_range, message.max_range = float(device.getMinValue()), float(device.getMaxValue())
    message.range = float(device.getValue())


def _acceleration(device: Accelerometer, message: Imu) -> None:
    _set(message.linear_acceleration, device.getValues())
    message.orientation_covariance = message.angular_velocity_covariance = UNKNOWN


def _turning(device: Gyro, message: Imu) -> None:
    _set(message.angular_velocity, device.getValues())
    message.orientation_covariance = message.linear_acceleration_covariance = UNKNOWN


def _orientation(device: InertialUnit, message: Imu) -> None:
    quaternion = device.getQuaternion()
    _set(message.orientation, quaternion)
    message.orientation.w = float(quaternion[3])
    message.angular_velocity_covariance = message.linear_acceleration_covariance = UNKNOWN


def _field(device: Compass, message: MagneticField) -> None:
    _set(message.magnetic_field, device.getValues())


def _point(device: GPS, message: PointStamped) -> None:
    _set(message.point, device.getValues())


def _fix(device: GPS, message: NavSatFix) -> None:
    message.latitude, message.longitude, message.altitude = (float(number) for number in device.getValues())


def _light(device: LightSensor, message: Illuminance) -> None:
    message.illuminance = float(device.getValue())


def _touched(device: TouchSensor, message: Bool) -> None:
    message.data = bool(device.getValue())


def _force(device: TouchSensor, message: Vector3Stamped) -> None:
    _set(message.vector, device.getValues())


def _image(device: Camera, message: Image) -> None:
    _describe_image(message, device.getWidth(), device.getHeight(), "bgra8")
    message.data = bytes(device.getImage() or b"")


def _distances(device: RangeFinder, message: Image) -> None:
    _describe_image(message, device.getWidth(), device.getHeight(), "32FC1")
    message.data = bytes(device.getRangeImage("buffer") or b"")


def _layers(device: Lidar, message: Image) -> None:
    _describe_image(message, device.getHorizontalResolution(), device.getNumberOfLayers(), "32FC1")
    distances = device.getRangeImage() or []
    message.data = struct.pack(f"<{len(distances)}f", *distances)


def _describe_image(message: Image, width: int, height: int, encoding: str) -> None:
    message.width, message.height, message.encoding, message.step = width, height, encoding, 4 * width


def _scan(device: Lidar, message: LaserScan) -> None:
    """A lidar measures from the left to the right; angles are positive to the left."""
    angle, count = float(device.getFov()), device.getHorizontalResolution()
    message.angle_min, message.angle_max = angle / 2, -angle / 2
    message.angle_increment = -angle / (count - 1) if count > 1 else 0.0
    message.scan_time = device.getSamplingPeriod() / 1000
    message.range_min, message.range_max = float(device.getMinRange()), float(device.getMaxRange())
    message.ranges = [float(distance) for distance in device.getRangeImage() or ()]


SENSORS: dict[str, SensorTopic] = {
    "Accelerometer": SensorTopic("sensor_msgs/msg/Imu", _acceleration),
    "Altimeter": SensorTopic("std_msgs/msg/Float64", _number),
    "Camera": SensorTopic("sensor_msgs/msg/Image", _image),
    "Compass": SensorTopic("sensor_msgs/msg/MagneticField", _field),
    "DistanceSensor": SensorTopic("sensor_msgs/msg/Range", _range),
    "GPS": SensorTopic("geometry_msgs/msg/PointStamped", _point),
    "Gyro": SensorTopic("sensor_msgs/msg/Imu", _turning),
    "InertialUnit": SensorTopic("sensor_msgs/msg/Imu", _orientation),
    "Lidar": SensorTopic("sensor_msgs/msg/LaserScan", _scan),
    "LightSensor": SensorTopic("sensor_msgs/msg/Illuminance", _light),
    "PositionSensor": SensorTopic("std_msgs/msg/Float64", _number),
    "RangeFinder": SensorTopic("sensor_msgs/msg/Image", _distances),
    "TouchSensor": SensorTopic("std_msgs/msg/Float64", _number),
}
"""By the name of the device's class."""


def _topic_of_gps(device: GPS) -> SensorTopic:
    if device.getCoordinateSystem() == WGS84:
        return SensorTopic("sensor_msgs/msg/NavSatFix", _fix)
    return SENSORS["GPS"]


def _topic_of_touch_sensor(device: TouchSensor) -> SensorTopic:
    if device.getType() == BUMPER:
        return SensorTopic("std_msgs/msg/Bool", _touched)
    if device.getType() == FORCE_3D:
        return SensorTopic("geometry_msgs/msg/Vector3Stamped", _force)
    return SENSORS["TouchSensor"]


def _topic_of_lidar(device: Lidar) -> SensorTopic:
    if device.getNumberOfLayers() > 1:
        return SensorTopic("sensor_msgs/msg/Image", _layers)
    return SENSORS["Lidar"]


_VARYING: dict[str, Callable[[Any], SensorTopic]] = {
    "GPS": _topic_of_gps,
    "Lidar": _topic_of_lidar,
    "TouchSensor": _topic_of_touch_sensor,
}
"""Devices whose settings decide, by the name of their class."""


def topic_of(device: Device) -> SensorTopic | None:
    """Return the topic of a device; None if it has none."""
    kind = type(device).__name__
    varying = _VARYING.get(kind)
    return SENSORS.get(kind) if varying is None else varying(device)


def camera_info(device: Camera, message: CameraInfo) -> None:
    """Describe a camera without distortion: its focal length in pixels follows from the field of view."""
    width, height = device.getWidth(), device.getHeight()
    focal = width / (2 * math.tan(device.getFov() / 2))
    x, y = width / 2, height / 2
    message.width, message.height, message.distortion_model = width, height, "plumb_bob"
    message.d = [0.0] * 5
    message.k = [focal, 0.0, x, 0.0, focal, y, 0.0, 0.0, 1.0]
    message.r = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    message.p = [focal, 0.0, x, 0.0, 0.0, focal, y, 0.0, 0.0, 0.0, 1.0, 0.0]
