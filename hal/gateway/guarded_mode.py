"""Remote mode with a guard: the plugin runs in a process of its own (see
`wbridge.hal.gateway.guard`)."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from wbridge.hal.gateway.custom_json import json_of, takes_json
from wbridge.hal.gateway.guard import (
    ASK_MODE,
    CONTINUE,
    CUSTOM_BLOCK,
    MODE,
    MODE_BLOCK,
    RELEASE,
    TIME,
    GuardConnection,
    SilentGuards,
    report_no_replacement,
    report_replacement,
)
from wbridge.hal.gateway.host import Route
from wbridge.hal.protocol.codec import HEAD
from wbridge.hal.remote import RemoteRobot
from wbridge.hal.remote_plugins import create_plugin, find_plugin, is_guarded, plugin_name, unguarded_advice
from wbridge.hal.reports import report

if TYPE_CHECKING:
    from wbridge.hal.gateway.host import RemoteHost

VARIABLE = "WBRIDGE_REMOTE_GUARD"
"""Environment: "off" runs all plugins in the controller's process, for example to debug one."""
REMOTE_CONTROL = 2


class Guard(Route, Protocol):
    """A connection to the simulator through what runs the plugin."""

    simulator: Route
    """The controller's own connection."""
    mode: int
    """The mode that the guard has reported."""
    is_lost: bool
    """True after the guard was lost; the connection is then that to the simulator."""
    was_silent: bool
    """True if it was lost because it said nothing."""

    def ask(self, block: int, data: bytes) -> bytes:
        """Send a request to the guard itself; the messages of its answer, or b"" if it is lost."""

    def release(self) -> None:
        """End the guard; the connection to the simulator stays open."""


GuardMaker = Callable[[Route, bytes, Callable[[], None]], Guard]
"""Takes the connection to the simulator, the messages that describe the robot, and what stops the robot."""
_make_guard: GuardMaker = GuardConnection


def make_guards(make: GuardMaker = GuardConnection) -> None:
    """Set what makes guards: by default, processes."""
    global _make_guard
    _make_guard = make


def needs_guard(robot: RemoteHost) -> bool:
    """True if the robot's plugin has to run in a guard.

    Raises:
        PluginError: there is no such plugin.
    """
    name = plugin_name(robot.info.remote_library)
    if not name or os.environ.get(VARIABLE) == "off":
        return False
    return is_guarded(name, robot.info.project_path)


def tell_unguarded(robot: RemoteHost) -> None:
    """Report a plugin in this process whose robot may drive on when the process dies.

    Raises:
        PluginError: there is no such plugin.
    """
    name = plugin_name(robot.info.remote_library)
    advice = unguarded_advice(name, robot.info.project_path) if name else ""
    if advice and os.environ.get(VARIABLE) != "off":
        print(f"Remote control: {advice}", file=sys.stderr, flush=True)


class GuardedMode:
    """A plugin in a guard, as `wbridge.hal.gateway.mode.RemoteMode` is one in this process."""

    def __init__(self, robot: RemoteHost) -> None:
        self._robot = robot
        self._place = ""
        """Argument of the plugin's last start."""
        self._has_driven = False
        """True after a start that has succeeded: the robot may move."""
        self._silent = SilentGuards()
        self._guard: Guard | None = None

    @property
    def active(self) -> bool:
        """True in remote control."""
        guard = self._guard
        return guard is not None and not guard.is_lost and guard.mode == REMOTE_CONTROL

    def start(self, place: str) -> bool:
        """Connect the plugin to a robot, or go on with the same one; False, with a message, if that fails."""
        return self._start(place, REMOTE_CONTROL)

    def _start(self, place: str, mode: int, time: bytes = b"") -> bool:
        if self._guard is None:
            robot = self._robot
            self._guard = _make_guard(robot.route, robot.first_data, self._stop_robot)
            robot.lead(self._guard, is_remote=True)
        self._place = place
        self._request_mode(self._guard, mode, place, time)
        if not self.active:
            self.stop()
            return False
        self._has_driven = True
        self._robot.resend_all()
        return True

    def stop(self) -> None:
        """Stop the robot, disconnect the plugin, and send all lasting commands to the simulator."""
        guard, self._guard = self._guard, None
        if guard is None:
            return
        try:
            if not guard.is_lost:
                self._request_mode(guard, RELEASE, "")
        finally:  # also without the simulator: a guard that is left stops the robot
            guard.release()
            self._robot.lead(guard.simulator, is_remote=False)
        self._robot.resend_lasting()

    def look_after_guard(self) -> None:
        """Between steps: stop the robot if the guard is gone or hangs; the next step then ends the mode."""
        if self._guard is not None and self.active:
            self._request_mode(self._guard, ASK_MODE, "")

    def after_step(self) -> None:
        """Replace a guard that was silent; return to simulation if the robot or the guard was lost in a step.

        Raises:
            SystemExit: there is no simulation to return to.
        """
        if self._guard is None:
            return
        if self.active:
            self._silent.note_step()
        elif not self._replace(self._guard):
            if self._robot.alone:
                raise SystemExit(1)
            self.stop()

    def _replace(self, guard: Guard) -> bool:
        """Go on with another guard, unless this one has ended, or too many have made no step."""
        if not self._silent.may_replace(guard.was_silent):
            return False
        self._guard = None
        guard.release()
        self._robot.lead(guard.simulator, is_remote=False)
        try:
            goes_on = self._start(self._place, CONTINUE, TIME.pack(self._robot.time))
        except OSError as problem:  # the computer has no room for a process; the robot stands
            report_no_replacement(problem)
            self._robot.resend_lasting()
            return False
        if goes_on:
            report_replacement()
        return goes_on

    def custom_function(self, arg: object) -> Any:
        """Call the plugin's custom function; argument and result are JSON values."""
        assert self._guard is not None, "it is active"
        info = self._robot.info
        plugin = find_plugin(plugin_name(info.remote_library).split("+")[0], info.project_path)
        text = json_of(arg, report.error) if takes_json(plugin, report.error) else None
        return None if text is None else json.loads(self._guard.ask(CUSTOM_BLOCK, text.encode()) or b"null")

    def _request_mode(self, guard: Guard, mode: int, place: str, time: bytes = b"") -> None:
        answer = guard.ask(MODE_BLOCK, MODE.pack(mode) + time + place.encode() + b"\0")
        if answer:
            (guard.mode,) = MODE.unpack_from(answer, HEAD.size)

    def _stop_robot(self) -> None:
        """Reopen the wire in this process and stop the robot, after the guard was lost."""
        if not self._has_driven:
            return
        plugin = create_plugin(plugin_name(self._robot.info.remote_library), self._robot.info.project_path)
        if plugin.init(RemoteRobot(self._robot)) and plugin.start(self._place):
            plugin.stop_actuators()
            plugin.stop()
