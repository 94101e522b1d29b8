"""Plugins of users run in a guard, too, unless they say why not; the guard watches steps for them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.remote.between import Between
from tests.remote.emulated import REMOTE, tags
from tests.remote.test_guard import guard
from tests.waiting import wait_for
from wbridge.hal import api
from wbridge.hal.client import session
from wbridge.hal.gateway.guard import ASK_MODE, MODE, MODE_BLOCK
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.remote_plugins import is_guarded, unguarded_advice

STEP = 16
PLUGIN = """
import os, time
from wbridge.hal.remote import RemoteControl

class Plugin(RemoteControl):
    {members}

    def init(self, robot):
        self.robot = robot
        return True

    def log(self, text):
        with open(self.file, "a") as file:
            file.write(text + "\\n")

    def start(self, arg):
        self.file = arg
        self.log(f"pid {{os.getpid()}}")
        return True

    def stop(self): self.log("stop")
    def has_failed(self): return False
    def stop_actuators(self): self.log("halt")

    def robot_step(self, period):
        time.sleep(period / 1000)
        return 0

    def motor_set_velocity(self, tag, velocity): self.log(f"velocity {{velocity}}")
    def motor_set_position(self, tag, position): pass
"""
CUSTOM = "def custom_function(self, arg): return arg"


@contextmanager
def project(folder: Path, members: str = "pass") -> Iterator[Path]:
    """A robot with a plugin in its project; yields the plugin's log."""
    place = folder / "plugins" / "remote_controls" / "wire"
    place.mkdir(parents=True)
    (place / "wire.py").write_text(PLUGIN.format(members=members))
    loopback = Loopback([Peer("RotationalMotor", "motor", {"max_velocity": 10.0})])
    loopback.info = loopback.info._replace(project_path=str(folder), remote_library="wire")
    Between(loopback)
    try:
        yield folder / "log"
    finally:
        session.cleanup()


@pytest.fixture(autouse=True)
def guards(monkeypatch: pytest.MonkeyPatch, unguarded: None) -> None:
    """Guards are on."""
    monkeypatch.delenv("WBRIDGE_REMOTE_GUARD")


def drive(log: Path, velocity: float) -> None:
    """Connect, and turn the motor."""
    api.wb_robot_set_mode(REMOTE, str(log))
    assert api.wb_robot_get_mode() == REMOTE
    api.wb_motor_set_velocity(tags()["motor"], velocity)
    api.wb_robot_step(STEP)


def test_a_plugin_that_says_nothing_runs_in_a_guard(tmp_path: Path):
    with project(tmp_path) as log:
        drive(log, 3.0)
        lines = log.read_text().splitlines()
        assert lines[0].startswith("pid ")
        assert lines[0] != f"pid {os.getpid()}"
        assert "velocity 3.0" in lines
    wait_for(lambda: log.read_text().endswith("stop\n"))


def test_a_robot_without_steps_is_stopped_and_goes_on_with_the_next(tmp_path: Path):
    with project(tmp_path, "watchdog_ms = 60") as log:
        drive(log, 3.0)
        before = len(log.read_text())
        wait_for(lambda: "halt" in log.read_text()[before:])
        before = len(log.read_text())
        api.wb_robot_step(STEP)
        wait_for(lambda: "velocity 3.0" in log.read_text()[before:])


def test_a_question_for_a_sign_of_life_is_no_step(tmp_path: Path):
    with project(tmp_path, "watchdog_ms = 60") as log:
        drive(log, 3.0)
        before = len(log.read_text())

        def ask() -> str:
            assert guard().ask(MODE_BLOCK, MODE.pack(ASK_MODE) + b"\0")
            return log.read_text()[before:]

        wait_for(lambda: "halt" in ask())
        assert "velocity" not in ask()


def test_a_killed_guard_is_replaced_to_stop_the_robot(tmp_path: Path):
    with project(tmp_path) as log:
        drive(log, 3.0)
        os.kill(int(log.read_text().splitlines()[0].removeprefix("pid ")), 9)
        api.wb_robot_step(STEP)
        assert log.read_text().splitlines()[-3:] == [f"pid {os.getpid()}", "halt", "stop"]


@pytest.mark.parametrize(
    ("members", "guarded", "advised"),
    [
        ("pass", True, False),
        ("GUARDED = True\n    " + CUSTOM, True, False),
        (CUSTOM, False, True),
        ("GUARDED = False", False, True),
        ('UNGUARDED = "it stops by itself"', False, False),
    ],
)
def test_who_has_a_guard_and_who_is_named(
    tmp_path: Path, members: str, guarded: bool, advised: bool, capsys: pytest.CaptureFixture[str]
):
    with project(tmp_path, members) as log:
        assert is_guarded("wire", str(tmp_path)) == guarded
        assert bool(unguarded_advice("wire", str(tmp_path))) == advised
        drive(log, 1.0)
        own = log.read_text().startswith(f"pid {os.getpid()}\n")
        assert own != guarded
    assert ("without a guard: if the controller is killed" in capsys.readouterr().err) == advised


@pytest.mark.parametrize(
    ("name", "guarded"),
    [("epuck", True), ("wblink", False), ("wblink+camera", False), ("epuck+camera", True)],
)
def test_built_in_plugins_have_a_guard_or_a_reason(name: str, guarded: bool):
    assert is_guarded(name) == guarded
    assert unguarded_advice(name) == ""
