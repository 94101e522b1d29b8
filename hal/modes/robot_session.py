"""A robot's session with its simulator: configuration, messages, steps, and the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from wbridge.hal.connection.sockets import Connection
from wbridge.hal.gateway.switch import RemoteSwitch
from wbridge.hal.modes.battery import Battery, Window
from wbridge.hal.modes.exchange import Exchange
from wbridge.hal.modes.inputs import Joystick, Keyboard, Mouse
from wbridge.hal.modes.remote_host import RemoteHosting
from wbridge.hal.protocol.configure import (
    NEW_DEVICES,
    Entry,
    RobotInfo,
    SelfNode,
    read_new_devices,
    read_own,
    read_robot,
)
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from wbridge.hal.modes.device import DeviceHandle
    from wbridge.hal.modes.motion import Motion
    from wbridge.hal.modes.scene.scene import Scene
    from wbridge.hal.protocol.dialect import Dialect

__all__ = ["RobotSession"]

JOYSTICK = 35
PAUSED = 0
END = -1
"""Return value of a step when the simulation ends."""
LONGEST_STEP = 2**31 - 1


class RobotSession(RemoteHosting):
    """A robot connected to its simulator; `wbridge.hal.modes.robot` adds the API functions."""

    guards_plugins = True
    """True if plugins for robots without a watchdog run in a guard (see wbridge.hal.gateway.guard)."""

    def __init__(self, connection: Connection) -> None:
        self.exchange = Exchange(connection)
        self.exchange.messages.configure = self._take_devices
        self.devices = self.exchange.devices
        self.device: Callable[[int], DeviceHandle | None] = self.devices.device
        """The device with a tag, or None."""
        self.own: SelfNode | None = None
        self.time = 0.0
        self.custom_data = self.model = self.urdf = ""
        self.supervisor = False
        self.simulation_mode = 0
        self.motions: list[Motion] = self.exchange.motions
        self.holding: list[DeviceHandle] = []
        """Devices whose pictures keep their content until the step has ended."""
        self.events: int | None = None
        self.end_reported = False
        exchange = self.exchange
        self.keyboard, self.mouse, self.joystick = Keyboard(exchange), Mouse(exchange), Joystick(exchange)
        self.battery, self.window = Battery(exchange), Window(exchange)
        self._scene: Scene | None = None
        self.alone = False
        """True without a simulation: the controller drives a real robot."""
        self.remote_control = RemoteSwitch(self)
        self.attached: dict[type, Any] = {}
        """One object per class that a library on top stores for the robot's lifetime, for example the car."""

    @property
    def info(self) -> RobotInfo:
        """The robot's configuration."""
        return self.exchange.info

    @property
    def dialect(self) -> Dialect:
        """The release of the protocol that the simulator uses."""
        return self.exchange.dialect

    @property
    def scene(self) -> Scene:
        """The supervisor's view of the scene."""
        if self._scene is None:
            from wbridge.hal.modes.scene.scene import Scene  # start-up: 6 ms, only supervisors need it

            self._scene = Scene(self)
            self.exchange.messages.add_handlers(self._scene.handlers())
        return self._scene

    def start(self) -> None:
        """Send the first request and handle the configure packet."""
        self.exchange.command(JOYSTICK, 0)
        self.exchange.send(0)
        self.exchange.receive()

    # The configuration.

    def _take_devices(self, code: int, data: bytes, at: int) -> int:
        exchange = self.exchange
        if code == NEW_DEVICES:
            entries, at = read_new_devices(data, at, exchange.dialect)
            self._add_devices(entries)
        elif self.own is None and exchange.info.supervisor:
            self.own, at = read_own(data, at)
        else:
            info, exchange.dialect, at = read_robot(data, at)
            self._configure(info)
        return at

    def _configure(self, info: RobotInfo) -> None:
        exchange = self.exchange
        exchange.info, self.own = info, None
        self.time, self.model, self.custom_data = info.time, info.model, info.custom_data
        self.supervisor, self.simulation_mode = info.supervisor, info.simulation_mode
        self._scene = None
        self.devices.reset()
        exchange.messages.reset(exchange.dialect)
        for owner in (self, self.keyboard, self.mouse, self.joystick, self.battery, self.window):
            exchange.messages.add(owner)
        self._add_devices(info.devices)

    def _add_devices(self, entries: tuple[Entry, ...]) -> None:
        self.devices.add(entries, self.exchange)

    # Handlers of messages in the answers.

    def take_time(self, seconds: float) -> None:
        """Store the simulated time; a decrease means that the simulation was reset."""
        if self.alone and self.remote_control.keeps_time:
            return  # real time counts, as the simulated clock does not include late steps
        if seconds < self.time:
            self.devices.drop_packets()
            if self._scene is not None:
                self._scene.take_simulation_was_reset()
        self.time = seconds

    def take_quit(self) -> None:
        """Note that the simulation ends."""
        self.exchange.quitting = True

    def take_simulation_mode(self, mode: int) -> None:
        """Store the simulation mode."""
        self.simulation_mode = mode
        if mode == PAUSED:
            self.remote_control.pause()

    def take_custom_data(self, data: str) -> None:
        """Store custom data that the simulator changed."""
        self.custom_data = data

    def take_supervisor(self, supervisor: bool) -> None:
        """Store whether the robot is a supervisor."""
        self.supervisor = supervisor

    def take_model(self, model: str) -> None:
        """Store the model."""
        self.model = model

    def take_urdf(self, text: str) -> None:
        """Store the requested URDF."""
        self.urdf = text

    def take_event(self, events: int) -> None:
        """Store the events that occurred."""
        self.events = events

    # Steps.

    def step_begin(self, duration: int) -> int:
        """Begin a step; the simulation advances while the controller computes (see `step_end`).

        Args:
            duration: in ms, a multiple of the basic time step.

        Returns:
            0, or -1 when the simulation ends.
        """
        return self._begin(duration, True)

    def _begin(self, duration: int, hold: bool) -> int:
        """Begin a step; `hold`: pictures keep their content until it has ended."""
        exchange, duration = self.exchange, int(duration)
        if not 0 <= duration <= LONGEST_STEP:
            report.error("wb_robot_step", messages.negative_duration(duration))
            return 0
        if exchange.stepping:
            report.error("wb_robot_step", messages.step_not_ended())
            return 0
        if exchange.quitting:
            return self._end()
        if exchange.closed:
            raise SystemExit(0)
        for motion in self.motions:
            motion.play_step(duration)
        if self._scene is not None:
            self._scene.send_sets()
        self.remote_control.greet()
        if hold:
            self.holding = [device for device in self.devices.known() if device.hold_pictures()]
        exchange.send(duration)
        exchange.stepping = True
        return 0

    def step_end(self) -> int:
        """Wait for the end of the step that `step_begin` began.

        Returns:
            0 for a synchronous robot, else the number of ms by which the simulation was ahead; -1 when the
            simulation ends.
        """
        exchange = self.exchange
        if not exchange.stepping:
            if exchange.quitting:
                return END
            report.error("wb_robot_step_end", messages.step_not_begun())
            return 0
        try:
            late = self.remote_control.step(exchange.duration)
            delay = exchange.receive()
        finally:
            exchange.stepping = False
            while self.holding:
                self.holding.pop().follow_pictures()
        self.remote_control.after_step()
        return self._end() if exchange.quitting else delay if late is None else late

    def step(self, duration: int) -> int:
        """Simulate for some time: send commands, wait, and update the sensor values.

        Args:
            duration: simulated time in ms, a multiple of the basic time step.

        Returns:
            0 for a synchronous robot, else the number of ms by which the simulation was ahead; -1 when the
            simulation ends: the controller then has one second to clean up.
        """
        with self.exchange.lock:
            if self._begin(duration, False) == END:
                return END
            return self.step_end() if self.exchange.stepping else 0

    def step_for(self, time_step: float | None = None) -> int:
        """Simulate for some time: send commands, wait, and update the sensor values.

        Args:
            time_step: simulated time in ms, a multiple of the basic time step, which is the default.

        Returns:
            0 for a synchronous robot, else by how many ms the simulation was ahead; -1 when it ends: the
            controller has then a second to clean up.
        """
        return self.step(int(self.info.basic_time_step if time_step is None else time_step))

    # The end.

    def _end(self) -> int:
        if self.end_reported:
            raise SystemExit(0)
        self.end_reported = True
        self.exchange.close()
        return END

    def cleanup(self) -> None:
        """Notify the simulator that the controller has finished, and disconnect."""
        exchange = self.exchange
        with exchange.lock:
            if exchange.stepping and not exchange.is_over:
                self.step_end()
            self.remote_control.cleanup()
            if not exchange.is_over:
                exchange.leave()
            exchange.close()
