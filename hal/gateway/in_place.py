"""A guard without a process of its own, for programs that cannot start one, such as web pages.

The plugin runs in the controller's thread; see `wbridge.hal.gateway.guard` for the one in a process. What
stops the robot when this program hangs or ends is outside of it: whoever owns the wire must watch the steps.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from wbridge.hal.gateway.gateway import Gateway
from wbridge.hal.gateway.guard import MODE, MODE_MESSAGE
from wbridge.hal.gateway.host import Route
from wbridge.hal.gateway.robot import GatewayRobot
from wbridge.hal.protocol.codec import HEAD
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import DELIVERED, UNASKED, Answer, AnswerReader, write_request
from wbridge.hal.reports import messages


class SimulatorInPlace:
    """The controller's connection to the simulator, as the gateway uses it; the configuration is there."""

    has_waiting = False

    def __init__(self, simulator: Route, configuration: bytes) -> None:
        self._simulator = simulator
        self._configuration: Answer | None = Answer(0, configuration, [])

    def send(self, packet: bytes) -> None:
        """Send a request; drop the first one, which would request the configuration."""
        if self._configuration is None:
            self._simulator.send(packet)

    def receive(self) -> Answer | bytes:
        """Return the configuration, then the received answers."""
        configuration, self._configuration = self._configuration, None
        if configuration is not None:
            return configuration
        received = self._simulator.receive()
        return Answer(0, b"", []) if received is DELIVERED else received

    def fileno(self) -> int:
        """No file: nothing is waited for."""
        return -1

    def close(self) -> None:
        """Nothing: the connection is the controller's."""


class Answers:
    """The gateway's answers to the controller."""

    def __init__(self) -> None:
        self.mode = 0
        """The newest mode that the gateway has reported without being asked."""
        self.waiting: deque[Answer] = deque()
        self._reader = AnswerReader(tcp=True)

    def sendall(self, data: bytes) -> None:
        """Take answers, and note reports of the mode."""
        for answer in self._reader.feed(data):
            if answer.delay == UNASKED and answer.data[: HEAD.size] == HEAD.pack(0, MODE_MESSAGE):
                (self.mode,) = MODE.unpack_from(answer.data, HEAD.size)
            else:
                self.waiting.append(answer)


class GuardInPlace:
    """A connection through a gateway in this thread (see `wbridge.hal.gateway.guarded_mode.Guard`)."""

    is_lost = was_silent = False

    def __init__(self, simulator: Route, configuration: bytes, stop_robot: Callable[[], None]) -> None:
        """
        Args:
            simulator: the controller's connection.
            configuration: the messages that describe the robot.
            stop_robot: not needed: this guard is not lost alone.
        """
        self.simulator = simulator
        self.robot = GatewayRobot(SimulatorInPlace(simulator, configuration), None)
        """The robot whose plugin runs here."""
        self.robot.guards_plugins, self.robot.is_guard = False, True
        self.robot.start()
        self._answers = Answers()
        self._gateway = Gateway(self.robot, self._answers, tcp=True, shows_life=False)
        self._gateway.configured_already()

    @property
    def mode(self) -> int:
        """The mode that the gateway has reported."""
        return self._answers.mode

    @mode.setter
    def mode(self, mode: int) -> None:
        """Take the mode that the controller knows already."""
        self._answers.mode = mode

    def ask(self, block: int, data: bytes) -> bytes:
        """Send a request to the gateway itself; return the messages of its answer."""
        self.send(write_request(0, [(block, data)]))
        return self._answers.waiting.popleft().data

    def send(self, packet: bytes) -> None:
        """Handle a request of the controller; the plugin makes its step meanwhile.

        Raises:
            ProtocolError: the simulator is gone.
        """
        self._do(lambda: self._gateway.take(packet))

    def receive(self) -> Answer:
        """Return the next answer; wait for one of the simulator if there is none.

        Raises:
            ProtocolError: the simulator is gone.
        """
        while not self._answers.waiting:
            self._do(self._gateway.pass_on)
        return self._answers.waiting.popleft()

    def _do(self, work: Callable[[], None]) -> None:
        """Let the gateway work; it ends a process of its own when the simulator is gone."""
        try:
            work()
        except SystemExit:
            raise ProtocolError(messages.closed_connection()) from None

    def release(self) -> None:
        """Stop the robot and end the plugin; the connection to the simulator stays open."""
        self.robot.remote_control.cleanup()

    def close(self) -> None:
        """Disconnect."""
        self.release()
        self.simulator.close()
