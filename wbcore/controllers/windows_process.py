"""A controller's process on Windows, where neither signals nor files tell its end.

A thread waits for each stream of output, another one for the end; they pass on what they learn by sockets,
which the server watches as it does all others. A job object ends the child processes with the process.
"""

from __future__ import annotations

import ctypes
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from wbridge.hal.process_end import ProcessEnd
from wbridge.wbcore.controllers.output import CHUNK, LinePump, Output
from wbridge.wbcore.controllers.program_types import CannotStart

NEW_GROUP = 0x200
"""CREATE_NEW_PROCESS_GROUP: Ctrl-C in the terminal is for the simulator, which ends its controllers."""


class WindowsProcess:
    """As `wbridge.wbcore.controllers.process.Process`."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        output: Output,
        robot: str,
    ) -> None:
        """Start the process.

        Raises:
            CannotStart: the program cannot be executed.
        """
        pipe = subprocess.PIPE if output.is_pumped else None
        try:
            self._popen = subprocess.Popen(
                list(command),
                cwd=folder,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=pipe or output.stdout,
                stderr=pipe or output.stderr,
                bufsize=0,
                creationflags=NEW_GROUP if sys.platform == "win32" else 0,
            )
        except OSError as problem:
            raise CannotStart(f"{command[0]} cannot be executed: {problem.strerror}") from None
        self.pid = self._popen.pid
        self.exit_code: int | None = None
        """None while it runs."""
        self._job = _job_of(self._popen)
        self._end = ProcessEnd(self._popen)
        self.end_file = self._end.fileno()
        """Becomes readable when the process has ended."""
        self._threads: list[threading.Thread] = []
        self.pumps: list[LinePump] = []
        for stream, is_error in ((self._popen.stdout, False), (self._popen.stderr, True)):
            if stream is not None:
                own, other = socket.socketpair()
                own.setblocking(False)
                self.pumps.append(LinePump(own.makefile("rb", buffering=0), output, robot, is_error))
                own.close()  # the file keeps it open
                self._threads.append(threading.Thread(target=_relay, args=(stream, other), daemon=True))
        for thread in self._threads:
            thread.start()

    def look(self) -> bool:
        """Check for the end of the process; return True, and set its exit code, if it has ended."""
        if self.exit_code is None:
            self.exit_code = self._popen.poll()
        return self.exit_code is not None

    def signal(self, number: int) -> None:
        """End the process and its child processes: this system has no signals to ask for it."""
        if self._job is not None:
            self._job.end()
        elif self._popen.poll() is None:
            self._popen.terminate()

    def close(self) -> None:
        """Kill what still runs of it, and release it."""
        self.signal(0)
        self._popen.wait()
        self.look()
        for thread in self._threads:
            thread.join()
        for pump in self.pumps:
            while pump.pump():
                pass
            pump.close()
        self._end.close()


class _Job:
    """A job object: a set of processes that end together."""

    END_WITH_HANDLE = 0x2000
    EXTENDED_LIMITS = 9

    class Limits(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION, of which only the flags are set."""

        _fields_ = [
            ("times", ctypes.c_int64 * 2),
            ("flags", ctypes.c_uint32),
            ("rest", ctypes.c_size_t * 15),
        ]

    def __init__(self, handle: int, kernel: ctypes.CDLL) -> None:
        self._handle, self._kernel = ctypes.c_void_p(handle), kernel

    def limit(self) -> bool:
        """Let the processes end with this one; False: the system refuses it."""
        limits = self.Limits(flags=self.END_WITH_HANDLE)
        size = ctypes.sizeof(limits)
        kind = self.EXTENDED_LIMITS
        return bool(self._kernel.SetInformationJobObject(self._handle, kind, ctypes.byref(limits), size))

    def take(self, process: int) -> bool:
        """Add a process by its handle, and all that it starts; False: the system refuses it."""
        return bool(self._kernel.AssignProcessToJobObject(self._handle, ctypes.c_void_p(process)))

    def end(self) -> None:
        """End all processes of the job."""
        self._kernel.TerminateJobObject(self._handle, 1)


def _job_of(popen: subprocess.Popen[bytes]) -> _Job | None:
    """Put a process into a job of its own; None: the system has none."""
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32")
        kernel.CreateJobObjectW.restype = ctypes.c_void_p
        handle = kernel.CreateJobObjectW(None, None)
        job = _Job(handle, kernel) if handle else None
        if job is not None and job.limit() and job.take(int(popen._handle)):
            return job
    return None


def _relay(stream: IO[bytes], target: socket.socket) -> None:
    """Pass on what a process prints, until it prints no more."""
    with stream, target:
        while data := stream.read(CHUNK):
            try:
                target.sendall(data)
            except OSError:
                return  # nobody reads it any more
