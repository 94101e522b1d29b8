"""Controllers with threads: their steps take turns, as under the mutex of Webots' library."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

import pytest

from tests.controllers.project import LOOP, PATIENCE_S, Project, robot, steps
from wbridge.wbcore.controllers.inline_thread import InlineThreadError
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import load_world

TWO = """
import threading
from controller import Robot
boss = Robot()
counts = []

def work():
    made = 0
    while made < 100 and boss.step(16) != -1:
        made += 1
    counts.append(made)

threads = [threading.Thread(target=work) for _ in range(3)]
for one in threads:
    one.start()
for one in threads:
    one.join()
print("made", counts, round(boss.getTime() / 0.016), flush=True)
"""


def test_threads_that_step_at_once_take_turns(project: Project):
    project.write(robot("a", "two"), two=TWO)
    assert project.printed() == "made [100, 100, 100] 300\n"


DAEMON = """
import threading
from controller import Robot
boss = Robot()

def work():
    while boss.step(16) != -1:
        pass

threading.Thread(target=work, daemon=True).start()
for _ in range(10):
    boss.step(16)
print("done", flush=True)
"""


def test_a_controller_ends_while_another_thread_of_it_steps(project: Project):
    project.write(robot("a", "c"), c=DAEMON)
    assert project.printed(limit=None) == "done\n"


def test_inline_runs_in_two_threads_are_refused(project: Project):
    """They share the modules and the current folder of the process: one of them could only fail silently."""
    world = project.write(robot("a", "c"), c=LOOP)
    with Runner(load_world(world), RunOptions(inline=True)) as runner:
        assert runner.advance(2)
        refused = in_thread(lambda: Runner(load_world(world), RunOptions(inline=True)).advance(1))
        assert isinstance(refused, InlineThreadError)
        assert re.search(r'of another run .* "MainThread" .* "other" at the same time: use one', str(refused))
        moved = in_thread(lambda: runner.advance(1))
        assert isinstance(moved, InlineThreadError)
        assert re.search(r'of this run belong to the thread "MainThread"', str(moved))
        assert runner.advance(2) and runner.simulation.steps >= 4


def test_an_inline_run_may_have_any_thread(project: Project):
    """One after the other, also in different threads."""
    world = project.write(robot("a", "c"), c=steps(3))

    def whole_run() -> None:
        with Runner(load_world(world), RunOptions(inline=True)) as runner:
            assert runner.run().status == 0

    assert [in_thread(whole_run) for _ in range(2)] == [None, None]
    whole_run()


OWN_THREAD = """
import threading
from controller import Robot

def work():
    try:
        Robot().step(16)
    except RuntimeError as problem:
        print("refused:", problem, flush=True)

thread = threading.Thread(target=work, name="own")
thread.start()
thread.join()
"""


def test_threads_of_inline_controllers_are_refused(project: Project, capsys: pytest.CaptureFixture[str]):
    world = project.write(robot("a", "c"), c=OWN_THREAD)
    with Runner(load_world(world), RunOptions(inline=True)) as runner:
        runner.run()
    said = capsys.readouterr().out
    assert said.startswith("refused: a controller that runs inside the simulator's process")
    assert 'in the thread "own"; allowed: the thread of the run, "MainThread"' in said


def in_thread(work: Callable[[], object]) -> BaseException | None:
    """Run a function in a thread "other", and return what it raised."""
    raised: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as problem:
            raised.append(problem)

    thread = threading.Thread(target=guarded, name="other")
    thread.start()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    return raised[0] if raised else None
