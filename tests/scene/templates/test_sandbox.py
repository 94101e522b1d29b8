"""What a template could do if it broke out of its language: nothing but compute.

Judge: the kernel's errors.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from wbridge.wbcore.scene.templates import Rendered, process
from wbridge.wbcore.scene.templates.engines import system_calls

Run = Callable[..., Rendered]
WORKER = CHECKOUT / "wbcore" / "scene" / "templates" / "worker.py"
BROKEN = """\
import ctypes, errno, json, mmap, os, resource, signal, socket

libc = ctypes.CDLL(None, use_errno=True)
PAGE = mmap.mmap(-1, 4096)

def call(name, *arguments):
    result = getattr(libc, name)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)

def attempts(parent):
    yield "read", lambda: os.open("/etc/passwd", os.O_RDONLY)
    yield "write", lambda: os.open("/dev/shm/escaped", os.O_WRONLY | os.O_CREAT)
    yield "list", lambda: os.listdir("/")
    yield "look", lambda: os.stat("/etc/passwd")
    yield "remove", lambda: os.unlink("/dev/shm/kept")
    yield "folder", lambda: os.chdir("/usr")
    yield "tcp", lambda: socket.socket()
    yield "local socket", lambda: socket.socket(socket.AF_UNIX)
    yield "pair", lambda: socket.socketpair()
    yield "fork", os.fork
    yield "exec", lambda: os.execv("/bin/true", ["true"])
    yield "kill", lambda: os.kill(parent, 0)
    yield "trace", lambda: call("ptrace", 16, parent, 0, 0)
    yield "limits of others", lambda: resource.prlimit(parent, resource.RLIMIT_CPU, (1, 1))
    yield "memory of others", lambda: call("process_vm_readv", parent, None, 0, None, 0, 0)
    yield "files of others", lambda: os.pidfd_open(parent)
    yield "namespace", lambda: call("unshare", 0x10000000)
    yield "memory file", lambda: os.memfd_create("x")

class Engine:
    def prepare(self):
        pass

    def run(self, request):
        found = {}
        for name, harm in attempts(request["parent"]):
            try:
                harm()
                found[name] = 0
            except OSError as problem:
                found[name] = problem.errno
        resource.setrlimit(resource.RLIMIT_CPU, (100, 100))  # its own limits it must be able to set
        return json.dumps(found).encode()
"""


@pytest.fixture
def answer(tmp_path: Path) -> dict[str, int]:
    """Error numbers of what an engine tries that runs code of a template's choice."""
    if os.uname().machine not in system_calls.ARCHITECTURES:
        pytest.skip("this processor's system calls are not listed")
    (tmp_path / "broken.py").write_text(BROKEN)
    limits = {"memory": 100_000_000, "chars": 1000, "steps": 10_000_000, "seconds": 10}
    request = json.dumps({"parent": os.getpid(), **limits}).encode()
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(WORKER), "broken", str(tmp_path)],
        input=len(request).to_bytes(4, "big") + request,
        capture_output=True,
        check=True,
    )
    found: dict[str, int] = json.loads(done.stdout[4:])
    return found


def test_a_worker_computes_and_nothing_else(answer: dict[str, int]):
    assert len(answer) == 18
    assert {name for name, number in answer.items() if number != 1} == set()


def test_all_workers_are_restricted(answer: dict[str, int], lua: Run, javascript: Run):
    """Seccomp 2 is a filter, see proc(5)."""
    lua("text")
    javascript("text")
    assert len(process._workers) == 2
    for worker in process._workers.values():
        assert "\nSeccomp:\t2\n" in Path(f"/proc/{worker.pid}/status").read_text()


@pytest.mark.parametrize("machine", system_calls.ARCHITECTURES)
def test_the_filter_allows_each_call_once(machine: str):
    """Judge: the filter, carried out as bpf(4) says."""
    column = list(system_calls.ARCHITECTURES).index(machine)
    architecture = system_calls.ARCHITECTURES[machine]
    numbers = {one[column] for one in system_calls.CALLS.values()}
    allowed = {one for one in range(600) if verdict(machine, one, architecture, 0) == system_calls.ALLOW}
    assert allowed == numbers | {system_calls.LIMITS[column]}
    for first in (1, 1 << 32, os.getpid()):
        limits = verdict(machine, system_calls.LIMITS[column], architecture, first)
        assert limits == system_calls.REFUSE
    assert verdict(machine, min(numbers), 0x40000003, 0) == system_calls.REFUSE
    assert verdict(machine, min(numbers) | 0x40000000, architecture, 0) == system_calls.REFUSE


def verdict(machine: str, number: int, architecture: int, first: int) -> int:
    """Carry out the filter."""
    seen = {0: number, 4: architecture, 16: first & 0xFFFFFFFF, 20: first >> 32}
    code, place, word = system_calls._program(machine), 0, 0
    while True:
        kind, if_true, if_false, value = system_calls.INSTRUCTION.unpack_from(code, 8 * place)
        place += 1
        if kind == system_calls.LOAD:
            word = seen[value]
        elif kind == system_calls.JUMP_IF_EQUAL:
            place += if_true if word == value else if_false
        else:
            return int(value)
