"""Controllers with threads: their steps take turns, as under the mutex of Webots' library."""

from __future__ import annotations

from tests.controllers.project import Project, robot

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
