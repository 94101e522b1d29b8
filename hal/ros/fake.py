"""A node without ROS 2, for tests: it keeps what is published, and messages have the fields of ROS.

    node = FakeNode()
    bridge = RosBridge(Robot(), node)
    node.send("/robot/motor/set_velocity", data=3.0)
    bridge.step()
    print(node.published["/robot/sensor"][-1].data)

As in rclpy, a field accepts only values of its type, and other names are errors.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any

__all__ = ["FIELDS", "FakeNode", "Message"]

HEADER = {"stamp": "builtin_interfaces/msg/Time", "frame_id": "string"}
VECTOR = {"x": "float", "y": "float", "z": "float"}
FIELDS: dict[str, dict[str, str]] = {
    "builtin_interfaces/msg/Time": {"sec": "int", "nanosec": "int"},
    "rosgraph_msgs/msg/Clock": {"clock": "builtin_interfaces/msg/Time"},
    "std_msgs/msg/Header": HEADER,
    "std_msgs/msg/Bool": {"data": "bool"},
    "std_msgs/msg/Float64": {"data": "float"},
    "std_msgs/msg/Int32": {"data": "int"},
    "std_msgs/msg/String": {"data": "string"},
    "std_srvs/srv/SetBool_Request": {"data": "bool"},
    "std_srvs/srv/SetBool_Response": {"success": "bool", "message": "string"},
    "geometry_msgs/msg/Point": VECTOR,
    "geometry_msgs/msg/Vector3": VECTOR,
    "geometry_msgs/msg/Quaternion": {**VECTOR, "w": "float"},
    "geometry_msgs/msg/PointStamped": {"header": "std_msgs/msg/Header", "point": "geometry_msgs/msg/Point"},
    "geometry_msgs/msg/Vector3Stamped": {
        "header": "std_msgs/msg/Header",
        "vector": "geometry_msgs/msg/Vector3",
    },
    "sensor_msgs/msg/CameraInfo": {
        "header": "std_msgs/msg/Header",
        "height": "int",
        "width": "int",
        "distortion_model": "string",
        "d": "floats",
        "k": "floats",
        "r": "floats",
        "p": "floats",
    },
    "sensor_msgs/msg/Illuminance": {
        "header": "std_msgs/msg/Header",
        "illuminance": "float",
        "variance": "float",
    },
    "sensor_msgs/msg/Image": {
        "header": "std_msgs/msg/Header",
        "height": "int",
        "width": "int",
        "encoding": "string",
        "is_bigendian": "int",
        "step": "int",
        "data": "bytes",
    },
    "sensor_msgs/msg/Imu": {
        "header": "std_msgs/msg/Header",
        "orientation": "geometry_msgs/msg/Quaternion",
        "orientation_covariance": "floats",
        "angular_velocity": "geometry_msgs/msg/Vector3",
        "angular_velocity_covariance": "floats",
        "linear_acceleration": "geometry_msgs/msg/Vector3",
        "linear_acceleration_covariance": "floats",
    },
    "sensor_msgs/msg/JointState": {
        "header": "std_msgs/msg/Header",
        "name": "strings",
        "position": "floats",
        "velocity": "floats",
        "effort": "floats",
    },
    "sensor_msgs/msg/LaserScan": {
        "header": "std_msgs/msg/Header",
        **dict.fromkeys(
            ("angle_min", "angle_max", "angle_increment", "time_increment", "scan_time"), "float"
        ),
        "range_min": "float",
        "range_max": "float",
        "ranges": "floats",
        "intensities": "floats",
    },
    "sensor_msgs/msg/MagneticField": {
        "header": "std_msgs/msg/Header",
        "magnetic_field": "geometry_msgs/msg/Vector3",
        "magnetic_field_covariance": "floats",
    },
    "sensor_msgs/msg/NavSatFix": {
        "header": "std_msgs/msg/Header",
        **dict.fromkeys(("latitude", "longitude", "altitude"), "float"),
    },
    "sensor_msgs/msg/Range": {
        "header": "std_msgs/msg/Header",
        "radiation_type": "int",
        **dict.fromkeys(("field_of_view", "min_range", "max_range", "range"), "float"),
    },
}
"""The types that the bridge uses, as their .msg and .srv files declare them; without constants."""
_CHECKS: dict[str, Callable[[Any], bool]] = {
    "bool": lambda value: isinstance(value, bool),
    "int": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "float": lambda value: isinstance(value, float),
    "string": lambda value: isinstance(value, str),
    "bytes": lambda value: isinstance(value, bytes | bytearray),
    "floats": lambda value: all(isinstance(item, float) for item in value),
    "strings": lambda value: all(isinstance(item, str) for item in value),
}
_DEFAULTS: dict[str, Callable[[], Any]] = {
    "bool": bool, "int": int, "float": float, "string": str, "bytes": bytes, "floats": list, "strings": list,
}  # fmt: skip


class Message:
    """A message of a type, with default values."""

    def __init__(self, type_name: str, **values: Any) -> None:
        object.__setattr__(self, "type_name", type_name)
        for name, kind in FIELDS[type_name].items():
            made = _DEFAULTS[kind]() if kind in _DEFAULTS else Message(kind)
            object.__setattr__(self, name, made)
        for name, value in values.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        fields = FIELDS[self.type_name]
        if name not in fields:
            raise AttributeError(f"{self.type_name} has no field {name}")
        kind = fields[name]
        is_right = _CHECKS[kind](value) if kind in _CHECKS else getattr(value, "type_name", "") == kind
        if not is_right:
            raise TypeError(f"{name}: {kind} expected, not {value!r}")
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


class FakeNode:
    """A node that nobody else sees."""

    def __init__(self) -> None:
        self.published: dict[str, list[Any]] = defaultdict(list)
        """Messages by topic."""
        self.types: dict[str, str] = {}
        """Types of topics and services by name."""
        self.responses: list[Any] = []
        self._callbacks: dict[str, Callable[..., Any]] = {}
        self._waiting: deque[Callable[[], Any]] = deque()
        self.is_open = True

    def type(self, name: str) -> Any:
        """Return a function that makes messages."""
        return lambda **values: Message(name, **values)

    def publisher(self, type_name: str, topic: str, is_kept: bool = False) -> Callable[[Any], None]:
        """Return a function that keeps messages, all of them."""
        self.types[topic] = type_name

        def publish(message: Any) -> None:
            if message.type_name != type_name:
                raise TypeError(f"{topic}: {type_name} expected, not {message.type_name}")
            self.published[topic].append(message)

        return publish

    def subscribe(self, type_name: str, topic: str, callback: Callable[[Any], None]) -> None:
        """Let `send` reach a function."""
        self.types[topic], self._callbacks[topic] = type_name, callback

    def serve(self, type_name: str, name: str, callback: Callable[[Any, Any], Any]) -> None:
        """Let `request` reach a function."""
        self.types[name], self._callbacks[name] = type_name, callback

    def send(self, topic: str, **values: Any) -> None:
        """Send a message, which `spin` delivers."""
        message = Message(self.types[topic], **values)
        self._waiting.append(lambda: self._callbacks[topic](message))

    def request(self, name: str, **values: Any) -> None:
        """Call a service; `spin` appends the response to `responses`."""
        asked, answer = (
            Message(f"{self.types[name]}_{part}", **given)
            for part, given in (("Request", values), ("Response", {}))
        )
        self._waiting.append(lambda: self.responses.append(self._callbacks[name](asked, answer)))

    def spin(self) -> None:
        """Deliver what was sent."""
        while self._waiting:
            self._waiting.popleft()()

    def close(self) -> None:
        """Close the node."""
        self.is_open = False
