"""Runs without sockets, as in a web page.

Judge: the same run with a server, whose state hash is the same.
"""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from tests.project.files import CHECKOUT
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import load_world

STEPS = 40


def digest(world: str, **options) -> str:
    with Runner(
        load_world(CHECKOUT / "worlds" / f"{world}.wbt"), RunOptions(inline=True, **options)
    ) as runner:
        runner.limit = STEPS
        assert runner.run().status == 0
        return runner.simulation.hash()


def test_a_run_without_sockets_is_the_same_run(monkeypatch):
    expected = digest("two_robots")

    def refuse(*_arguments):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    assert digest("two_robots", wait=time.sleep) == expected


def test_it_gives_way_where_a_server_would_wait():
    waits: list[float] = []

    def give_way(seconds: float) -> None:
        waits.append(seconds)
        time.sleep(seconds)

    digest("two_robots", speed=20.0, wait=give_way)
    assert waits
    assert all(0 <= one <= 0.5 for one in waits)


@pytest.mark.parametrize(("kind", "what"), [("intern", "not in Python"), ("extern", "extern controller")])
def test_other_programs_are_refused(kind: str, what: str):
    from wbridge.wbcore.controllers.no_server import NoServer
    from wbridge.wbcore.controllers.program_types import CannotStart

    server = NoServer(time.sleep)
    with pytest.raises(CannotStart, match=what):
        server.open_endpoint("robot", kind)
    server.close()


def test_a_controller_in_c_is_reported(tmp_path: Path, caplog):
    folder = tmp_path / "controllers" / "mine"
    folder.mkdir(parents=True)
    (tmp_path / "worlds").mkdir()
    program = folder / "mine"
    program.write_bytes(b"\x7fELF")
    program.chmod(0o755)
    world = tmp_path / "worlds" / "a.wbt"
    world.write_text('#VRML_SIM R2025a utf8\nWorldInfo {}\nRobot { name "r" controller "mine" }\n')
    with Runner(load_world(world), RunOptions(inline=True, wait=time.sleep)) as runner:
        assert runner.run().status == 1
    assert 'robot "r" has no controller: a controller that is not in Python cannot run here' in caplog.text
