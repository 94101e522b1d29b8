"""The server of windows keeps off the processor of the run."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from wbridge.robot_windows.affinity import LOOKS, ProcessorAffinity

BUSY = "while True: pass"


@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2, reason="one processor only"
)
def test_a_thread_leaves_the_processor_of_another_process():
    """It goes there where the other one is not, and follows when that has moved."""
    first, second, *_ = sorted(os.sched_getaffinity(0))
    seen: list[set[int]] = []

    def leave(process: subprocess.Popen[bytes]) -> None:
        affinity = ProcessorAffinity(process.pid)
        for there in (first, second):
            os.sched_setaffinity(process.pid, {there})
            while there in os.sched_getaffinity(0):  # as soon as the other one has run there
                affinity.step()
            seen.append(os.sched_getaffinity(0))

    with subprocess.Popen([sys.executable, "-c", BUSY]) as process:
        thread = threading.Thread(target=leave, args=[process])
        thread.start()
        thread.join(60)
        process.kill()
    allowed = os.sched_getaffinity(0)
    assert seen == [allowed - {first}, allowed - {second}]


def test_who_cannot_be_seen_is_nobody_to_make_way_for():
    before = os.sched_getaffinity(0)
    affinity = ProcessorAffinity(2**30)
    for _ in range(LOOKS + 2):
        affinity.step()
    assert os.sched_getaffinity(0) == before
