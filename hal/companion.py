"""Plugins that drive some of a robot's devices, alone or in a combination such as "wblink+camera"."""

from __future__ import annotations

import time

from wbridge.hal.remote import RemoteControl


class Companion(RemoteControl):
    """A remote-control plugin that can accompany another one; derive from it and name the class `Plugin`.

    A companion implements `exchange` instead of `robot_step`, because in a combination the first plugin waits
    for the end of the step.
    """

    _due: float | None = None

    def drives(self, tag: int) -> bool:
        """True if this plugin drives a device instead of the first one; valid after `start`."""
        raise NotImplementedError

    def exchange(self, period: int) -> None:
        """Send commands and inject sensor values at the end of a step, without waiting.

        Args:
            period: duration of the step, in ms of real time.
        """
        raise NotImplementedError

    def robot_step(self, period: int) -> int:
        """Make a step without another plugin: wait for its end, then exchange; return its delay in ms."""
        now = time.monotonic()
        due = (now if self._due is None else self._due) + period / 1000
        time.sleep(max(due - now, 0.0))
        self.exchange(period)
        late = max(round(1000 * (time.monotonic() - due)), 0)
        self._due = due + late / 1000
        return late
