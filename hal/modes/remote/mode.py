"""Remote mode: diverts commands from the simulator to the plugin, and handles the plugin's errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from wbridge.hal.modes import messages, report
from wbridge.hal.modes.devices.display import Display
from wbridge.hal.modes.devices.image_device import ImageDevice
from wbridge.hal.modes.devices.position_sensor import PositionSensor
from wbridge.hal.modes.remote.calls import BATTERY, CALLS, Call
from wbridge.hal.modes.remote.drawing import draw
from wbridge.hal.modes.remote.manual_control import ManualControl
from wbridge.hal.modes.remote.plugin_calls import PluginCalls
from wbridge.hal.modes.remote.trace import Trace, open_trace
from wbridge.hal.printable import printable_lines
from wbridge.hal.remote import RemoteControl, RemoteRobot

if TYPE_CHECKING:
    from wbridge.hal.modes.device import DeviceHandle
    from wbridge.hal.modes.device_registry import DeviceRegistry
    from wbridge.hal.protocol.configure import RobotInfo

__all__ = ["RemoteMode"]

ENABLE_BATTERY = 31
MIRROR = "WBRIDGE_REMOTE_MIRROR"
"""Environment variable: set if a simulated model follows the robot's encoders."""


class ModeRobot(Protocol):
    """The part of the controller's robot that remote control uses."""

    devices: DeviceRegistry
    alone: bool
    """True without a simulation to return to."""

    @property
    def info(self) -> RobotInfo:
        """The robot's configuration."""


class RemoteMode:
    """The plugin that carries out API calls in remote mode."""

    def __init__(self, robot: ModeRobot, plugin: RemoteControl, name: str) -> None:
        self.robot, self.plugin, self.name = robot, plugin, name
        self.active = False
        """True if commands go to the plugin."""
        self.place = ""
        """Argument of the plugin's last start."""
        self.failed = False
        """True if the plugin has lost its robot; the last step was the final one."""
        self.duration = 0
        """Duration of the last step, in ms."""
        self._waiting: dict[tuple[int, str], tuple[DeviceHandle, tuple[Any, ...]]] = {}
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

    def divert(self, device: DeviceHandle) -> bool:
        """Take the plugin's commands from a device; True if none remain for the simulator."""
        if isinstance(device, Display):
            self._try(draw, self.plugin.plugin_of(device.tag), device)
            return False
        calls = CALLS.get(device.node_type, {})
        taken = False
        for code in sorted(device.pending):  # in the same order as for a simulator
            command = device.codec.commands[code].name
            if command in calls:
                self._waiting.pop((device.tag, command), None)  # the latest command is sent last
                self._waiting[device.tag, command] = device, device.pending.pop(code)
                taken = True
        return taken and not device.pending

    def divert_own(self, pending: dict[int, tuple[Any, ...]]) -> None:
        """Take the plugin's commands from the robot's own commands."""
        if ENABLE_BATTERY in pending:
            (self._battery,) = pending.pop(ENABLE_BATTERY)

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
            if isinstance(device, PositionSensor) and (device.tag, "enable") not in self._waiting:
                self._waiting[device.tag, "enable"] = device, (period,)

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

    def _say_now(self, device: DeviceHandle, command: str, values: tuple[Any, ...]) -> None:
        self._command(device, CALLS[device.node_type][command], values)

    def _command(self, device: DeviceHandle, call: Call, values: tuple[Any, ...]) -> None:
        name, tag = call.name, device.tag
        if isinstance(device, ImageDevice) and call.period:
            device.show_blank()
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

    def _try(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the plugin; None, with an error message, if that fails."""
        try:
            return function(*arguments)
        except Exception as error:  # see step
            self._say(f"has failed: {type(error).__name__}: {error}")
            return None

    def _say(self, text: str) -> None:
        print(f'Remote control "{self.name}" {printable_lines(text)}', file=sys.stderr, flush=True)
