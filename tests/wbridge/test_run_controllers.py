"""`wbridge run` with controllers: what it says, its exit codes, its options."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.controllers.project import LOOP, Project, robot, steps
from tests.controllers.test_faults import is_running
from wbridge.main import main
from wbridge.wbcore.controllers.instance import TEMPORARY

ROOT = Path(__file__).parents[2]
GPS = 'GPS { name "gps" }'
MOTOR = """
HingeJoint {
  jointParameters HingeJointParameters { axis 0 0 1 }
  device [ RotationalMotor { name "motor" } PositionSensor { name "angle" } ]
  endPoint Solid { boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } }
}
"""
DRIVE = """
from controller import Robot
robot = Robot()
motor, angle = robot.getDevice("motor"), robot.getDevice("angle")
angle.enable(16)
motor.setPosition(float("inf"))
motor.setVelocity(2)
for _ in range(10):
    robot.step(16)
"""
SUMMARY = re.compile(r"^([\d.]+) s simulated in \S+ s, \S+ times real time; state hash ([0-9a-f]{16})$")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def run(project: Project, *options: str) -> int:
    return main(["run", str(project.world), "--timeout", "60", *options])


def test_the_first_line_says_what_was_chosen_and_the_last_what_came_out(
    project: Project, capfd: pytest.CaptureFixture[str]
):
    project.write(robot("a", "short"), short=steps(10, after="print('hello')"))
    assert run(project, "--seed", "3") == 0
    out, err = capfd.readouterr()
    findings, first, second, *_ = err.splitlines()
    assert findings.startswith(f"{project.world}: 1 warning; for details: wbridge check ")  # no Viewpoint
    assert first == (
        f"{project.world}: steps of 16 ms, until all controllers have ended (10 s if there are none), "
        "seed 3, as fast as possible; 1 robot"
    )
    assert second == f'robot "a": {project.folder}/controllers/short/short.py (Python)'
    said, last = out.splitlines()
    assert said == "hello"
    found = SUMMARY.match(last)
    assert found is not None
    assert found[1] == "0.16"


@pytest.mark.parametrize(("options", "steps_made"), [(["--steps", "7"], 7), (["--duration", "0.32"], 20)])
def test_the_length_can_be_limited(
    project: Project, options: list[str], steps_made: int, capfd: pytest.CaptureFixture[str]
):
    project.write(robot("a", "loop"), loop=LOOP)
    assert run(project, "--json", *options) == 0
    result = json.loads(capfd.readouterr().out)
    assert (result["steps"], result["reason"]) == (steps_made, "reached the requested time")


def test_json_keeps_stdout_for_the_result(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "short"), robot("b", "short"), short=steps(2, after="print('hello')"))
    assert run(project, "--json") == 0
    out, err = capfd.readouterr()
    result = json.loads(out)
    assert result["controllers"] == 2 * [{"robot": "a", "controller": "short", "exit_code": 0}] or {
        one["robot"] for one in result["controllers"]
    } == {"a", "b"}
    assert err.count("hello\n") == 2


def test_quiet_passes_output_of_controllers_on(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "short"), short=steps(2, after="print('hello')"))
    assert run(project, "--quiet") == 0
    assert capfd.readouterr() == ("hello\n", "")


@pytest.mark.parametrize("where", [[], ["--inline"]])
def test_prefixes_name_the_robot(project: Project, where: list[str], capfd: pytest.CaptureFixture[str]):
    code = steps(2, after="import sys; print('hello'); print('wrong', file=sys.stderr)")
    project.write(robot("a", "short"), short=code)
    assert run(project, "--prefix", "--quiet", *where) == 0
    assert capfd.readouterr() == ("[a] hello\n", "[a] wrong\n")


def test_inline_comes_to_the_same(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "drive", children=MOTOR), robot("b", "short"), drive=DRIVE, short=steps(15))
    results = []
    for options in ([], ["--inline"]):
        assert run(project, "--json", *options) == 0
        results.append(json.loads(capfd.readouterr().out))
    assert results[0]["hash"] == results[1]["hash"]
    assert results[0]["steps"] == results[1]["steps"] == 15


def test_the_status_of_simulation_quit_is_the_exit_code(project: Project):
    code = (
        "from controller import Supervisor\ns = Supervisor()\ns.step(16)\ns.simulationQuit(9)\ns.step(16)\n"
    )
    project.write(robot("a", "quits", "supervisor TRUE"), quits=code)
    assert run(project, "--quiet") == 9


def test_errors_of_controllers_can_be_the_exit_code(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "fails"), fails=steps(2, after="1 / 0"))
    assert run(project) == 0
    assert "ZeroDivisionError" in capfd.readouterr().err
    assert run(project, "--fail-on-controller-error") == 1


def test_waiting_in_vain_is_exit_code_1(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a b", "<extern>"))
    assert main(["run", str(project.world), "--timeout", "0.1"]) == 1
    err = capfd.readouterr().err
    assert re.search(
        r'WEBOTS_CONTROLLER_URL="ipc://\d+/a b" or "tcp://127.0.0.1:\d+/a b\?token=[\w-]{16}"', err
    )
    assert 'gave up after 0.1 s of waiting for a controller of robot "a b" to connect' in err


def test_the_token_can_be_chosen(
    project: Project, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    project.write(robot("a b", "<extern>"))
    monkeypatch.setenv("WBRIDGE_CONTROLLER_TOKEN", "short")
    assert main(["run", str(project.world), "--timeout", "0.1"]) == 2
    said = capfd.readouterr().err
    assert "WBRIDGE_CONTROLLER_TOKEN has 5 characters; expected at least 16" in said and "short" not in said
    monkeypatch.setenv("WBRIDGE_CONTROLLER_TOKEN", "a-token-of-my-own")
    assert main(["run", str(project.world), "--timeout", "0.1"]) == 1
    assert "/a b?token=a-token-of-my-own" in capfd.readouterr().err
    assert main(["run", str(project.world), "--timeout", "0.1", "--token", "never"]) == 1
    assert "token=" not in capfd.readouterr().err


def test_controllers_can_be_chosen(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "first"), first=steps(2), second=steps(5))
    assert run(project, "--json", "--controller", "second") == 0
    assert json.loads(capfd.readouterr().out)["steps"] == 5
    path = project.folder / "controllers" / "second" / "second.py"
    assert run(project, "--json", "--controller", f"a={path}") == 0
    assert json.loads(capfd.readouterr().out)["steps"] == 5


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--controller", "x=first"], 'no robot "x"; the robots are "a"'),
        (["--host", "203.0.113.7"], "cannot listen for controllers (203.0.113.7)"),
        (["--host", "0.0.0.0", "--token", "never"], "everybody who reaches 0.0.0.0 could drive robots"),
        (["--host", "nowhere.invalid"], "--host must be an address of this machine"),
        (["--record", "absent/trace.csv"], "folder absent does not exist"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    project: Project, options: list[str], said: str, capfd: pytest.CaptureFixture[str]
):
    project.write(robot("a", "first"), first=steps(2))
    assert run(project, *options) == 2
    assert said in capfd.readouterr().err


@pytest.mark.parametrize(
    "options",
    [
        *(["--speed", "0"], ["--speed", "x"], ["--port", "0"], ["--port", "65536"], ["--mode", "slow"]),
        *(["--controller", "=x"], ["--timeout", "-1"], ["--dialect", "R2020a"]),
    ],
)
def test_values_are_checked(project: Project, options: list[str], capfd: pytest.CaptureFixture[str]):
    project.write()
    with pytest.raises(SystemExit) as caught:
        run(project, *options)
    assert caught.value.code == 2
    assert options[0] in capfd.readouterr().err


def test_a_trace_holds_poses_commands_and_readings(project: Project, tmp_path: Path):
    project.write(robot("a", "drive", children=MOTOR), drive=DRIVE)
    target = tmp_path / "trace.csv"
    assert run(project, "--quiet", "--record", str(target)) == 0
    with target.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 11
    assert [float(one["time"]) for one in rows[:3]] == [0, 0.016, 0.032]
    assert rows[0]["a/motor.set_velocity"] == ""
    assert float(rows[1]["a/motor.set_velocity"]) == 2
    assert float(rows[1]["a/motor.set_position"]) == float("inf")
    angles = [float(one["a/angle.value"]) for one in rows[1:]]
    assert angles[-1] == pytest.approx(2 * 0.16, rel=0.02)
    assert "a/Solid.qw" in rows[0]


def test_an_archive_holds_them_as_arrays(project: Project, tmp_path: Path):
    project.write(robot("a", "short", children=GPS), short=steps(4, "robot.getDevice('gps').enable(32)"))
    target = tmp_path / "trace.npz"
    assert run(project, "--quiet", "--record", str(target)) == 0
    with np.load(target) as archive:
        columns = archive["columns"].tolist()
        assert columns[:4] == [f"a/gps.{one}" for one in ("position.x", "position.y", "position.z", "speed")]
        assert archive["values"].shape == (5, len(columns))
        assert np.isnan(archive["values"][:, 0]).tolist() == [True, True, False, False, False]


def test_recording_changes_nothing(project: Project, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "drive", children=MOTOR), drive=DRIVE)
    run(project, "--json")
    run(project, "--json", "--record", str(tmp_path / "a.csv"))
    first, second = re.findall('"hash": "(.*)"', capfd.readouterr().out)
    assert first == second


def test_real_time_takes_its_time(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "short"), short=steps(30))
    for _ in range(20):  # on a machine that others load a run may be slower, but never faster
        assert run(project, "--json", "--speed", "2") == 0
        factor = json.loads(capfd.readouterr().out)["speed_factor"]
        assert factor <= 2.1
        if factor > 1.5:
            return
    pytest.fail("no run kept to the pace")


def test_robots_that_are_not_waited_for_are_named(project: Project, capfd: pytest.CaptureFixture[str]):
    free = [robot(f"r{number}", "short", "synchronization FALSE") for number in range(7)]
    project.write(*free, robot("b", "short"), short=steps(2))
    assert run(project) == 0
    said = 'not synchronized (synchronization FALSE): "r0", "r1", "r2", "r3", "r4", ...; results differ'
    assert said in capfd.readouterr().err
    hashes = set()
    for _ in range(2):
        assert run(project, "--synchronous", "--json") == 0
        out, err = capfd.readouterr()
        assert "not waited for" not in err
        hashes.add(json.loads(out)["hash"])
    assert len(hashes) == 1


def test_what_helps_is_said_when_controllers_fail(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "fails"), robot("b", "short"), fails="raise SystemExit(2)\n", short=steps(2))
    assert run(project, "--json") == 0
    out, err = capfd.readouterr()
    assert "1 controller failed. Exit code is 0; use --fail-on-controller-error to return 1." in err
    assert json.loads(out)["reason"] == "all controllers have ended"


def test_real_time_is_named_once_after_a_fast_run_with_wall_clock_time(
    project: Project, capfd: pytest.CaptureFixture[str]
):
    sleeping = "import time\n" + steps(2) + "time.sleep(0)\n"
    project.write(
        robot("a", "short"), robot("b", "sleeps"), robot("c", "sleeps"), short=steps(2), sleeps=sleeping
    )
    for options, times in (((), 1), (("--inline",), 1), (("--mode", "realtime"), 0)):
        assert run(project, *options) == 0
        err = capfd.readouterr().err
        assert err.count("--mode realtime") == times
        assert (
            err.count('robot "b": its controller uses wall-clock time (time.sleep() in sleeps.py, line')
            == times
        )


def test_a_run_without_any_of_its_controllers_fails(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "absent"))
    assert run(project, "--json", "--steps", "5") == 1
    out, err = capfd.readouterr()
    result = json.loads(out)
    assert (result["steps"], result["status"]) == (0, 1)
    assert result["controllers"] == [{"robot": "a", "controller": "absent", "exit_code": None}]
    assert 'robot "a" has no controller: controller "absent" not found' in err
    assert "no controller could be started; use --no-controllers to simulate without them" in err
    assert run(project, "--no-controllers", "--steps", "5") == 0


def test_a_controller_may_be_a_file_of_the_current_folder(
    project: Project, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    project.write(robot("a", "absent"), first=steps(2))
    monkeypatch.chdir(project.folder / "controllers" / "first")
    for option in ("first.py", "a=first.py", "first"):
        assert run(project, "--json", "--controller", option) == 0
        assert json.loads(capfd.readouterr().out)["steps"] == 2


def test_paths_of_controllers_that_lead_nowhere_name_the_nearest(
    project: Project, capfd: pytest.CaptureFixture[str]
):
    project.write(robot("a", "first"), robot("b", "first"), first=steps(2))
    path = project.folder / "controllers" / "first" / "frist.py"
    assert run(project, "--controller", f"a={path}") == 0
    assert f"{path}: no controller; did you mean 'first.py'?" in capfd.readouterr().err
    assert run(project, "--controller", "first") == 2
    assert (
        "several robots have controllers; name one as ROBOT=first; the robots are" in capfd.readouterr().err
    )


def start(project: Project, *options: str) -> subprocess.Popen[str]:
    """`wbridge run` as a process."""
    return subprocess.Popen(
        [sys.executable, "-m", "wbridge", "run", str(project.world), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


PID = """
import os
from controller import Robot
robot = Robot()
robot.step(16)
print(os.getpid(), os.environ['WEBOTS_INSTANCE_PATH'], flush=True)
"""
ENDLESS = ("while robot.step(16) != -1: pass\n", "while True: pass\n")


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A user of its own: the folders of runs that other tests make at the same time are elsewhere."""
    user = f"tests-{os.getpid()}"
    monkeypatch.setenv("USER", user)
    yield
    shutil.rmtree(TEMPORARY / "webots" / user)


@pytest.mark.parametrize(
    ("number", "code"),
    [
        # `make test` runs each signal and each program once.
        pytest.param(number, code, marks=[pytest.mark.slow] * (k != n))
        for k, number in enumerate((signal.SIGINT, signal.SIGTERM))
        for n, code in enumerate(ENDLESS)
    ],
)
@pytest.mark.usefixtures("alone")
def test_a_signal_ends_all_cleanly(project: Project, number: int, code: str):
    project.write(robot("a", "endless"), endless=PID + code)
    with start(project) as process:
        assert process.stdout is not None
        pid, folder = process.stdout.readline().split()
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "state hash" in out
    assert f"ended by {signal.Signals(number).name}" in err
    assert not is_running(int(pid))
    assert not Path(folder).exists()


@pytest.mark.parametrize("code", [LOOP, "while True: pass\n"])
def test_a_signal_ends_controllers_inside(project: Project, code: str):
    project.write(robot("a", "endless"), endless=f"print('on', flush=True)\n{code}")
    with start(project, "--inline") as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130


def test_a_signal_before_the_first_step_ends_the_run_too(project: Project):
    project.write(robot("a", "early"), early="print('on', flush=True)\nwhile True: pass\n")
    with start(project) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM


@pytest.mark.usefixtures("alone")
def test_a_killed_run_leaves_no_controller(project: Project):
    """The controller hears that the connection is gone."""
    project.write(robot("a", "endless"), endless=PID + ENDLESS[0])
    with start(project) as process:
        assert process.stdout is not None
        pid, folder = process.stdout.readline().split()
        process.kill()
        process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    descriptor = None
    try:
        descriptor = os.pidfd_open(int(pid))
        import select

        assert select.select([descriptor], [], [], 10)[0]
    except ProcessLookupError:
        pass
    finally:
        if descriptor is not None:
            os.close(descriptor)
    assert Path(folder).exists()
    project.run(1)
    assert not Path(folder).exists()


@pytest.mark.parametrize("scheme", ["ipc", "tcp"])
def test_a_controller_from_outside(project: Project, scheme: str):
    project.write(robot("a b", "<extern>"), outside=steps(5, after="print(robot.getTime())"))
    with start(project, "--json") as process:
        assert process.stderr is not None
        url = ""
        while not url:
            found = re.search(rf'"({scheme}://[^"]*)"', process.stderr.readline())
            url = found[1] if found else ""
        client = subprocess.run(
            [sys.executable, project.folder / "controllers" / "outside" / "outside.py"],
            env={**os.environ, "WEBOTS_CONTROLLER_URL": url, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        out, _ = process.communicate(timeout=60)
    assert (client.returncode, client.stdout) == (0, "0.08\n")
    assert json.loads(out)["steps"] == 5


@pytest.mark.parametrize("options", [["--controller", "other"], ["--no-controllers"]])
def test_a_controller_that_is_not_used_is_not_missed(
    project: Project, options: list[str], capfd: pytest.CaptureFixture[str]
):
    """Public projects keep controllers beside their worlds: --controller names them there."""
    project.write(robot("a", "elsewhere"), other=steps(5))
    assert run(project, *options, "--steps", "3") == 0
    said = capfd.readouterr().err
    assert "elsewhere" not in said
