"""The robot as the binding of the C library controls it: what Python adds to its session."""

from __future__ import annotations

import atexit
import os
import sys

from wbridge.hal.client.errors import NoRobot
from wbridge.hal.client.session import cleanup, make_current
from wbridge.hal.reports import messages
from wbridge.hal.reports.faults import place, tell_faults, tell_stop

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, TypeVar

    from wbridge.hal.client.devices import Mouse
    from wbridge.hal.client.scene import Scene
    from wbridge.hal.window_calls import WindowCalls

    Kind = TypeVar("Kind", bound="_native.Device")
    New = TypeVar("New")

    class Link(Protocol):
        """A connection to a simulator in this process; packets are those of a local socket."""

        def send(self, packet: bytes) -> None:
            """Send a request."""

        def receive(self) -> bytes:
            """Wait for the next answer."""

        def close(self) -> None:
            """Close the connection."""


try:
    from wbridge.hal.client import _native
except ImportError as problem:
    raise ImportError(
        f"{problem}: the library for controllers is not built. Build it with: make build"
    ) from None

__all__ = ["REMOTE_PLACE", "HostedExchange", "NativeRobot", "attach", "connect", "load_window"]

REMOTE_PLACE = "WBRIDGE_REMOTE_PLACE"
"""Environment: the address of a real robot with which a controller beside its simulator starts."""
REMOTE_CONTROL = 2
MOTORS = ("RotationalMotor", "LinearMotor")
WITH_MORE = frozenset(("Camera", "Lidar", "Mouse", "Radar", "Radio", "RangeFinder"))
"""Devices to which wbridge.hal.client.devices adds."""


_collected: list[str] | None = None
"""The lines of messages that are not printed."""


def _write(line: str) -> None:
    if _collected is not None:
        _collected.append(line)
        return
    from wbridge.hal.printable import printable_lines  # start-up: 1 ms, only for messages

    # Programs in Python pass None where those in C pass NULL.
    shown = line.replace("argument (NULL).", "argument (None).").replace("NaN or NULL:", "NaN or None:")
    sys.stderr.write(f"{printable_lines(shown)}\n")


_native.use(_write, place, NoRobot)


def collect(lines: list[str] | None) -> None:
    """Append the lines of messages to a list instead of printing them; None: print them again."""
    global _collected
    _collected = lines


def _module(name: str) -> Any:
    """A module that few controllers need."""
    __import__(name)  # start-up: importlib takes 1 ms
    return sys.modules[name]


class Devices(list):  # type: ignore[type-arg]
    """The devices by tag; the robot is the first one, as None."""

    def names(self) -> list[str]:
        """The names of the devices."""
        return [one.name for one in self if one is not None]


class HostedExchange:
    """What a simulator in this process asks of a controller's client
    (wbridge.wbcore.controllers.direct_stepping)."""

    quitting = closed = False  # the client makes no steps then

    def __init__(self, link: Link) -> None:
        self._link = link
        self.route: Any = link
        """The link, or the way through a guard."""
        self._take: Any = link.receive
        self.robot: NativeRobot | None = None
        self.remote: Any = None
        """Remote control (wbridge.hal.client.remote.HostedRemote), once it was requested."""

    def allow_direct(self, stepper: object) -> None:
        """Let a stepper of the engine carry out requests; None: not any more."""
        _native.allow_steps(self._begun(), stepper if self.route is self._link else None)

    def _begun(self) -> NativeRobot:
        assert self.robot is not None, "it has begun"
        return self.robot

    def lead(self, route: object, take: Callable[[], bytes] | None) -> None:
        """Use another connection, whose answers `take` receives; None: that is the link."""
        self.route, self._take = route, take or self._link.receive
        self.allow_direct(None)

    def set_mode(self, mode: int, arg: str) -> None:
        """Switch between simulation and remote control."""
        if self.remote is None:
            self.remote = _module("wbridge.hal.client.remote").HostedRemote(self._begun(), self)
        self.remote.set_mode(mode, arg)

    def send(self, packet: bytes) -> None:
        """Send a request."""
        self.route.send(packet)

    def receive(self) -> bytes:
        """Wait for the next answer."""
        return self._take()  # type: ignore[no-any-return]

    def close(self) -> None:
        """End remote control, and close the link."""
        if self.remote is not None:
            self.remote.close()
        self._link.close()


class NativeRobot(_native.Robot):
    """The robot; the methods are those of the C functions."""

    def __init__(self) -> None:
        self.attached: dict[type, Any] = {}
        """One object per class that a library on top stores for the robot's lifetime, for example the car."""
        self.keyboard, self.joystick = _native.Keyboard(), _native.Joystick()
        self._objects: dict[int, object] = {}
        self.alone = False
        """True without a simulation to return to from remote control."""
        self._scene: Scene | None = None
        self.exchange: HostedExchange | None = None
        """For a simulator in this process; else None."""
        self.window: WindowCalls | None = None
        """The robot-window plugin."""
        self.step_for = self.step

    def _own(self, kind: Callable[[], New]) -> New:
        """A new object of this robot: it belongs to the current one, which is that of the last call."""
        self.get_number_of_devices()
        return kind()

    @property
    def mouse(self) -> Mouse:
        """The mouse."""
        return self._own(class_of("Mouse"))  # type: ignore[no-any-return]

    @property
    def scene(self) -> Scene:
        """The supervisor's view of the scene."""
        if self._scene is None:
            from wbridge.hal.client.scene import Scene  # start-up: only for supervisors

            self._scene = self._own(Scene)
        return self._scene

    def get_device(self, name: object) -> int:
        """The tag of the first device with a name; 0, with an error message, if there is none.

        Raises:
            TypeError: the name is not a string.
        """
        if name is not None and not isinstance(name, str):
            raise TypeError(messages.name_is_no_text(repr(name)))
        return super().get_device(name)

    def device(self, tag: int) -> Any:
        """The device with a tag, or None."""
        if tag not in self._objects and 0 < tag <= self.get_number_of_devices():
            self._objects[tag] = self._device_object(tag)
        return self._objects.get(tag)

    @property
    def wheels(self) -> _native.Wheels:
        """The wheels of a DifferentialWheels; the methods check that the robot is one."""
        return self._own(_native.Wheels)

    def servo(self, tag: int) -> _native.Servo:
        """The motor with a tag, as the servo that it was in Webots 8."""
        return _native.Servo(tag)

    def set_mode(self, mode: int, arg: str) -> None:
        """Switch between simulation and remote control.

        A gateway runs the plugin, by this interpreter unless WBRIDGE_PYTHON names another one. In the
        process of the simulator, it is a guard.
        """
        if self.exchange is not None:
            if self.may_change_mode(mode):
                self.exchange.set_mode(mode, arg)
            return
        os.environ.setdefault("WBRIDGE_PYTHON", sys.executable)
        super().set_mode(mode, arg)

    def remote_control_custom_function(self, argument: object) -> object:
        """Call the custom function of the remote-control plugin; None before remote control was used.

        Args:
            argument: a JSON value, as the result: the plugin runs in another process.
        """
        import json  # start-up: only for remote control

        from wbridge.hal.gateway.custom_json import json_of  # start-up: only for remote control

        if self.exchange is not None:
            return self.exchange.remote and self.exchange.remote.custom_function(argument)
        text = json_of(argument, self.report_error)
        answer = text and self.call_plugin(text)
        return json.loads(answer) if answer else None

    def get_battery_sampling_period(self) -> int:
        """Old name of `battery_sensor_get_sampling_period`."""
        return self.battery_sensor_get_sampling_period()

    def window_custom_function(self, argument: object) -> object:
        """Call the custom function of the robot-window plugin; None if no plugin is loaded."""
        return self.window and self.window.call("wbw_robot_window_custom_function", argument)

    @property
    def devices(self) -> Devices:
        """All devices."""
        return Devices([None, *(self.device(tag) for tag in range(1, self.get_number_of_devices() + 1))])

    def find(self, tag: int, kind: type[Kind], function: str) -> Kind | None:
        """The device with a tag; None, with an error message, if it is of another kind."""
        device = self.device(tag)
        if isinstance(device, kind):
            return device
        if device is None:
            self.report_error(function, messages.tag_of_no_device(tag))
        else:
            self.report_error(function, messages.tag_of_other_kind(tag, device.name, device.node_type))
        return None

    def cleanup(self) -> None:
        """Disconnect from the simulation, if connected."""
        if self.exchange is not None and self.exchange.remote is not None:
            self.exchange.remote.close()
        _native.cleanup(self)

    def _device_object(self, tag: int) -> Any:
        node_type = _native.Device(tag).node_type
        name = "Motor" if node_type in MOTORS else node_type
        return class_of(name)(tag)


def class_of(name: str) -> Any:
    """The class that stands for a type of device."""
    if name in WITH_MORE:
        return getattr(_module("wbridge.hal.client.devices"), name)
    return getattr(_native, name, _native.Device)


def connect() -> NativeRobot:
    """Connect to the simulator that the environment variables name.

    Raises:
        SystemExit: the connection failed; the reason is on stderr.
    """
    _native.init()
    robot = NativeRobot()
    make_current(robot)
    atexit.register(cleanup)
    load_window(robot)
    if "WBRIDGE_REMOTE_CONTROL" in os.environ:
        from wbridge.hal.gateway.standalone import begin  # start-up: only for remote control

        begin(robot)
    tell_faults()
    if "WEBOTS_INSTANCE_PATH" in os.environ:
        _print_lines()
        tell_stop()
    return robot


def attach(link: Link) -> NativeRobot:
    """Begin a robot whose simulator runs in this process, and make it the current one; there may be several.

    Args:
        link: to the simulator.

    Raises:
        SystemExit: the simulator has ended; the reason is on stderr.
    """
    exchange = HostedExchange(link)
    _native.attach(exchange.send, exchange.receive, exchange.close, " ".join(sys.argv[1:]))
    exchange.robot = robot = NativeRobot()
    robot.exchange = exchange
    make_current(robot)
    load_window(robot)
    if place := os.environ.get(REMOTE_PLACE):
        robot.set_mode(REMOTE_CONTROL, place)
    return robot


def load_window(robot: NativeRobot) -> None:
    """Load the plugin of the robot's window, if it has one; the robot is the current one."""
    if name := robot.window_library():
        from wbridge.hal.client.window import attach as attach_window  # start-up: few robots need it

        robot.window = attach_window(robot, name)


def _print_lines() -> None:
    """Flush after each line, so that lines of controllers with a shared output do not mix or get lost."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure") and not stream.isatty():
            stream.reconfigure(line_buffering=True, write_through=False)
