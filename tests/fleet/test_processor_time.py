"""Processor time of programs whose processes end before anybody sees them, without control groups.

Judge: each process measures its own time by the kernel's clock, and the sums are known.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from wbridge.wbfleet.grading.sandbox.clock import Clock
from wbridge.wbfleet.grading.sandbox.plan import ENVIRONMENT, NONE, OVER, Plan

SANDBOX = CHECKOUT / "wbfleet" / "grading" / "sandbox"
COUNT, EACH_S = 15, 0.02
SPENDS = f"""
import os, signal, time
def spend():
    while time.process_time() < {EACH_S}:
        pass
    os._exit(0)
"""
WAYS = {
    "its parent waits": "\nfor _ in range(COUNT):\n    if os.fork() == 0:\n        spend()\n    os.wait()\n",
    "its parent has ended": """
for _ in range(COUNT):
    if os.fork() == 0:
        if os.fork() == 0:
            time.sleep(0.01)
            spend()
        os._exit(0)
    os.wait()
""",
    "nobody waits": """
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(COUNT):
    if os.fork() == 0:
        spend()
    try:
        os.wait()
    except ChildProcessError:
        pass
""",
}
COUNTED = """
import os, subprocess, sys
from wbridge.wbfleet.grading.sandbox.clock import Clock
from wbridge.wbfleet.grading.sandbox.kernel import call
from wbridge.wbfleet.grading.sandbox.tree import Census
call("prctl", 36, 1, 0, 0, 0)
clock, census = Clock(), Census(os.getpid(), "")
subprocess.Popen([sys.executable, "-c", sys.argv[1]]).wait()
while True:
    try:
        os.wait()
    except ChildProcessError:
        break
print(census.take().cpu_s, clock.cpu_s())
"""


def has_clock() -> bool:
    """Whether the kernel counts for children here."""
    clock = Clock()
    sum(range(100_000))
    found = clock._file is not None
    clock.close()
    return found


def counted(way: str) -> tuple[float, float]:
    """What the census and the clock have counted at the end, in s."""
    code = SPENDS + WAYS[way].replace("COUNT", str(COUNT))
    words = [sys.executable, "-c", COUNTED, code]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=CHECKOUT)
    census, clock = map(float, done.stdout.split())
    return census, clock


@pytest.mark.parametrize("way", WAYS)
def test_the_kernel_s_counter_has_all_of_it(way: str):
    if not has_clock():
        pytest.skip("this kernel lets nobody count for children")
    assert counted(way)[1] >= COUNT * EACH_S


@pytest.mark.parametrize("way", ["its parent waits", "its parent has ended"])
def test_who_is_adopted_counts_without_the_counter(way: str):
    assert counted(way)[0] >= COUNT * EACH_S - 0.05, "the system counts in ticks of 10 ms"


def supervised(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A program of at most a second of processor time."""
    plan = Plan(NONE, False, str(folder), ("/",), 1, 1 << 32, 1 << 30, 100, 1 << 20)
    words = [
        sys.executable,
        "-I",
        "-S",
        str(SANDBOX),
        "supervise",
        plan.to_text(),
        sys.executable,
        "-c",
        code,
    ]
    environment = {**os.environ, ENVIRONMENT: json.dumps({"PATH": os.environ["PATH"]})}
    return subprocess.run(words, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("way", ["its parent has ended", "nobody waits"])
def test_a_program_of_brief_processes_is_ended(way: str, tmp_path: Path):
    if way == "nobody waits" and not has_clock():
        pytest.skip("this kernel lets nobody count for children")
    endless = WAYS[way].replace("for _ in range(COUNT)", "while True")
    done = supervised(SPENDS + endless, tmp_path)
    assert done.returncode == OVER
    assert "more processor time than allowed" in done.stderr


def test_a_program_that_waits_for_others_is_not_ended(tmp_path: Path):
    """The time of the supervising process is not the program's."""
    done = supervised("import time\ntime.sleep(1.5)\nprint('done')", tmp_path)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
