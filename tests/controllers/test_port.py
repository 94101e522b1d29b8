"""Runs as on Windows: controllers come over TCP alone, and threads watch their processes.

Judge: the same runs with local sockets, signals and files.
"""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.controllers.project import LOOP, Project, robot, steps
from wbridge.wbcore.controllers import port, process, server
from wbridge.wbcore.controllers.manager import Ended
from wbridge.wbcore.controllers.output import Output
from wbridge.wbcore.controllers.port import PortInstance, use_port
from wbridge.wbcore.controllers.windows_process import WindowsProcess

WHERE = "import os, sys\nsys.stdout.write(os.environ.get('WEBOTS_INSTANCE_PATH', 'none') + chr(10))\n"


@pytest.fixture(params=["usual", "windows"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Runs are made in both ways."""
    if request.param == "windows":
        monkeypatch.setattr(server, "_instance", PortInstance)
        monkeypatch.setattr(process, "Process", WindowsProcess)
    return str(request.param)


def test_controllers_with_the_same_name_get_a_robot_each(project: Project, system: str):
    project.write(robot("ä b", "short"), robot("ä b", "long"), short=steps(3), long=steps(8))
    outcome = project.run()
    assert (outcome.status, outcome.steps) == (0, 8)
    assert sorted(outcome.controllers) == [Ended("ä b", "long", 0), Ended("ä b", "short", 0)]


def test_lines_have_the_names_of_robots(project: Project, system: str):
    code = WHERE + steps(2, after="print('end', flush=True)")
    project.write(robot("a", "a"), robot("b", "b"), a=code, b=code)
    lines = project.printed(prefix=True).splitlines()
    assert sorted(line for line in lines if line.endswith("end")) == ["[a] end", "[b] end"]
    assert ("[a] none" in lines) is (system == "windows")


def test_the_end_of_a_controller_is_told(project: Project, system: str):
    project.write(robot("a", "fails"), robot("b", "long"), fails=steps(2, after="exit(3)"), long=steps(6))
    assert Ended("a", "fails", 3) in project.run().controllers


def test_controllers_are_told_that_the_run_ends(project: Project, system: str):
    project.write(robot("a", "loop"), loop=LOOP + "print('saved', flush=True)\n")
    assert project.printed(5) == "saved\n"


def test_a_program_that_does_not_end_is_ended(tmp_path: Path):
    output = Output()
    started = WindowsProcess([sys.executable, "-c", "while True: pass"], tmp_path, {}, output, "a")
    assert not started.look()
    started.close()
    assert started.exit_code not in (0, None)


def test_a_name_is_encoded_in_the_address():
    variables = {"WEBOTS_INSTANCE_PATH": "/folder/"}
    use_port(variables, 1234, "ä/b?")
    assert variables == {"WEBOTS_CONTROLLER_URL": "tcp://127.0.0.1:1234/%C3%A4%2Fb%3F"}


@pytest.mark.parametrize(
    ("system_name", "number", "is_taken"),
    [
        ("posix", errno.EADDRINUSE, True),
        ("posix", errno.EACCES, False),  # a port below 1024, which this user may not have
        ("nt", errno.EADDRINUSE, True),
        ("nt", errno.EACCES, True),  # another program has it for itself alone
        ("nt", errno.EADDRNOTAVAIL, False),
    ],
)
def test_which_error_says_that_a_port_is_taken(
    monkeypatch: pytest.MonkeyPatch, system_name: str, number: int, is_taken: bool
):
    monkeypatch.setattr(port, "os", SimpleNamespace(name=system_name))
    assert port.is_taken(OSError(number, "no")) is is_taken
