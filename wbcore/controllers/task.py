"""One robot's controller in a run: its file, its environment, and its process."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.hal.breakpoints import set_variables
from wbridge.hal.protocol.names import with_token
from wbridge.wbcore.controllers.environment import add_libraries, arguments_of, environment_of, set_home
from wbridge.wbcore.controllers.launcher import Launcher
from wbridge.wbcore.controllers.port import use_port
from wbridge.wbcore.controllers.program_types import Program
from wbridge.wbcore.controllers.runtime_ini import read_runtime_ini
from wbridge.wbcore.controllers.search import EXTERN, GENERIC, NONE, controller_folders, find_program
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.lockstep import ControllerSession
    from wbridge.wbcore.controllers.output import Output
    from wbridge.wbcore.controllers.process import Process
    from wbridge.wbcore.controllers.server import Endpoint

PYTHON = "Python"
"""Label of the Python program type."""


class ControllerTask:
    """Finds, starts and tracks the controller of one robot."""

    def __init__(self, node: Node, world: World) -> None:
        """
        Args:
            node: the robot's built-in node.
            world: the world of the robot.
        """
        self.world = world
        self.node = node
        self.robot = str(node.get("name"))
        self.session: ControllerSession | None = None
        self.endpoint: Endpoint | None = None
        self.process: Process | None = None
        self._started: tuple[Program, list[str], dict[str, str]] | None = None
        self.is_inline = False
        """The controller runs inside this process and has not ended."""
        self.is_awaited = False
        """An extern controller is expected or connected."""
        self.has_left = False
        """The connection is closed but the process still runs."""
        self.is_noted = False
        """The end of the controller has been reported."""
        self.is_ending = False
        """The controller was asked to end."""
        self.was_asked_to_end = False
        """The controller was connected when it was asked to end: what it returns then is no failure."""
        self.warnings: list[str] = []
        """Problems in the controller's `runtime.ini`."""
        self.variables: dict[str, str] = {}
        """Environment variables in addition to those of every controller."""
        self.build: Callable[[Path], Path | None] | None = None
        """See `RunOptions.build`."""
        self.library: Path | None = None
        """Folder of shared libraries that the program needs."""
        self.gateway: tuple[str, ...] = ()
        """Command line that starts controllers, unless they use the client in Python; theirs is appended."""

        self.launcher = Launcher()

    @property
    def controller(self) -> str:
        """Current value of the field `controller`."""
        return str(self.node.get("controller"))

    @property
    def is_extern(self) -> bool:
        """True if the user starts the controller."""
        return self.controller == EXTERN

    @property
    def needs_none(self) -> bool:
        """True if the robot has no controller or one that does nothing."""
        return self.controller in (*NONE, *GENERIC)

    @property
    def is_alive(self) -> bool:
        """True until the controller has ended."""
        return (
            self.is_awaited or self.is_inline or (self.process is not None and self.process.exit_code is None)
        )

    @property
    def is_working(self) -> bool:
        """True while the controller takes part in the simulation or is about to."""
        return self.is_alive and not self.has_left

    def program(self) -> Program:
        """Return the controller's file.

        Raises:
            CannotStart: the file does not exist or cannot be built.
        """
        folders = controller_folders(self.world, self.node)
        name = self.controller
        own = next((folder / name for folder in folders if (folder / name).is_dir()), None) if name else None
        if self.build is not None and own is not None:
            self.library = self.build(own)
        return find_program(name, folders)

    def start(self, instance: Path, output: Output, port: int | None = None) -> Program:
        """Start the controller as a process; its endpoint is open already.

        Args:
            instance: folder of the running simulation.
            output: where it prints.
            port: of the simulation, if controllers connect to it alone.

        Raises:
            CannotStart: the controller or something it needs is missing.
        """
        if sys.platform == "win32":
            from wbridge.wbcore.controllers.windows_process import (
                WindowsProcess as Process,  # start-up: as below
            )
        else:
            from wbridge.wbcore.controllers.process import Process  # start-up: 5 ms, not for inline ones

        program = self.program()
        command, environment = self.prepare(program, instance)
        line = [*self.launcher.command, *command]
        if port is not None:
            use_port(environment, port, self.endpoint.name if self.endpoint is not None else self.robot)
        around = self.launcher.environment(environment, self._socket_folders())
        self.process = Process(line, program.folder, around, output, self.robot)
        self._started = program, command, environment
        self.is_noted = False
        return program

    def _socket_folders(self) -> list[Path]:
        sockets = [] if self.endpoint is None else self.endpoint.sockets
        return [Path(socket.getsockname()).parent for socket in sockets]

    def lacks(self) -> str:
        """Return advice on modules that a failed controller imports but its interpreter lacks; "" if none."""
        # The interpreter is asked, which a controller may choose: not outside of a sandbox.
        if self._started is None or self._started[0].type.LABEL != PYTHON or self.launcher.is_sandbox:
            return ""
        from wbridge.wbcore.controllers.modules import (  # start-up: 6 ms, only for messages
            advice,
            advice_on_old,
            missing_modules,
            old_packages,
        )

        program, command, environment = self._started
        if old := old_packages(program.file):
            return advice_on_old(old, program.folder)
        begin = len(self.gateway) if command[: len(self.gateway)] == [*self.gateway] else 0
        python = command[begin : command.index(str(program.file))]
        found = missing_modules(program.file, python, environment)
        return advice(found, python[0], program.folder) if found else ""

    def prepare(self, program: Program, instance: Path) -> tuple[list[str], dict[str, str]]:
        """Return the command line and the environment of the controller.

        Raises:
            CannotStart: something the controller needs is missing.
        """
        name = self.endpoint.name if self.endpoint is not None else self.robot
        environment = environment_of(program, name, instance, self.world.project)
        ini = read_runtime_ini(program.folder)
        ini.apply(environment)
        environment |= self.variables
        add_libraries(environment, program, self.world.project, self.library)
        command = [*program.type.command(program, ini, environment), *arguments_of(self.node)]
        command = [*self.gateway, *command]
        self.warnings += ini.problems
        return command, environment

    def own_variables(self, program: Program) -> dict[str, str]:
        """Return the environment variables of an inline controller that differ from those of this process."""
        ini = read_runtime_ini(program.folder)
        environment = dict(os.environ)
        set_variables(environment)
        set_home(environment)
        ini.apply(environment)
        environment |= self.variables
        self.warnings += ini.problems
        return {name: value for name, value in environment.items() if os.environ.get(name) != value}

    def follow(self, session: ControllerSession) -> None:
        """Use this session of the running simulation."""
        self.session = session
        session.expected = self.is_working
        if self.endpoint is not None:
            self.endpoint.session = session

    def waiting_line(self, host: str, port: int, token: str) -> str:
        """Return a line that explains how to connect an extern controller; token: see `Admission`."""
        name = self.endpoint.name if self.endpoint is not None else self.robot
        return (
            f'robot "{self.robot}" waits for its controller; start it with '
            f'WEBOTS_CONTROLLER_URL="ipc://{port}/{name}" or "tcp://{host}:{port}/{with_token(name, token)}"'
        )

    def waiting_for(self) -> str:
        """Describe what the simulation waits for when it waits for this robot."""
        if self.session is not None and self.session.exchange is not None:
            return f'the controller of robot "{self.robot}", which makes no step'
        if self.process is not None:
            return f'the controller of robot "{self.robot}" (process {self.process.pid}) to connect'
        return f'a controller of robot "{self.robot}" to connect'
