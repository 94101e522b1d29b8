"""Sample worlds end in the same state with Webots' own controller library as with ours, over both transports.

The library is found by WEBOTS_HOME (its folder holds lib/controller). It is not part of this repository, so
the comparison skips where it is absent, in continuous integration, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from sysconfig import get_path
from urllib.parse import quote

import pytest

from tests.conftest import CHECKOUT
from tests.peers.serving import dialect_of
from wbridge.hal.protocol.dialect import DIALECTS
from wbridge.running.plugin_building import build_plugin
from wbridge.wbcore.controllers.lockstep import Lockstep
from wbridge.wbcore.controllers.server import Server
from wbridge.wbcore.physics_plugins.options import PluginOptions
from wbridge.wbcore.simulation import Simulation

STEPS = 300
WORLDS = sorted(path.stem for path in (CHECKOUT / "worlds").glob("*.wbt"))


def program(name: str) -> Path:
    """The controller of a sample, in Python."""
    return CHECKOUT / "controllers" / name / f"{name}.py"


def outside(simulation: Simulation) -> dict[str, Path]:
    """Leave robots to outside controllers; return those of their programs that are in Python, by robot."""
    programs = {}
    for robot in simulation.robots:
        if program(robot.controller).is_file():
            programs[robot.name] = program(robot.controller)
            robot.node.set("controller", "<extern>")
    return programs


def state(world: str, transport: str, library: Path | None = None) -> str:
    """The state hash after some steps, or when the last controller ends; each is a process.

    Args:
        world: the name of a sample.
        transport: ipc or tcp.
        library: the Webots folder whose library the controllers use; None: they use ours.
    """
    file = CHECKOUT / "worlds" / f"{world}.wbt"
    with closing(Simulation(file, plugin=PluginOptions(build=build_plugin))) as simulation:
        if not (programs := outside(simulation)):
            pytest.skip("no controller in Python")
        return run(simulation, programs, transport, library)


def run(simulation: Simulation, programs: dict[str, Path], transport: str, library: Path | None) -> str:
    """Run a simulation with these controllers, and return its hash."""
    lockstep = Lockstep(simulation)
    for session in lockstep.sessions:
        session.expected = session.robot.name in programs
    server = Server(dialect=DIALECTS[dialect_of(library) if library else "R2025a"])
    server.serve(lockstep.sessions)
    with ExitStack() as stack:
        started = [
            stack.enter_context(start(path, name, transport, server.port, library))
            for name, path in programs.items()
        ]
        stack.callback(server.close)
        for _ in range(STEPS):
            while not lockstep.is_ready and not all(one.poll() is not None for one in started):
                server.poll(0.05)
            if lockstep.is_ready:
                lockstep.step()
        lockstep.quit()
        while any(one.poll() is None for one in started):  # Webots' library reads from a closed port for ever
            server.poll(0.05)
        return simulation.hash()


def start(path: Path, robot: str, transport: str, port: int, library: Path | None) -> subprocess.Popen[bytes]:
    """Start a controller as Webots does."""
    is_old = library is not None and dialect_of(library) == "R2023a"  # later ones encode the name themselves
    name = quote(robot) if is_old and transport == "ipc" else robot
    place = f"ipc://{port}/{name}" if transport == "ipc" else f"tcp://127.0.0.1:{port}/{name}"
    around = {"USER": "default", **os.environ, "WEBOTS_CONTROLLER_URL": place}
    package = library / "lib" / "controller" / "python" if library else CHECKOUT
    # Without -S the package that is installed here would take the place of the library's.
    around["PYTHONPATH"] = os.pathsep.join([str(package), get_path("platlib")])
    command = [sys.executable, *(["-S"] if library else []), str(path)]
    return subprocess.Popen(command, cwd=path.parent, env=around, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("transport", ["ipc", "tcp"])
@pytest.mark.parametrize("world", WORLDS)
def test_a_sample_ends_in_the_same_state_with_both_libraries(world: str, transport: str):
    home = Path(os.environ.get("WEBOTS_HOME", "") or "/nowhere")
    if not (home / "lib" / "controller").is_dir():
        pytest.skip("Webots' controller library is absent; name its folder in WEBOTS_HOME")
    assert state(world, transport, home) == state(world, transport)
