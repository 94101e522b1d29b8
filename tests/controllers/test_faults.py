"""Controllers that fail: the run goes on, says what happened, and leaves nothing behind."""

from __future__ import annotations

import logging
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.controllers.project import LOOP, Project, lose_patience, robot, steps
from wbridge.wbcore.controllers.manager import Ended

DEATH_S = 20
"""More than a process takes that was killed, and less than those of the tests would live."""
DIES = "import os, signal\nfrom controller import Robot\nrobot = Robot()\nrobot.step(16)\n"


def test_a_killed_controller_is_told_and_the_others_go_on(project: Project, caplog: pytest.LogCaptureFixture):
    project.write(
        robot("a", "dies"),
        robot("b", "short"),
        dies=f"{DIES}os.kill(os.getpid(), signal.SIGKILL)\n",
        short=steps(40),
    )
    outcome = project.run()
    assert (outcome.status, outcome.steps) == (0, 40)
    assert Ended("a", "dies", -9) in outcome.controllers
    assert 'robot "a": its controller was ended by signal 9 (SIGKILL)' in caplog.messages


def test_a_traceback_passes_through_and_the_others_go_on(
    project: Project, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
):
    project.write(robot("a", "dies"), robot("b", "short"), dies=f"{DIES}1 / 0\n", short=steps(40))
    outcome = project.run()
    assert outcome.steps == 40
    assert "ZeroDivisionError: division by zero" in capfd.readouterr().err
    assert 'robot "a": its controller ended with exit code 1' in caplog.messages


@pytest.mark.parametrize(
    ("code", "expected"),
    [("raise SystemExit(3)\n", 3), ("import nowhere\n", 1), ("print('no robot')\n", 0), ("def\n", 1)],
)
def test_a_controller_that_never_connects_is_not_waited_for(
    project: Project, code: str, expected: int, capfd: pytest.CaptureFixture[str]
):
    project.write(robot("a", "never"), robot("b", "short"), never=code, short=steps(3))
    outcome = project.run()
    assert outcome.steps == 3
    assert Ended("a", "never", expected) in outcome.controllers


def test_a_failure_can_end_the_run(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "dies"), robot("b", "loop"), dies=f"{DIES}1 / 0\n", loop=LOOP)
    assert project.run(fail_on_error=True).status == 1


def test_a_missing_controller_is_told_and_the_others_go_on(
    project: Project, caplog: pytest.LogCaptureFixture
):
    project.write(robot("a", "shor"), robot("b", "short"), short=steps(3))
    outcome = project.run()
    assert (outcome.status, outcome.steps) == (0, 3)
    assert Ended("a", "shor", None) in outcome.controllers
    (said,) = [one for one in caplog.messages if "no controller" in one]
    assert "did you mean 'short'?" in said
    assert project.run(fail_on_error=True).status == 1


def test_without_any_of_its_controllers_a_run_fails_at_once(project: Project):
    project.write(robot("a", "shor"), robot("b", "nothing"), robot("c", "<none>"), short=steps(3))
    outcome = project.run()
    assert (outcome.status, outcome.steps) == (1, 0)
    assert outcome.controllers == [Ended("a", "shor", None), Ended("b", "nothing", None)]
    assert outcome.reason == "no controller could be started"


def test_robots_that_need_no_controller_are_simulated_without(project: Project):
    project.write(robot("a", "<none>"), robot("b", "<generic>"), robot("c", ""))
    outcome = project.run(5)
    assert (outcome.status, outcome.steps) == (0, 5)


def test_who_attends_to_a_run_may_go_on_without_its_controllers(project: Project):
    project.write(robot("a", "shor"))
    with project.runner(limit=5) as runner:
        runner.on_wait = lambda: None
        assert runner.run().steps == 5


def test_a_program_that_cannot_be_executed_is_told(project: Project, caplog: pytest.LogCaptureFixture):
    project.write(robot("a", "broken"))
    project.file("broken", "broken", "#!/nowhere/at/all\n").chmod(0o755)
    project.run(2)
    assert any("broken cannot be executed: No such file" in one for one in caplog.messages)


def test_waiting_in_vain_ends_with_status_1(project: Project, caplog: pytest.LogCaptureFixture):
    project.write(
        robot("a", "never"),
        robot("b", "loop"),
        never="from controller import Robot\nrobot = Robot()\nrobot.step(16)\nwhile True: pass\n",
        loop=LOOP,
    )
    assert project.run_impatiently().status == 1
    assert any('robot "a", which makes no step' in one for one in caplog.messages)


def test_queries_without_a_step_are_no_progress(project: Project):
    query = "robot.getFromDef('A').getPosition()"
    code = f"from controller import Supervisor\nrobot = Supervisor()\nwhile True: {query}\n"
    project.write("DEF A " + robot("a", "asks", "supervisor TRUE"), asks=code)
    assert project.run(timeout_s=0.5).status == 1


def test_who_is_waited_for_is_said_after_a_while(
    project: Project, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("wbridge.wbcore.controllers.runner.PATIENCE_S", 0.1)
    caplog.set_level(logging.INFO)
    project.write(robot("a", "<extern>"))
    project.run(timeout_s=0.6)
    assert caplog.messages.count('waiting for a controller of robot "a" to connect') == 1


def test_the_others_wait_when_a_controller_from_elsewhere_has_left(
    project: Project, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    project.write(robot("a", "<extern>"), robot("b", "loop"), loop=LOOP)
    script = tmp_path / "two.py"
    script.write_text(steps(2))
    with project.runner() as runner:
        url = f"ipc://{runner.server.port}/a"
        environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "WEBOTS_CONTROLLER_URL": url}
        lose_patience(runner)
        with subprocess.Popen([sys.executable, str(script)], env=environment) as elsewhere:
            outcome = runner.run()
    assert elsewhere.returncode == 0
    assert (outcome.status, outcome.steps) == (1, 2)
    assert 'robot "a": its controller has left; the others wait until one connects again' in caplog.messages


def test_a_controller_that_does_not_end_is_stopped(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr("wbridge.wbcore.controllers.manager.GRACE_S", 0.2)
    monkeypatch.setattr("wbridge.wbcore.controllers.manager.TERMINATION_S", 0.2)
    log = tmp_path / "pid"
    stubborn = f"""
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open({str(log)!r}, "w").write(str(os.getpid()))
{LOOP}
time.sleep(60)
"""
    project.write(robot("a", "stubborn"), stubborn=stubborn)
    project.run(3)
    assert not is_running(int(log.read_text()))
    assert 'warning: robot "a": its controller did not end by itself and was stopped' in caplog.messages


def test_what_a_controller_has_started_ends_with_the_run(project: Project, tmp_path: Path):
    log = tmp_path / "pid"
    code = f"""
import subprocess
child = subprocess.Popen(["sleep", "60"])
open({str(log)!r}, "w").write(str(child.pid))
{steps(2)}
"""
    project.write(robot("a", "starts"), starts=code)
    project.run()
    assert not is_running(int(log.read_text()))


def test_a_child_that_holds_the_connection_does_not_hold_the_run(project: Project):
    """The controller has ended, but a process that it forked keeps its socket open."""
    code = f"{DIES}if os.fork() == 0:\n    import time\n    time.sleep(60)\nos._exit(5)\n"
    project.write(robot("a", "forks"), robot("b", "short"), forks=code, short=steps(30))
    outcome = project.run()
    assert outcome.steps == 30
    assert Ended("a", "forks", 5) in outcome.controllers


@pytest.mark.parametrize("prefix", [False, True])
def test_much_output_comes_whole(project: Project, prefix: bool):
    """A megabyte per step, in lines, and one line without an end."""
    code = """
from controller import Robot
robot = Robot()
for i in range(3):
    for j in range(1000):
        print(f"{i} {j} " + "x" * 1000)
    robot.step(16)
print("y" * 300000, end="")
"""
    project.write(robot("a", "talks"), talks=code)
    text = project.printed(prefix=prefix)
    assert sum(len(line) > 1000 for line in text.splitlines()) >= 3000
    assert text.count("y") == 300000
    assert ("[a] 2 999 x" in text) == prefix


def test_lines_of_several_robots_do_not_mix(project: Project):
    code = """
import sys
from controller import Robot
robot = Robot()
for i in range(200):
    sys.stdout.write(robot.getName())
    sys.stdout.write(robot.getName() + chr(10))
    robot.step(16)
"""
    project.write(*(robot(name, "talks") for name in "abc"), talks=code)
    lines = project.printed(prefix=True).splitlines()
    assert sorted(set(lines)) == ["[a] aa", "[b] bb", "[c] cc"]
    assert len(lines) == 600


@pytest.mark.parametrize("count", [16, pytest.param(50, marks=pytest.mark.slow)])
def test_many_robots(project: Project, count: int):
    project.write(*(robot(f"r{i}", "short") for i in range(count)), short=steps(4))
    outcome = project.run()
    assert outcome.steps == 4
    assert len(outcome.controllers) == count
    assert not any(one.is_error for one in outcome.controllers)


@pytest.mark.slow
def test_a_hundred_restarts_leave_nothing_behind(project: Project):
    boss = """
from controller import Supervisor
robot = Supervisor()
for _ in range(100):
    robot.step(16)
    robot.getFromDef("B").restartController()
    robot.step(16)
"""
    project.write(robot("a", "boss", "supervisor TRUE"), "DEF B " + robot("b", "loop"), boss=boss, loop=LOOP)
    files: list[int] = []
    memory: list[int] = []

    def look(simulation: object) -> None:
        files.append(len(os.listdir("/proc/self/fd")))
        memory.append(int(Path("/proc/self/statm").read_text().split()[1]))

    with project.runner(limit=200) as runner:
        runner.on_step = look
        outcome = runner.run()
    assert outcome.steps == 200
    assert max(files[50:]) <= max(files[:50])
    assert memory[-1] - memory[60] < 256, "pages"


def is_running(process: int) -> bool:
    """True when a process has not ended, nor does so as one that was killed and still has to be scheduled."""
    try:
        file = os.pidfd_open(process)
    except ProcessLookupError:
        return False
    try:
        return not select.select([file], [], [], DEATH_S)[0]
    finally:
        os.close(file)


def test_signals_are_named():
    from wbridge.wbcore.controllers.process import exit_text

    assert exit_text(3) == "ended with exit code 3"
    assert exit_text(-signal.SIGSEGV).startswith(
        "was ended by signal 11 (SIGSEGV): it accessed invalid memory"
    )
    assert exit_text(0xC0000135).startswith("was ended by Windows (0xC0000135): a library that it loads")
