"""A controller's process: how it starts, what it prints, how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from wbcore.controllers.output import LinePump, Output
from wbcore.controllers.program_types import CannotStart

__all__ = ["Process", "exit_text"]


CAUSES = {
    signal.SIGSEGV: ": it used memory that is not its own, by a null pointer or beyond an array for example",
    signal.SIGFPE: ": it divided an integer by zero, for example",
    signal.SIGABRT: ": it gave up by itself, for the reason that stands above",
}
"""What beginners have to look for."""


class Process:
    """One controller in a process group of its own, so that what it starts ends with it.

    The ended process is kept as it is until `close`: its number can so long not be given to another one,
    which would otherwise be hit by the signals for its group.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        output: Output,
        robot: str,
    ) -> None:
        """Start it.

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
                start_new_session=True,
            )
        except OSError as problem:
            raise CannotStart(f"{command[0]} cannot be started: {problem.strerror}") from None
        self.pid = self._popen.pid
        self.exit_code: int | None = None
        """As a shell sees it, negative: the signal that ended it; None while it runs."""
        self.end_file = os.pidfd_open(self.pid)
        """Can be read when the process has ended."""
        streams = ((self._popen.stdout, False), (self._popen.stderr, True))
        self.pumps = [LinePump(one, output, robot, is_error) for one, is_error in streams if one is not None]

    def look(self) -> bool:
        """True when it has ended; its exit code is known then."""
        if self.exit_code is None:
            found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if found is not None:
                was_signal = found.si_code != os.CLD_EXITED
                self.exit_code = -found.si_status if was_signal else found.si_status
        return self.exit_code is not None

    def signal(self, number: int) -> None:
        """Send a signal to the process and to all that it has started."""
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return  # nobody is left

    def close(self) -> None:
        """End at once what still runs of it, and forget it."""
        self.signal(signal.SIGKILL)
        self._popen.wait()
        if self.exit_code is None:
            self.exit_code = self._popen.returncode
        for pump in self.pumps:
            while pump.pump():
                pass
            pump.close()
        os.close(self.end_file)


def exit_text(code: int) -> str:
    """An exit code in words."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        number = signal.Signals(-code)
        return f"was ended by signal {-code} ({number.name}){CAUSES.get(number, '')}"
    except ValueError:
        return f"was ended by signal {-code}"
