"""`wbridge run --windows` from the command line."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.controllers.project import LOOP, Project, robot
from tests.windows.conftest import Served
from wbridge.main import main


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tokens of tests are kept apart."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_run_says_where_its_windows_are_and_ends_at_its_limit(
    project: Project, capfd: pytest.CaptureFixture[str]
):
    project.write(robot("a", "loop"), loop="print('hello', flush=True)\n" + LOOP)
    assert main(["run", str(project.world), "--windows", "--steps", "5", "--mode", "fast"]) == 0
    captured = capfd.readouterr()
    assert "windows: http://127.0.0.1:87" in captured.err
    assert "/?token=" in captured.err
    assert captured.out.startswith("hello\n0.08 s simulated")


def test_without_controllers_none_is_started(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "loop"), loop="print('hello', flush=True)\n" + LOOP)
    arguments = ["run", str(project.world), "--windows", "--no-controllers", "--steps", "3"]
    assert main(arguments) == 0
    assert "hello" not in capfd.readouterr().out


def test_a_taken_port_is_an_error_of_input(
    project: Project, served: Served, capfd: pytest.CaptureFixture[str]
):
    project.write(robot("a", "<none>"))
    port = str(served.server.port)
    assert main(["run", str(project.world), "--port-windows", port]) == 2
    said = capfd.readouterr().err
    assert "cannot serve windows" in said
    assert "without --port-windows, the first free port is used" in said


def test_the_log_of_the_pages_does_not_tell_the_token(project: Project):
    from wbridge.robot_windows.hub import Hub
    from wbridge.wbcore.windows.simulation_handler import LogTap

    hub = Hub()
    tap = LogTap(hub)
    tap.handle(logging.makeLogRecord({"msg": "secret", "is_private": True, "levelno": logging.INFO}))
    tap.handle(logging.makeLogRecord({"msg": "seen", "levelno": logging.WARNING, "levelname": "WARNING"}))
    assert [(one["text"], one["kind"]) for one in hub.lines.read(0).items] == [("seen", "warning")]


@pytest.mark.parametrize(
    ("message", "arguments", "shown", "robot"),
    [
        ('robot "%s": its controller %s', ("a", "has left"), "its controller has left", "a"),
        ('warning: robot "%s": %s', ('b": c', "hot"), "warning: hot", 'b": c'),
        ('error: robot "%s" has no controller', ("a",), 'error: robot "a" has no controller', "a"),
        ('%s of robot "%s"', ("x", "a"), 'x of robot "a"', ""),
        ('robot "%s"', (), 'robot "%s"', ""),
    ],
)
def test_the_log_of_the_pages_knows_the_robot(message: str, arguments: tuple, shown: str, robot: str):
    """So that a robot's own window shows what is said about it, and nothing about the others."""
    from wbridge.robot_windows.hub import Hub
    from wbridge.wbcore.windows.simulation_handler import LogTap

    hub = Hub()
    record = {"msg": message, "args": arguments, "levelno": logging.INFO, "levelname": "INFO"}
    LogTap(hub).handle(logging.makeLogRecord(record))
    assert [(one["text"], one["robot"]) for one in hub.lines.read(0).items] == [(shown, robot)]
