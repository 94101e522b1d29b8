"""Manual control of a robot through its remote-control plugin, without a controller.

robot = ManualRobot(table, "wblink")
if robot.start("tcp://192.168.1.7:8080"):
    robot.enable(2, "wb_position_sensor_enable", 32)
    robot.set(1, "velocity", 3.0)
    step = robot.step(32)
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from wbridge.hal.gateway.plugin_calls import MOTORS, PluginCalls, Unable
from wbridge.hal.printable import print_problem
from wbridge.hal.remote import RemoteRobot
from wbridge.hal.remote_plugins import PluginError, create_plugin
from wbridge.hal.table import DeviceTable

__all__ = ["ManualRobot", "ManualStep", "PluginError", "Unable"]

Told = list[tuple[int, str, Any]]


class ManualStep(NamedTuple):
    """Result of a step."""

    elapsed: float
    """Duration in ms."""
    commands: Told
    """Tags, channels, values."""
    readings: Told
    is_silent: bool
    """True if the robot does not answer."""
    has_failed: bool
    """True if the plugin has lost the robot permanently."""
    fault: str = ""
    """Why the robot keeps its motors off; "" if it does not."""


class TableRobot(RemoteRobot):
    """The robot as its plugin sees it, made from the device table."""

    def __init__(self, table: DeviceTable, readings: Told, world_path: str = "") -> None:
        """
        Args:
            table: the device table of the robot.
            readings: collects the values that the plugin injects.
            world_path: the world that the table was made from; "" if unknown.
        """
        self.table: DeviceTable = table
        self._readings, self._world_path = readings, world_path

    name = property(lambda self: self.table.name)
    is_alone = property(lambda self: True)
    basic_time_step = property(lambda self: float(self.table.robot.constants["basicTimeStep"]))
    world_path = property(lambda self: self._world_path)
    number_of_devices = property(lambda self: len(self.table.devices))

    def device_name(self, tag: int) -> str:
        """The name of a device, or ""."""
        device = self.table.device(tag) if tag else None
        return device.name if device is not None else ""

    def device_type(self, tag: int) -> str:
        """The node type of a device, or ""."""
        device = self.table.device(tag) if tag else None
        return device.type if device is not None else ""

    def camera_size(self, tag: int) -> tuple[int, int]:
        """Width and height of a camera's images, in pixels.

        Raises:
            KeyError: the device is not a camera.
        """
        device = self.table.device(tag)
        if device is None or device.type != "Camera":
            raise KeyError(f"device {tag} is not a camera")
        return int(device.constants["width"]), int(device.constants["height"])

    def find(self, name: str) -> int:
        """The tag of the first device with a name, or 0."""
        device = self.table.find(name)
        return device.tag if device is not None else 0

    def inject(self, tag: int, channel: str, value: Any) -> None:
        """Store a value.

        Raises:
            KeyError: the device or channel does not exist.
        """
        device = self.table.device(tag)
        if device is None or device.channel(channel) is None:
            raise KeyError(f'the robot has no device {tag} with a channel "{channel}"')
        self._readings.append((tag, channel, value))


class ManualRobot:
    """One robot under manual control. Its motors are stopped at the start and at the end."""

    def __init__(self, table: DeviceTable, plugin: str, project: str = "", world_path: str = "") -> None:
        """
        Args:
            table: the device table of the robot.
            plugin: name of the remote control.
            project: a folder with more plugins; "" for none.
            world_path: the world that the table was made from; "" if unknown.

        Raises:
            PluginError: the plugin does not exist or does not support this robot.
        """
        self.table = table
        self._commands: Told = []
        self._readings: Told = []
        self._robot = TableRobot(table, self._readings, world_path)
        self._plugin = create_plugin(plugin, project)
        if not self._plugin.init(self._robot):
            raise PluginError(f'the remote control "{plugin}" does not support this robot')
        self._calls = PluginCalls(self._plugin, self._robot.device_type)
        self._is_silent = False

    def start(self, url: str) -> bool:
        """Connect; False if that failed, with the reason on stderr."""
        if not self._plugin.start(url):
            return False
        self.stop()
        return True

    def set(self, tag: int, channel: str, value: Any) -> None:
        """Set a channel from the next step on.

        Raises:
            Unable: the plugin does not support it, or the robot is silent: it must not start to move
                some time later.
        """
        if self._is_silent:
            raise Unable("the robot does not answer")
        self._calls.set(tag, channel, value)
        self._commands.append((tag, channel, value))

    def enable(self, tag: int, function: str, period: int) -> None:
        """Sample a sensor every `period` ms; 0 disables it.

        Raises:
            Unable: the plugin does not support it.
        """
        self._calls.set_period(tag, function, period)

    def stop(self) -> None:
        """Stop every motor."""
        for device in self.table.devices:
            if device.type in MOTORS:
                self._calls.stand(device.tag)
                self._commands += [(device.tag, "position", float("inf")), (device.tag, "velocity", 0.0)]

    def acknowledge(self) -> None:
        """Let the robot move again after a fault of its board."""
        self._plugin.resume()

    def halt(self) -> None:
        """Stop every motor at once, without a step; they stay stopped."""
        self.stop()
        self._plugin.stop_actuators()

    def step(self, period: int) -> ManualStep:
        """Wait `period` ms and collect what the robot has sent.

        Motors of a robot that falls silent get velocity 0, so that it stays stopped when it answers again.
        """
        start = time.monotonic()
        self._plugin.robot_step(period)
        time.sleep(max(0.0, start + period / 1000 - time.monotonic()))  # a simulated robot may be faster
        is_silent = self._plugin.is_silent()
        if is_silent and not self._is_silent:
            self.stop()
        self._is_silent = is_silent
        commands, readings = self._commands.copy(), self._readings.copy()
        self._commands.clear()
        self._readings.clear()
        elapsed = 1000 * (time.monotonic() - start)
        return ManualStep(
            elapsed, commands, readings, is_silent, self._plugin.has_failed(), self._plugin.fault()
        )

    def close(self) -> None:
        """Stop the robot and disconnect."""
        try:
            self._plugin.stop_actuators()
            self._plugin.stop()
            self._plugin.cleanup()
        except Exception as error:  # an error in a plugin is only reported
            print_problem(f"remote control: {type(error).__name__}: {error}")
