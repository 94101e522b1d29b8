"""A controller's process: start, output, end."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from wbridge.hal.process_end import ProcessEnd
from wbridge.wbcore.controllers.output import LinePump, Output
from wbridge.wbcore.controllers.program_types import CannotStart

ENDS_ON_WINDOWS = {
    0xC0000005: "it used memory that it does not own",
    0xC0000094: "it divided an integer by 0",
    0xC00000FD: "its stack overflowed",
    0xC000007B: "it is for another processor, or loads a library that is",
    0xC0000135: "a library that it loads was not found; programs in C++ need the folder with MinGW's "
    "libstdc++-6.dll and libgcc_s_seh-1.dll in the PATH",
    0xC0000139: "a library that it loads lacks a function; compile it again",
}
"""Exit codes of programs that Windows ended, and why (Microsoft's table of NTSTATUS values)."""
CAUSES = {
    signal.SIGSEGV: ": it accessed invalid memory, such as a null pointer or beyond the end of an array",
    signal.SIGFPE: ": it divided an integer by zero, for example",
    signal.SIGABRT: ": it aborted; see its message above",
}
"""Common causes, for beginners."""


class Process:
    """One controller in a process group of its own, so that its child processes end with it.

    The ended process stays a zombie until `close`, unless a thread waits for it: its number cannot be reused,
    so signals to its group never reach another process.
    """

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
                start_new_session=True,
            )
        except OSError as problem:
            raise CannotStart(f"{command[0]} cannot be executed: {problem.strerror}") from None
        self.pid = self._popen.pid
        self.exit_code: int | None = None
        """As in a shell, but negative for the signal that ended it; None while it runs."""
        self._end = ProcessEnd(self._popen)
        self.end_file = self._end.fileno()
        """Becomes readable when the process has ended."""
        streams = ((self._popen.stdout, False), (self._popen.stderr, True))
        self.pumps = []
        for stream, is_error in streams:
            if stream is not None:
                os.set_blocking(stream.fileno(), False)
                self.pumps.append(LinePump(stream, output, robot, is_error))

    def look(self) -> bool:
        """Check for the end of the process; return True, and set its exit code, if it has ended."""
        if self._end.is_by_thread:
            self.exit_code = self._popen.poll()
        elif self.exit_code is None:
            found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if found is not None:
                was_signal = found.si_code != os.CLD_EXITED
                self.exit_code = -found.si_status if was_signal else found.si_status
        return self.exit_code is not None

    def read_output(self) -> None:
        """Pass on the lines that it has printed so far."""
        for pump in self.pumps:
            while pump.pump():
                pass

    def signal(self, number: int) -> None:
        """Send a signal to the process and its child processes."""
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return  # all processes have ended

    def close(self) -> None:
        """Kill what still runs of it, and release it."""
        self.signal(signal.SIGKILL)
        self._popen.wait()
        if self.exit_code is None:
            self.exit_code = self._popen.returncode
        self.read_output()
        for pump in self.pumps:
            pump.close()
        self._end.close()


def exit_text(code: int) -> str:
    """Describe an exit code."""
    if code in ENDS_ON_WINDOWS:
        return f"was ended by Windows (0x{code:08X}): {ENDS_ON_WINDOWS[code]}"
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        number = signal.Signals(-code)
        return f"was ended by signal {-code} ({number.name}){CAUSES.get(number, '')}"
    except ValueError:
        return f"was ended by signal {-code}"
