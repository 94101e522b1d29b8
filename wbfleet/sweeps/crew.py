"""Processes of this machine that carry out runs, and survive runs that crash or hang."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

from wbridge.hal.ready import readable
from wbridge.wbfleet.sweeps.job import failure
from wbridge.wbfleet.sweeps.work import Work

__all__ = ["Crew"]

WORK = """\
import sys
sys.path[:] = filter(None, sys.path)
from wbridge.wbfleet.sweeps.worker import main
main()
"""
"""The program of a process; it takes no modules from the current folder, where files of strangers may be."""
ATTEMPTS = 3
"""How often a run is tried whose process dies: the process may have been killed for another reason."""
CHUNK = 1 << 16


class Crew:
    """A number of worker processes; each carries out one run at a time."""

    def __init__(self, size: int, longest_s: float | None = None) -> None:
        """
        Args:
            size: number of processes.
            longest_s: maximum real time of a run; its process is then killed.
        """
        self.size = size
        self._longest_s = longest_s
        self._pool = ThreadPoolExecutor(size, "crew")
        self._local = threading.local()
        self._workers: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._is_closed = False

    @property
    def processes(self) -> list[int]:
        """The numbers of the running processes."""
        with self._lock:
            return [worker.pid for worker in self._workers if worker.poll() is None]

    def submit(self, work: Work) -> Future[dict[str, Any]]:
        """Carry out work when a process is free; the result is that of `carry_out_work`."""
        return self._pool.submit(self._carry_out, work)

    def close(self) -> None:
        """End all processes, also those in a run."""
        self._is_closed = True
        with self._lock:
            for worker in self._workers:
                _kill(worker)
        self._pool.shutdown(cancel_futures=True)
        for worker in self._workers:
            _release(worker)
        self._workers.clear()

    def _carry_out(self, work: Work) -> dict[str, Any]:
        ending = ""
        for _ in range(ATTEMPTS):
            if self._is_closed:
                break
            with self._worker() as worker:
                answer, ending = _exchange(worker, json.dumps(work.to_data()), self._longest_s)
            if answer is not None:
                return answer
            if ending.startswith("took"):
                break
        return failure(ending)

    @contextmanager
    def _worker(self) -> Iterator[subprocess.Popen[bytes]]:
        """The process of this thread; a new one if it has died."""
        worker: subprocess.Popen[bytes] | None = getattr(self._local, "worker", None)
        if worker is None or worker.poll() is not None:
            worker = self._local.worker = self._start()
        yield worker
        if worker.poll() is not None:
            _release(worker)
            with self._lock:
                self._workers.discard(worker)

    def _start(self) -> subprocess.Popen[bytes]:
        worker = subprocess.Popen(
            [sys.executable, "-c", WORK],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        with self._lock:
            self._workers.add(worker)
            if self._is_closed:
                _kill(worker)
        return worker

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _exchange(
    worker: subprocess.Popen[bytes], line: str, longest_s: float | None
) -> tuple[dict[str, object] | None, str]:
    """Send a run to a process; return its answer, or None and why there is none."""
    assert worker.stdin is not None and worker.stdout is not None, "both are pipes"
    try:
        worker.stdin.write(line.encode() + b"\n")
        worker.stdin.flush()
    except BrokenPipeError:
        return None, _ending(worker)
    answer = b""
    while not answer.endswith(b"\n"):
        if not readable([worker.stdout], longest_s):
            _kill(worker)
            worker.wait()
            return None, f"took more than {longest_s:g} s and was stopped"
        chunk = os.read(worker.stdout.fileno(), CHUNK)
        if not chunk:
            return None, _ending(worker)
        answer += chunk
    return json.loads(answer), ""


def _ending(worker: subprocess.Popen[bytes]) -> str:
    code = worker.wait()
    _kill(worker)  # controllers that it has started
    name = f"by signal {-code} ({signal.Signals(-code).name})" if code < 0 else f"with exit code {code}"
    return f"the simulator ended {name}, {ATTEMPTS} times"


def _release(worker: subprocess.Popen[bytes]) -> None:
    """Free what is left of a process."""
    worker.wait()
    for pipe in (worker.stdin, worker.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()


def _kill(worker: subprocess.Popen[bytes]) -> None:
    """Kill a process with the controllers that it has started."""
    try:
        os.killpg(worker.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # all have ended
