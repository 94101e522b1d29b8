"""Remote mode: diverts commands from the simulator to the plugin, and handles the plugin's errors."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from wbridge.hal.gateway.calls import BATTERY, CALLS, Call
from wbridge.hal.gateway.drawing import draw
from wbridge.hal.gateway.inject import show_blank
from wbridge.hal.gateway.manual_control import ManualControl
from wbridge.hal.gateway.plugin_calls import PluginCalls
from wbridge.hal.gateway.trace import Trace, open_trace
from wbridge.hal.printable import print_problem, printable_lines
from wbridge.hal.remote import RemoteControl, RemoteRobot
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from wbridge.hal.gateway.host import RemoteDevice, RemoteHost
    from wbridge.hal.protocol.codec import Command

ENCODER = "PositionSensor"
MIRROR = "WBRIDGE_REMOTE_MIRROR"
"""Environment variable: set if a simulated model follows the robot's encoders."""


class RemoteMode:
    """The plugin that carries out API calls in remote mode."""

    def __init__(self, robot: RemoteHost, plugin: RemoteControl, name: str) -> None:
        self.robot, self.plugin, self.name = robot, plugin, name
        self.active = False
        """True if commands go to the plugin."""
        self.place = ""
        """Argument of the plugin's last start."""
        self.failed = False
        """True if the plugin has lost its robot; the last step was the final one."""
        self.duration = 0
        """Duration of the last step, in ms."""
        self._waiting: dict[tuple[int, str], tuple[RemoteDevice, tuple[Any, ...]]] = {}
        """Commands by tag and name, for the next step."""
        self._battery: int | None = None
        self._wants_encoders = False
        self._injected: RemoteRobot | None = None
        self.trace = open_trace()
        """Receives all commands and readings, if set."""
        self._manual = self._make_manual() if self.trace is not None else None

    def _make_manual(self) -> ManualControl:
        assert self.trace is not None, "manual control comes over the trace"
        return ManualControl(
            self.robot.devices, PluginCalls(self.plugin, self._type_of), self.trace, self._say_now
        )

    def _type_of(self, tag: int) -> str:
        device = self.robot.devices.device(tag)
        return "" if device is None else device.node_type

    def init(self, robot: RemoteRobot) -> bool:
        """Initialize the plugin; False if it does not support the robot."""
        self._injected = robot
        return bool(self._try(self.plugin.init, robot))

    def start(self, arg: str) -> bool:
        """Connect the plugin; False, with an error message, if that fails."""
        if not self._try(self.plugin.start, arg):
            stays = "" if self.robot.alone else messages.stays_in_simulation()
            self._say(f'cannot start with "{arg}"{stays}')
            return False
        self.active, self.failed, self.place = True, False, arg
        self._wants_encoders = MIRROR in os.environ
        self._waiting.clear()
        if self._manual is not None:
            self._manual.begin()
        return True

    def stop(self) -> None:
        """Return to simulation: stop the robot and disconnect the plugin."""
        self.active = False
        self._waiting.clear()
        self._try(self.plugin.stop_actuators)
        self._try(self.plugin.stop)

    def resume(self) -> None:
        """End a stop by a latch, because the controller has requested the same robot again."""
        self._try(self.plugin.resume)

    def note_outage(self) -> None:
        """The robot was stopped because a former process of this mode was lost."""
        self._try(self.plugin.note_outage)
        if self._manual is not None:
            self._manual.await_driver()

    def cleanup(self) -> None:
        """Clean up the plugin, then the robot."""
        if self.active:
            self.stop()
        self._try(self.plugin.cleanup)
        if self.trace is not None:
            self.trace.close()

    def pause(self) -> None:
        """Stop the robot while the simulation is paused."""
        if self.active:
            self._try(self.plugin.stop_actuators)

    def take(self, device: RemoteDevice, command: str, values: tuple[object, ...]) -> bool:
        """Keep a command for the plugin's next step; False if it is one for the simulator."""
        if command not in CALLS.get(device.node_type, ()):
            return False
        self._waiting.pop((device.tag, command), None)  # the latest command is sent last
        self._waiting[device.tag, command] = device, values
        return True

    def take_battery(self, period: int) -> None:
        """Keep the sampling period of the battery sensor, in ms, for the plugin's next step."""
        self._battery = period

    def draw(self, display: RemoteDevice, commands: Sequence[Command]) -> None:
        """Show the plugin drawing commands."""
        self._try(draw, self.plugin.plugin_of(display.tag), display, commands)

    def step(self, period: int) -> int:
        """Pass the pending commands to the plugin, and make a step of `period` ms.

        Returns:
            By how many ms it was late.
        """
        try:
            if self._manual is not None:
                self._manual.step(self.plugin.is_silent())
            self._deliver()
            delay = int(self.plugin.robot_step(period))
            self.duration = int(self.plugin.duration(period, delay))
            if self._injected is not None:
                self._injected.take_buffers()
            if self.trace is not None:
                plugin = self.plugin
                self.trace.step(period, self.duration - period, plugin.is_silent(), plugin.fault())
            failed = self.plugin.has_failed()
        except Exception as error:  # an error in a plugin must not end the controller
            self._say(f"has failed: {type(error).__name__}: {error}")
            delay, self.duration, failed = 0, period, True
        if failed:
            then = "ends" if self.robot.alone else "goes on in simulation"
            self._say(f"has lost the robot; its motors are stopped, the controller {then}")
        self.failed = failed
        return delay

    def _enable_encoders(self) -> None:
        """Enable the encoders for a model that follows the robot, even if the controller does not."""
        self._wants_encoders = False
        period = round(self.robot.info.basic_time_step)
        for device in self.robot.devices:
            if device is None or device.node_type != ENCODER:
                continue
            self._waiting.setdefault((device.tag, "enable"), (device, (period,)))

    def _deliver(self) -> None:
        if self._wants_encoders:
            self._enable_encoders()
        waiting, self._waiting = self._waiting, {}
        battery, self._battery = self._battery, None
        if battery is not None:
            period = "set_period", 0, "wb_robot_battery_sensor_enable", battery
            self._call_first(self.plugin.plugin_of(0), (BATTERY, battery), period)
        for (_, command), (device, values) in waiting.items():
            if self._manual is None or not self._manual.takes(device, command, values):
                self._say_now(device, command, values)

    def _say_now(self, device: RemoteDevice, command: str, values: tuple[object, ...]) -> None:
        self._command(device, CALLS[device.node_type][command], values)

    def _command(self, device: RemoteDevice, call: Call, values: tuple[Any, ...]) -> None:
        name, tag = call.name, device.tag
        if call.period:
            show_blank(self.robot, tag)
        if self.trace is not None:
            self._tell(self.trace, tag, call, values)
        if self._manual is not None and call.period and self._manual.keeps(tag, call.period, *values):
            return
        plugin = self.plugin.plugin_of(tag)
        if name and hasattr(plugin, name):
            getattr(plugin, name)(tag, *call.arguments(*values))
        elif call.period:
            self._call_first(plugin, ("set_period", tag, call.period, *values), missing=name)
        elif call.channels is not None:
            for channel, value in call.channels(*values):
                self._call_first(plugin, ("set_channel", tag, channel, value), missing=name or channel)

    def _tell(self, trace: Trace, tag: int, call: Call, values: tuple[Any, ...]) -> None:
        if call.period:
            trace.period(tag, call.period, *values)
        elif call.channels is not None:
            for channel, value in call.channels(*values):
                trace.command(tag, channel, value)

    def _call_first(self, plugin: RemoteControl, *calls: tuple[Any, ...], missing: str = "") -> None:
        """Make the first call that a plugin has a method for; warn once if it has none."""
        for name, *arguments in calls:
            if hasattr(plugin, name):
                getattr(plugin, name)(*arguments)
                return
        report.warning(
            "wb_robot_step", f'the plugin "{self.name}" has no {missing or calls[0][0]}; it is ignored.'
        )

    def _try(self, function: Callable[..., object], *arguments: object) -> object:
        """Call the plugin; None, with an error message, if that fails."""
        try:
            return function(*arguments)
        except Exception as error:  # see step
            self._say(f"has failed: {type(error).__name__}: {error}")
            return None

    def _say(self, text: str) -> None:
        print_problem(f'Remote control "{self.name}" {printable_lines(text)}')
