"""Controllers inside of this process: each has its own world, and none can harm the run."""

from __future__ import annotations

import atexit
import builtins
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.controllers.project import HEADER, LOOP, robot, steps
from wbridge.wbcore.controllers.inline import KILLED, InlineControllers
from wbridge.wbcore.controllers.lockstep import Lockstep
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

MOST_STEPS = 200


class Run:
    """Robots a, b, ... whose controllers are given as texts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ended: dict[str, int] = {}
        self.inline = InlineControllers(self._note)

    def _note(self, session: object, code: int) -> None:
        self.ended[session.robot.name] = code  # type: ignore[attr-defined]

    def file(self, name: str, text: str) -> Path:
        """Write a file below the folder of controllers."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def start(self, *codes: str, arguments: tuple[str, ...] = (), fields: str = "") -> Lockstep:
        """Make the world and give its robots their controllers."""
        names = "abcdefgh"[: len(codes)]
        world = HEADER + "".join(robot(name, name, fields) for name in names)
        self.lockstep = Lockstep(Simulation(load_text(world)))
        for session, name, code in zip(self.lockstep.sessions, names, codes, strict=True):
            self.inline.start(session, self.file(f"{name}/{name}.py", code), arguments)
        return self.lockstep

    def run(self) -> dict[str, int]:
        """Step until all controllers have ended; their exit codes by robot."""
        for _ in range(MOST_STEPS):
            self.inline.pump()
            if not self.inline.running:
                return self.ended
            if self.lockstep.is_ready:
                self.lockstep.step()
        raise AssertionError("the controllers do not end")

    def __call__(self, *codes: str, arguments: tuple[str, ...] = ()) -> dict[str, int]:
        """Run controllers to their end."""
        self.start(*codes, arguments=arguments)
        return self.run()


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """Runs controllers."""
    made = Run(tmp_path)
    yield made
    made.inline.close()


def test_controllers_step_together(run: Run, capsys: pytest.CaptureFixture[str]):
    code = steps(5, after="print(robot.name, robot.getTime())")
    assert run(code, code) == {"a": 0, "b": 0}
    assert capsys.readouterr().out == "a 0.16\nb 0.16\n"


def test_each_has_its_own_modules(run: Run, capsys: pytest.CaptureFixture[str]):
    run.file("a/helper.py", "NAME = 'of a'\n")
    run.file("b/helper.py", "NAME = 'of b'\n")
    run.file("a/package/__init__.py", "")
    run.file("a/package/part.py", "WHERE = __file__\n")
    code = "import helper\n" + steps(3, after="import helper as again\nprint(helper.NAME, again is helper)")
    more = steps(
        1, before="import package.part", after="from package import part\nprint(part is package.part)"
    )
    run(
        code,
        code,
        more.replace("import package.part", "import sys; sys.path.append('../a')\nimport package.part"),
    )
    assert capsys.readouterr().out == "True\nof a True\nof b True\n"
    assert {"helper", "package", "package.part"}.isdisjoint(sys.modules)


def test_two_with_the_same_file_share_no_state(run: Run, capsys: pytest.CaptureFixture[str]):
    code = "import sys\nsys.path.append('../lib')\nimport count\n" + steps(
        2, after="count.N += 1\nprint(count.N, sys.modules['__main__'].robot is robot)"
    )
    run.file("lib/count.py", "N = 0\n")
    run(code, code)
    assert capsys.readouterr().out == "1 True\n1 True\n"


def test_robots_with_the_same_file_have_their_own_variables(run: Run, capsys: pytest.CaptureFixture[str]):
    code = "calls = 0\ndef call():\n    global calls\n    calls += 1\n"
    code += steps(1, after="call()\ncall()\nprint(robot.getName(), calls)")
    lockstep = run.start(code, code)
    for session in lockstep.sessions:
        run.inline.stop(session)
        run.inline.start(session, run.folder / "a" / "a.py")
    run.run()
    assert capsys.readouterr().out == "a 2\nb 2\n"


def test_annotations_are_evaluated_as_in_a_process(run: Run, capsys: pytest.CaptureFixture[str]):
    assert run("speed: print('evaluated') = 1\n") == {"a": 0}
    assert capsys.readouterr().out == "evaluated\n"


def test_a_file_of_the_controller_hides_a_loaded_module(run: Run, capsys: pytest.CaptureFixture[str]):
    former = sys.modules["logging"]
    run.file("a/logging.py", "OWN = True\n")
    run("import logging\nprint(logging.OWN)\n", "import logging\nprint(hasattr(logging, 'OWN'))\n")
    assert capsys.readouterr().out == "True\nFalse\n"
    assert sys.modules["logging"] is former


def test_shared_modules_stay(run: Run):
    sys.modules.pop("colorsys", None)
    run("import colorsys\n")
    assert "colorsys" in sys.modules


def test_each_has_its_own_arguments_path_and_folder(run: Run, capsys: pytest.CaptureFixture[str]):
    before = sys.argv, sys.path, os.getcwd()
    code = steps(
        1,
        before="import os, sys\nos.chdir('..')",
        after="print(sys.argv[1:], sys.path[0] == where, os.getcwd())",
    )
    code = f"import os\nwhere = os.getcwd()\n{code}"
    run(code, steps(1, after="import os\nprint(os.getcwd())"), arguments=("x", "y z"))
    assert capsys.readouterr().out == f"['x', 'y z'] True {run.folder}\n{run.folder / 'b'}\n"
    assert before == (sys.argv, sys.path, os.getcwd())


def test_environment_and_streams(run: Run, tmp_path: Path):
    code = "import os, sys\nprint(os.environ['OF_ONE'])\n" + steps(1, after="print(os.environ.get('OF_ONE'))")
    lockstep = run.start("", "import os\nassert 'OF_ONE' not in os.environ\n")
    run.inline.stop(lockstep.sessions[0])
    with (tmp_path / "out").open("w") as out:
        path = run.file("a/a.py", code)
        run.inline.start(lockstep.sessions[0], path, environment={"OF_ONE": "1"}, stdout=out)
        assert run.run() == {"a": 0, "b": 0}
    assert (tmp_path / "out").read_text() == "1\n1\n"
    assert "OF_ONE" not in os.environ


def test_a_controller_may_replace_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "environ", os.environ)  # comes back behind the test
    lockstep = run.start("", steps(2))
    run.inline.stop(lockstep.sessions[0])
    path = run.file("a/a.py", "import os\nos.environ = dict(os.environ)\n" + steps(2))
    run.inline.start(lockstep.sessions[0], path, environment={"OF_ONE": "1"})
    assert run.run() == {"a": 0, "b": 0}
    assert "OF_ONE" not in os.environ


@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        ("import sys\nsys.exit()\n", 0, ""),
        ("import sys\nsys.exit(3)\n", 3, ""),
        ("raise SystemExit('enough')\n", 1, "enough\n"),
        ("def f():\n    return 1 / 0\nf()\n", 1, "ZeroDivisionError: division by zero\n"),
        ("if:\n", 1, "SyntaxError: invalid syntax\n"),
        ("from controller import Motor\nMotor('m')\n", 1, "first\n"),
    ],
)
def test_exit_codes(run: Run, capsys: pytest.CaptureFixture[str], code: str, status: int, said: str):
    assert run(code, steps(3)) == {"a": status, "b": 0}
    assert capsys.readouterr().err.endswith(said)


def test_tracebacks_show_the_controller_only(run: Run, capsys: pytest.CaptureFixture[str]):
    run(steps(2, after="1 / 0"))
    error = capsys.readouterr().err
    assert error.startswith("Traceback (most recent call last):\n")
    assert error.count('  File "') == 1
    assert f'File "{Path(run.folder, "a", "a.py")}", line ' in error


def test_exit_functions_are_called_at_the_end(run: Run, capsys: pytest.CaptureFixture[str]):
    code = "import atexit\n"
    code += "def bye(x):\n    print('bye', x)\natexit.register(bye, 1)\natexit.register(bye, 2)\n"
    code += "def never(): print('never')\natexit.register(never)\natexit.unregister(never)\n"
    run(code + steps(1, after="print('end')"), steps(3, after="print('b')"))
    assert capsys.readouterr().out == "end\nbye 2\nbye 1\nb\n"


def test_one_that_is_stopped_ends_at_once(run: Run):
    lockstep = run.start(LOOP, LOOP)
    for _ in range(3):
        run.inline.pump()
        lockstep.step()
    run.inline.stop(lockstep.sessions[0])
    assert run.ended == {"a": KILLED}
    assert lockstep.sessions[0].is_ready
    run.inline.start(lockstep.sessions[0], run.folder / "a/a.py")  # and may be started again
    run.inline.pump()
    assert lockstep.is_ready


def test_one_that_holds_on_to_life_is_stopped_too(run: Run):
    lockstep = run.start(
        "from controller import Robot\nr = Robot()\nwhile True:\n"
        "    try: r.step(32)\n    except BaseException: pass\n"
    )
    run.inline.pump()
    run.inline.close()
    assert run.ended == {"a": KILLED}
    assert lockstep.sessions[0].exchange is None


def test_they_are_told_that_the_simulation_ends(run: Run, capsys: pytest.CaptureFixture[str]):
    lockstep = run.start(LOOP + "print('saved')\n")
    run.inline.pump()
    lockstep.quit()
    assert run.run() == {"a": 0}
    assert capsys.readouterr().out == "saved\n"


def test_garbage_ends_only_who_sends_it(
    run: Run, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
):
    lockstep = run.start(steps(2), steps(4))
    run.inline.pump()
    connection = run.inline._controllers[lockstep.sessions[0]].connection
    assert connection is not None, "it has connected"
    connection.send(b"garbage!" * 9)
    with caplog.at_level(logging.WARNING):
        assert run.run() == {"a": 1, "b": 0}
    assert 'the controller of robot "a" was disconnected' in caplog.text
    assert "Lost the simulator" in capsys.readouterr().err


def test_objects_of_several_robots_keep_apart(run: Run, monkeypatch: pytest.MonkeyPatch):
    """With the C library each call makes the robot of its object the current one."""
    monkeypatch.setattr(builtins, "robots", [], raising=False)
    lockstep = run.start(
        *["import builtins\n" + LOOP.replace("while", "builtins.robots.append(robot._wb_robot)\nwhile")] * 2
    )
    for _ in range(3):
        run.inline.pump()
        lockstep.step()
    run.inline.pump()
    first, second = builtins.robots  # type: ignore[attr-defined]
    for _ in range(2):
        assert [one.get_name() for one in (first, second)] == ["a", "b"]
    run.inline.stop(lockstep.sessions[0])
    with pytest.raises(RuntimeError, match="the robot is gone"):
        first.get_name()
    assert (second.get_name(), second.get_time()) == ("b", 0.096)


def test_an_interruption_ends_the_run(run: Run):
    run.start(steps(1, after="raise KeyboardInterrupt"), LOOP)
    with pytest.raises(KeyboardInterrupt):
        run.run()


def test_what_breaks_in_the_simulator_is_not_blamed_on_the_controller(
    run: Run, monkeypatch: pytest.MonkeyPatch
):
    lockstep = run.start(LOOP)
    run.inline.pump()

    def broken(data: bytes) -> bytes:
        raise RuntimeError("a bug")

    lockstep.step()
    assert lockstep.sessions[0].exchange is not None
    monkeypatch.setattr(lockstep.sessions[0].exchange, "feed", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        run.inline.pump()


def test_one_without_synchronization_is_not_waited_for(run: Run):
    code = (
        "from controller import Robot\nr = Robot()\nd = [r.step(64) for _ in 'abc']\nassert d == [0, 0, 0]\n"
    )
    lockstep = run.start(code, fields="synchronization FALSE")
    assert lockstep.is_ready
    assert run.run() == {"a": 0}


def test_a_seat_takes_one_controller(run: Run):
    lockstep = run.start(LOOP)
    with pytest.raises(ValueError, match='robot "a" already has a controller'):
        run.inline.start(lockstep.sessions[0], run.folder / "a/a.py")


def test_functions_of_the_process_come_back(tmp_path: Path):
    former = atexit.register, atexit.unregister, os.chdir, list(sys.meta_path)
    with InlineControllers():
        assert os.chdir is not former[2]
    assert former == (atexit.register, atexit.unregister, os.chdir, list(sys.meta_path))
