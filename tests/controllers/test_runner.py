"""Runs: when they end, and what supervisors and controllers make of them."""

from __future__ import annotations

import json
import logging
import socket
from functools import partial
from pathlib import Path

import pytest

from tests.controllers.project import LOOP, Project, robot, steps
from wbridge.wbcore.controllers import server
from wbridge.wbcore.controllers.instance import Instance
from wbridge.wbcore.controllers.manager import Ended, UnknownRobot
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.devices.camera import Camera
from wbridge.wbcore.world.pace import Pace

SUPERVISOR = "from controller import Supervisor\nrobot = Supervisor()\n"


def test_a_run_ends_with_its_last_controller(project: Project):
    project.write(robot("a", "short"), robot("b", "long"), short=steps(3), long=steps(8))
    outcome = project.run()
    assert (outcome.status, outcome.steps) == (0, 8)
    assert sorted(outcome.controllers) == [Ended("a", "short", 0), Ended("b", "long", 0)]


def test_a_run_ends_at_its_limit(project: Project):
    project.write(robot("a", "loop"), loop=LOOP)
    outcome = project.run(25)
    assert (outcome.status, outcome.steps, outcome.controllers) == (0, 25, [])


def test_controllers_are_told_that_the_run_ends(project: Project):
    project.write(robot("a", "loop"), loop=LOOP + "print('saved', flush=True)\n")
    assert project.printed(5) == "saved\n"


def test_quit_gives_its_status(project: Project):
    code = f"{SUPERVISOR}robot.step(16)\nrobot.simulationQuit(7)\nrobot.step(16)\nprint('end')\n"
    project.write(robot("a", "quits", "supervisor TRUE"), robot("b", "loop"), quits=code, loop=LOOP)
    outcome = project.run()
    assert (outcome.status, outcome.steps) == (7, 1)


def test_synchronous_robots_make_the_same_steps(project: Project):
    """Two robots with different control steps see the same time."""
    code = (
        "from controller import Robot\nr = Robot()\nfor _ in range({n}):\n    r.step({ms})\n"
        "print(r.getTime())\n"
    )
    project.write(robot("a", "a"), robot("b", "b"), a=code.format(n=20, ms=16), b=code.format(n=5, ms=64))
    assert sorted(project.printed().split()) == ["0.32", "0.32"]


def test_a_robot_without_synchronization_is_not_waited_for(project: Project):
    endless = "from controller import Robot\nimport time\nrobot = Robot()\nrobot.step(16)\ntime.sleep(30)\n"
    project.write(
        robot("a", "endless", "synchronization FALSE"), robot("b", "short"), endless=endless, short=steps(50)
    )
    outcome = project.run(50)
    assert outcome.steps == 50


@pytest.mark.parametrize("inline", [False, True])
def test_a_robot_without_synchronization_can_be_waited_for(project: Project, inline: bool):
    """It sees each step then, however slow it is."""
    slow = steps(20, before="import time", after="print(robot.getTime(), robot.getSynchronization())")
    slow = slow.replace("robot.step", "time.sleep(0.005); robot.step")
    project.write(robot("a", "slow", "synchronization FALSE"), robot("b", "fast"), slow=slow, fast=steps(20))
    assert project.printed(synchronous=True, inline=inline) == "0.32 False\n"
    project.write(robot("a", "slow", "synchronization FALSE"), slow=slow)
    assert project.run(synchronous=True, inline=inline).steps == 20


@pytest.mark.parametrize("inline", [False, True])
@pytest.mark.parametrize(("field", "seed", "told"), [(5, None, "5"), (5, 7, "7"), (0, None, "0")])
def test_controllers_know_the_seed_of_the_run(
    project: Project, inline: bool, field: int, seed: int | None, told: str
):
    code = steps(1, before="import os", after="print(os.environ['WBRIDGE_SEED'])")
    world = project.write(robot("a", "draws"), draws=code)
    text = world.read_text("utf-8")
    world.write_text(text.replace("WorldInfo {", f"WorldInfo {{ randomSeed {field}"), "utf-8")
    assert project.printed(seed=seed, inline=inline) == f"{told}\n"


def test_a_seed_that_is_drawn_is_told(project: Project, capfd: pytest.CaptureFixture[str]):
    world = project.write(
        robot("a", "draws"), draws=steps(1, "import os", "print(os.environ['WBRIDGE_SEED'])")
    )
    world.write_text(world.read_text("utf-8").replace("WorldInfo {", "WorldInfo { randomSeed -1"), "utf-8")
    with project.runner(None) as runner:
        runner.run()
        assert runner.simulation.physics.plan.settings.random_seed == int(capfd.readouterr().out)


@pytest.mark.parametrize("controller", ["<none>", "<generic>", "void", ""])
def test_robots_without_controllers_are_not_waited_for(project: Project, controller: str):
    project.write(robot("a", controller), robot("b", "short"), short=steps(4))
    assert project.run().steps == 4


def test_devices_load_once_for_each_world_what_they_need_while_controllers_start(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    loaded: list[str] = []

    def load(device: Camera) -> None:
        loaded.append(device.name)
        (project.folder / f"loaded{len(loaded)}").touch()

    monkeypatch.setattr("wbridge.wbcore.devices.camera.Camera.load_ahead", load)
    monkeypatch.setattr("wbridge.wbcore.controllers.runner.IDLE_S", 0.001)
    monkeypatch.setattr("wbridge.wbcore.controllers.runner.IDLE_SHARE", 0)
    # The controller starts as late as it must, however long the world takes.
    code = f"""
import pathlib, time
folder = pathlib.Path({str(project.folder)!r})
marker = folder / "once"
while not (folder / ("loaded2" if marker.exists() else "loaded1")).exists():
    time.sleep(0.001)
{SUPERVISOR}
robot.step(16)
if not marker.exists():
    marker.touch()
    robot.worldReload()
    while robot.step(16) != -1:
        pass
"""
    project.write(robot("a", "reloads", "supervisor TRUE", children='Camera { name "eye" }'), reloads=code)
    project.run()
    assert loaded == ["eye", "eye"]


def test_a_world_without_controllers_runs_to_its_limit(project: Project):
    project.write(robot("a", "<generic>"))
    outcome = project.run(12)
    assert (outcome.steps, outcome.reason) == (12, "reached the requested time")


def test_robots_of_one_name_have_a_controller_each(project: Project):
    code = steps(2, after="import sys; print(sys.argv[1])")
    project.write(*(robot("same", "short", f'controllerArgs "{i}"') for i in range(3)), short=code)
    assert sorted(project.printed().split()) == ["0", "1", "2"]


def test_reset_goes_on_with_the_controllers(project: Project):
    code = f"""{SUPERVISOR}
times = []
for i in range(4):
    robot.step(16)
    times.append(robot.getTime())
    if i == 1:
        robot.simulationReset()
print(times)
"""
    project.write(robot("a", "resets", "supervisor TRUE"), resets=code)
    times = json.loads(project.printed())
    assert times == [0.016, 0.032, pytest.approx(0.0, abs=0.016), pytest.approx(0.016, abs=0.016)]
    assert times[3] - times[2] == pytest.approx(0.016)


def test_reload_starts_the_controllers_anew(project: Project, tmp_path: Path):
    marker = tmp_path / "once"
    code = f"""{SUPERVISOR}
import pathlib
marker = pathlib.Path({str(marker)!r})
print("started at", robot.getTime(), flush=True)
robot.step(16)
if not marker.exists():
    marker.touch()
    robot.worldReload()
    while robot.step(16) != -1:
        pass
"""
    project.write(robot("a", "reloads", "supervisor TRUE"), reloads=code)
    assert project.printed() == "started at 0.0\nstarted at 0.0\n"


def test_another_world_can_be_loaded(project: Project):
    load = "robot.step(16)\nrobot.worldLoad('../../worlds/other.wbt')\n"
    code = f"{SUPERVISOR}{load}while robot.step(16) != -1: pass\n"
    project.write(robot("b", "second"), second=steps(3, after="print('second')"))
    project.world.rename(project.world.with_name("other.wbt"))
    project.write(robot("a", "first", "supervisor TRUE"), first=code)
    with project.runner() as runner:
        outcome = runner.run()
        assert runner.simulation.world.path.endswith("other.wbt")
    assert outcome.controllers == [Ended("b", "second", 0)]


def test_a_controller_can_be_restarted(project: Project, tmp_path: Path):
    log = tmp_path / "log"
    boss = f"""{SUPERVISOR}
robot.step(16)
robot.getFromDef("B").restartController()
for _ in range(5):
    robot.step(16)
"""
    once = f"open({str(log)!r}, 'a').write('started ')\n" + LOOP
    project.write(
        robot("a", "boss", "supervisor TRUE"), "DEF B " + robot("b", "worker"), boss=boss, worker=once
    )
    project.run(8)
    assert log.read_text() == "started started "


def test_another_controller_takes_over(project: Project):
    boss = f"""{SUPERVISOR}
robot.step(16)
node = robot.getFromDef("B")
node.getField("controllerArgs").insertMFString(-1, "x")
node.getField("controller").setSFString("second")
for _ in range(5):
    robot.step(16)
"""
    project.write(
        robot("a", "boss", "supervisor TRUE"),
        "DEF B " + robot("b", "first"),
        boss=boss,
        first=LOOP + "print('first')\n",
        second="import sys\nprint('second', *sys.argv[1:], flush=True)\n" + LOOP,
    )
    lines = project.printed(10).splitlines()
    assert (lines[0], lines[-1]) == ("first", "second x")


def test_a_robot_that_is_restarted_and_removed_at_once_is_gone(project: Project):
    boss = f"""{SUPERVISOR}
robot.step(16)
node = robot.getFromDef("B")
node.restartController()
node.remove()
for _ in range(5):
    robot.step(16)
"""
    project.write(robot("a", "boss", "supervisor TRUE"), "DEF B " + robot("b", "loop"), boss=boss, loop=LOOP)
    assert project.run(10).steps == 6


def test_a_robot_that_comes_gets_its_controller(project: Project):
    new = robot("new", "worker").replace("\n", "").replace('"', '\\"')
    boss = f"""{SUPERVISOR}
robot.step(16)
robot.getRoot().getField("children").importMFNodeFromString(-1, "{new}")
for _ in range(5):
    robot.step(16)
"""
    project.write(robot("a", "boss", "supervisor TRUE"), boss=boss, worker=steps(2, after="print('came')"))
    assert project.printed() == "came\n"


def test_the_controller_of_a_removed_robot_ends(project: Project):
    boss = f"""{SUPERVISOR}
robot.step(16)
robot.getFromDef("B").remove()
for _ in range(5):
    robot.step(16)
"""
    project.write(
        robot("a", "boss", "supervisor TRUE"),
        "DEF B " + robot("b", "worker"),
        boss=boss,
        worker=LOOP + "print('gone', robot.getTime())\n",
    )
    assert project.printed().startswith("gone 0.0")


def test_a_pause_that_nobody_can_end_ends_the_run(project: Project):
    pause = "robot.simulationSetMode(Supervisor.SIMULATION_MODE_PAUSE)"
    code = f"{SUPERVISOR}robot.step(16)\n{pause}\nrobot.step(16)\n"
    project.write(robot("a", "pauses", "supervisor TRUE"), pauses=code)
    outcome = project.run()
    assert (outcome.status, outcome.steps) == (0, 1)
    assert "paused" in outcome.reason


def test_other_controllers_can_be_chosen(project: Project):
    project.write(robot("a", "first"), robot("b", "<none>"), first=steps(2), second=steps(4))
    assert project.run(controllers={"b": "second"}).steps == 4
    assert project.run(controllers={"a": "second"}).steps == 4
    assert project.run(3, controllers={"a": "<none>"}).controllers == []


def test_a_controller_for_an_unknown_robot_is_refused(project: Project):
    project.write(robot("left", "first"), robot("right", "first"), first=steps(2))
    with pytest.raises(UnknownRobot, match="no robot \"lefd\".*did you mean 'left'"):
        project.run(controllers={"lefd": "first"})
    with pytest.raises(UnknownRobot, match="name one as ROBOT=first"):
        project.run(controllers={"": "first"})


def test_the_state_is_the_same_in_each_run(project: Project):
    text = 'Solid { name "ball" translation 0 0 1 boundingObject Sphere { } physics Physics { } }\n'
    project.write(text, robot("a", "short"), robot("b", "long"), short=steps(20), long=steps(33))

    def final() -> tuple[int, str]:
        with project.runner() as runner:
            return runner.run().steps, runner.simulation.hash()

    assert final() == final()
    assert final()[0] == 33


def test_console_messages_of_the_protocol_are_printed(project: Project):
    code = (
        "import wbridge.hal.api as wb\n"
        "wb.wb_robot_init()\nwb.wb_console_print('hello\\n', 1)\nwb.wb_robot_step(16)\n"
    )
    project.write(robot("a", "says"), says=code)
    assert project.printed() == "hello\n"


def test_who_is_started_is_said(project: Project, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO)
    project.write(robot("a", "short"), short=steps(1))
    project.run()
    assert any("short.py (Python)" in one for one in caplog.messages)
    assert 'robot "a": its controller ended with exit code 0' in caplog.messages


def test_a_step_can_be_begun_and_ended_apart(project: Project):
    code = """
from controller import Robot
robot = Robot()
seen = []
for _ in range(3):
    robot.stepBegin(16)
    seen.append(robot.getTime())
    robot.stepEnd()
print(seen, robot.getTime())
"""
    project.write(robot("a", "begins"), begins=code)
    assert project.printed() == "[0.0, 0.016, 0.032] 0.048\n"


def test_an_asynchronous_controller_drives_on(project: Project):
    """It gets answers while a synchronous one goes on, and its robot's steps take as long as they take."""
    free = f"{LOOP}print(robot.getTime() > 0)\n"
    code = steps(400, before="import time", after="").replace("robot.step", "time.sleep(0.001); robot.step")
    project.write(robot("a", "free", "synchronization FALSE"), robot("b", "slow"), free=free, slow=code)
    assert project.printed(400) == "True\n"


def test_the_speed_may_be_changed_by_a_supervisor(project: Project):
    code = f"""{SUPERVISOR}
print(robot.simulationGetMode() == Supervisor.SIMULATION_MODE_FAST)
robot.simulationSetMode(Supervisor.SIMULATION_MODE_REAL_TIME)
robot.step(16)
robot.step(16)
print(robot.simulationGetMode() == Supervisor.SIMULATION_MODE_REAL_TIME)
"""
    project.write(robot("a", "changes", "supervisor TRUE"), changes=code)
    assert project.printed() == "True\nTrue\n"


class Schedule(Pace):
    """A schedule that is never waited for, and tells by a file when it begins anew."""

    told: Path

    def wait_s(self) -> float:
        return 0.0

    def pause(self) -> None:
        self.told.touch()


@pytest.fixture
def schedule(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The file that such a schedule makes when it begins anew."""
    monkeypatch.setattr("wbridge.wbcore.controllers.runner.Pace", Schedule)
    monkeypatch.setattr("wbridge.wbcore.controllers.runner.MOST_LATE_S", 0.0)
    monkeypatch.setattr(Schedule, "told", tmp_path / "told", raising=False)
    return tmp_path / "told"


def test_waiting_for_a_controller_makes_no_simulation_late(project: Project, schedule: Path):
    """The schedule begins anew behind it."""
    until = f"import os, time\nwhile not os.path.exists({str(schedule)!r}): time.sleep(0.01)"
    project.write(robot("a", "slow"), slow=steps(3, before=until))
    assert project.run(speed=1.0, timeout_s=30.0).steps == 3


def test_a_controller_inside_of_the_process_is_never_waited_for(project: Project, schedule: Path):
    project.write(robot("a", "short"), short=steps(3))
    assert project.run(speed=1.0, inline=True).steps == 3
    assert not schedule.exists()


def test_the_end_of_an_inline_run_waits_for_nobody(project: Project, monkeypatch: pytest.MonkeyPatch):
    """The controllers have ended when they return from their last step."""
    project.write(robot("a", "loop"), robot("b", "loop"), loop=LOOP)
    with project.runner(inline=True) as runner:
        runner.limit = 3
        monkeypatch.setattr(runner, "end", partial(_end_without_waiting, runner, monkeypatch))
        assert runner.run().steps == 3


def _end_without_waiting(runner: Runner, monkeypatch: pytest.MonkeyPatch, status: int, reason: str) -> None:
    monkeypatch.setattr(runner.server, "poll", lambda timeout: pytest.fail(f"waits for {timeout} s"))
    Runner.end(runner, status, reason)


@pytest.mark.parametrize("inline", [False, True])
def test_a_port_on_demand_is_opened_for_processes_only(
    project: Project, monkeypatch: pytest.MonkeyPatch, inline: bool
):
    opened: list[int | None] = []

    def note(host: str, port: int | None) -> tuple[socket.socket, Instance]:
        opened.append(port)
        return open_port(host, port)

    open_port = server._open
    monkeypatch.setattr(server, "_open", note)
    project.write(robot("a", "short"), short=steps(3))
    assert project.run(inline=inline, serves_on_demand=True).steps == 3
    assert len(opened) == (0 if inline else 1)
