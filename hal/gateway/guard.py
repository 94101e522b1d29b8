"""The controller's side of a guard: a process that runs the remote-control plugin and owns the wire.

The guard stops the robot when the controller ends, hangs or is killed. It is a gateway (see
`wbridge.hal.gateway.gateway`): it takes the controller's requests, passes on what concerns the
simulation, and answers. The controller watches the guard in turn. If the guard is gone, or has been silent
for `HUNG_S` during a request, the controller reopens the wire by itself and stops the robot. A guard that was
only silent may have got no processor time on a busy computer; another one then goes on in its place (see
`wbridge.hal.gateway.guarded_mode`).
"""

from __future__ import annotations

import socket
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence

from wbridge.hal.connection.sockets import ConnectionLost
from wbridge.hal.gateway.host import Route
from wbridge.hal.gateway.patient_output import printed_later
from wbridge.hal.heirs import SOCKET, Heir, start_heir
from wbridge.hal.protocol.codec import HEAD
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import (
    DELIVERED,
    UNASKED,
    Answer,
    AnswerReader,
    AnswerWriter,
    read_answer,
    write_answer,
    write_request,
)
from wbridge.hal.ready import readable

PROGRAM = """import sys; sys.path[:1] == [""] and sys.path.pop(0)
from {} import main; sys.exit(main(sys.argv[1:]))"""
"""Not `-m`, which would search modules in the controller's folder first."""
HUNG_S = 0.25
"""A guard that says nothing for this time, in s, hangs: during a request it says something each 50 ms."""
START_S = 20.0
"""Time for a guard to start, in s."""
MOST_SILENT = 3
"""Guards in a row that may be silent before they have made a step; then the robot is lost."""
END_S = 5.0
"""Time for a guard to stop the robot and end, in s."""
MODE_BLOCK, CUSTOM_BLOCK, MODE_MESSAGE = 0xFFFF, 0xFFFE, 0xFE
RELEASE = -1
"""As a mode: return to simulation and end."""
ASK_MODE = -2
"""As a mode: keep it, and only answer."""
CONTINUE = -3
"""As a mode: remote control in place of a guard that was silent; `TIME` comes before the address."""
MODE = struct.Struct("<i")
TIME = struct.Struct("<d")
"""The controller's time in s."""
CHUNK = 1 << 16
SIZE = 4


def start_guard(module: str, arguments: Sequence[str], numbers: Sequence[int] = ()) -> Heir:
    """Start a guard.

    Args:
        module: has its function `main`.
        arguments: of `main`; as of `wbridge.hal.heirs.start_heir`.
        numbers: of files that it inherits.
    """
    return start_heir(["-c", PROGRAM.format(module), *arguments], numbers)


def silent(seconds: float) -> str:
    """How a guard is lost that has said nothing for this time."""
    return f"has not answered for {1000 * seconds:.0f} ms"


def report_loss(how: str) -> None:
    """Report a lost guard, before the robot is stopped in its place."""
    print(f"Remote control: its process {how}; stopping the robot", file=sys.stderr, flush=True)


def report_replacement() -> None:
    """Report that another guard goes on in place of one that was silent."""
    print(
        "Remote control: another process goes on, wheel encoders may count from 0 again; if this happens "
        "often, the computer is too busy to control the robot",
        file=sys.stderr,
        flush=True,
    )


def report_no_replacement(problem: Exception) -> None:
    """Report that no other guard can be started; the robot stands."""
    print(f"Remote control: cannot start another process: {problem}", file=sys.stderr, flush=True)


class SilentGuards:
    """Guards in a row that were silent before they had made a step."""

    def __init__(self) -> None:
        self._count = 0

    def note_step(self) -> None:
        """A guard has made a step."""
        self._count = 0

    def may_replace(self, was_silent: bool) -> bool:
        """Return whether another guard may go on in place of one that is lost.

        Args:
            was_silent: it is lost because it said nothing.
        """
        self._count += 1
        return was_silent and self._count <= MOST_SILENT


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

    def __init__(self, simulator: Route, configuration: bytes, stop_robot: Callable[[], None]) -> None:
        """
        Args:
            simulator: the controller's connection.
            configuration: the messages that describe the robot.
            stop_robot: reopens the wire and stops the robot; called after the guard was lost.
        """
        self.simulator = simulator
        self.is_lost = False
        """True after the guard was lost; the connection is then that to the simulator."""
        self.was_silent = False
        """True if it was lost because it said nothing: another one may do better."""
        self.mode = 0
        """The mode that the guard has reported."""
        self._stop_robot = stop_robot
        arguments = "--sockets", SOCKET, SOCKET, "guard"
        self._process, (self._control, self._passed) = start_guard("wbridge.hal.gateway.start", arguments)
        self._reader, self._cutter = AnswerReader(tcp=True), RequestCutter()
        self._waiting: deque[Answer] = deque()
        self._patience = START_S
        self._untold: list[Answer] = []
        """Answers of the simulator that the guard has not passed on yet."""
        self._control.sendall(write_answer(0, configuration))

    @property
    def pid(self) -> int:
        """The guard's process."""
        return self._process.pid

    def ask(self, block: int, data: bytes) -> bytes:
        """Send a request to the guard itself; the messages of its answer, or b"" if it is lost."""
        self.send(write_request(0, [(block, data)]))
        return b"" if self.is_lost else self._next().data

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
        if self.is_lost and not self._waiting:
            return self.simulator.receive()
        return self._next()

    def fileno(self) -> int:
        """The file descriptor of the connection to the simulator; a guard uses it during requests only."""
        return self.simulator.fileno()  # type: ignore[attr-defined, no-any-return]

    @property
    def has_waiting(self) -> bool:
        """True if `receive` can return an answer without waiting."""
        return bool(self._waiting or self.simulator.has_waiting)  # type: ignore[attr-defined]

    def _next(self) -> Answer:
        while not self._waiting:
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
        self._control.close()
        if self._process.returncode is None:
            self._shut_down()
            try:
                self._process.wait(END_S)
            except subprocess.TimeoutExpired:
                self._kill()
        self._passed.close()

    # The guard.

    def _wait(self) -> None:
        """Wait for the guard, and handle what it sends."""
        ready = readable([self._control, self._passed], self._patience)
        if self._passed in ready:
            self._serve()
        if self._control in ready:
            self._read()
        if not ready:
            self.was_silent = True
            self._lose(silent(self._patience))

    def _read(self) -> None:
        try:
            data = self._control.recv(CHUNK)
            answers = self._reader.feed(data)
        except (OSError, ProtocolError):
            data, answers = b"", []
        self._waiting += [answer for answer in answers if not self._is_own(answer)]
        if self._waiting:  # until the first answer the robot stands, and a busy computer is slow to start
            self._patience = HUNG_S
        if not data:
            self._lose("has ended")

    def _is_own(self, answer: Answer) -> bool:
        """True for a sign of life and for a report of the mode, which is stored."""
        if answer.delay == UNASKED and answer.data[: HEAD.size] == HEAD.pack(0, MODE_MESSAGE):
            (self.mode,) = MODE.unpack_from(answer.data, HEAD.size)
            return True
        return answer.delay == UNASKED and not answer.data and not answer.images

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
            while readable([self._passed], END_S) and (data := self._passed.recv(CHUNK)):
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
        with printed_later():
            report_loss(how)
            self._stop_robot()
        told, self._untold = self._untold, []
        self._waiting += [answer._replace(delay=UNASKED) for answer in told]
        self._waiting.append(Answer(0, b"", []))


def _chunked(answer: Answer) -> bytes:
    """An answer as over TCP, with its images."""
    writer = AnswerWriter(answer.delay)
    writer.out += answer.data
    for image in answer.images:
        writer.image(*image)
    return writer.tcp()
