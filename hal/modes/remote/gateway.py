"""Remote control for controllers in any language: a gateway between controller and simulator.

The controller uses the controller protocol with the gateway as with a simulator. In simulation the gateway
passes on all packets. In remote control commands become calls of the plugin, and injected values become
messages to the controller, as `hal.modes.remote.mode` does for controllers in Python.

Libraries that support gateways use one additional block and one message: a block for device 65535 with an i32
mode and a NUL-terminated string calls `wb_robot_set_mode`, alone in a request of duration 0; the robot's
message 254 with an i32 mode reports each change of the mode.
"""

from __future__ import annotations

import select
import socket
import struct

from hal.modes.devices.display import Display
from hal.modes.remote.calls import CALLS
from hal.modes.remote.gateway_robot import GatewayRobot, Tap
from hal.protocol.codec import HEAD, Command
from hal.protocol.errors import ProtocolError
from hal.protocol.packet import AnswerWriter, Request, RequestReader
from hal.protocol.supervisor import robot_codec

__all__ = ["MODE_BLOCK", "MODE_MESSAGE", "Gateway"]

MODE_BLOCK, MODE_MESSAGE = 0xFFFF, 0xFE
MODE = struct.Struct("<i")
REMOTE_CONTROL = 2
BATTERY, LEAVE, REMOTE_ON, REMOTE_OFF = 31, 38, 32, 33
OWN_AFFAIRS = (LEAVE, REMOTE_ON, REMOTE_OFF)
"""Commands of the robot that the gateway itself sends."""
DAMPING, SIBLING, BOTH = 2, 4, 6
"""Commands of a brake: the third combines the others."""
CHUNK = 1 << 16


class Gateway:
    """Serves one controller."""

    def __init__(self, robot: GatewayRobot, tap: Tap, controller: socket.socket, tcp: bool) -> None:
        """
        Args:
            robot: a started robot.
            tap: the robot's channel.
            controller: the connection to the controller.
            tcp: the controller expects answers in chunks, as over TCP.
        """
        self.robot, self._tap, self._controller, self._tcp = robot, tap, controller, tcp
        self.was_used = False
        """True after the first request that does not concern the mode."""
        self._reader = RequestReader()
        self._configuration: bytes | None = b"".join(answer.data for answer in tap.passed)
        tap.passed.clear()
        robot.injected.clear()
        self._mode = robot.get_mode()
        self._knows_modes = self._is_over = False

    def serve(self) -> None:
        """Serve the controller until it leaves. The robot's plugin may still be running then.

        Raises:
            SystemExit: the simulator, or for good the real robot, is gone.
            ProtocolError: the controller does not speak the protocol.
        """
        while not self._is_over:
            while self._tap.has_waiting:
                self._pass_on()
            files = [self._controller.fileno(), self._simulator()]
            ready = select.select([one for one in files if one >= 0], [], [])[0]
            if self._controller.fileno() in ready:
                self._read()
            elif ready:
                self._pass_on()

    def configured_already(self) -> None:
        """Pass the configuration from the simulator to the controller."""
        self._configuration = None

    def _simulator(self) -> int:
        return -1 if self.robot.exchange.closed else self._tap.fileno()

    def _read(self) -> None:
        try:
            data = self._controller.recv(CHUNK)
        except ConnectionError:
            data = b""
        if not data:
            self._is_over = True
            return
        for request in self._reader.feed(data):
            self._handle(request)
        self._is_over = self._is_over or self._reader.ended

    # Requests.

    def _handle(self, request: Request) -> None:
        if [block.tag for block in request.blocks] == [MODE_BLOCK]:
            self._set_mode(request.blocks[0].data)
            return
        self.was_used, leaves = True, False
        for tag, data in request.blocks:
            if tag:
                self._take(tag, data)
            else:
                leaves = self._take_own(data) or leaves
        if self._configuration is not None:
            configuration, self._configuration = self._configuration, None
            self._write(AnswerWriter(0), configuration)
        elif leaves:
            self.robot.cleanup()
            self._answer(0)
        else:
            self._go_on(request.duration)

    def _set_mode(self, data: bytes) -> None:
        if len(data) <= MODE.size:
            raise ProtocolError("a change of the mode is cut off")
        self._knows_modes = True
        (mode,) = MODE.unpack_from(data)
        self.robot.set_mode(mode, data[MODE.size : -1].decode("utf-8", "replace"))
        self._mode = self.robot.get_mode()
        self._write(AnswerWriter(0), HEAD.pack(0, MODE_MESSAGE) + MODE.pack(self._mode))

    def _take_own(self, data: bytes) -> bool:
        """Handle commands of the robot itself; True if the controller leaves."""
        leaves = False
        for code, _, values in robot_codec(self.robot.dialect).read_commands(data):
            leaves = leaves or code == LEAVE
            if code == BATTERY:
                self.robot.battery.enable(*values)
            elif code not in OWN_AFFAIRS:
                self.robot.exchange.queue(code, *values)
        return leaves

    def _take(self, tag: int, data: bytes) -> None:
        """Handle commands of a device; only device types that plugins support are decoded."""
        device = self.robot.device(tag)
        if device is None or not (isinstance(device, Display) or device.node_type in CALLS):
            self.robot.exchange.passing.append((tag, data))
            return
        for command in device.codec.read_commands(data):
            for code, values in _parts(device.node_type, command):
                device.command(code, *values)

    def _go_on(self, duration: int) -> None:
        delay = 0
        try:
            if duration:
                delay = self.robot.step(duration)
            else:
                self.robot.exchange.round_trip()
        except SystemExit:
            if self.robot.alone and not self.robot.exchange.closed:
                self._say_end()  # the real robot is lost: the controller ends as with a simulation
            raise
        self._answer(max(delay, 0))

    # Answers.

    def _say_end(self) -> None:
        codec, writer = robot_codec(self.robot.dialect), AnswerWriter(0)
        codec.write_message(writer.out, 0, codec.message_codes["quit"], ())
        self._write(writer, b"")

    def _answer(self, delay: int) -> None:
        """Combine the simulator's messages and the injected values in one answer."""
        robot, writer = self.robot, AnswerWriter(delay)
        passed = [*self._tap.passed]
        self._tap.passed.clear()
        for answer in passed:
            writer.out += answer.data
        writer.out += robot.injected
        robot.injected.clear()
        if robot.alone and robot.get_mode() == REMOTE_CONTROL:
            codec = robot_codec(robot.dialect)
            codec.write_message(writer.out, 0, codec.message_codes["time"], (robot.time,))
        if self._knows_modes and robot.get_mode() != self._mode:
            writer.out += HEAD.pack(0, MODE_MESSAGE) + MODE.pack(robot.get_mode())
        self._mode = robot.get_mode()
        for image in (*(image for answer in passed for image in answer.images), *robot.images):
            writer.image(*image)
        robot.images.clear()
        self._write(writer, b"")

    def _pass_on(self) -> None:
        """Handle a message that the simulator sent without a request."""
        answer = self.robot.exchange.listen()
        writer = AnswerWriter(answer.delay)
        writer.out += answer.data
        for image in answer.images:
            writer.image(*image)
        self._tap.passed.clear()
        self._write(writer, b"")

    def _write(self, writer: AnswerWriter, more: bytes) -> None:
        writer.out += more
        try:
            self._controller.sendall(writer.tcp() if self._tcp else writer.local())
        except OSError:
            self._is_over = True


def _parts(node_type: str, command: Command) -> list[tuple[int, tuple[object, ...]]]:
    """A command, or the two commands that it combines."""
    if node_type == "Brake" and command.code == BOTH:
        return [(DAMPING, command.values[:1]), (SIBLING, command.values[1:])]
    return [(command.code, command.values)]
