"""A run in a web page: simulation and controllers in the page's Python, shown by the workbench around it.

The same runner as everywhere steps the world; where it would wait for sockets, it gives way to the page, so
that messages of the workbench are taken.
"""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import page  # type: ignore[import-not-found]  # the worker's functions
from pyodide.ffi import create_proxy, run_sync  # type: ignore[import-not-found]

from wbridge.live.page_code import CODE, ProjectCode
from wbridge.live.page_connection import MessageSession
from wbridge.live.page_port import PagePort
from wbridge.live.projects import worlds_in
from wbridge.live.real_robot import RealRobot
from wbridge.robot_windows.hub import Hub
from wbridge.running.printed import Printed
from wbridge.running.windows import world_info
from wbridge.wbcore.controllers.output import STDERR, STDOUT, Output
from wbridge.wbcore.controllers.runner import Outcome, Runner, RunOptions
from wbridge.wbcore.scene.checks import load_checked
from wbridge.wbcore.scene.load import LoadOptions, World
from wbridge.wbcore.scene.tables.device_tables import robots
from wbridge.wbcore.windows.simulation_handler import LogTap, SimulationHandler

__all__ = ["check_world", "load_of", "options_for", "run_world"]

SAMPLES = Path("/wbridge")
"""Where the worker unpacks the sample worlds, with the packages."""
SCENES = Path("/scene")
"""Where the worker finds the files of the 3D view."""
RESULT = ("hash", "steps", "status", "reason", "seconds")
"""What a page gets of runs that have ended."""
_sessions: list[asyncio.Future[None]] = []
"""The work of the pages; the loop itself keeps no references to it."""


def run_world(folder: Path, name: str, steps: int, runs: int = 1) -> str:
    """Run a world; see `wbridge.live.in_page.run`. 0 steps: with the workbench, until it ends the worker.

    `runs`: how often the steps are made, each time by a new simulation.

    Raises:
        ValueError: the world has errors, or there is none; the message lists them.
    """
    if not steps:
        return _result([_shown(load_of(folder, name))])
    return _result([_measured(load_of(folder, name), steps) for _ in range(runs)])


def _result(runs: list[tuple[Outcome, str, float]]) -> str:
    """Return what came of the last run, and how long (s) each took from its first step to the end."""
    outcome, digest, _ = runs[-1]
    result = outcome._asdict() | {"hash": digest, "seconds": [seconds for _, _, seconds in runs]}
    return json.dumps({name: result[name] for name in RESULT})


def check_world(folder: Path, name: str) -> str:
    """Return the points of an exercise; see `wbridge.live.exercise.checked`.

    Raises:
        ValueError: the project has no world, or its rubric has errors.
    """
    from wbridge.live.exercise import checked  # start-up: pages load what it needs only for exercises

    return checked(_world_file(folder, name).parent.parent)


def load_of(folder: Path, name: str) -> World:
    """Return a world of a project; "": its first one.

    Raises:
        ValueError: the world has errors, or there is none; the message lists them.
    """
    file = _world_file(folder, name)
    world = load_checked(str(file), LoadOptions(allow_missing=True))
    if world.report.errors:
        name = file.relative_to(folder).as_posix()
        raise ValueError("\n".join(map(str, [f"{name} has errors:", *world.report.errors])))
    return world


def _world_file(folder: Path, name: str) -> Path:
    """Return a world of a project; "": its first one."""
    known = worlds_in(folder)
    if not name and not known:
        raise ValueError("the project has no world (.wbt)")
    file = folder / (name or known[0])
    if not file.is_file():
        raise ValueError(f"there is no world {name}; known: {', '.join(known)}")
    return file


def options_for(world: World, **more: Any) -> RunOptions:
    """Return the options of a run in a page, and more of them."""
    extern = {str(one.get("name")) for one in robots(world.nodes) if str(one.get("controller")) == "<extern>"}
    for name in sorted(extern):
        logging.getLogger("wbridge").warning(
            'warning: robot "%s" stays without a controller: programs outside of a page cannot connect', name
        )
    return RunOptions(
        inline=True,
        wait=_give_way,
        controllers=dict.fromkeys(extern, "<none>"),
        load=LoadOptions(allow_missing=True),
        **more,
    )


def _give_way(seconds: float) -> None:
    """Let the page act, for a time or until nothing else is due."""
    run_sync(asyncio.sleep(seconds))


def _measured(world: World, steps: int) -> tuple[Outcome, str, float]:
    """Run a number of steps without pages; return also the state hash, and how long (s) it took."""
    with Runner(world, options_for(world)) as runner:
        runner.limit = steps
        return runner.run(), runner.simulation.hash(), runner.elapsed_s


def _shown(world: World) -> tuple[Outcome, str, float]:
    """Run for the page, until it ends the worker or a supervisor ends the simulation."""
    hub = Hub()
    logging.getLogger().addHandler(LogTap(hub))
    output = Output(STDOUT, STDERR, True, Printed(hub))
    with Runner(world, options_for(world, speed=1.0, output=output, has_windows=True)) as runner:
        _show(runner, hub)
        return runner.run(), runner.simulation.hash(), runner.elapsed_s


def _code(runner: Runner) -> ProjectCode:
    """Return the code that a person can change; a sample's archive leaves out what all samples share."""
    world = Path(runner.simulation.world.path)
    all_robots = [*runner.simulation.robots.list]

    def restart(name: str) -> None:
        for robot in runner.simulation.robots.list:
            if str(robot.node.get("controller")) == name:
                runner.restart_controller(robot)

    names = [str(robot.node.get("controller")) for robot in all_robots]
    project = world.parent.parent
    is_sample = project == SAMPLES
    parts = [world.parent, *(project / CODE / name for name in names)] if is_sample else [project]
    return ProjectCode(world, names, parts, restart)


def _show(runner: Runner, hub: Hub) -> None:
    """Connect the workbench."""
    SCENES.mkdir(exist_ok=True)

    def show(handler: SimulationHandler) -> None:
        hub.open(world_info(handler))

    handler = SimulationHandler(runner, hub, hub.take, show, SCENES)
    session = MessageSession(hub, page.send)
    robot = RealRobot(runner, PagePort(page.port, run_sync))
    handler.shown = robot.shown
    page.listen(*map(create_proxy, (session.receive, _code(runner), robot)))
    _sessions.append(asyncio.ensure_future(session.talk()))
    page.say("open", "")
