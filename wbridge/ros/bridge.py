"""Connects a robot with ROS 2.

Each sensor publishes to /ROBOT/DEVICE, and each actuator listens to /ROBOT/DEVICE/COMMAND; see docs/ros2.md.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from wbridge.ros.actuators import COMMANDS, SWITCHES, Act
from wbridge.ros.joints import STATE, Joints
from wbridge.ros.messages import (
    Bool,
    Float64,
    Header,
    Int32,
    SetBoolRequest,
    SetBoolResponse,
    String,
    Time,
)
from wbridge.ros.sensors import camera_info, topic_of

if TYPE_CHECKING:
    from controller import Camera, Device, Receiver, Robot, Sensor
    from wbridge.ros.node import RosNode

__all__ = ["RosBridge", "ros_name"]

SET_BOOL = "std_srvs/srv/SetBool"
_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_]+")


def ros_name(name: str) -> str:
    """Return a name as ROS allows it: letters, digits and underscores, not starting with a digit."""
    allowed = _NOT_ALLOWED.sub("_", name).strip("_")
    return f"_{allowed}" if not allowed or allowed[0].isdigit() else allowed


def _obey(device: Device, act: Act, message: Bool | Float64 | Int32 | String) -> None:
    act(device, message.data)


class RosBridge:
    """One robot as a node."""

    def __init__(self, robot: Robot, node: RosNode, period_ms: int = 0) -> None:
        """Enable all sensors, and offer topics and services.

        Args:
            robot: the `controller.Robot` of this controller.
            node: of rclpy, or a fake.
            period_ms: of sensors and steps (ms); 0: the basic time step.
        """
        self._robot, self._node = robot, node
        self._period = period_ms or int(robot.getBasicTimeStep())
        self._base = f"/{ros_name(robot.getName())}"
        self._sending: list[tuple[Sensor, Callable[[], None]]] = []
        """What is published after each step, by device."""
        self._clock = node.publisher("rosgraph_msgs/msg/Clock", "/clock")
        devices = [robot.getDeviceByIndex(i) for i in range(robot.getNumberOfDevices())]
        for device in devices:
            self._add_sensor(device)
            self._add_actuator(device)
        self._joints = Joints(devices)
        if self._joints.has_sensors:
            self._publish_joints = node.publisher(STATE, f"{self._base}/joint_states")
        if self._joints.has_motors:
            node.subscribe(STATE, f"{self._base}/joint_commands", self._joints.obey)
        self._describe()

    def _describe(self) -> None:
        """Publish the URDF of the robot, for `robot_state_publisher` and RViz, which may start later."""
        description = self._node.type("std_msgs/msg/String")()
        description.data = self._robot.getUrdf()
        self._node.publisher("std_msgs/msg/String", f"{self._base}/robot_description", is_kept=True)(
            description
        )

    def _place(self, device: Device) -> str:
        return f"{self._base}/{ros_name(device.getName())}"

    # Sensors.

    def _add_sensor(self, device: Device) -> None:
        place, kind = self._place(device), type(device).__name__
        if kind == "Receiver":
            self._add_receiver(cast("Receiver", device), place)
            return
        topic = topic_of(device)
        if topic is None:
            return
        sensor = cast("Sensor", device)
        self._enable(sensor, place)
        publish = self._node.publisher(topic.type, place)

        def send() -> None:
            message = self._node.type(topic.type)()
            self._stamp(message, device.getName())
            topic.fill(device, message)
            publish(message)

        self._sending.append((sensor, send))
        if kind == "Camera":
            self._add_camera_info(cast("Camera", device), place)

    def _add_receiver(self, receiver: Receiver, place: str) -> None:
        publish = self._node.publisher("std_msgs/msg/String", place)
        self._enable(receiver, place)
        self._sending.append((receiver, lambda: self._pass_packets(receiver, publish)))

    def _add_camera_info(self, device: Camera, place: str) -> None:
        publish = self._node.publisher("sensor_msgs/msg/CameraInfo", f"{place}/camera_info")

        def send() -> None:
            message = self._node.type("sensor_msgs/msg/CameraInfo")()
            self._stamp(message, device.getName())
            camera_info(device, message)
            publish(message)

        self._sending.append((device, send))

    def _enable(self, device: Sensor, place: str) -> None:
        """Enable a sensor, and offer a service that disables it, to save time, and enables it again."""
        device.enable(self._period)

        def switch(request: SetBoolRequest, response: SetBoolResponse) -> SetBoolResponse:
            if request.data:
                device.enable(self._period)
            else:
                device.disable()
            response.success = True
            return response

        self._node.serve(SET_BOOL, f"{place}/enable", switch)

    def _pass_packets(self, device: Receiver, publish: Callable[[String], None]) -> None:
        while device.getQueueLength():
            message = self._node.type("std_msgs/msg/String")()
            message.data = bytes(device.getBytes()).decode("utf-8", "replace")
            publish(message)
            device.nextPacket()

    def _stamp(self, message: object, frame: str) -> None:
        """Set time and frame, if the message has them."""
        header: Header | None = getattr(message, "header", None)
        if header is not None:
            self._set_time(header.stamp)
            header.frame_id = frame

    def _set_time(self, stamp: Time) -> None:
        seconds = self._robot.getTime()
        whole = math.floor(seconds)
        stamp.sec = int(whole)
        stamp.nanosec = min(999_999_999, round((seconds - whole) * 1e9))

    # Actuators.

    def _add_actuator(self, device: Device) -> None:
        place, kind = self._place(device), type(device).__name__
        for command in COMMANDS.get(kind, ()):
            self._node.subscribe(command.type, f"{place}/{command.name}", partial(_obey, device, command.act))
        if kind in SWITCHES:
            name, act = SWITCHES[kind]

            def switch(request: SetBoolRequest, response: SetBoolResponse) -> SetBoolResponse:
                act(device, request.data)
                response.success = True
                return response

            self._node.serve(SET_BOOL, f"{place}/{name}", switch)

    # Steps.

    def step(self) -> bool:
        """Obey what has arrived, make a step, and publish; False after the end of the simulation."""
        self._node.spin()
        if self._robot.step(self._period) == -1:
            return False
        clock = self._node.type("rosgraph_msgs/msg/Clock")()
        self._set_time(clock.clock)
        self._clock(clock)
        for device, send in self._sending:
            if device.getSamplingPeriod():
                send()
        self._send_joints()
        return True

    def _send_joints(self) -> None:
        if not self._joints.has_sensors:
            return
        message = self._node.type(STATE)()
        if self._joints.fill(message):
            self._stamp(message, "")
            self._publish_joints(message)

    def run(self) -> None:
        """Run until the simulation ends, then close the node."""
        try:
            while self.step():
                pass
        finally:
            self._node.close()
