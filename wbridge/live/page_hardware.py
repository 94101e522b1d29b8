"""The hardware map of a robot as a form in the page, and what a board gets from it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from wbridge.libcontroller.compiling import BuildError
from wbridge.live.page_bytes import PageBytes
from wbridge.live.projects import zipped
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.controllers.search import controller_folder
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import PROGRAM, checked
from wbridge.wbfirmware.building.commands import commands
from wbridge.wbfirmware.building.elf import ElfError
from wbridge.wbfirmware.building.generate import generate
from wbridge.wbfirmware.building.micropython.build import build_folder
from wbridge.wbfirmware.building.project import FirmwareError
from wbridge.wbfirmware.map.form import MapForm, boards
from wbridge.wbfirmware.map.hardware import Hardware

__all__ = ["PageHardware"]

NAME = "hardware.toml"
PROJECT = "firmware"
"""Folder of the project, which names the sketch of boards with an Arduino core."""
AVR = "simavr"
"""The emulator of boards whose programs the page can compile."""
FLASHED = ("arduino-uno", "arduino-nano")
"""Boards to whose boot loader the page writes; see `wbridge.wbfirmware.flash.stk500`."""


class PageHardware:
    """The form; its functions return JSON, as `MapForm.shown`."""

    def __init__(self, runner: Runner) -> None:
        """
        Args:
            runner: the run.
        """
        self._runner = runner
        self._folder = tempfile.TemporaryDirectory()
        self._form: MapForm | None = None
        self.program: Path | None = None
        """What the page has compiled last."""

    def close(self) -> None:
        """Remove the file."""
        self._folder.cleanup()

    def choices(self) -> str:
        """Return the robots and the boards to choose from, as JSON."""
        robots = [{"number": robot.number, "name": robot.name} for robot in self._robots()]
        return json.dumps({"robots": robots, "boards": boards()})

    def begin(self, number: int, board: str) -> str:
        """Propose a map for a robot and a board.

        Raises:
            ValueError: there is no such robot or board.
        """
        robot = next((robot for robot in self._robots() if robot.number == number), None)
        if robot is None:
            raise ValueError(f"there is no robot with number {number}")
        world = self._runner.simulation.world
        path = Path(world.path)
        file = Path(self._folder.name) / NAME
        self._form = MapForm(
            robot.table, f"../worlds/{path.name}", file, board, controller_folder(world, robot.node)
        )
        return self._shown()

    def take(self, text: str) -> str:
        """Take a whole map that a person has written."""
        self._of().take(text)
        return self._shown()

    def set(self, device: str, name: str, value: str) -> str:
        """Set a parameter of a device; `value`: as JSON.

        Raises:
            ValueError: the map cannot be changed so.
        """
        self._of().set(device, name, json.loads(value))
        return self._shown()

    def choose(self, device: str, driver: str) -> str:
        """Give a device another driver.

        Raises:
            ValueError: the driver cannot serve the device.
        """
        self._of().choose(device, driver)
        return self._shown()

    def build(self) -> bytes:
        """Return what a person takes to the board as a zip archive: the folder for a board with Python, or
        the C project.

        Raises:
            ValueError: the map or the controller has problems.
        """
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / PROJECT
            self._write(folder)
            return zipped(folder, [folder])

    def project(self) -> str:
        """Return the C project as JSON: `files`, by name; `commands`, the words of each that compiles it;
        and `ram`, where variables begin.

        Raises:
            ValueError: the map or the controller has problems.
        """
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / PROJECT
            hardware = self._write(folder)
            files = {
                file.relative_to(folder).as_posix(): file.read_text("utf-8", "surrogateescape")
                for file in folder.rglob("*")
                if file.is_file()
            }
        return json.dumps(
            {"files": files, "commands": commands(hardware), "ram": hardware.board.memory["ram"]}
        )

    def compiled(self, data: PageBytes) -> str:
        """Take the program that the page has compiled; return what a person reads about its size.

        Raises:
            ValueError: it is too large for the board.
        """
        self.program = Path(self._folder.name) / PROGRAM
        self.program.write_bytes(data.to_bytes())
        try:
            return checked(self._of().hardware(), self.program).report
        except (BuildError, ElfError) as problem:
            raise ValueError(str(problem)) from None

    def _write(self, folder: Path) -> Hardware:
        """Write the project of the map."""
        is_python = self._of().hardware().board.python is not None
        hardware = self._of().hardware(needs_controller=is_python)
        try:
            if is_python:
                build_folder(hardware, folder, overwrite=True)
            else:
                generate(hardware, folder, overwrite=True)
        except (BuildError, FirmwareError) as problem:
            raise ValueError(str(problem)) from None
        return hardware

    def _of(self) -> MapForm:
        if self._form is None:
            raise ValueError("choose a robot and a board first")
        return self._form

    def _shown(self) -> str:
        """Return the form, with how the page makes a program (`built`: "python", "avr" or "") and writes it
        (`written`: "copy", "flash" or "")."""
        shown = self._of().shown()
        name = shown["board"]
        board = load_board(name) if name else None
        built = "python" if shown["is_python"] else "avr" if board and board.emulator == AVR else ""
        written = "copy" if shown["is_python"] else "flash" if name in FLASHED else ""
        return json.dumps(shown | {"built": built, "written": written})

    def _robots(self) -> list[Robot]:
        return [robot for robot in self._runner.simulation.robots.list if robot.table.devices]
