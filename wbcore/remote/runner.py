"""Run one robot's controller while it drives the real robot; the world only provides the device table."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, cast

from wbridge.hal.link.url import without_password
from wbridge.wbcore.controllers.lockstep import Lockstep
from wbridge.wbcore.controllers.runner import REAL_TIME, Runner, RunOptions
from wbridge.wbcore.remote.controller_host import HostSimulation
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import device_table
from wbridge.wbcore.simulation import Simulation

REMOTE, TABLE = "WBRIDGE_REMOTE_CONTROL", "WBRIDGE_DEVICE_TABLE"
TRACE, MIRROR = "WBRIDGE_REMOTE_TRACE", "WBRIDGE_REMOTE_MIRROR"
"""Environment variables of the controller: see wbridge.hal.gateway."""
PROGRAM = """import sys; sys.path[:1] == [""] and sys.path.pop(0)
from wbridge.hal.gateway.start import main; sys.exit(main(sys.argv[1:]))"""
GATEWAY = (sys.executable, "-c", PROGRAM)
"""Runs the plugin of controllers that use the C library. Not `-m`, which would search modules in the
controller's folder first."""


class RemoteRun(NamedTuple):
    """The robot to drive, and how to reach it."""

    node: Node
    """The robot's built-in node."""
    plugin: str
    """Name of the remote control."""
    arg: str
    """Argument of the plugin's `start`: the address of the real robot."""
    trace: Path | None = None
    """A local socket to which the controller reports its commands and readings."""
    mirrors: bool = False
    """True if the receiver needs the encoders, which the controller may not have enabled."""


class RemoteRunner(Runner):
    """A run of one controller without a simulation."""

    ENDS_ATTENDED = True
    simulation: HostSimulation  # type: ignore[assignment]

    def __init__(self, world: World, run: RemoteRun, options: RunOptions | None = None) -> None:
        """Start the controller.

        Raises:
            OSError, UnknownRobot: as for `Runner`.
        """
        self._run = run
        super().__init__(world, replace(options or RunOptions(), speed=1.0, fail_on_error=True))

    def _open(self, world: World, controllers: Mapping[str, str], built: Simulation | None = None) -> None:
        """Start the controller; there is no simulation, so none was built before."""
        assert built is None, "nothing is simulated"
        run = self._run
        table = self.server.instance.folder / "table.json"
        table.write_text(device_table(run.node, world).canonical(), "ascii")
        variables = {REMOTE: run.arg, TABLE: str(table), **self._window_variables()}
        if run.trace is not None:
            variables[TRACE] = str(run.trace)
        if run.mirrors:
            variables[MIRROR] = "1"
        self.controllers.start_all(world, controllers, only=run.node, variables=variables, gateway=GATEWAY)
        self.simulation = HostSimulation(world, run.node, run.plugin)
        self.simulation.host = self
        self.simulation.console = self._console
        self.lockstep = Lockstep(cast("Simulation", self.simulation))
        self.controllers.attach_sessions(self.lockstep)
        self.mode_changed(REAL_TIME)

    def _awaited(self) -> str:
        """A connected controller that does not drive yet has a plugin that searches for the robot."""
        if self.simulation.robot.was_remote or not all(
            controller_session.exchange for controller_session in self.lockstep.awaited()
        ):
            return super()._awaited()
        place = f" at {without_password(self._run.arg)}" if self._run.arg else ""
        return f'robot "{self.simulation.robot.name}"{place}: its controller is looking for it'

    def _is_time(self) -> bool:
        """The plugin of the controller keeps the time while it drives."""
        if self.simulation.robot.is_remote and self._pace is not None:
            self._pace.pause()
            return True
        return super()._is_time()
