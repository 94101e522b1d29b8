"""The end of a process as a file, also where the system has none: macOS, older Linux, some containers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from wbridge.hal.process_end import ProcessEnd
from wbridge.hal.ready import readable
from wbridge.wbcore.controllers.output import Output
from wbridge.wbcore.controllers.process import Process

Waiting = Callable[[pytest.MonkeyPatch], None]


def as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """This system, which has such files."""


def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS: Python has no such name (its documentation, os.pidfd_open)."""
    monkeypatch.delattr(os, "pidfd_open", raising=False)


def forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Filters of system calls in containers answer EPERM, older kernels ENOSYS."""

    def refuse(process: int) -> int:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "pidfd_open", refuse, raising=False)


WAYS = pytest.mark.parametrize("way", [as_it_is, without, forbidden])


@WAYS
def test_the_end_of_a_process_is_a_readable_file(way: Waiting, monkeypatch: pytest.MonkeyPatch) -> None:
    way(monkeypatch)
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        end = ProcessEnd(process)
        assert not readable([end.fileno()], 0)
        assert process.stdin is not None
        process.stdin.close()
        assert readable([end.fileno()], 60) == [end.fileno()]
        assert process.wait() == 0
        end.close()


@WAYS
@pytest.mark.parametrize(("code", "expected"), [("raise SystemExit(3)", 3), ("", 0)])
def test_a_controller_is_known_to_have_ended(
    tmp_path: Path, way: Waiting, code: str, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    way(monkeypatch)
    process = started(tmp_path, code)
    assert readable([process.end_file], 60)
    assert process.look()
    assert process.exit_code == expected
    process.close()


@WAYS
def test_a_killed_controller_is_told_by_its_signal(
    tmp_path: Path, way: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    way(monkeypatch)
    process = started(tmp_path, "import signal; signal.pause()")
    process.close()
    assert process.exit_code == -signal.SIGKILL


def started(folder: Path, code: str) -> Process:
    """A controller in Python that runs a code."""
    output = Output()
    return Process([sys.executable, "-c", code], folder, os.environ, output, "robot")
