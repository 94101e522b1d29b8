"""The controllers' sources for the code panel of a page: sent to it, and written where the run allows it.

Whoever writes a controller runs programs on this machine. So pages may do that only in a run that allows it,
and only to files that controllers of the run already consist of, or to the first program of a new controller
in the project: no other folders, no links.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbridge.hal.folders import replacement
from wbridge.wbcore.controllers.search import controller_folders, existing_folder
from wbridge.wbcore.scene.places import instance_of
from wbridge.wbcore.windows.history import History
from wbridge.wbcore.windows.interventions import Done, Interventions
from wbridge.wbcore.windows.new_controller import first_program, is_controller_name
from wbridge.wbcore.windows.request_handler import WindowRequest

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.runner import Runner
    from wbridge.wbcore.robots.robot import Robot

LANGUAGES = frozenset({".py", ".c", ".h", ".cc", ".cpp", ".hpp", ".java", ".m"})
"""Suffixes of the files of controllers that pages show."""
LARGEST = 200_000
"""Maximum characters of a file; pages show no larger ones."""
NOT_ALLOWED = "changing controllers is off: start the run with --edit-controllers to allow it"


class Source(NamedTuple):
    """A file of a controller."""

    name: str
    """Below the folder of controllers."""
    controller: str
    text: str
    digest: str
    """Of its bytes; who changes the file gives that of what they have read."""
    robots: list[int]
    """Numbers of the robots that it drives."""


class CodeHandler:
    """Carries out the requests `code`, `write` and `begin` of pages."""

    def __init__(
        self,
        runner: Runner,
        folder: Path,
        interventions: Interventions,
        history: History,
        answer: Callable[[WindowRequest], Done],
        may_write: bool,
    ) -> None:
        """
        Args:
            runner: the run whose controllers are shown.
            folder: for the files of the scene, where the server finds them.
            interventions: of the run.
            history: keeps what takes a robot's controller back.
            answer: returns what tells a page how its request went.
            may_write: whether pages may change controllers.
        """
        self._runner, self._folder, self._answer, self._may_write = runner, folder, answer, may_write
        self._does, self._history = interventions, history
        self._file, self._count = "", 0

    def requests(self) -> Mapping[str, Callable[[WindowRequest], None]]:
        """Return the handlers of requests, by name."""
        return {"code": self._code, "write": self._write, "begin": self._begin}

    def shown(self) -> Mapping[str, object] | None:
        """Return the message for pages that have asked; None before."""
        return {"file": self._file, "canWrite": self._may_write} if self._file else None

    def _code(self, request: WindowRequest) -> None:
        self._renew()

    def _renew(self) -> None:
        """Write what is shown anew, for all pages; one may be reading the file before."""
        (self._folder / self._name(self._count - 1)).unlink(missing_ok=True)
        self._count += 1
        self._file = self._name(self._count)
        sources = [
            _read(name, controller, path, [robot.number for robot in self._robots(controller)])._asdict()
            for name, controller, path in self.files()
        ]
        (self._folder / self._file).write_text(json.dumps(sources), encoding="utf-8")

    def _name(self, number: int) -> str:
        return f"code-{number}-{id(self):x}.json"

    def _write(self, request: WindowRequest) -> None:
        values = request.values
        self._answer(request)(self._written(values["name"], values["text"], values["known"]))

    def _written(self, name: str, text: str, known: str) -> str:
        """Write a file and start its controllers again; return the reason if that was not possible."""
        if not self._may_write:
            return NOT_ALLOWED
        controller, path = self.file(name)
        try:
            if _digest(path.read_bytes()) != known:
                self._renew()
                return f"{name} has changed on the disk since it was shown; copy your text, then load it anew"
            _replace(path, text)
        except OSError as problem:
            return f"not written: {path}: {problem.strerror}"
        self._renew()
        for robot in self._robots(controller):
            self._runner.restart_controller(robot)
        return ""

    def _begin(self, request: WindowRequest) -> None:
        """Give a robot a controller: one of the project, or the first program of a new one."""
        if not self._may_write:
            raise ValueError(NOT_ALLOWED)
        robot, name, answer = self.robot(request.robot), request.values["name"], self._answer(request)
        if problem := self._begun(robot, name):
            answer(problem)
            return
        number = self._runner.simulation.nodes.number(instance_of(robot.node))
        act = partial(self._does.do, "set", number, "controller", -1, name)

        def done(problem: str) -> None:
            self._renew()  # the robot has the controller only now
            answer(problem)

        self._history.make(f"Set controller of {robot.name}", act, done)

    def _begun(self, robot: Robot, name: str) -> str:
        """Write a first program if the project has no controller of this name; return why that failed."""
        if not is_controller_name(name):
            return "give a name of at most 60 letters, digits, _ and -, which begins with a letter or digit"
        folders = controller_folders(self._runner.simulation.world, robot.node)
        if any((folder / name).is_dir() for folder in folders):
            return ""
        path = folders[0] / name / f"{name}.py"
        try:
            path.parent.mkdir(parents=True)
            path.write_text(first_program(robot.name, robot.table.devices), encoding="utf-8")
        except OSError as problem:
            return f"not written: {path}: {problem.strerror}"
        return ""

    def _robots(self, controller: str) -> list[Robot]:
        robots = self._runner.simulation.robots.list
        return [robot for robot in robots if str(robot.node.get("controller")) == controller]

    def robot(self, number: int) -> Robot:
        """Return the robot with a number.

        Raises:
            ValueError: there is none.
        """
        for robot in self._runner.simulation.robots.list:
            if robot.number == number:
                return robot
        raise ValueError("this robot is no longer in the world")

    def file(self, name: str) -> tuple[str, Path]:
        """Return the controller and the path of a file that is shown.

        Raises:
            ValueError: there is none.
        """
        for known, controller, path in self.files():
            if known == name:
                return controller, path
        raise ValueError(f"{name} is no file of a controller of this run")

    def files(self) -> Iterator[tuple[str, str, Path]]:
        """Iterate over name, controller and path of all files that are shown."""
        simulation = self._runner.simulation
        controllers = {str(robot.node.get("controller")): robot.node for robot in simulation.robots.list}
        for controller, node in sorted(controllers.items()):
            if Path(controller).name != controller:  # none, or a program anywhere else
                continue
            folder = existing_folder(controller, controller_folders(simulation.world, node))
            for path in [] if folder is None else sorted(folder.iterdir()):
                if path.suffix in LANGUAGES and _is_shown(path):
                    yield f"{controller}/{path.name}", controller, path


def _is_shown(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST


def _read(name: str, controller: str, path: Path, robots: list[int]) -> Source:
    data = path.read_bytes()
    return Source(name, controller, data.decode("utf-8", "replace"), _digest(data), robots)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _replace(path: Path, text: str) -> None:
    """Replace a file's text, and keep its line ends and mode."""
    is_crlf = b"\r\n" in path.read_bytes()
    lines = text.replace("\r\n", "\n")
    with replacement(path) as draft:
        draft.write_bytes((lines.replace("\n", "\r\n") if is_crlf else lines).encode("utf-8"))
        draft.chmod(path.stat().st_mode & 0o777)
