"""The <gazebo> tags of URDF: sensors of links, and the names of Gazebo's materials.

Source: SDFormat's description of sensors. Sensors look along the x axis of the link they refer to, z is up,
as in Webots. The devices of an IMU are named as urdf2webots names them: "NAME inertial", "NAME gyro",
"NAME accelerometer".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from wbridge.wbcore.importers.frames import from_rpy, vec3
from wbridge.wbcore.importers.reading import Reader
from wbridge.wbcore.importers.robot_model import Link, Material, Robot, Sensor
from wbridge.wbcore.importers.xml_tree import Element
from wbridge.wbcore.physics.pose import IDENTITY, Pose, axis_angle, multiply
from wbridge.wbcore.scene.diagnostics import shown

_COLORS = {
    "Grey": (0.7, 0.7, 0.7),
    "Gray": (0.7, 0.7, 0.7), "DarkGrey": (0.3, 0.3, 0.3), "DarkGray": (0.3, 0.3, 0.3),
    "White": (1.0, 1.0, 1.0), "FlatBlack": (0.1, 0.1, 0.1), "Black": (0.0, 0.0, 0.0), "Red": (1.0, 0.0, 0.0),
    "Green": (0.0, 1.0, 0.0), "Blue": (0.0, 0.0, 1.0), "SkyBlue": (0.13, 0.44, 0.7),
    "Yellow": (1.0, 1.0, 0.0), "DarkYellow": (0.7, 0.7, 0.0), "Purple": (1.0, 0.0, 1.0),
    "Turquoise": (0.0, 1.0, 1.0), "Orange": (1.0, 0.51, 0.07), "Indigo": (0.33, 0.0, 0.5),
    "Gold": (0.8, 0.65, 0.2), "Wood": (0.6, 0.45, 0.3),
}  # fmt: skip
Fields = dict[str, Any]


def material(name: str) -> Material | None:
    """Return a material of Gazebo ("Gazebo/Blue"); None if its color is not known."""
    color = _COLORS.get(name.rpartition("/")[2])
    return Material(name, (*color, 1.0)) if color is not None else None


def read_gazebo(root: Element, robot: Robot, reader: Reader) -> None:
    """Add what the <gazebo> tags of a robot say to its links."""
    for element in root.all("gazebo"):
        reference = reader.text(element, "reference")
        if not reference:
            _plugins(element, None, robot, reader)
        elif reference in robot.links:
            _of_link(element, robot.links[reference], robot, reader)
        elif reference not in {node.attributes.get("name") for node in root.all("joint")}:
            names = [*robot.links, *(node.attributes.get("name", "") for node in root.all("joint"))]
            near = reader.report.hint(reference, names)
            text = f"<gazebo> refers to {shown(reference)}, which is no link or joint{near}"
            reader.warn(element, "unknown-name", text)


def _of_link(element: Element, link: Link, robot: Robot, reader: Reader) -> None:
    paint = element.first("material")
    if paint is not None and (appearance := material(paint.text.strip())):
        for shape in link.visuals:
            shape.material = shape.material or appearance
    for sensor in element.all("sensor"):
        _sensor(sensor, link, reader)
    _plugins(element, link, robot, reader)


def _sensor(element: Element, link: Link, reader: Reader) -> None:
    kind = reader.text(element, "type", None)
    make = _MAKERS.get(kind)
    if make is None:
        near = reader.report.hint(kind, _MAKERS)
        text = (
            f"sensor type {shown(kind)} has no counterpart and was ignored; known: {', '.join(_MAKERS)}{near}"
        )
        reader.warn(element, "sensor", text)
        return
    name = reader.text(element, "name", kind)
    pose = _pose(element, reader)
    for sensor in make(element, name, reader):
        sensor.pose = pose @ sensor.pose
        link.sensors.append(sensor)


def _pose(element: Element, reader: Reader) -> Pose:
    pose = element.first("pose")
    if pose is None:
        return IDENTITY
    values = reader.numbers(pose, "text", pose.text)
    if values is None or len(values) != 6:
        if values is not None:
            reader.error(pose, "value", f"<pose> has {len(values)} numbers; expected x y z roll pitch yaw")
        return IDENTITY
    return Pose(vec3(values[:3]), from_rpy(values[3:]))


def _value(element: Element, path: str, reader: Reader) -> float | None:
    """Return the number in an element below; None if there is none."""
    child = element.at(path)
    if child is None:
        return None
    values = reader.numbers(child, "text", child.text)
    if values is None or len(values) == 1:
        return values[0] if values else None
    reader.error(child, "value", f"<{child.tag}> is {shown(child.text.strip())}; expected one number")
    return None


def _given(**fields: object) -> Fields:
    """Return the fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}


def _count(value: float | None) -> int | None:
    """Return a number of pixels or rays, in the range that Webots can use."""
    return None if value is None else int(min(max(value, 1), 16384))


def _noise(element: Element, below: str, reader: Reader) -> float | None:
    """Return the standard deviation of the noise."""
    for path in (f"{below}/noise/stddev", "noise/stddev"):
        if (value := _value(element, path, reader)) is not None:
            return max(value, 0.0) or None
    return None


def _image(element: Element, name: str, reader: Reader) -> Fields:
    fov = _value(element, "camera/horizontal_fov", reader)
    return {"name": name} | _given(
        fieldOfView=None if fov is None else min(max(fov, 0.001), math.pi),
        width=_count(_value(element, "camera/image/width", reader)),
        height=_count(_value(element, "camera/image/height", reader)),
    )


def _camera(element: Element, name: str, reader: Reader) -> list[Sensor]:
    fields = _image(element, name, reader) | _given(noise=_noise(element, "camera", reader))
    near = _value(element, "camera/clip/near", reader)
    return [Sensor("Camera", fields | _given(near=near if near and near > 0 else None))]


def _ranges(near: float | None, far: float | None, clip: float | None = None) -> Fields:
    """Return the distances of a range sensor; `near` may not be larger than `minRange` (0.01 by default)."""
    least = max(near if near is not None else 0.01, 1e-4)
    fields = _given(near=min(clip if clip and clip > 0 else 0.01, least), minRange=least)
    return fields | ({"maxRange": far} if far is not None and least < far < 1e6 else {})


def _depth(element: Element, name: str, reader: Reader) -> list[Sensor]:
    near, far = (_value(element, f"camera/clip/{name}", reader) for name in ("near", "far"))
    ranges = _ranges(near, far)
    noise = _noise(element, "camera", reader)
    fields = _image(element, name, reader) | ranges
    return [Sensor("RangeFinder", fields | _given(noise=noise and noise / ranges.get("maxRange", 1.0)))]


def _lidar(element: Element, name: str, reader: Reader) -> list[Sensor]:
    """Return a lidar; a scan that is not symmetric turns it."""
    below = "lidar" if element.first("lidar") else "ray"
    low, high, rays = (
        _value(element, f"{below}/scan/horizontal/{name}", reader)
        for name in ("min_angle", "max_angle", "samples")
    )
    bottom, top, layers = (
        _value(element, f"{below}/scan/vertical/{name}", reader)
        for name in ("min_angle", "max_angle", "samples")
    )
    near, far, step = (
        _value(element, f"{below}/range/{name}", reader) for name in ("min", "max", "resolution")
    )
    ranges = _ranges(near, far)
    noise = _noise(element, below, reader)
    fields: Fields = (
        {"name": name} | ranges | _given(horizontalResolution=_count(rays), numberOfLayers=_count(layers))
    )
    fields |= _given(noise=noise and noise / ranges.get("maxRange", 1.0))
    fields |= {"resolution": step} if step and step > 0 else {}
    yaw = tilt = 0.0
    if low is not None and high is not None and low < high:
        fields["fieldOfView"], yaw = min(high - low, 2 * math.pi), (low + high) / 2
    if bottom is not None and top is not None and bottom < top:
        fields["verticalFieldOfView"], tilt = min(top - bottom, math.pi), (bottom + top) / 2
    turn = multiply(axis_angle((0.0, 0.0, 1.0), yaw), axis_angle((0.0, 1.0, 0.0), -tilt))
    return [Sensor("Lidar", fields, Pose(orientation=turn))]


def _imu_devices(name: str, noise: float | None) -> list[Sensor]:
    table = None if not noise else [(-100.0, -100.0, noise / 100), (100.0, 100.0, noise / 100)]
    return [
        Sensor("InertialUnit", {"name": f"{name} inertial"} | _given(noise=noise)),
        Sensor("Accelerometer", {"name": f"{name} accelerometer"} | _given(lookupTable=table)),
        Sensor("Gyro", {"name": f"{name} gyro"} | _given(lookupTable=table)),
    ]


def _imu(element: Element, name: str, reader: Reader) -> list[Sensor]:
    return _imu_devices(name, _noise(element, "imu", reader))


def _simple(kind: str) -> Callable[[Element, str, Reader], list[Sensor]]:
    return lambda element, name, reader: [Sensor(kind, {"name": name})]


_MAKERS: dict[str, Callable[[Element, str, Reader], list[Sensor]]] = {
    "camera": _camera,
    "wideanglecamera": _camera,
    "depth": _depth,
    "depth_camera": _depth,
    "ray": _lidar,
    "gpu_ray": _lidar,
    "lidar": _lidar,
    "gpu_lidar": _lidar,
    "imu": _imu,
    "gps": _simple("GPS"),
    "navsat": _simple("GPS"),
    "magnetometer": _simple("Compass"),
    "altimeter": _simple("Altimeter"),
}


def _plugins(element: Element, link: Link | None, robot: Robot, reader: Reader) -> None:
    """Read the sensors that are plugins: IMU, position (p3d) and force (f3d)."""
    for plugin in element.all("plugin"):
        file = plugin.attributes.get("filename", "")
        target = robot.links.get(_word(plugin, "bodyName")) or link or next(iter(robot.links.values()), None)
        noise = _value(plugin, "gaussianNoise", reader) or None
        if target is None:
            continue
        if file.startswith("libgazebo_ros_imu"):
            target.sensors += _imu_devices(_word(plugin, "topicName") or "imu", noise)
        elif file.startswith("libgazebo_ros_p3d"):
            name = _word(plugin, "topicName") or "p3d"
            inertial, _, gyro = _imu_devices(name, noise)
            target.sensors += [Sensor("GPS", {"name": f"{name} gps"}), inertial, gyro]
        elif file.startswith("libgazebo_ros_f3d"):
            target.is_force_sensor = True


def _word(element: Element, tag: str) -> str:
    """Return the text of an element below; "" if there is none."""
    child = element.first(tag)
    return child.text.strip() if child is not None else ""
