"""`wbridge run --isolate`: simulate in a child process, so that a plugin that destroys it cannot take the
message and the recording with it.

The child continues as the command. The parent watches it: a shared file says which function of the physics
plugin is being called (PluginNote), also when the process is gone.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from time import monotonic

from wbridge.failures import RunError
from wbridge.hal.folders import draft_of
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics_plugins.options import LIMIT_S

PAUSE_S = 1.0
"""Between two looks at the calls of the plugin."""
GRACE_S = 10.0
"""What the child has beyond the limit of a call: it ends such calls itself, unless its memory is damaged."""
SIGNALS = [signal.SIGINT, signal.SIGTERM]
if sys.platform != "win32":
    SIGNALS += [signal.SIGHUP, signal.SIGCHLD]
NOTE = "calls"
_PR_SET_PDEATHSIG = 1


class Isolated:
    """A child process that simulates."""

    def __init__(self, pid: int, note_file: str, limit_s: float, record: Path | None) -> None:
        self._pid, self._limit_s, self._record = pid, limit_s, record

        self._folder = Path(note_file).parent
        self._note: _engine.PluginNote = _engine.PluginNote(note_file)
        self._calls, self._since = -1, 0.0

    def wait(self) -> int:
        """Pass signals on until the child has ended; return its exit code.

        Raises:
            RunError: it did not end by itself; the message names the function of the plugin and the step.
        """
        try:
            return self._wait()
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _wait(self) -> int:
        while True:
            came = signal.sigtimedwait(SIGNALS, PAUSE_S)
            if came is not None and came.si_signo != signal.SIGCHLD:
                if came.si_code <= 0:  # not of the terminal, which sends its signals to both
                    os.kill(self._pid, came.si_signo)
                continue
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                return self._ended(os.waitstatus_to_exitcode(status))
            if self._is_stuck():
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
                raise self._failure(f"did not return within {self._limit_s:g} s, in step {self._note.step}")

    def _is_stuck(self) -> bool:
        """True if a call takes longer than it may, or the child does not end after a failed one."""
        note = self._note
        if note.calls != self._calls or not (note.is_running or note.has_failed):
            self._calls, self._since = note.calls, monotonic()
        return monotonic() - self._since > self._limit_s + GRACE_S

    def _ended(self, code: int) -> int:
        note = self._note
        if note.is_running:
            if code < 0:
                raise self._failure(f"crashed in step {note.step}: {_name(-code)}")
            raise self._failure(f"ended the process in step {note.step}, with exit code {code}")
        if code >= 0:
            return code
        last = f'; last call of physics plugin "{note.plugin}": {note.function} in step {note.step}'
        known = last if note.plugin else ""
        raise RunError(f"the simulation crashed: {_name(-code)}{known}{self._recorded()}")

    def _failure(self, what: str) -> RunError:
        note = self._note
        return RunError(f'physics plugin "{note.plugin}": {note.function} {what}{self._recorded()}')

    def _recorded(self) -> str:
        """Name the recording, whose last complete version is kept."""
        if self._record is None:
            return ""
        draft_of(self._record, self._pid).unlink(missing_ok=True)
        return f"; recorded until then: {self._record}" if self._record.is_file() else ""


def _name(number: int) -> str:
    return signal.strsignal(number) or f"signal {number}"


def isolate(limit_s: float | None, record: Path | None) -> Isolated | str:
    """Fork. Call it while the process has one thread.

    Args:
        limit_s: longest duration of a call of a plugin (s); None: the default.
        record: the file of the recording; None: none.

    Returns:
        In the parent the child; in the child the path of the note for the plugin.
    """
    former = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    folder = tempfile.mkdtemp(prefix="wbridge-isolated-")
    note_file, parent = str(Path(folder) / NOTE), os.getpid()
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return Isolated(pid, note_file, LIMIT_S if limit_s is None else limit_s, record)
    signal.pthread_sigmask(signal.SIG_SETMASK, former)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)  # it died before
    return note_file
