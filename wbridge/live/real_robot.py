"""The real robot of a run in a web page: its controller starts again, and drives the robot at the port."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from wbridge.hal.client.native import REMOTE_PLACE
from wbridge.hal.gateway.guarded_mode import make_guards
from wbridge.hal.gateway.host import Route
from wbridge.hal.gateway.in_place import GuardInPlace
from wbridge.hal.gateway.trace import trace_in_place
from wbridge.hal.link.transports import page
from wbridge.live.page_port import PagePort
from wbridge.live.twin import Twin
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.remote.real_step import RealStep
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.windows.remote_view import RemoteStep, RemoteView
from wbridge.wbcore.windows.simulated_view import SimulatedView

__all__ = ["PROTOCOLS", "RealRobot"]

PROTOCOLS = {
    "wblink": "Robot link (firmware of wbridge)",
    "epuck": "e-puck, e-puck2 (SerCom)",
    "create2": "iRobot Create 2",
    "firmata": "Board with Firmata",
}
"""What robots at a serial line speak: the plugins, and what a person calls them."""
PAUSED = 0
"""A mode of simulations."""
MODELS = {"GCtronic e-puck": "epuck", "GCtronic e-puck2": "epuck", "iRobot Create": "create2"}
"""Protocols of robots whose field `remoteControl` names none, by the field `model`."""
PLACE = "page://port?patience=86400"
"""A robot that stands still does not answer; only a person ends the connection."""


class RealRobot:
    """Connects a robot of the run with the port of the page."""

    def __init__(self, runner: Runner, port: PagePort) -> None:
        """
        Args:
            runner: the run.
            port: of the page.
        """
        self.runner, self.port = runner, port
        self._guard: GuardInPlace | None = None
        self._view: RemoteView | None = None
        self._robot: Robot | None = None
        self._twin: Twin | None = None
        port.on_event = self._take_event

    # Called by the page.

    def robots(self) -> str:
        """Return what can be connected, as JSON: robots with controllers, and protocols."""
        able = {task.robot for task in self.runner.controllers.tasks if task.is_inline}
        robots = [
            {"number": robot.number, "name": robot.name, "plugin": _plugin_of(robot)}
            for robot in self.runner.simulation.robots.list
            if robot.name in able
        ]
        protocols = [{"name": name, "title": title} for name, title in PROTOCOLS.items()]
        return json.dumps({"robots": robots, "protocols": protocols})

    def connect(self, number: int, plugin: str, baud: int) -> None:
        """Start a robot's controller again, with the real robot at the port.

        Args:
            number: of the robot.
            plugin: see `PROTOCOLS`.
            baud: speed of the line in bits per second; 0: that of the protocol.

        Raises:
            ValueError: there is no such robot or protocol.
        """
        if plugin not in PROTOCOLS:
            raise ValueError(f"there is no protocol {plugin}; there are: {', '.join(PROTOCOLS)}")
        robot = self._robot_of(number)
        page.provide(self.port.open)
        make_guards(self._make_guard)
        trace_in_place(self._take_step)
        self._robot, self._view, self._twin = robot, RemoteView(robot.table), Twin(self.runner, robot)
        self.runner.simulation.set_field(robot.node, "remoteControl", plugin)
        self._restart(robot, f"{PLACE}&baud={baud}" if baud else PLACE)

    def disconnect(self) -> None:
        """Stop the robot, and start its controller again in simulation."""
        robot, self._robot = self._robot, None
        if robot is not None:
            self._restart(robot, "")

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Pause the run: a board answers within short times, for which steps are too long."""
        simulation = self.runner.simulation
        mode = simulation.mode
        simulation.set_mode(PAUSED)
        try:
            yield
        finally:
            simulation.set_mode(mode)

    def _restart(self, robot: Robot, place: str) -> None:
        for task in self.runner.controllers.tasks:
            if task.robot == robot.name:
                task.variables = {**task.variables, REMOTE_PLACE: place}
        self.runner.restart_controller(robot)

    def _robot_of(self, number: int) -> Robot:
        for robot in self.runner.simulation.robots.list:
            if robot.number == number:
                return robot
        raise ValueError(f"there is no robot with number {number}")

    # Remote control.

    def _make_guard(
        self, simulator: Route, configuration: bytes, stop_robot: Callable[[], None]
    ) -> GuardInPlace:
        self._guard = GuardInPlace(simulator, configuration, stop_robot)
        return self._guard

    def _take_event(self, event: str) -> None:
        """The page has stopped the robot for good, or a person lets it move again."""
        if self._guard is None:
            return
        control = self._guard.robot.remote_control
        if event == "halted":
            control.abandon()
        elif control.mode is not None:
            control.mode.resume()

    # What windows show.

    def _take_step(self, step: dict[str, Any]) -> None:
        if self._view is None or self._twin is None:
            return
        if not self._view.steps:
            self.port.browser.driving()
        elapsed = float(step["elapsed"] + step["late"])
        periods, commands, readings = (step[name] for name in ("periods", "commands", "readings"))
        self._view.take(RemoteStep(elapsed, periods, commands, readings, step["silent"], step["fault"]))
        self._twin.take(RealStep(elapsed, periods, commands, readings, step["silent"], step["fault"]))

    def shown(self, view: SimulatedView, state: dict[str, Any]) -> dict[str, Any]:
        """Return the state of a robot for windows, with readings and commands of the real one."""
        if (
            self._view is None
            or self._twin is None
            or view.robot is not self._robot
            or not view.robot.is_remote
        ):
            return state
        real = self._view.values()
        acts = {**state["acts"], **real["acts"]}
        twin = self._twin.compared(real["values"])
        return {**state, "values": real["values"], "periods": real["periods"], "acts": acts, "twin": twin}


def _plugin_of(robot: Robot) -> str:
    """Return the protocol that the world names, or that of the robot's model; "" if it is unknown."""
    named = str(robot.node.get("remoteControl"))
    return named if named in PROTOCOLS else MODELS.get(str(robot.node.get("model")), "")
