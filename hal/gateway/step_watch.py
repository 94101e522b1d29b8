"""Stops a robot whose controller makes no step, for plugins that do not watch the steps themselves."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from wbridge.hal.gateway.switch import RemoteSwitch

__all__ = ["StepWatch"]


class WatchedRobot(Protocol):
    """The part of the gateway's robot that is watched."""

    remote_control: RemoteSwitch

    def resend_all(self) -> None:
        """Repeat all commands that a robot needs to continue in the current state."""


class StepWatch:
    """The time since the last step, and what follows if it becomes too long."""

    def __init__(self, robot: WatchedRobot) -> None:
        self._robot = robot
        self._since: float | None = None
        """End of the last step, in s; None: nothing to stop."""
        self._has_stopped = False

    def before_request(self) -> None:
        """A request arrives: let a stopped robot move on with it."""
        self._since = None
        if self._has_stopped:
            self._has_stopped = False
            self._robot.resend_all()

    def after_step(self) -> None:
        """A step has ended; the next one is expected."""
        self._since = time.monotonic() if self._patience() else None

    def remaining(self) -> float | None:
        """Time until the robot must be stopped, in s; None: it need not."""
        if self._since is None:
            return None
        return max(self._since + self._patience() - time.monotonic(), 0.0)

    def expire(self) -> None:
        """Stop the robot."""
        self._since = None
        mode = self._robot.remote_control.mode
        if mode is None or not mode.active:
            return
        self._has_stopped = True
        mode.pause()  # before anything is printed, which may wait
        text = f"no step for {mode.plugin.watchdog_ms} ms, the robot stops until the next one"
        print(f'Remote control "{mode.name}": {text}', file=sys.stderr, flush=True)

    def _patience(self) -> float:
        """In s; 0 if the plugin watches the steps itself, or in simulation."""
        mode = self._robot.remote_control.mode
        return mode.plugin.watchdog_ms / 1000 if mode is not None and mode.active else 0.0
