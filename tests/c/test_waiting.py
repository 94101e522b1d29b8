"""How C programs wait for the simulator: whether they spin, and how much processor time that takes.

The bounds are those of docs/controllers.md, "What a step costs".
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.controllers.project import STEP_MS, Project, robot
from wbridge.hal.protocol.low_latency import processors
from wbridge.libcontroller import compiling

pytestmark = pytest.mark.usefixtures("c_home")

PROGRAM = """
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <webots/robot.h>

static int polls;

/* Replaces the C library's function, to count the calls that do not wait. */
ssize_t recv(int file, void *place, size_t room, int flags) {
  polls += (flags & MSG_DONTWAIT) != 0;
  return recvfrom(file, place, room, flags, NULL, NULL);
}

int main(int count, char **arguments) {
  if (getenv("ONE_PROCESSOR")) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  wb_robot_init();
  wb_robot_step(16);
  const clock_t start = clock();
  for (int i = 0; i < 30; ++i) wb_robot_step(16);
  printf("%d %g\\n", polls, (double)(clock() - start) / CLOCKS_PER_SEC);
  wb_robot_cleanup();
}
"""


def waited(folder: Path, speed: float | None, **variables: str) -> tuple[int, float]:
    """The number of receiving calls that did not wait in 31 steps, and the processor time (s) of 30."""
    project = Project(folder)
    program = compiling.compile_controller(project.file("native", "native.c", PROGRAM).parent)
    project.write(robot("a", "<none>"))
    said = project.printed(controllers={"a": str(program)}, speed=speed, variables={"a": variables}).split()
    return int(said[0]), float(said[1])


@pytest.mark.skipif(processors() < 2, reason="programs spin with two processors only")
def test_a_program_in_real_time_spins_for_hardly_any_processor_time(tmp_path: Path):
    polls, used_s = waited(tmp_path, speed=1.0)
    assert polls > 0
    assert used_s < 0.02 * 30 * STEP_MS / 1000


@pytest.mark.parametrize("variable", [{"ONE_PROCESSOR": "1"}, {"WBRIDGE_SPIN": "0"}])
def test_a_program_does_not_spin_on_one_processor_or_if_switched_off(
    tmp_path: Path, variable: dict[str, str]
):
    assert waited(tmp_path, speed=None, **variable)[0] == 0
