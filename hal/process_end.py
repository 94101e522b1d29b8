"""The end of another process as a file that becomes readable, which is awaited together with other files.

Linux has such files since release 5.3. Where they are missing or forbidden, as on macOS, on Windows and in
some containers, a thread waits for the process.
"""

from __future__ import annotations

import os
import socket
import subprocess
import threading

__all__ = ["ProcessEnd"]


class ProcessEnd:
    """The end of a process that this program has started."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.is_by_thread = False
        """A thread waits for the process, which the system forgets at its end; its exit code is kept."""
        try:
            self._file = os.pidfd_open(process.pid)
        except (AttributeError, OSError):
            self.is_by_thread = True
            self._end, bell = socket.socketpair()
            self._file = self._end.fileno()
            self._thread = threading.Thread(target=_ring, args=(process, bell), daemon=True)
            self._thread.start()

    def fileno(self) -> int:
        """The file: readable when the process has ended."""
        return self._file

    def close(self) -> None:
        """Release the file; where a thread waits, this waits for the process, too."""
        if self.is_by_thread:
            self._thread.join()
            self._end.close()
        else:
            os.close(self._file)


def _ring(process: subprocess.Popen[bytes], bell: socket.socket) -> None:
    process.wait()
    bell.close()
