"""Remote control for controllers in any language: a gateway between controller and simulator.

The controller uses the controller protocol with the gateway as with a simulator. In simulation the gateway
passes on all packets. In remote control commands become calls of the plugin, and injected values become
messages to the controller, as `wbridge.hal.gateway.mode` does for controllers in Python.

Libraries that support gateways use one additional block and one message: a block for device 65535 with an
i32 mode and a NUL-terminated string calls `wb_robot_set_mode`, alone in a request of duration 0; the
robot's message 254 with an i32 mode reports each change of the mode.

As a guard (see `wbridge.hal.gateway.guard`) a gateway differs in this: mode -1 returns to simulation and
ends it; the controller goes on without it. Mode -2 keeps the mode: whoever asks sees that the guard lives.
Mode -3 is remote control in place of a guard that was lost; an f64 before the string is the time.
A block for device 65534 with JSON calls the custom function of the plugin, and the answer is JSON. While it
handles a request it sends an answer without messages each 50 ms. A change of the mode is reported in an
answer of its own.
"""

from __future__ import annotations

import json
import socket
import threading
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from wbridge.hal.gateway.custom_json import takes_json
from wbridge.hal.gateway.guard import (
    ASK_MODE,
    CONTINUE,
    CUSTOM_BLOCK,
    MODE,
    MODE_BLOCK,
    MODE_MESSAGE,
    RELEASE,
    TIME,
)
from wbridge.hal.gateway.life_signs import LifeSigns
from wbridge.hal.gateway.robot import BATTERY, LEAVE, OWN_AFFAIRS, GatewayRobot
from wbridge.hal.gateway.step_watch import StepWatch
from wbridge.hal.gateway.switch import REMOTE_CONTROL
from wbridge.hal.printable import print_problem
from wbridge.hal.protocol.codec import HEAD
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import UNASKED, AnswerWriter, Request, RequestReader
from wbridge.hal.protocol.supervisor import robot_codec
from wbridge.hal.ready import readable
from wbridge.hal.reports import report

__all__ = ["MODE_BLOCK", "MODE_MESSAGE", "Gateway"]

ALIVE_S = 0.05
"""Interval of signs of life, in s."""
CHUNK = 1 << 16


class AnswerSink(Protocol):
    """Takes answers in place of a controller's connection."""

    def sendall(self, data: bytes) -> None:
        """Take a part of an answer."""


class Gateway:
    """Serves one controller."""

    def __init__(
        self, robot: GatewayRobot, controller: socket.socket | AnswerSink, tcp: bool, shows_life: bool = True
    ) -> None:
        """
        Args:
            robot: a started robot.
            controller: the connection to the controller; without `serve`, what takes the answers.
            tcp: the controller expects answers in chunks, as over TCP.
            shows_life: a guard sends signs of life, which takes a thread.
        """
        self.robot, self._controller, self._tcp = robot, controller, tcp
        self.was_used = False
        """True after the first request that does not concern the mode."""
        self._reader = RequestReader()
        self._configuration: bytes | None = b"".join(answer.data for answer in robot.passed)
        robot.passed.clear()
        robot.injected.clear()
        self._mode = robot.get_mode()
        self._knows_modes = self._is_over = False
        self._is_guard = robot.is_guard
        self._writing = threading.Lock()
        self._life_signs = LifeSigns(self._show_life, ALIVE_S) if robot.is_guard and shows_life else None
        self._steps = StepWatch(robot)

    def serve(self) -> None:
        """Serve the controller until it leaves. The robot's plugin may still be running then.

        Raises:
            SystemExit: the simulator, or for good the real robot, is gone.
            ProtocolError: the controller does not speak the protocol.
        """
        assert isinstance(self._controller, socket.socket), "only a socket can be waited for"
        try:
            while not self._is_over:
                while self.robot.route.has_waiting:
                    self.pass_on()
                files = [self._controller.fileno(), self._simulator()]
                ready = readable([file for file in files if file >= 0], self._steps.remaining())
                if not ready:
                    with self._showing_life():
                        self._steps.expire()
                elif self._controller.fileno() in ready:
                    self._read(self._controller)
                else:
                    self.pass_on()
        finally:
            if self._life_signs is not None:
                self._life_signs.close()

    def configured_already(self) -> None:
        """Pass the configuration from the simulator to the controller."""
        self._configuration = None

    def _simulator(self) -> int:
        return -1 if self.robot.closed else self.robot.route.fileno()

    def _read(self, controller: socket.socket) -> None:
        try:
            data = controller.recv(CHUNK)
        except ConnectionError:
            data = b""
        if data:
            self.take(data)
        else:
            self._is_over = True

    def take(self, data: bytes) -> None:
        """Handle the requests that some bytes of the controller complete; see `serve` for what is raised."""
        for request in self._reader.feed(data):
            if not _asks_mode(request):  # it must not count as a step of the controller
                self._steps.before_request()
            with self._showing_life():
                self._handle(request)
        self._is_over = self._is_over or self._reader.ended

    def _showing_life(self) -> AbstractContextManager[None]:
        """Send signs of life during a block, as a guard."""
        return nullcontext() if self._life_signs is None else self._life_signs.during_request()

    # Requests.

    def _handle(self, request: Request) -> None:
        own = _OWN_BLOCKS.get(request.blocks[0].tag) if len(request.blocks) == 1 else None
        if own is not None:
            own(self, request.blocks[0].data)
            return
        self.was_used, leaves = True, False
        for tag, data in request.blocks:
            if tag:
                self.robot.take(tag, data)
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
        if len(data) <= MODE.size + (TIME.size if data.startswith(MODE.pack(CONTINUE)) else 0):
            raise ProtocolError("a change of the mode is cut off")
        self._knows_modes = True
        (mode,) = MODE.unpack_from(data)
        if mode == RELEASE:
            self._release()
        elif self._is_guard and mode == CONTINUE:
            self._continue(data[MODE.size :])
        elif not (self._is_guard and mode == ASK_MODE):
            self.robot.set_mode(mode, data[MODE.size : -1].decode("utf-8", "replace"))
        self._mode = self.robot.get_mode()
        self._write(AnswerWriter(0), self._mode_message())

    def _continue(self, data: bytes) -> None:
        """Drive the robot in place of a guard that was lost and has left it stopped."""
        (self.robot.time,) = TIME.unpack_from(data)
        self.robot.set_mode(REMOTE_CONTROL, data[TIME.size : -1].decode("utf-8", "replace"))
        self.robot.remote_control.note_outage()

    def _release(self) -> None:
        """Return to simulation for good; the controller goes on without the gateway."""
        self.robot.remote_control.leave()
        self.robot.send_pending()
        self._is_over = True

    def _call_custom_function(self, data: bytes) -> None:
        own = self.robot.remote_control.mode
        text = "null"
        try:
            if self._is_guard or own is None or takes_json(type(own.plugin), report.error):
                text = json.dumps(self.robot.remote_control.custom_function(json.loads(data)))
        except Exception as error:  # an error in a plugin must not end the controller
            print_problem(f"Remote control: its custom function has failed: {error}")
        self._write(AnswerWriter(0), text.encode())

    def _take_own(self, data: bytes) -> bool:
        """Handle commands of the robot itself; True if the controller leaves."""
        leaves = False
        for code, _, values in robot_codec(self.robot.dialect).read_commands(data):
            leaves = leaves or code == LEAVE
            if code == BATTERY:
                self.robot.enable_battery(*values)
            elif code not in OWN_AFFAIRS:
                self.robot.command(code, *values)
        return leaves

    def _go_on(self, duration: int) -> None:
        delay = 0
        try:
            if duration:
                delay = self.robot.step(duration)
                self._steps.after_step()
            else:
                self.robot.round_trip()
        except SystemExit:
            if self.robot.alone and not self.robot.closed:
                self.say_end()  # the real robot is lost: the controller ends as with a simulation
            raise
        self._answer(max(delay, 0))

    # Answers.

    def say_end(self) -> None:
        """Tell the controller that the simulation ends."""
        codec, writer = robot_codec(self.robot.dialect), AnswerWriter(0)
        codec.write_message(writer.out, 0, codec.message_codes["quit"], ())
        if self._is_guard:
            self._write(AnswerWriter(UNASKED), self._mode_message())
        self._write(writer, b"")

    def _mode_message(self) -> bytes:
        return HEAD.pack(0, MODE_MESSAGE) + MODE.pack(self.robot.get_mode())

    def _show_life(self) -> None:
        """Send a sign of life; if nobody is there to receive it, stop the robot."""
        self._write(AnswerWriter(UNASKED), b"")
        if self._is_over:
            self.robot.remote_control.abandon()

    def _answer(self, delay: int) -> None:
        """Combine the simulator's messages and the injected values in one answer."""
        robot, writer = self.robot, AnswerWriter(delay)
        for answer in robot.passed:
            writer.out += answer.data
            robot.pass_images(answer.images, robot.injected)
        robot.passed.clear()
        writer.out += robot.injected
        robot.injected.clear()
        if robot.alone and robot.get_mode() == REMOTE_CONTROL:
            codec = robot_codec(robot.dialect)
            codec.write_message(writer.out, 0, codec.message_codes["time"], (robot.time,))
        if self._knows_modes and robot.get_mode() != self._mode:
            if self._is_guard:
                self._write(AnswerWriter(UNASKED), self._mode_message())
            else:
                writer.out += self._mode_message()
        self._mode = robot.get_mode()
        self._write_images(writer)
        self._write(writer, b"")

    def _write_images(self, writer: AnswerWriter) -> None:
        for image in self.robot.pictures.waiting:
            writer.image(*image)
        self.robot.pictures.waiting.clear()

    def pass_on(self) -> None:
        """Handle a message that the simulator sent without a request."""
        answer = self.robot.listen()
        writer = AnswerWriter(answer.delay)
        writer.out += answer.data
        self.robot.passed.clear()
        self.robot.pass_images(answer.images, self.robot.injected)
        writer.out += self.robot.injected
        self.robot.injected.clear()
        self._write_images(writer)
        self._write(writer, b"")

    def _write(self, writer: AnswerWriter, more: bytes) -> None:
        writer.out += more
        try:
            with self._writing:
                self._controller.sendall(writer.tcp() if self._tcp else writer.local())
        except OSError:
            self._is_over = True


def _asks_mode(request: Request) -> bool:
    """True for a question of who watches this guard."""
    return [block.tag for block in request.blocks] == [MODE_BLOCK] and (
        request.blocks[0].data.startswith(MODE.pack(ASK_MODE))
    )


_OWN_BLOCKS = {MODE_BLOCK: Gateway._set_mode, CUSTOM_BLOCK: Gateway._call_custom_function}
"""Requests to the gateway itself, by their only block."""
