"""Watches between the steps of a controller: one that makes none has its robot stopped, and a guard that
hangs is replaced.

A plugin in this process that does not watch the steps itself is paused. A plugin in a guard watches its steps
there; the guard itself is asked for a sign of life, as it gives none between requests.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from wbridge.hal.printable import print_problem

if TYPE_CHECKING:
    from wbridge.hal.gateway.switch import RemoteSwitch

LOOK_S = 0.02
"""Interval of questions to a guard while its controller computes, in s."""


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
        """End of the last step or question, in s; None: nothing to watch."""
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
        """Time until `expire` must be called, in s; None: it need not."""
        if self._since is None:
            return None
        return max(self._since + self._patience() - time.monotonic(), 0.0)

    def expire(self) -> None:
        """Stop the robot, or ask its guard for a sign of life."""
        self._since = None
        control = self._robot.remote_control
        if control.guarded is not None and control.guarded.active:
            control.guarded.look_after_guard()
            self.after_step()
        elif control.mode is not None and control.mode.active:
            self._has_stopped = True
            control.mode.pause()  # before anything is printed, which may wait
            text = f"no step for {control.mode.plugin.watchdog_ms} ms, the robot stops until the next one"
            print_problem(f'Remote control "{control.mode.name}": {text}')

    def _patience(self) -> float:
        """In s; 0 if the plugin watches the steps itself, or in simulation."""
        control = self._robot.remote_control
        if control.guarded is not None and control.guarded.active:
            return LOOK_S
        mode = control.mode
        return mode.plugin.watchdog_ms / 1000 if mode is not None and mode.active else 0.0
