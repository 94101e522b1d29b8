"""The hardware map of a robot as a form in the page, and what a board with Python gets from it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from wbridge.libcontroller.compiling import BuildError
from wbridge.live.projects import zipped
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.controllers.search import controller_folder
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbfirmware.building.micropython.build import build_folder
from wbridge.wbfirmware.building.project import FirmwareError
from wbridge.wbfirmware.map.form import MapForm, boards

__all__ = ["PageHardware"]

NAME = "hardware.toml"


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
        """Return the folder for a board with Python, as a zip archive.

        Raises:
            ValueError: the map or the controller has problems, or the board runs no Python.
        """
        hardware = self._of().hardware(needs_controller=True)
        if hardware.board.python is None:
            title = hardware.board.title
            raise ValueError(
                f"programs for {title} are compiled: download the map, and run: wbridge firmware build"
            )
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            try:
                build_folder(hardware, folder, overwrite=True)
            except (BuildError, FirmwareError) as problem:
                raise ValueError(str(problem)) from None
            return zipped(folder, [folder])

    def _of(self) -> MapForm:
        if self._form is None:
            raise ValueError("choose a robot and a board first")
        return self._form

    def _shown(self) -> str:
        return json.dumps(self._of().shown())

    def _robots(self) -> list[Robot]:
        return [robot for robot in self._runner.simulation.robots.list if robot.table.devices]
