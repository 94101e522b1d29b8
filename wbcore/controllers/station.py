"""One robot's controller in a run: what it is, where it is found, and its process."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from wbcore.controllers.environment import add_libraries, arguments_of, environment_of
from wbcore.controllers.kinds import Program
from wbcore.controllers.runtime_ini import read_runtime_ini
from wbcore.controllers.search import EXTERN, GENERIC, NONE, controller_folders, find_program
from wbcore.scene.load import World
from wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbcore.controllers.lockstep import Seat
    from wbcore.controllers.output import Output
    from wbcore.controllers.process import Process
    from wbcore.controllers.server import Door

__all__ = ["Station"]

PYTHON = "Python"
"""Label of a kind."""


class Station:
    """The controller of one robot, from the search for it to its end."""

    def __init__(self, node: Node, world: World) -> None:
        """
        Args:
            node: the robot's built-in node.
            world: that it stands in.
        """
        self.world = world
        self.node = node
        self.robot = str(node.get("name"))
        self.seat: Seat | None = None
        self.door: Door | None = None
        self.process: Process | None = None
        self._started: tuple[Program, list[str], dict[str, str]] | None = None
        self.is_inline = False
        """It runs inside of this process, and has not ended."""
        self.is_awaited = False
        """An extern controller is to come, or is connected."""
        self.has_left = False
        """Its connection has ended while its process goes on."""
        self.is_noted = False
        """Its end has been told."""
        self.is_dismissed = False
        """It was told to end."""
        self.warnings: list[str] = []
        """What is wrong with its `runtime.ini`."""
        self.variables: dict[str, str] = {}
        """Of its environment, beside those that every controller has."""
        self.build: Callable[[Path], Path | None] | None = None
        """See `RunOptions.build`."""
        self.library: Path | None = None
        """The folder of libraries that its program lacks."""
        self.gateway: tuple[str, ...] = ()
        """The command line of a program that starts controllers that are not in Python; their own follows."""

    @property
    def controller(self) -> str:
        """The field `controller` of now."""
        return str(self.node.get("controller"))

    @property
    def is_extern(self) -> bool:
        """True when the controller is started elsewhere."""
        return self.controller == EXTERN

    @property
    def needs_none(self) -> bool:
        """True when the robot has no controller, or one that does nothing."""
        return self.controller in (*NONE, *GENERIC)

    @property
    def is_alive(self) -> bool:
        """True until the controller has ended."""
        return (
            self.is_awaited or self.is_inline or (self.process is not None and self.process.exit_code is None)
        )

    @property
    def is_working(self) -> bool:
        """True while the controller takes part, or is about to."""
        return self.is_alive and not self.has_left

    def program(self) -> Program:
        """The controller's file.

        Raises:
            CannotStart: there is none, or it cannot be built.
        """
        folders = controller_folders(self.world, self.node)
        name = self.controller
        own = next((folder / name for folder in folders if (folder / name).is_dir()), None) if name else None
        if self.build is not None and own is not None:
            self.library = self.build(own)
        return find_program(name, folders)

    def start(self, instance: Path, output: Output) -> Program:
        """Start the controller as a process; its door is open already.

        Raises:
            CannotStart: it is not found, or something that it needs is missing.
        """
        from wbcore.controllers.process import Process  # start-up: 5 ms, not for inline controllers

        program = self.program()
        command, environment = self.prepare(program, instance)
        self.process = Process(command, program.folder, environment, output, self.robot)
        self._started = program, command, environment
        self.is_noted = False
        return program

    def lacks(self) -> str:
        """What the controller that has just failed imports and its interpreter lacks; "" if nothing."""
        if self._started is None or self._started[0].kind.LABEL != PYTHON:
            return ""
        from wbcore.controllers.modules import advice, missing_modules  # start-up: 6 ms, only for messages

        program, command, environment = self._started
        python = command[: command.index(str(program.file))]
        found = missing_modules(program.file, python, environment)
        return advice(found, python[0], program.folder) if found else ""

    def prepare(self, program: Program, instance: Path) -> tuple[list[str], dict[str, str]]:
        """The command line and the environment of the controller.

        Raises:
            CannotStart: something that it needs is missing.
        """
        name = self.door.name if self.door is not None else self.robot
        environment = environment_of(program, name, instance, self.world.project)
        ini = read_runtime_ini(program.folder)
        ini.apply(environment)
        environment |= self.variables
        add_libraries(environment, program, self.world.project, self.library)
        command = [*program.kind.command(program, ini, environment), *arguments_of(self.node)]
        if program.kind.LABEL != PYTHON:
            command = [*self.gateway, *command]
        self.warnings += ini.problems
        return command, environment

    def own_variables(self, program: Program) -> dict[str, str]:
        """What `runtime.ini` changes about the environment of this process, for a controller inside of it."""
        ini = read_runtime_ini(program.folder)
        environment = dict(os.environ)
        ini.apply(environment)
        environment |= self.variables
        self.warnings += ini.problems
        return {name: value for name, value in environment.items() if os.environ.get(name) != value}

    def follow(self, seat: Seat) -> None:
        """Take the seat of the robot in the running simulation."""
        self.seat = seat
        seat.expected = self.is_working
        if self.door is not None:
            self.door.seat = seat

    def waiting_line(self, host: str, port: int) -> str:
        """How to connect an extern controller."""
        name = self.door.name if self.door is not None else self.robot
        return (
            f'robot "{self.robot}" waits for its controller; start it with '
            f'WEBOTS_CONTROLLER_URL="ipc://{port}/{name}" or "tcp://{host}:{port}/{name}"'
        )

    def waiting_for(self) -> str:
        """What the simulation waits for when it waits for this robot."""
        if self.seat is not None and self.seat.link is not None:
            return f'the controller of robot "{self.robot}", which makes no step'
        if self.process is not None:
            return f'the controller of robot "{self.robot}" (process {self.process.pid}) to connect'
        return f'a controller of robot "{self.robot}" to connect'
