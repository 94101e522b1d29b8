"""A run in a web page: the simulation and its controllers in the page's Python, shown by the workbench around it.

The worker of the page calls `run`. The same runner as everywhere steps the world; where it would wait for
sockets, it gives way to the page, so that messages of the workbench are taken.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wbridge.live.deferred import allow_missing
from wbridge.live.projects import unpack as unpack_archive
from wbridge.live.projects import worlds_in

if TYPE_CHECKING:
    from robot_windows.hub import Hub
    from wbcore.controllers.runner import Outcome, Runner, RunOptions
    from wbcore.scene.load import World
    from wbcore.windows.simulation_handler import SimulationHandler

__all__ = ["run", "unpack"]

SCENES = Path("/scene")
"""Where the worker finds the files of the 3D view."""
_sessions: list[asyncio.Future[None]] = []
"""The work of the pages; the loop itself keeps no references to it."""


def unpack(data: Any, folder: str) -> str:
    """Unpack a person's project; return its folder.

    Args:
        data: JavaScript's bytes of a zip archive.
        folder: the folder to make.

    Raises:
        ProjectError: see wbridge.live.projects.
    """
    unpack_archive(data.to_bytes(), Path(folder))
    return folder


def run(folder: str, world: str, options: Mapping[str, Any]) -> str:
    """Run a world until its end; return what came of it as JSON.

    Args:
        folder: of the project.
        world: the file in it; "": its only world.
        options: `steps`: the number of steps of a run without pages, as fast as possible.

    Raises:
        ValueError: the world has errors, or there is none; the message lists them.
    """
    allow_missing()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(message)s", force=True)
    loaded = _load(Path(folder), world)
    steps = options.get("steps")
    outcome, digest = _measured(loaded, int(steps)) if steps else _shown(loaded)
    return json.dumps(
        {"hash": digest, "steps": outcome.steps, "status": outcome.status, "reason": outcome.reason}
    )


def _load(folder: Path, name: str) -> World:
    from wbcore.scene.checks import load_checked
    from wbcore.scene.load import LoadOptions

    if not name:
        found = worlds_in(folder)
        if not found:
            raise ValueError("the project has no world (.wbt)")
        name = found[0]
    if not (folder / name).is_file():
        raise ValueError(f"there is no world {name}; known: {', '.join(worlds_in(folder))}")
    world = load_checked(str(folder / name), LoadOptions(allow_missing=True))
    if world.report.errors:
        raise ValueError("\n".join(map(str, [f"{name} has errors:", *world.report.errors])))
    return world


def _options(world: World, **more: Any) -> RunOptions:
    from wbcore.controllers.runner import RunOptions
    from wbcore.scene.load import LoadOptions
    from wbcore.tables.device_tables import robots

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
    from pyodide.ffi import run_sync  # type: ignore[import-not-found]

    run_sync(asyncio.sleep(seconds))


def _measured(world: World, steps: int) -> tuple[Outcome, str]:
    """Run a number of steps without pages."""
    from wbcore.controllers.runner import Runner

    with Runner(world, _options(world)) as runner:
        runner.limit = steps
        return runner.run(), runner.simulation.hash()


def _shown(world: World) -> tuple[Outcome, str]:
    """Run for the page, until it ends the worker or a supervisor ends the simulation."""
    from robot_windows.hub import Hub
    from wbcore.controllers.output import STDERR, STDOUT, Output
    from wbcore.controllers.runner import Runner
    from wbcore.windows.simulation_handler import LogTap
    from wbridge.running.printed import Printed

    hub = Hub()
    logging.getLogger().addHandler(LogTap(hub))
    output = Output(STDOUT, STDERR, True, Printed(hub))
    with Runner(world, _options(world, speed=1.0, output=output, has_windows=True)) as runner:
        _show(runner, hub)
        return runner.run(), runner.simulation.hash()


def _show(runner: Runner, hub: Hub) -> None:
    """Connect the workbench."""
    import page  # type: ignore[import-not-found]  # the worker's functions
    from pyodide.ffi import create_proxy

    from wbcore.windows.simulation_handler import SimulationHandler
    from wbridge.live.page_connection import MessageSession
    from wbridge.running.windows import world_info

    SCENES.mkdir(exist_ok=True)

    def show(handler: SimulationHandler) -> None:
        hub.open(world_info(handler))

    handler = SimulationHandler(runner, hub, hub.take, show, SCENES)
    session = MessageSession(hub, page.send)
    page.listen(create_proxy(session.receive))
    _sessions.append(asyncio.ensure_future(session.talk()))
    page.say("open", "")
