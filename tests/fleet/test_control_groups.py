"""Control groups for graded programs, where the user may make some. Judge: the kernel's counters."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fleet import classroom, unprivileged
from tests.fleet.attack import FAIR
from tests.fleet.learning_worlds import cart, rail
from wbfleet.grading.sandbox.control_group import ControlGroup
from wbfleet.grading.sandbox.plan import OWN, Plan

COMPUTES = "import time\nstart = time.process_time()\nwhile time.process_time() < start + 0.3:\n    pass\n"
BRIEF = """\
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    if os.fork() == 0:
        while time.process_time() < 0.02:
            pass
        os._exit(0)
    time.sleep(0.02)
"""
"""Its processes end before they are seen, and nobody waits for them."""


@pytest.fixture
def groups() -> Iterator[Path]:
    """A folder in which the ordinary user may make groups."""
    rows = [one.split() for one in Path("/proc/mounts").read_text().splitlines()]
    mount = next((Path(row[1]) for row in rows if row[2] == "cgroup2"), None)
    if mount is None or os.geteuid() or not os.access(mount, os.W_OK):
        pytest.skip("this user may not make control groups here")
    folder = mount / f"wbridge-test-{os.getpid()}"
    try:
        folder.mkdir()
    except OSError as problem:
        pytest.skip(f"no control groups can be made here: {problem.strerror}")
    for one in (folder, folder / "cgroup.procs", folder / "cgroup.subtree_control"):
        os.chown(one, unprivileged.USER, unprivileged.USER)
    yield folder
    for one in sorted(folder.rglob("*"), reverse=True):
        if one.is_dir():
            one.rmdir()
    folder.rmdir()


def test_a_group_adds_up_and_ends_all(groups: Path):
    plan = Plan(OWN, False, "/", (), 1, 1 << 30, 1 << 20, 10, 1 << 20, groups=str(groups))
    group = ControlGroup.make(plan)
    assert group is not None
    command = [sys.executable, "-c", COMPUTES + "print(flush=True)\ntime.sleep(1000)"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=group.join) as process:
        assert process.stdout is not None
        process.stdout.readline()
        used, excess = group.cpu_s(), group.excess()
        group.kill()
        status = process.wait()
        group.remove()
    assert status == -signal.SIGKILL
    assert used >= 0.3
    assert excess == ""
    assert list(groups.glob("wbridge*")) == []


def test_time_of_processes_that_nobody_waits_for(groups: Path):
    unprivileged.needs_namespaces()
    with unprivileged.folder_of_user() as folder:
        rail(folder, cart())
        (folder / "rubric.toml").write_text(classroom.RUBRIC.replace("cpu_s = 3", "cpu_s = 1"))
        (folder / "submissions").mkdir()
        (folder / "submissions" / "fair.py").write_text(FAIR)
        (folder / "submissions" / "brief.py").write_text(BRIEF)
        unprivileged.give(folder)
        command = ["grade", str(folder / "rubric.toml"), str(folder / "submissions"), "--json"]
        enter = ["sh", "-c", f'echo $$ > {groups}/cgroup.procs; exec "$@"', "sh"]
        done = unprivileged.run(command, folder, around=enter)
        assert done.returncode == 0, done.stderr
        marks = classroom.marks_of(done.stdout)
    assert marks["fair"].points == 5
    assert "more processor time" in marks["brief"].note
    assert list(groups.glob("wbridge-grade-*")) == []
