"""Windows of a robot on a wire: `wbridge remote --windows` and `wbridge window`."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, cast

from wbridge.hal.manual_guard import GuardedManualRobot
from wbridge.hal.manual_robot import ManualRobot, ManualStep, Unable
from wbridge.robot_windows.hub import PageRobot, WorldInfo
from wbridge.running.windows import Windows, own_window
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.physics.errors import WorldError
from wbridge.wbcore.remote.controller_host import HostSimulation
from wbridge.wbcore.remote.real_step import RealStep
from wbridge.wbcore.remote.trace_receiver import TraceReceiver
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import DeviceTable, device_table
from wbridge.wbcore.simulation import PluginOptions, Simulation
from wbridge.wbcore.windows.outlines import Outlines
from wbridge.wbcore.windows.remote_handler import RemoteHandler
from wbridge.wbcore.windows.remote_robot import RemoteDrivenRobot
from wbridge.wbcore.windows.remote_view import RemoteStep, RemoteView
from wbridge.wbcore.windows.simulated_view import table_data

_LOG = logging.getLogger("wbridge")
NO_SHAPE: dict[str, Any] = {"outline": [], "rays": {}}


def attach_remote(
    windows: Windows, runner: Runner, receiver: TraceReceiver, world: World, node: Node
) -> None:
    """Show a robot that its controller drives."""
    table = device_table(node, world)
    windows.hub.open(_about(table, world, node))
    hub = windows.hub
    host = cast("HostSimulation", runner.simulation).robot
    handler = RemoteHandler(
        hub, hub.take, RemoteDrivenRobot(RemoteView(table), ControllerOverride(receiver), host)
    )

    def note(step: RealStep) -> None:
        handler.note(
            RemoteStep(step.elapsed, step.periods, step.commands, step.readings, step.is_silent, step.fault)
        )

    receiver.on_step = note
    runner.on_wait = handler.poll
    windows.announce()


def attach_manual(
    windows: Windows, robot: ManualRobot | GuardedManualRobot, world: World | None, node: Node | None
) -> RemoteHandler:
    """Show a robot without a controller."""
    hub = windows.hub
    hub.open(_about(robot.table, world, node)._replace(has_pictures=True))
    windows.announce()
    driven = RemoteDrivenRobot(RemoteView(robot.table), ManualRobotControl(robot))
    return RemoteHandler(hub, hub.take, driven)


def take_manual_step(handler: RemoteHandler, step: ManualStep) -> None:
    """Apply a step to the windows."""
    handler.note(RemoteStep(step.elapsed, (), step.commands, step.readings, step.is_silent, step.fault))


def _about(table: DeviceTable, world: World | None, node: Node | None) -> WorldInfo:
    """Return the description of the robot for its pages."""
    up = "z"
    shape, window, folder = NO_SHAPE, "", None
    if world is not None and node is not None:
        up, shape = _shape(world, node)
        project = Path(world.project)
        window, folder = own_window(node, project), project / "plugins" / "robot_windows"
    robot = PageRobot(0, table.name, table.robot.type, window, table_data(table), shape)
    return WorldInfo(table.name, (robot,), {"up": up, "standing": []}, folder, is_real=True)


def _shape(world: World, node: Node) -> tuple[str, dict[str, Any]]:
    """Return the world's up axis, and the robot's outline, computed from the world's physics."""
    try:
        simulation = Simulation(world, plugin=PluginOptions(is_wanted=False))
        robot = simulation.robots.of(node)
    except WorldError as problem:
        _LOG.warning("warning: the windows do not show the robot's outline: %s", problem)
        return "z", NO_SHAPE
    outlines = Outlines(simulation)
    return str(outlines.shape()["up"]), NO_SHAPE if robot is None else outlines.robot_shape(robot)


class ControllerOverride:
    """Drives the robot through its controller's process (`wbridge.hal.gateway.manual_control`)."""

    def __init__(self, receiver: TraceReceiver) -> None:
        self._receiver = receiver

    def _request(self, **request: Any) -> None:
        if not self._receiver.request(request):
            raise ValueError("the controller is not driving the robot")

    def drive(self, on: bool) -> None:
        """Take the robot from its controller, or give it back."""
        self._request(do="drive", on=on)

    def stop(self) -> None:
        """Take the robot and stop every motor."""
        self._request(do="stop")

    def acknowledge(self) -> None:
        """Let the robot move again after a fault of its board."""
        self._request(do="acknowledge")

    def set(self, tag: int, channel: str, value: Any) -> None:
        """Set an actuator."""
        self._request(do="set", tag=tag, channel=channel, value=value)

    def enable(self, tag: int, function: str, period: int) -> None:
        """Sample a sensor."""
        self._request(do="enable", tag=tag, function=function, period=period)

    def leave(self) -> None:
        """Give it back."""
        self._receiver.request({"do": "leave"})


class ManualRobotControl:
    """Drives a robot without a controller."""

    def __init__(self, robot: ManualRobot | GuardedManualRobot) -> None:
        self._robot, self._unable = robot, Unable
        self._enabled: set[tuple[int, str]] = set()

    def drive(self, on: bool) -> None:
        """Do nothing: there is no other driver."""

    def stop(self) -> None:
        """Stop every motor."""
        self._robot.stop()

    def acknowledge(self) -> None:
        """Let the robot move again after a fault of its board."""
        self._robot.acknowledge()

    def set(self, tag: int, channel: str, value: Any) -> None:
        """Set an actuator."""
        try:
            self._robot.set(tag, channel, value)
        except self._unable as problem:
            raise ValueError(str(problem)) from None

    def enable(self, tag: int, function: str, period: int) -> None:
        """Sample a sensor."""
        try:
            self._robot.enable(tag, function, period)
        except self._unable as problem:
            raise ValueError(str(problem)) from None
        self._enabled.add((tag, function))

    def leave(self) -> None:
        """Stop the motors and disable the sensors."""
        self._robot.stop()
        enabled, self._enabled = self._enabled, set()
        for tag, function in enabled:
            self._robot.enable(tag, function, 0)
