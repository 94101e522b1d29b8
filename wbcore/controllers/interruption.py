"""Signals that end a run: recorded at once, handled between two steps."""

from __future__ import annotations

import signal
import socket
import sys
from types import FrameType, TracebackType

from wbridge.wbcore.controllers.runner import Runner

SIGNALS = [signal.SIGINT, signal.SIGTERM]
if sys.platform != "win32":
    SIGNALS.append(signal.SIGHUP)


class Interruption:
    """Makes Ctrl-C and termination signals end a run cleanly.

        with Interruption() as interruption, Runner(world) as runner:
            interruption.watch(runner)
            runner.run()

    A second signal, or one during an inline controller, raises KeyboardInterrupt at once. Use it in the main
    thread only.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        """The received signal."""
        self._runner: Runner | None = None
        self._former: dict[int, object] = {}
        self._awake, self._bell = socket.socketpair()
        self._awake.setblocking(False)
        self._bell.setblocking(False)

    def watch(self, runner: Runner) -> None:
        """End this run by signals; at once if one was already received."""
        self._runner = runner
        if self.number is not None:
            self._end(runner, self.number)
        runner.server.watch_file(self._awake.fileno(), self._heard)

    def __enter__(self) -> Interruption:
        for number in SIGNALS:
            self._former[number] = signal.signal(number, self._take)
        self._former_file = signal.set_wakeup_fd(self._bell.fileno(), warn_on_full_buffer=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.set_wakeup_fd(self._former_file)
        for number, former in self._former.items():
            signal.signal(number, former)  # type: ignore[arg-type]
        self._awake.close()
        self._bell.close()

    def _take(self, number: int, frame: FrameType | None) -> None:
        # Last resort: modules being imported may mistake the exception for their own.
        again = self.number is not None
        self.number = number
        if again or (self._runner is not None and self._runner.controllers.is_inside):
            raise KeyboardInterrupt
        if self._runner is not None:
            self._end(self._runner, number)

    def _end(self, runner: Runner, number: int) -> None:
        runner.end(128 + number, f"ended by {signal.Signals(number).name}")

    def _heard(self) -> None:
        self._awake.recv(64)
