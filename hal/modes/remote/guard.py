"""The controller's side of a guard: a process of its own that runs the remote-control plugin and owns the wire.

The guard stops the robot when the controller ends, hangs or is killed. It is a gateway (see
`hal.modes.remote.gateway`): it takes the controller's requests, passes what concerns the simulation on, and answers.
The controller watches the guard in turn. If the guard is gone, or has been silent for `HUNG_S` during a request, the
controller reopens the wire by itself and stops the robot.
"""

from __future__ import annotations

import select
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable

from hal.modes.connection import Connection, ConnectionLost
from hal.protocol.errors import ProtocolError
from hal.protocol.packet import DELIVERED, UNASKED, Answer, AnswerReader, AnswerWriter, read_answer

__all__ = ["HUNG_S", "PROGRAM", "GuardConnection"]

PROGRAM = """import sys; sys.path[:1] == [""] and sys.path.pop(0)
from hal.modes.remote.gateway_start import main; sys.exit(main(sys.argv[1:]))"""
"""Not `-m`, which would search modules in the controller's folder first."""
HUNG_S = 0.5
"""A guard that says nothing for this time, in s, hangs; while it handles a request it says something each 0.1 s."""
START_S = 20.0
"""Time for a guard to start, in s."""
END_S = 5.0
"""Time for a guard to stop the robot and end, in s."""
CHUNK = 1 << 16
SIZE = 4


class RequestCutter:
    """Cuts a stream of requests into packets, without reading them."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Add received bytes, and return the packets that they complete; the last one is `GOOD_BYE`."""
        self._buffer += data
        packets = []
        while len(self._buffer) >= SIZE:
            size = int.from_bytes(self._buffer[:SIZE], "little") or SIZE
            if len(self._buffer) < size:
                break
            packets.append(bytes(self._buffer[:size]))
            del self._buffer[:size]
        return packets


class GuardConnection:
    """A connection through a guard, which passes requests for the simulator back to this process."""

    def __init__(self, simulator: Connection, configuration: bytes, stop_robot: Callable[[], None]) -> None:
        """
        Args:
            simulator: the controller's connection.
            configuration: the messages that describe the robot.
            stop_robot: reopens the wire and stops the robot; called after the guard was lost.
        """
        self.simulator = simulator
        self.is_lost = False
        """True after the guard was lost; the connection is then that to the simulator."""
        self._stop_robot = stop_robot
        self._control, control = socket.socketpair()
        self._passed, passed = socket.socketpair()
        ends = (control.fileno(), passed.fileno())
        with control, passed:
            # A session of its own: signals to the controller's process group do not reach the guard.
            self._process = subprocess.Popen(
                [sys.executable, "-c", PROGRAM, "--sockets", *map(str, ends), "guard"],
                pass_fds=ends,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._reader, self._cutter = AnswerReader(tcp=True), RequestCutter()
        self._waiting: deque[Answer] = deque()
        self._patience = START_S
        self._untold: list[Answer] = []
        """Answers of the simulator that the guard has not passed on yet."""
        self._control.sendall(_local(configuration))

    # As a connection.

    def send(self, packet: bytes) -> None:
        """Send a complete request."""
        if self.is_lost:
            self.simulator.send(packet)
            return
        try:
            self._control.sendall(packet)
        except OSError:
            self._lose("has ended")

    def receive(self) -> Answer | bytes:
        """Wait for the next answer; serve the guard's requests to the simulator meanwhile."""
        while not self._waiting:
            if self.is_lost:
                return self.simulator.receive()
            self._wait()
        answer = self._waiting.popleft()
        if answer.delay != UNASKED:
            self._untold.clear()
        return answer

    def close(self) -> None:
        """Disconnect; the guard stops the robot, if it still drives it, and ends."""
        self.release()
        self.simulator.close()

    def release(self) -> None:
        """End the guard; the connection to the simulator stays open."""
        if self._process.returncode is None:
            self._control.close()
            self._shut_down()
            try:
                self._process.wait(END_S)
            except subprocess.TimeoutExpired:
                self._kill()
        self._passed.close()

    # The guard.

    def _wait(self) -> None:
        """Wait for the guard, and handle what it sends."""
        ready = select.select([self._control, self._passed], [], [], self._patience)[0]
        if self._passed in ready:
            self._serve()
        if self._control in ready:
            self._read()
        if not ready:
            self._lose(f"has not answered for {self._patience:g} s")

    def _read(self) -> None:
        try:
            data = self._control.recv(CHUNK)
            answers = self._reader.feed(data)
        except (OSError, ProtocolError):
            data, answers = b"", []
        self._waiting += answers
        self._patience = HUNG_S
        if not data:
            self._lose("has ended")

    def _serve(self) -> None:
        """Pass a request of the guard to the simulator, and the answer back."""
        try:
            data = self._passed.recv(CHUNK)
        except OSError:
            data = b""
        for packet in self._cutter.feed(data):
            self.simulator.send(packet)
            if len(packet) > SIZE:
                self._answer()

    def _answer(self) -> None:
        delay = UNASKED
        while delay == UNASKED:
            received = self.simulator.receive()
            if received is DELIVERED:
                answer = Answer(0, b"", [])
            else:
                answer = read_answer(received) if isinstance(received, bytes) else received
            delay = answer.delay
            self._untold.append(answer)
            try:
                self._passed.sendall(_chunked(answer))
            except OSError:
                return  # the guard has died; `receive` handles that

    def _shut_down(self) -> None:
        """Answer no more requests of the guard; pass on what it still sends to the simulator."""
        try:
            self._passed.shutdown(socket.SHUT_WR)
            while select.select([self._passed], [], [], END_S)[0] and (data := self._passed.recv(CHUNK)):
                for packet in self._cutter.feed(data):
                    self.simulator.send(packet)
        except (OSError, ConnectionLost):
            return  # the simulator is gone, too

    def _kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _lose(self, how: str) -> None:
        """Stop the robot in place of a lost guard, and answer the pending request without it."""
        self.is_lost = True
        self._kill()
        print(f"Remote control: its process {how}; stopping the robot", file=sys.stderr, flush=True)
        self._stop_robot()
        told, self._untold = self._untold, []
        self._waiting += [answer._replace(delay=UNASKED) for answer in told]
        self._waiting.append(Answer(0, b"", []))


def _local(messages: bytes) -> bytes:
    writer = AnswerWriter(0)
    writer.out += messages
    return writer.local()


def _chunked(answer: Answer) -> bytes:
    """An answer as over TCP, with its images."""
    writer = AnswerWriter(answer.delay)
    writer.out += answer.data
    for image in answer.images:
        writer.image(*image)
    return writer.tcp()
