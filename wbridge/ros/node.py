"""What the bridge needs of ROS 2, and its implementation by rclpy."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

__all__ = ["RclpyNode", "RosMissing", "RosNode"]

DEPTH = 10
"""Of the queues of publishers and subscriptions."""
MOST_CALLBACKS = 16
"""In one call of `spin`."""


class RosMissing(RuntimeError):
    """Raised if ROS 2 is not available in this Python."""


class RosNode(Protocol):
    """A node of ROS 2; `wbridge.ros.fake` has one without ROS."""

    def type(self, name: str) -> Any:
        """Return the class of messages ("sensor_msgs/msg/Range") or of services ("std_srvs/srv/SetBool")."""

    def publisher(self, type_name: str, topic: str, is_kept: bool = False) -> Callable[[object], None]:
        """Return a function that publishes messages; if kept, nodes that start later get the last one."""

    def subscribe(self, type_name: str, topic: str, callback: Callable[..., None]) -> None:
        """Call a function with each message, within `spin`."""

    def serve(self, type_name: str, name: str, callback: Callable[..., object]) -> None:
        """Answer requests with what a function of request and response returns, within `spin`."""

    def spin(self) -> None:
        """Handle what has arrived, without waiting."""

    def close(self) -> None:
        """Leave ROS."""


class RclpyNode:
    """A node of rclpy, the Python library of a ROS 2 installation."""

    def __init__(self, name: str) -> None:
        """
        Raises:
            RosMissing: rclpy cannot be imported.
        """
        try:
            self._rclpy = import_module("rclpy")
        except ImportError as problem:
            raise RosMissing(
                f"rclpy cannot be imported ({problem}): start wbridge in a terminal with ROS 2, for "
                "example by: source /opt/ros/jazzy/setup.bash"
            ) from None
        self._rclpy.init()
        self._node = self._rclpy.create_node(name)
        self._callbacks = 0

    def type(self, name: str) -> Any:
        """Return the class of messages or services."""
        package, kind, short = name.split("/")
        return getattr(import_module(f"{package}.{kind}"), short)

    def publisher(self, type_name: str, topic: str, is_kept: bool = False) -> Callable[[object], None]:
        """Return a function that publishes messages; if kept, nodes that start later get the last one."""
        quality: object = DEPTH
        if is_kept:
            qos = import_module("rclpy.qos")
            quality = qos.QoSProfile(depth=1, durability=qos.DurabilityPolicy.TRANSIENT_LOCAL)
        publish: Callable[[object], None] = self._node.create_publisher(
            self.type(type_name), topic, quality
        ).publish
        return publish

    def subscribe(self, type_name: str, topic: str, callback: Callable[..., None]) -> None:
        """Call a function with each message, within `spin`."""
        self._node.create_subscription(self.type(type_name), topic, callback, DEPTH)
        self._callbacks += 1

    def serve(self, type_name: str, name: str, callback: Callable[..., object]) -> None:
        """Answer requests with what a function returns, within `spin`."""
        self._node.create_service(self.type(type_name), name, callback)
        self._callbacks += 1

    def spin(self) -> None:
        """Handle what has arrived, without waiting; a call of rclpy handles one callback at most."""
        for _ in range(min(self._callbacks, MOST_CALLBACKS)):
            self._rclpy.spin_once(self._node, timeout_sec=0)

    def close(self) -> None:
        """Leave ROS."""
        self._node.destroy_node()
        self._rclpy.try_shutdown()
