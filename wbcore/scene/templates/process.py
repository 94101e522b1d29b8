"""The processes that run templates: one per language, started at first use and replaced after a crash.

A worker that does not answer in time is killed. Threads take turns. A forked process starts its own workers.
Workers are terminated at exit.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path

from wbridge.hal.installation import package_command
from wbridge.wbcore.scene.templates.model import TemplateError
from wbridge.wbcore.scene.templates.windows_worker import WindowsWorker

# Module in engines/, module of the package it stands on, name of the package for pip.
ENGINES = {
    "lua": ("lua_engine", "lupa", "lupa", "Lua"),
    "javascript": ("javascript_engine", "_quickjs", "quickjs-ng", "JavaScript"),
}

# The environment variables that a dynamically linked interpreter needs to start.
_PASSED_ON = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")


class WorkerLost(Exception):
    """The worker ended before it answered. `signal` is the signal that ended it (0: it exited)."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal_number)
        self.signal = signal_number


class WorkerLate(Exception):
    """The worker did not answer in time and was killed."""


class Worker:
    """A worker process and the two pipes to it."""

    def __init__(self, language: str) -> None:
        arguments = _command(language)
        request_read, self._to = os.pipe()
        self._from, reply_write = os.pipe()
        try:
            self.pid = os.posix_spawn(sys.executable, arguments, _environment(), file_actions=[
                (os.POSIX_SPAWN_DUP2, request_read, 0),
                (os.POSIX_SPAWN_DUP2, reply_write, 1),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ])  # fmt: skip
        except OSError:
            self.forget()
            raise
        finally:
            os.close(request_read)
            os.close(reply_write)
        os.set_blocking(self._to, False)
        os.set_blocking(self._from, False)

    def call(self, request: bytes, seconds: float, largest: int) -> bytes:
        """Send a request and wait up to `seconds` for the reply of at most `largest` bytes.

        Raises:
            WorkerLate: no reply in time. WorkerLost: the worker ended. In both cases the worker is gone.
        """
        deadline = time.monotonic() + seconds
        try:
            self._write(len(request).to_bytes(4, "big") + request, deadline)
            size = int.from_bytes(self._read(4, deadline), "big")
            if size > largest:
                raise WorkerLost(0)
            return self._read(size, deadline)
        except BaseException:
            # Also after Ctrl-C: an unread reply would answer the next request.
            self.kill()
            raise

    def _write(self, data: bytes, deadline: float) -> None:
        left = memoryview(data)
        while left:
            self._wait(self._to, select.POLLOUT, deadline)
            try:
                left = left[os.write(self._to, left) :]
            except BrokenPipeError:
                raise WorkerLost(self.kill()) from None

    def _read(self, size: int, deadline: float) -> bytes:
        data = bytearray()
        while len(data) < size:
            self._wait(self._from, select.POLLIN, deadline)
            got = os.read(self._from, min(size - len(data), 1 << 20))
            if not got:
                raise WorkerLost(self.kill())
            data += got
        return bytes(data)

    def _wait(self, pipe: int, event: int, deadline: float) -> None:
        poll = select.poll()
        poll.register(pipe, event)
        if not poll.poll(max(deadline - time.monotonic(), 0) * 1000):
            raise WorkerLate

    def kill(self) -> int:
        """Kill the process and close the pipes; return the signal that ended it (0: none). Idempotent."""
        if self.pid == 0:
            return 0
        pid, self.pid = self.pid, 0
        # Close its input first, so that a crashed worker keeps its own cause of death.
        self.forget()
        status = _reaped(pid)
        return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0

    def forget(self) -> None:
        """Only close the pipes, in a forked process, which does not own the worker."""
        for pipe in (self._to, self._from):
            os.close(pipe)


def _reaped(pid: int) -> int:
    """Kill a process unless it has ended; return its wait status."""
    try:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return status
        os.kill(pid, signal.SIGKILL)
        return os.waitpid(pid, 0)[1]
    except ChildProcessError:  # already waited for elsewhere
        return 0


def _command(language: str) -> list[str]:
    """Return the command line of a worker.

    Raises:
        TemplateError: the package of the engine is not installed.
    """
    engine, module, package, name = ENGINES[language]
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise TemplateError(
            f"{name} templates need the package {package}; install it: {package_command(package)}"
        )
    folder = Path(spec.origin).parent
    if spec.submodule_search_locations:
        folder = folder.parent
    script = Path(__file__).with_name("worker.py")
    # -I -S: skip the user's folders and site-packages hooks, for safety and speed.
    return [sys.executable, "-I", "-S", "-X", "utf8", str(script), engine, str(folder)]


def _environment() -> dict[str, str]:
    """Return an environment with UTC and only the variables that the interpreter needs."""
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return passed | {"TZ": "UTC0", "LC_ALL": "C"}


_workers: dict[str, Worker] = {}
_windows_workers: dict[str, WindowsWorker] = {}
_locks = {language: threading.Lock() for language in ENGINES}


def call(language: str, request: bytes, seconds: float, largest: int) -> bytes:
    """Return the answer of a language's worker, starting one if necessary (see Worker.call)."""
    if sys.platform == "emscripten":
        from wbridge.wbcore.scene.templates.inside import (
            call_inside,  # start-up: only web pages have no processes
        )

        return call_inside(language, request)
    if sys.platform == "win32":
        return _call_on_windows(language, request, seconds, largest)
    with _locks[language]:
        idle = _workers.pop(language, None)
        if idle is not None:
            try:
                return _kept(language, idle, request, seconds, largest)
            except WorkerLost as lost:
                # It was probably killed while idle: retry with a new worker.
                if lost.signal != signal.SIGKILL:
                    raise
        return _kept(language, Worker(language), request, seconds, largest)


def _call_on_windows(language: str, request: bytes, seconds: float, largest: int) -> bytes:
    """As `call`, by the worker of a system that lets no program wait for a pipe and a time at once."""
    with _locks[language]:
        worker = _windows_workers.get(language)
        if worker is None:
            worker = _windows_workers[language] = WindowsWorker(_command(language), _environment())
        try:
            return worker.call(request, seconds, largest)
        except (TimeoutError, EOFError) as problem:
            del _windows_workers[language]
            raise (WorkerLate if isinstance(problem, TimeoutError) else WorkerLost(0)) from None


def _kept(language: str, worker: Worker, request: bytes, seconds: float, largest: int) -> bytes:
    """Return the worker's reply; keep the worker for the next call if it answered."""
    reply = worker.call(request, seconds, largest)
    _workers[language] = worker
    return reply


@atexit.register
def close() -> None:
    """Terminate all workers; the next template starts new ones."""
    while _workers:
        _workers.popitem()[1].kill()
    while _windows_workers:
        _windows_workers.popitem()[1].kill()


def _after_fork() -> None:
    """In a forked process, drop the parent's workers and a lock that another thread may have held."""
    for worker in _workers.values():
        worker.pid = 0
        worker.forget()
    _workers.clear()
    for language in _locks:
        _locks[language] = threading.Lock()


if hasattr(os, "register_at_fork"):  # Windows has no fork()
    os.register_at_fork(after_in_child=_after_fork)
