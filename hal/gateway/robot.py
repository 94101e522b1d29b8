"""The robot between a controller, known only by its requests, and a simulator."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, Protocol

from wbridge.hal.connection.sockets import ConnectionLost
from wbridge.hal.gateway.described_robot import DescribedRobot
from wbridge.hal.gateway.device import GatewayDevice, parts_of
from wbridge.hal.gateway.host import Driver, RemoteHost, Route
from wbridge.hal.gateway.switch import REMOTE_CONTROL, SIMULATION, RemoteSwitch
from wbridge.hal.protocol.codec import Command
from wbridge.hal.protocol.dialect import Dialect
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import GOOD_BYE, UNASKED, Answer, read_answer, write_request
from wbridge.hal.protocol.supervisor import robot_codec
from wbridge.hal.reports import messages

PAUSED = 0
"""The simulation mode."""
BATTERY, JOYSTICK, LEAVE, REMOTE_ON, REMOTE_OFF = 31, 35, 38, 32, 33
"""Commands of the robot."""
OWN_AFFAIRS = (LEAVE, REMOTE_ON, REMOTE_OFF)
"""Commands that only the gateway sends."""
END = -1
"""Delay of a step in which the simulation ends."""


class GatewayRoute(Route, Protocol):
    """A connection to the simulator that can be waited for together with others."""

    @property
    def has_waiting(self) -> bool:
        """True if an answer has arrived that was not handled yet."""

    def fileno(self) -> int:
        """The file descriptor to wait for, or -1."""


class GatewayRobot(DescribedRobot, RemoteHost):
    """The robot; commands of the controller go to the simulator or, in remote control, to a plugin."""

    guards_plugins = True

    def __init__(self, route: GatewayRoute, folder: Path | None) -> None:
        """
        Args:
            route: the connection to the simulator.
            folder: for pictures from the robot; None: they are sent to the controller in packets.
        """
        super().__init__(
            folder, {"time": self._take_time, "quit": self._take_quit, "simulation_mode": self._take_mode}
        )
        self._route = route
        self.passed: list[Answer] = []
        """Answers that the controller has not got yet."""
        self.injected = bytearray()
        """Messages from the robot since the last answer."""
        self.is_guard = False
        """True if the controller keeps the connection to the simulator (see wbridge.hal.gateway.guard)."""
        self.alone = self.closed = False
        self.time = 0.0
        self._first_data = b""
        self._own = bytearray()
        """Commands of the robot for the next packet."""
        self._blocks: list[tuple[int, bytes | bytearray]] = []
        """Commands of devices for the next packet, by tag."""
        self._battery_period = 0
        self._quitting = self._is_end_known = self._is_cut_off = False
        self.remote_control = RemoteSwitch(self)

    def start(self) -> None:
        """Send the first request and read the description of the robot.

        Raises:
            SystemExit: the simulator is gone.
        """
        self.command(JOYSTICK, 0)
        self.round_trip()

    # As the host of a plugin.

    @property
    def dialect(self) -> Dialect:
        """The release of the protocol that the simulator uses."""
        return self._reader.dialect

    @property
    def first_data(self) -> bytes:
        """The messages of the simulator's first answer, which describe the robot."""
        return self._first_data

    @property
    def route(self) -> GatewayRoute:
        """The connection to the simulator."""
        return self._route

    def lead(self, route: Route, is_remote: bool) -> None:
        """Use another connection, which can be waited for."""
        self._route = route  # type: ignore[assignment]  # that of a guard, or the former one

    def announce(self, is_remote: bool) -> None:
        """Tell the simulator that remote control begins, in a packet of its own, or ends, with the next."""
        self.command(REMOTE_ON if is_remote else REMOTE_OFF)
        if is_remote:
            self.round_trip()

    def resend_all(self) -> None:
        """Repeat all commands that a robot needs to continue in the current state."""
        self._resend(is_lasting=False)

    def resend_lasting(self) -> None:
        """Repeat the commands that set a lasting state."""
        self._resend(is_lasting=True)

    def _resend(self, is_lasting: bool) -> None:
        if self._battery_period:
            self.enable_battery(self._battery_period)
        for device in self._devices.known():
            self._hand_over(device, device.repeated(is_lasting))

    def deliver(self, tag: int, message: str, values: Sequence[object]) -> None:
        """Give the controller a message in place of the simulator."""
        device, codec, complete = self._devices.device(tag), robot_codec(self.dialect), tuple(values)
        if device is not None:
            codec = device.codec
            complete = device.newest[message] = device.completed(message, complete)
        codec.write_message(self.injected, tag, codec.message_codes[message], complete)

    def deliver_picture(self, tag: int, code: int, pixels: bytes) -> None:
        """Give the controller a picture."""
        device = self._devices.device(tag)
        assert device is not None, "who injects has looked for it"
        self.pictures.put(device, code, pixels, self.injected)

    def picture(self, tag: int) -> bytes | None:
        """The newest picture of a device; b"" if only the controller has it, None before the first one."""
        device = self._devices.device(tag)
        return None if device is None else self.pictures.newest(device)

    # Commands of the controller.

    def command(self, code: int, *values: object) -> None:
        """Add a command of the robot to the next packet."""
        robot_codec(self.dialect).write_command(self._own, code, values)

    def enable_battery(self, period: int) -> None:
        """Enable the battery sensor with a sampling period in ms; 0 disables it."""
        self._battery_period = period
        mode = self._driver()
        if mode is None:
            self.command(BATTERY, period)
        else:
            mode.take_battery(period)

    def take(self, tag: int, data: bytes) -> None:
        """Take the commands of a device; only those that plugins may carry out are read.

        Raises:
            ProtocolError: they are not valid.
        """
        device = self._devices.device(tag)
        if device is None or not (device.calls or device.is_drawn):
            self._blocks.append((tag, data))
            return
        commands = parts_of(device.node_type, device.codec.read_commands(data))
        for command in commands:
            device.keep(command)
        if self._driver() is None:
            self._blocks.append((tag, data))
        else:
            self._hand_over(device, commands)

    def _driver(self) -> Driver | None:
        """The mode whose plugin drives the robot, in this process."""
        mode = self.remote_control.mode
        return mode if mode is not None and mode.active else None

    def _hand_over(self, device: GatewayDevice, commands: list[Command]) -> None:
        """Give commands to the plugin, and those that it does not carry out to the simulator."""
        mode, block = self._driver(), bytearray()
        if mode is not None and device.is_drawn:
            mode.draw(device, commands)
        for command in commands:
            if mode is None or not mode.take(device, command.name, command.values):
                device.codec.write_command(block, command.code, command.values)
        if block:
            self._blocks.append((device.tag, block))

    # Modes.

    def get_mode(self) -> int:
        """The mode: 0 simulation, 2 remote control."""
        return REMOTE_CONTROL if self.remote_control.is_active else SIMULATION

    def set_mode(self, mode: int, arg: str) -> None:
        """Switch between simulation and remote control (see `RemoteSwitch.set_mode`)."""
        self.remote_control.set_mode(mode, arg)

    # The exchange with the simulator.

    @property
    def is_over(self) -> bool:
        """True if no more requests can be sent."""
        return self.closed or self._quitting or self._is_cut_off

    def step(self, duration: int) -> int:
        """Make a step of `duration` ms; the delay in ms, or -1 if the simulation ends.

        Raises:
            SystemExit: the simulation has ended, or the robot is lost for good.
        """
        if self.closed:
            raise SystemExit(0)
        delay = END if self._quitting else self._make_step(duration)
        return self._end() if self._quitting else delay

    def _make_step(self, duration: int) -> int:
        self.remote_control.greet()
        self._send(duration)
        late = self.remote_control.step(duration)
        delay = self._receive()
        self.remote_control.after_step()
        return delay if late is None else late

    def round_trip(self) -> None:
        """Send the pending commands and read the answer, without a step.

        Raises:
            SystemExit: the simulator is gone.
        """
        if not (self._quitting or self.closed):
            self._send(0)
            self._receive()

    def send_pending(self) -> None:
        """Send the pending commands, if any, without a step (see `round_trip`)."""
        if self._own or self._blocks:
            self.round_trip()

    def _send(self, duration: int) -> None:
        own, self._own = self._own, bytearray()
        blocks, self._blocks = self._blocks, []
        try:
            self._route.send(write_request(duration, [(0, own), *blocks] if own else blocks))
        except ConnectionLost as error:
            self._lose(error)

    def _receive(self) -> int:
        """Wait for the answer to a request, and return its delay in ms."""
        try:
            while (delay := self.listen().delay) == UNASKED:
                pass
        except BaseException:  # for example a signal that ends this process
            self._is_cut_off = True
            raise
        return delay

    def listen(self) -> Answer:
        """Wait for an answer, or for a message that the simulator sends without a request.

        Raises:
            SystemExit: the simulator is gone.
        """
        try:
            packet = self._route.receive()
            answer = read_answer(packet) if isinstance(packet, bytes) else packet
            self._reader.take(answer.data)
        except (ConnectionLost, ProtocolError) as error:
            self._lose(error)
        self._first_data = self._first_data or answer.data
        self.passed.append(answer)
        return answer

    def _take_time(self, seconds: float) -> None:
        # Without a simulation real time counts: the simulated clock does not include late steps.
        if not (self.alone and self.remote_control.keeps_time):
            self.time = seconds

    def _take_quit(self) -> None:
        self._quitting = True

    def _take_mode(self, mode: int) -> None:
        if mode == PAUSED:
            self.remote_control.pause()

    # The end.

    def _end(self) -> int:
        """End with the simulation; the controller may still ask for its last step."""
        if self._is_end_known:
            raise SystemExit(0)
        self._is_end_known = True
        self.close()
        return END

    def _lose(self, error: Exception) -> NoReturn:
        """End; a guard loses its connection with its controller, which has reported why."""
        self.close()
        if not self.is_guard:
            print(messages.lost_simulator(error), file=sys.stderr, flush=True)
        raise SystemExit(1)

    def cleanup(self) -> None:
        """Stop the robot, notify the simulator that the controller has finished, and disconnect."""
        self.remote_control.cleanup()
        if not self.is_over:
            self.command(LEAVE)
            self.round_trip()
            self._say_good_bye()
        self.close()

    def _say_good_bye(self) -> None:
        if self.closed:
            return
        try:
            self._route.send(GOOD_BYE)
        except ConnectionLost:
            self.closed = True

    def close(self) -> None:
        """Close the connection without notifying the simulator."""
        if not self.closed:
            self.closed = True
            self._route.close()
