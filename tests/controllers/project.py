"""Projects for tests: a world and its controllers in a folder, run in this process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

from wbridge.wbcore.controllers.output import Output
from wbridge.wbcore.controllers.runner import Outcome, Runner, RunOptions
from wbridge.wbcore.scene.load import load_world

HEADER = "#VRML_SIM R2023b utf8\n"
STEP_MS = 16
PATIENCE_S = 60
"""A test fails rather than wait longer for a controller."""
LOOP = """
from controller import Robot
robot = Robot()
while robot.step(16) != -1:
    pass
"""
"""A controller that steps until it is told to end."""


def lose_patience(runner: Runner) -> None:
    """Let a run wait for controllers only briefly after its first step; until then, starts may take long."""

    def shorten(simulation: object) -> None:
        if runner.steps:
            runner.options = replace(runner.options, timeout_s=0.3)

    runner.on_step = shorten


def steps(count: int, before: str = "", after: str = "") -> str:
    """A controller that makes a number of steps."""
    return (
        f"from controller import Robot\nrobot = Robot()\n{dedent(before)}\n"
        f"for _ in range({count}):\n    robot.step({STEP_MS})\n{dedent(after)}\n"
    )


def robot(name: str, controller: str, fields: str = "", children: str = "") -> str:
    """The text of a robot."""
    return f'Robot {{ name "{name}" controller "{controller}" {fields} children [ {children} ] }}\n'


class Project:
    """A folder with `worlds/test.wbt` and controllers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.world = folder / "worlds" / "test.wbt"
        self.outputs = 0

    def write(self, *robots: str, header: str = HEADER, **controllers: str) -> Path:
        """Write the world and Python controllers; the path of the world."""
        self.world.parent.mkdir(parents=True, exist_ok=True)
        text = f"{header}WorldInfo {{ basicTimeStep {STEP_MS} }}\n{''.join(robots)}"
        self.world.write_text(text, encoding="utf-8")
        for name, code in controllers.items():
            self.file(name, f"{name}.py", code)
        return self.world

    def file(self, controller: str, name: str, text: str) -> Path:
        """Write a file into the folder of a controller."""
        path = self.folder / "controllers" / controller / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")  # as given, on each system
        return path

    def runner(self, limit: int | None = 2000, **options: Any) -> Runner:
        """A runner of the world; controllers print into this process's own streams."""
        made = Runner(load_world(self.world), RunOptions(**{"timeout_s": PATIENCE_S, **options}))
        made.limit = limit
        return made

    def run(self, limit: int | None = 2000, **options: Any) -> Outcome:
        """Run the world to its end."""
        with self.runner(limit, **options) as runner:
            return runner.run()

    def run_impatiently(self) -> Outcome:
        """Run the world to its end, see `lose_patience`."""
        with self.runner() as runner:
            lose_patience(runner)
            return runner.run()

    def printed(self, limit: int | None = 2000, **options: Any) -> str:
        """What controllers print in a run."""
        target = self.folder / f"output{self.outputs}.txt"
        self.outputs += 1
        with target.open("wb") as file:
            self.run(
                limit, output=Output(file.fileno(), file.fileno(), options.pop("prefix", False)), **options
            )
        return target.read_text("utf-8")
