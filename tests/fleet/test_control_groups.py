"""Control groups for graded programs, where the user may make some. Judge: the kernel's counters.

Where no group can be made, a folder stands in for one: it gets the files that the kernel makes in a new group
("Control Group v2" in the kernel's documentation), and what would be told to the kernel is read from them.
"""

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
from wbridge.wbfleet.grading.sandbox import control_group, supervisor
from wbridge.wbfleet.grading.sandbox.clock import Clock
from wbridge.wbfleet.grading.sandbox.control_group import ControlGroup, delegated
from wbridge.wbfleet.grading.sandbox.plan import OWN, Plan

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


MEMORY, PROCESSES = 64 << 20, 10
FILES = {
    "cgroup.procs": "",
    "cgroup.kill": "",
    "cgroup.subtree_control": "",
    "memory.max": "max",
    "memory.swap.max": "max",
    "memory.events": "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n",
    "pids.max": "max",
    "cpu.stat": "usage_usec 0\nuser_usec 0\nsystem_usec 0\n",
}
"""Of a new group, and their contents."""


def populate(folder: str, *absent: str) -> None:
    """Make the files that the kernel makes in a new group."""
    for name, text in FILES.items():
        if name not in absent:
            (Path(folder) / name).write_text(text)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder in which each new folder is a group."""
    make = os.mkdir

    def mkdir(folder: str, *mode: int) -> None:
        make(folder, *mode)
        populate(folder)

    monkeypatch.setattr("wbridge.wbfleet.grading.sandbox.control_group.os.mkdir", mkdir)
    return tmp_path


def plan(groups: Path) -> Plan:
    return Plan(OWN, False, "/", (), 1, MEMORY, 1 << 20, PROCESSES, 1 << 20, groups=str(groups))


def made(groups: Path) -> tuple[ControlGroup, Path]:
    """A group with the limits of a plan, and its folder."""
    group = ControlGroup.make(plan(groups))
    assert group is not None
    (folder,) = groups.glob("wbridge-grade-*")
    return group, folder


def test_the_limits_of_a_plan_are_told_to_the_kernel(fake: Path):
    group, folder = made(fake)
    texts = {name: (folder / name).read_text() for name in ("memory.max", "memory.swap.max", "pids.max")}
    own_processes = 2  # between the supervising process and the program
    assert texts["memory.max"] == str(MEMORY)
    assert texts["memory.swap.max"][0] == "0"
    assert texts["pids.max"][:2] == str(PROCESSES + own_processes)
    group.join()
    assert (folder / "cgroup.procs").read_text() == "0", "the process that writes it"


def test_what_the_kernel_has_killed_for_memory_is_told(fake: Path):
    group, folder = made(fake)
    assert (group.excess(), group.cpu_s()) == ("", 0.0)
    (folder / "memory.events").write_text(FILES["memory.events"].replace("oom_kill 0", "oom_kill 1"))
    (folder / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\n")
    assert (group.excess(), group.cpu_s()) == ("memory", 1.5)
    reader, writer = os.pipe()
    watcher = os.fork()  # a process without other children, whose time would count
    if watcher == 0:
        child = os.fork()
        if child == 0:
            signal.pause()
        os.kill(child, signal.SIGKILL)
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)  # it has ended before it is watched
        status, why = supervisor._watch(plan(fake), child, group, Clock())
        os.write(writer, f"{status} {why}".encode())
        os._exit(0)
    os.waitpid(watcher, 0)
    assert os.read(reader, 100).decode() == f"{signal.SIGKILL:d} memory", "the supervising process says why"
    os.close(reader)
    os.close(writer)


def test_a_group_without_the_controller_for_memory_still_counts_time(fake: Path):
    group, folder = made(fake)
    for name in ("memory.max", "memory.swap.max", "memory.events", "pids.max"):
        (folder / name).unlink()
    (folder / "cpu.stat").write_text("usage_usec 2000000\n")
    assert (group.excess(), group.cpu_s()) == ("", 2.0)
    assert ControlGroup.make(plan(fake / "nowhere")) is None


def test_a_group_that_is_not_the_user_s_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(control_group, "_own_folder", lambda: str(tmp_path))
    assert delegated() == "", "without the file cgroup.procs"
    populate(str(tmp_path))
    (tmp_path / control_group.OWN_GROUP).mkdir()
    populate(str(tmp_path / control_group.OWN_GROUP))
    assert delegated() == str(tmp_path)
    assert (tmp_path / control_group.OWN_GROUP / "cgroup.procs").read_text() == "0"
    assert (tmp_path / "cgroup.subtree_control").read_text().startswith("+pids"), "after +memory"


def test_a_group_adds_up_and_ends_all(groups: Path):
    group = ControlGroup.make(plan(groups))
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
