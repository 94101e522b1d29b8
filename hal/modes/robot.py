"""The controller's view of the robot: the `wb_robot_` functions."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar, cast

from wbridge.hal.gateway.switch import REMOTE_CONTROL, SIMULATION
from wbridge.hal.modes.arguments import needs
from wbridge.hal.modes.device import MAX_PERIOD
from wbridge.hal.modes.robot_session import RobotSession
from wbridge.hal.protocol.robot import STDERR, STDOUT
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from types import ModuleType

    from wbridge.hal.connection.sockets import Connection
    from wbridge.hal.gateway.mode import RemoteMode
    from wbridge.hal.modes.device import DeviceHandle
    from wbridge.hal.modes.devices.position_sensor import PositionSensor
    from wbridge.hal.modes.motion import Motion
    from wbridge.hal.modes.wheels import DifferentialWheels
    from wbridge.hal.modes.window_plugin import WindowPlugin

__all__ = ["RobotHandle"]

CONSOLE, CUSTOM_DATA, PIN, URDF, WAIT = 30, 37, 40, 46, 80
QUIT_EVENT, NO_EVENT = -1, 0
ALL_EVENTS = 63
MOST_NAMED = 10
"""Maximum number of devices that a message lists."""


Kind = TypeVar("Kind", bound="DeviceHandle")


class RobotHandle(RobotSession):
    """The robot; methods are named after the C functions without `wb_robot_`."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.window_plugin: WindowPlugin | None = None
        """The robot-window plugin in the controller's process."""

    @property
    def remote(self) -> RemoteMode | None:
        """The remote-control plugin, once it is loaded."""
        return self.remote_control.mode

    @needs("name", otherwise=0, prefix="wb_robot_")
    def get_device(self, name: str) -> int:
        """The tag of the first device with a name; 0, with an error message, if there is none.

        Raises:
            TypeError: the name is not a string.
        """
        if not isinstance(name, str):
            raise TypeError(messages.name_is_no_text(repr(name)))
        device = self.devices.named(name)
        if device is not None:
            return device.tag
        names = self.devices.names()
        listed = ", ".join(f'"{one}"' for one in names[:MOST_NAMED]) + (
            ", ..." if len(names) > MOST_NAMED else ""
        )
        hint = report.closest(name, names) or f"; it has {listed or 'none'}."
        report.error("wb_robot_get_device", messages.unknown_device(name, hint))
        return 0

    def find(self, tag: int, node_type: type[Kind], function: str) -> Kind | None:
        """The device with a tag; None, with an error message, if its type does not match the function."""
        device = self.device(tag)
        if isinstance(device, node_type):
            return device
        if device is not None and function in device.former_functions:
            return cast("Kind", device)
        if device is None:
            report.error(function, messages.tag_of_no_device(tag))
        else:
            report.error(function, messages.tag_of_other_kind(tag, device.name, device.node_type))
        return None

    @property
    def vehicle(self) -> ModuleType:
        """The module with the functions of cars."""
        return import_module("wbridge.hal.modes.vehicle.current")  # start-up: few robots are cars

    def get_device_by_index(self, index: int) -> int:
        """The tag of the device at an index (from 0); 0, with an error message, if the index is invalid."""
        if 0 <= index < self.get_number_of_devices():
            return index + 1
        text = messages.invalid_device_index(index, self.get_number_of_devices() - 1)
        report.error("wb_robot_get_device_by_index", text)
        return 0

    def get_number_of_devices(self) -> int:
        """The number of devices."""
        return len(self.devices) - 1

    def get_name(self) -> str:
        """The name of the robot."""
        return self.info.name

    def get_model(self) -> str:
        """The field `model` of the robot."""
        return self.model

    def get_time(self) -> float:
        """The simulated time, in s."""
        return self.time

    def get_basic_time_step(self) -> float:
        """The basic time step, in ms."""
        return self.info.basic_time_step

    def get_project_path(self) -> str:
        """The project folder, which contains the folders `worlds` and `controllers`."""
        return self.info.project_path

    def get_world_path(self) -> str:
        """The path of the world file."""
        return self.info.world_path

    def get_controller_name(self) -> str:
        """The field `controller` of the robot."""
        return self.info.controller

    def get_controller_arguments(self) -> str:
        """The controller's arguments, separated by spaces."""
        return " ".join(sys.argv[1:])

    def get_supervisor(self) -> bool:
        """True if the robot may use the supervisor functions."""
        return self.supervisor

    def get_synchronization(self) -> bool:
        """True if the simulation waits for this controller in each step."""
        return self.info.synchronization

    def get_type(self) -> int:
        """The number of the robot's node type."""
        return self.dialect.numbers["Robot"]

    def get_custom_data(self) -> str:
        """The field `customData` of the robot."""
        return self.custom_data

    @needs("data", prefix="wb_robot_")
    def set_custom_data(self, data: str) -> None:
        """Set the field `customData` of the robot."""
        self.custom_data = data
        self.exchange.command(CUSTOM_DATA, data)

    @needs("prefix", otherwise="", prefix="wb_robot_")
    def get_urdf(self, prefix: str) -> str:
        """The robot as URDF, with a prefix before each name. Queries the simulator."""
        self.urdf = ""
        if self.exchange.may_ask("wb_robot_get_urdf"):
            self.exchange.command(URDF, prefix)
            self.exchange.round_trip()
        return self.urdf

    def pin_to_static_environment(self, pin: bool) -> None:
        """Attach the robot to the static environment at its current pose (True), or release it."""
        self.exchange.command(PIN, bool(pin))

    def get_mode(self) -> int:
        """The mode: 0 simulation, 1 cross-compilation, 2 remote control."""
        return REMOTE_CONTROL if self.remote_control.is_active else SIMULATION

    def set_mode(self, mode: int, arg: str) -> None:
        """Switch between simulation and remote control.

        Args:
            mode: 0 simulation; 2 remote control, which needs a plugin in the field `remoteControl`.
            arg: argument for the plugin, for example a port. A new value switches to another robot.
        """
        self.remote_control.set_mode(mode, arg)

    def remote_control_custom_function(self, arg: object) -> object:
        """Call the custom function of the remote-control plugin; None if no plugin is loaded."""
        return self.remote_control.custom_function(arg)

    def window_custom_function(self, argument: object) -> object:
        """Call the custom function of the robot-window plugin; None if no plugin is loaded."""
        return None if self.window_plugin is None else self.window_plugin.custom_function(argument)

    def battery_sensor_enable(self, sampling_period: int) -> None:
        """Enable the battery sensor.

        Args:
            sampling_period: in ms; 0 disables the sensor.
        """
        period = int(sampling_period)
        if 0 <= period <= MAX_PERIOD:
            self.battery.enable(period)
        else:
            text = messages.invalid_battery_period(period, MAX_PERIOD)
            report.error("wb_robot_battery_sensor_enable", text)

    def battery_sensor_disable(self) -> None:
        """Disable the battery sensor."""
        self.battery.enable(0)

    def battery_sensor_get_sampling_period(self) -> int:
        """The sampling period of the battery sensor in ms, or 0 if it is disabled."""
        return self.battery.sampling_period

    def battery_sensor_get_value(self) -> float:
        """The energy of the battery, in J; NaN before the first sample, -1 without a battery."""
        return self.battery.energy

    @needs("data", prefix="wb_robot_")
    def wwi_send(self, data: bytes | str, size: int | None = None) -> None:
        """Send bytes, or a string with a terminating NUL, to the robot window."""
        raw = data.encode() + b"\0" if isinstance(data, str) else bytes(data)
        self.window.send(raw if size is None else raw[:size])

    @needs("text", prefix="wb_robot_")
    def wwi_send_text(self, text: str) -> None:
        """Send a string to the robot window."""
        self.window.send(text.encode() + b"\0")

    def wwi_receive(self) -> bytes | None:
        """Remove and return the oldest message from the robot window, or None."""
        return self.window.receive()

    def wwi_receive_text(self) -> str | None:
        """Remove and return the oldest message from the robot window as a string, or None."""
        data = self.window.receive()
        return None if data is None else data.decode("utf-8", "replace")

    def wait_for_user_input_event(self, event_type: int, timeout: int) -> int:
        """Wait for an event of the keyboard, mouse or joystick without advancing the simulated time.

        Args:
            event_type: sum of events: 1 click, 2 mouse move, 4 key, 8 button, 16 axis, 32 point of view; 0:
                only wait for the timeout.
            timeout: in ms of real time.

        Returns:
            The events that occurred, 0 after the timeout, or -1 when the simulation ends.
        """
        if not NO_EVENT <= event_type <= ALL_EVENTS or timeout < 0:
            text = messages.invalid_events(event_type, timeout, ALL_EVENTS)
            report.error("wb_robot_wait_for_user_input_event", text)
            return NO_EVENT
        if not self.exchange.may_ask("wb_robot_wait_for_user_input_event"):
            return NO_EVENT
        self.events = None
        self.exchange.queue(WAIT, int(event_type), int(timeout))
        going = self.exchange.round_trip()
        while going and self.events is None and not self.exchange.quitting:
            self.exchange.receive()
        return QUIT_EVENT if self.events is None else self.events

    # Functions of other headers.

    def open_motion(self, filename: str) -> Motion | None:
        """Open a motion file; None, with an error message, if that fails."""
        from wbridge.hal.modes.motion import Motion, MotionError  # start-up: few controllers play motions

        try:
            return Motion(self, filename)
        except (OSError, MotionError) as problem:
            report.error("wbu_motion_new", messages.unreadable_motion(problem))
            return None

    def play_sound(
        self, left: int, right: int, sound: str, volume: float, pitch: float, balance: float, loop: bool
    ) -> None:
        """Play a sound on the speakers with two tags, which may be the same (see wb_speaker_play_sound)."""
        from wbridge.hal.modes.devices.speaker import (  # start-up: few robots have speakers
            Speaker,
            play_sound,
        )

        first, second = self.device(left), self.device(right)
        if isinstance(first, Speaker) and isinstance(second, Speaker):
            play_sound(first, second, sound, volume, pitch, balance, loop)

    def joint_sensor(self, tag: int) -> PositionSensor | None:
        """The position sensor on the joint of the motor with a tag, or None."""
        from wbridge.hal.modes.devices.motor import Motor  # start-up: for old controllers
        from wbridge.hal.modes.devices.position_sensor import PositionSensor  # start-up: for old controllers

        motor = self.device(tag)
        if not isinstance(motor, Motor):
            return None
        if motor.sensor_tag is None:
            motor.sensor_tag = motor.get_position_sensor()
        found = self.device(motor.sensor_tag)
        return found if isinstance(found, PositionSensor) else None

    def wheels(self, function: str) -> DifferentialWheels | None:
        """The wheels of a DifferentialWheels; None, with an error message that names the function."""
        from wbridge.hal.modes.wheels import wheels_of  # start-up: few robots have them

        return wheels_of(self, function)

    def console_print(self, text: str, stream: int) -> None:
        """Print a text on the simulator's console with the next step; stream 1 is stdout, 2 is stderr."""
        self.exchange.queue(CONSOLE, STDERR if stream == STDERR else STDOUT, text)

    get_data = get_custom_data
    set_data = set_custom_data
    get_battery_sampling_period = battery_sensor_get_sampling_period

    def keyboard_enable(self, ms: int) -> None:
        """Enable the keyboard with a sampling period in ms; 0 disables it."""
        self.keyboard.enable(ms)

    def keyboard_disable(self) -> None:
        """Disable the keyboard."""
        self.keyboard.disable()

    def keyboard_get_key(self) -> int:
        """The next pressed key of the current sample, or 0 if there are no more."""
        return max(self.keyboard.get_key(), 0)
