"""The sandbox of graded programs as a process: how it ends, whoever ends it, in each way to isolate.

Judge: exit codes of the same programs in a shell, and the list of processes.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import absent
from tests.fleet import unprivileged
from tests.waiting import wait_for
from wbridge.wbfleet.grading.limits import Isolation, launcher
from wbridge.wbfleet.grading.rubric import Limits
from wbridge.wbfleet.grading.sandbox import tree
from wbridge.wbfleet.grading.sandbox.plan import BUBBLEWRAP, CANNOT, NONE, OWN

WAYS = (BUBBLEWRAP, OWN, NONE)
SLEEPS = "import os, time; print('ready', flush=True); time.sleep(1000)"


@pytest.fixture(params=WAYS, ids=lambda way: way or "none")
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param != NONE:
        unprivileged.needs_namespaces()
    if request.param == BUBBLEWRAP and shutil.which("bwrap") is None:
        absent("bwrap is not installed (package bubblewrap)")
    monkeypatch.setenv("PATH", unprivileged.PATH)  # that of tests is closed to other users
    return str(request.param)


@contextmanager
def started(way: str, program: str) -> Iterator[subprocess.Popen[str]]:
    """A program in Python in a sandbox."""
    with unprivileged.folder_of_user() as folder:
        start = launcher(Limits(), Isolation(way, False), Path("/nowhere"), folder)
        command = [*unprivileged.prefix(), *start, sys.executable, "-I", "-S", "-c", program]
        with subprocess.Popen(
            command,
            cwd="/",
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("pass", 0),
        ("raise SystemExit(7)", 7),
        ("import os; os.kill(os.getpid(), 11)", -signal.SIGSEGV),
        ("import os; os.execv('/bin/no such program', ['x'])", 1),
    ],
)
def test_it_ends_like_the_program(way: str, end: str, code: int):
    with started(way, end) as process:
        assert process.wait() == code


def test_it_passes_on_the_request_to_end(way: str):
    program = f"import signal; signal.signal(15, lambda *_: os._exit(9)); {SLEEPS}"
    with started(way, program) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 9


@pytest.mark.parametrize("way", [BUBBLEWRAP, OWN], indirect=True)
def test_the_program_ends_with_it(way: str):
    with started(way, f"import os; os.fork(); {SLEEPS}") as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["ready\n"] * 2
        members = list(tree.Census(process.pid, "").members())
        assert len(members) == 4  # two of the sandbox, two of the program
        process.kill()
        wait_for(lambda: not any(map(is_running, members)))


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_program_that_cannot_be_isolated_does_not_start():
    with unprivileged.folder_of_user() as folder:
        start = launcher(Limits(), Isolation(OWN, False), Path("/nowhere"), folder / "absent")
        command = [*unprivileged.prefix(), *start, "/bin/echo", "started"]
        done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (CANNOT, "")
    assert "cannot isolate the program: " in done.stderr


def test_processes_are_seen_without_lists_of_children(monkeypatch: pytest.MonkeyPatch):
    """Some kernels do not list children: their parents are asked for."""
    program = f"import os; os.fork(); os.fork(); {SLEEPS}"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        for _ in range(4):
            process.stdout.readline()
        census = tree.Census(process.pid, "")
        listed = set(census.members())
        monkeypatch.setattr(tree, "LISTS_CHILDREN", False)
        found = set(census.members())
        usage = census.take()
        os.killpg(process.pid, signal.SIGKILL)
    assert len(listed) == 3
    assert found == listed
    assert usage.processes == 3
    assert usage.memory > 3e6


def test_a_process_that_ends_while_it_is_examined_has_no_files(monkeypatch: pytest.MonkeyPatch):
    """Between two looks into `/proc` it may be gone; the supervising process goes on."""
    with subprocess.Popen([sys.executable, "-c", SLEEPS], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"

        def gone(path: str) -> os.statvfs_result:
            raise ProcessLookupError(errno.ESRCH, os.strerror(errno.ESRCH), path)

        monkeypatch.setattr(tree, "_device", lambda path: 1 if path.startswith("/proc/") else None)
        monkeypatch.setattr(tree.os, "statvfs", gone)
        census = tree.Census(os.getpid(), "")
        assert process.pid in census.members()
        assert census.take().disk == 0
        process.kill()
