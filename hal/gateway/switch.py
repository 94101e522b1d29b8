"""The switch between simulation and remote control."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wbridge.hal.gateway.standalone import place
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from wbridge.hal.gateway.guarded_mode import GuardedMode
    from wbridge.hal.gateway.host import RemoteHost
    from wbridge.hal.gateway.mode import RemoteMode

SIMULATION, REMOTE_CONTROL = 0, 2


class RemoteSwitch:
    """Switches remote control on and off, and makes the plugin's part of a step."""

    def __init__(self, robot: RemoteHost) -> None:
        self._robot = robot
        self.mode: RemoteMode | None = None
        """The mode with its plugin, once it is loaded in this process."""
        self.guarded: GuardedMode | None = None
        """The mode of a plugin that runs in a guard, once it was started."""
        self.is_unannounced = False
        """True if the simulator must be notified of remote control before the next step."""

    @property
    def is_active(self) -> bool:
        """True in remote control."""
        mode = self.guarded or self.mode
        return mode is not None and mode.active

    @property
    def keeps_time(self) -> bool:
        """True if the plugin in this process counts the real time, which is then the controller's."""
        return self.mode is not None and self.mode.active

    def use(self, mode: RemoteMode) -> None:
        """Set the mode with its plugin."""
        self.mode = mode

    def start(self, place: str) -> bool:
        """Connect the plugin; False, with an error message, if that fails."""
        started = self.mode is not None and self.mode.start(place)
        self.is_unannounced = self.is_unannounced or started
        return started

    def set_mode(self, mode: int, arg: str) -> None:
        """Switch between simulation and remote control.

        Args:
            mode: `SIMULATION` or `REMOTE_CONTROL`.
            arg: the address of the robot, as the plugin understands it; "": that of the start.
        """
        if mode not in (SIMULATION, REMOTE_CONTROL):
            report.error("wb_robot_set_mode", messages.invalid_mode(mode))
        elif mode == SIMULATION:
            self.leave()
        elif self.mode is not None and self.mode.active:
            self._stay(self.mode, arg)
        elif self.guarded is not None and self.guarded.active:
            self.guarded.start(arg or place(self._robot.alone))
        else:
            self._enter(arg)

    def _enter(self, arg: str) -> None:
        """Load the plugin, unless loaded, and connect it."""
        from wbridge.hal.gateway.guarded_mode import (  # start-up: see below
            GuardedMode,
            needs_guard,
            tell_unguarded,
        )
        from wbridge.hal.gateway.loading import (  # start-up: 21 ms, few controllers need it
            PluginError,
            load,
        )

        try:
            if self.runs_guarded(needs_guard):
                self.guarded = self.guarded or GuardedMode(self._robot)
                self.guarded.start(arg or place(self._robot.alone))
                return
            if self.mode is None:
                if self._robot.guards_plugins:
                    tell_unguarded(self._robot)
                self.use(load(self._robot))
        except PluginError as error:
            stays = "" if self._robot.alone else messages.stays_in_simulation()
            report.error("wb_robot_set_mode", f"{error}{stays}.")
            return
        self.is_unannounced = False
        self.start(arg or place(self._robot.alone))

    def runs_guarded(self, needs_guard: Callable[[RemoteHost], bool]) -> bool:
        """True if the plugin runs in a guard; `needs_guard` looks at the plugin.

        Raises:
            PluginError: there is no such plugin.
        """
        return self._robot.guards_plugins and needs_guard(self._robot)

    def _stay(self, mode: RemoteMode, arg: str) -> None:
        """Switch to another robot, or continue with the same one after a stop."""
        where = arg or place(self._robot.alone)
        if where == mode.place:
            mode.resume()
            return
        mode.stop()
        if not self.start(where):
            self.tell_simulation()

    def greet(self) -> None:
        """Before a step: after the plugin has connected, exchange a packet, then send lasting commands."""
        if not self.is_unannounced:
            return
        self.is_unannounced = False
        self._robot.announce(is_remote=True)
        self._robot.resend_all()

    def step(self, duration: int) -> int | None:
        """Make a step of `duration` ms with the plugin; return its delay in ms, or None in simulation.

        Raises:
            SystemExit: the robot is lost without a simulation to return to.
        """
        mode, robot = self.mode, self._robot
        if mode is None or not mode.active:
            return None
        late = mode.step(duration)
        if robot.alone:
            robot.time = round(1000 * robot.time + mode.duration) / 1000  # real time
        if mode.failed:
            self.leave()
            if robot.alone:
                raise SystemExit(1)
        return late

    def after_step(self) -> None:
        """After a step: return to simulation if a guarded plugin has lost its robot.

        Raises:
            SystemExit: the robot is lost without a simulation to return to.
        """
        if self.guarded is not None:
            self.guarded.after_step()

    def custom_function(self, arg: object) -> object:
        """Call the custom function of the plugin; None if none is loaded."""
        if self.guarded is not None and self.guarded.active:
            return self.guarded.custom_function(arg)
        return None if self.mode is None else self.mode.plugin.custom_function(arg)

    def pause(self) -> None:
        """Stop the robot while the simulation is paused."""
        if self.mode is not None:
            self.mode.pause()

    def note_outage(self) -> None:
        """Tell the plugin and manual control that the robot was stopped because a former guard was lost."""
        if self.mode is not None and self.mode.active:
            self.mode.note_outage()

    def abandon(self) -> None:
        """Stop the robot at once: the controller is gone. May be called in another thread."""
        if self.mode is not None and self.mode.active:
            self.mode.plugin.abandon()

    def leave(self) -> None:
        """Return to simulation: stop the robot, and send all lasting commands to the simulator."""
        if self.guarded is not None:
            self.guarded.stop()
        if self.mode is not None and self.mode.active:
            self.mode.stop()
            self.tell_simulation()

    def tell_simulation(self) -> None:
        """Notify the simulator of the end of remote control, and send it all lasting commands."""
        if self.is_unannounced:
            self.is_unannounced = False  # the simulator was never notified
            return
        self._robot.announce(is_remote=False)
        self._robot.resend_lasting()

    def cleanup(self) -> None:
        """Clean up the plugin, then the robot."""
        if self.guarded is not None:
            self.guarded.stop()
        if self.mode is not None:
            self.mode.cleanup()
