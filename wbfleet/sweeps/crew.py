"""Processes of this machine that carry out runs, and survive runs that crash or hang."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from wbridge.hal.closing import Closing
from wbridge.hal.heirs import SOCKET, Heir, end_all, start_heir
from wbridge.hal.protocol.low_latency import processors
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


class Crew(Closing):
    """A number of worker processes; each carries out one run at a time."""

    def __init__(self, size: int | None, longest_s: float | None = None) -> None:
        """
        Args:
            size: number of processes; None: one for each processor.
            longest_s: maximum real time of a run; its process is then killed.
        """
        self.size = size or processors()
        self._longest_s = longest_s
        self._pool = ThreadPoolExecutor(self.size, "crew")
        self._local = threading.local()
        self._workers: dict[int, Heir] = {}
        self._lock = threading.Lock()
        self._is_closed = False

    @property
    def processes(self) -> list[int]:
        """The numbers of the running processes."""
        with self._lock:
            processes = [worker.process for worker in self._workers.values()]
        return [process.pid for process in processes if process.poll() is None]

    def submit(self, work: Work) -> Future[dict[str, Any]]:
        """Carry out work when a process is free; the result is that of `carry_out_work`."""
        return self._pool.submit(self._carry_out, work)

    def close(self) -> None:
        """End all processes, also those in a run."""
        self._is_closed = True
        with self._lock:
            for worker in self._workers.values():
                end_all(worker.process)
        self._pool.shutdown(cancel_futures=True)
        for worker in self._workers.values():
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
    def _worker(self) -> Iterator[Heir]:
        """The process of this thread; a new one if it has died."""
        worker: Heir | None = getattr(self._local, "worker", None)
        if worker is None or worker.process.poll() is not None:
            worker = self._local.worker = self._start()
        yield worker
        if worker.process.poll() is not None:
            _release(worker)
            with self._lock:
                self._workers.pop(worker.process.pid, None)

    def _start(self) -> Heir:
        worker = start_heir(["-c", WORK, SOCKET], is_quiet=True)
        with self._lock:
            self._workers[worker.process.pid] = worker
            if self._is_closed:
                end_all(worker.process)
        return worker


def _exchange(worker: Heir, line: str, longest_s: float | None) -> tuple[dict[str, object] | None, str]:
    """Send a run to a process; return its answer, or None and why there is none."""
    (wire,) = worker.sockets
    answer = b""
    try:
        wire.sendall(line.encode() + b"\n")
        while not answer.endswith(b"\n"):
            if not readable([wire], longest_s):
                end_all(worker.process)
                worker.process.wait()
                return None, f"took more than {longest_s:g} s and was stopped"
            chunk = wire.recv(CHUNK)
            if not chunk:
                return None, _ending(worker.process)
            answer += chunk
    except ConnectionError:
        return None, _ending(worker.process)
    return json.loads(answer), ""


def _ending(worker: subprocess.Popen[bytes]) -> str:
    code = worker.wait()
    end_all(worker)  # controllers that it has started
    name = f"by signal {-code} ({signal.Signals(-code).name})" if code < 0 else f"with exit code {code}"
    return f"the simulator ended {name}, {ATTEMPTS} times"


def _release(worker: Heir) -> None:
    """Free what is left of a process."""
    worker.process.wait()
    worker.sockets[0].close()
