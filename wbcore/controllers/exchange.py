"""The requests and answers of one controller, without its transport."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from wbridge.hal.protocol.dialect import R2025A, Dialect
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import UNASKED, AnswerWriter, Request, RequestReader, write_answer
from wbridge.wbcore.robots.inputs import Inputs
from wbridge.wbcore.robots.robot import Robot

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.emulated_link import EmulatedLink

REQUEST_LIMIT = 64 * 2**20
"""Maximum bytes of one request; an uploaded sound may be large."""

SLACK_MS = 1e-6
"""Tolerance (ms): times are sums of steps that may not be exact binary fractions."""


class Pending(NamedTuple):
    """The request of a controller that waits for the end of a step; times in ms."""

    due: float | None
    """When the step ends."""
    asked: float | None
    usual: int
    """The last duration that was checked."""
    delay: int


class ControllerExchange:
    """The protocol state of a controller connected to a robot.

    `feed` takes bytes of the controller and returns the bytes to send back at once. A step is answered later,
    by `answer`, when simulated time reaches `due`.
    """

    def __init__(
        self, robot: Robot, *, tcp: bool = False, dialect: Dialect = R2025A, shares_memory: bool = False
    ) -> None:
        """
        Args:
            robot: the robot that the controller drives.
            tcp: use the framing of TCP.
            dialect: of the controller's library.
            shares_memory: see wbridge.hal.protocol.shared_memory.
        """
        self.robot = robot
        self.tcp = tcp
        self.due: float | None = None
        """Time (ms) at which the step that the controller waits for ends; None while it computes."""
        self.link: EmulatedLink | None = None
        """Delays and loses commands and readings; None: they are there at once."""
        self.has_left = False
        """The controller has sent its last request and disconnects."""
        self._reader = RequestReader(REQUEST_LIMIT, shares_memory)
        self._configured = False
        self._is_open = False
        """The configure packet was sent, and the simulation has not ended."""
        self._asked: float | None = None
        self._usual = 0
        """The last duration (ms) that was checked."""
        self._delay = 0
        self._is_over = self._is_told = False
        inputs = robot.part("inputs")
        assert isinstance(inputs, Inputs)
        self._inputs = inputs
        robot.pictures.is_in_answers = tcp
        robot.connect(dialect)

    def feed(self, data: bytes) -> bytes:
        """Process bytes of the controller; return the answers that are due at once.

        Raises:
            ProtocolError: the bytes are not valid requests, or a request came before the last was answered.
        """
        if self._is_open and self.due is None and self._reader.is_empty:
            robot = self.robot
            duration = robot.routine.take(data) if self.link is None else None
            if duration is not None:
                self._inputs.stop_waiting()
                return self._go_on(duration)
            messages = None if self.tcp else robot.answer.to_question(data)
            if messages is not None:
                self._inputs.stop_waiting()
                return write_answer(0, messages)
        out = bytearray()
        for request in self._reader.feed(data):
            out += self._handle(request)
            if self.link is None:
                self.robot.routine.learn(len(data), request)
        self.has_left = self.has_left or self._reader.ended
        return bytes(out)

    def _handle(self, request: Request) -> bytes:
        if self._is_over and self._configured:
            return self._end(request)
        if self.due is not None:
            raise ProtocolError("a request arrived before the previous one was answered")
        self._inputs.stop_waiting()
        (self.robot if self.link is None else self.link).take(request)
        if not self._configured:
            self._configured = True
            self._is_open = not self._is_over
            return self._written(AnswerWriter(), self.robot.write_configuration)
        return self._go_on(request.duration)

    def _go_on(self, duration: int) -> bytes:
        """Finish a request after its commands; return the answer if no time has to pass."""
        if duration == 0:
            return self.answer() + self.event()
        if duration != self._usual:
            self._usual = duration
            self._check(duration)
        now = self.robot.simulation.time_ms
        late = 0.0 if self._asked is None else now - self._asked - duration
        self._delay = round(late) if late > 0 else 0
        self._asked = now
        self.due = now + duration
        return b""

    def _check(self, duration: int) -> None:
        """Report the actual duration of a step that is not a multiple of the basic step (manual,
        wb_robot_step)."""
        step = self.robot.simulation.step_s * 1000
        taken = math.ceil(duration / step - SLACK_MS) * step
        if taken - duration > SLACK_MS:
            self.robot.warn(
                f"its controller requests steps of {duration} ms; they take {taken:g} ms, "
                f"the next multiple of basicTimeStep ({step:g} ms)"
            )

    # Direct steps, without packets (see wbridge.wbcore.controllers.direct_stepping).

    @property
    def is_plain(self) -> bool:
        """True if the controller is computing and its next request may be handled without a packet."""
        if self.tcp or self.link is not None or self._delay or not self._is_open or self.due is not None:
            return False
        return self._reader.is_empty and self.time_to_event is None

    @property
    def asked(self) -> float | None:
        """Time (ms) of the last request that lets time pass; None if there was none."""
        return self._asked

    @property
    def pending(self) -> Pending:
        """The request that has not been answered yet."""
        return Pending(self.due, self._asked, self._usual, self._delay)

    def go_on(self, pending: Pending) -> None:
        """Begin in the middle of a step, with a controller that has been configured earlier."""
        self._configured, self._is_open = True, not self._is_over
        self.due, self._asked, self._usual, self._delay = pending

    def follow(self, asked: float | None, due: float | None) -> None:
        """Record requests handled without packets: the time (ms) of the last one, and when it is due if still
        unanswered."""
        self._asked, self.due = asked, due

    def is_due(self, now: float) -> bool:
        """Return True if the pending step has ended at this time (ms)."""
        return self.due is not None and now >= self.due - SLACK_MS

    def routine_answer(self, now: float) -> bytes | None:
        """Return the answer to the pending request at this time (ms) if it is of the common kind."""
        if self.tcp or self.link is not None or self._delay:
            return None
        packet = self.robot.answer.routine_packet(now)
        if packet is not None:
            self.due = None
        return packet

    def answer(self, now: float | None = None) -> bytes:
        """Return the answer to the pending request at this time (ms; default: now)."""
        delay, self._delay = (self._delay, 0) if self.due is not None else (0, self._delay)
        self.due = None
        if not self.tcp and self.link is None:
            messages = self.robot.answer.routine(now)
            if messages is not None:
                return write_answer(delay, messages)
        return self._written(AnswerWriter(delay), self._write_answer)

    def _write_answer(self, out: bytearray) -> None:
        self.robot.write_answer(out)
        if self.link is not None:
            out += self.link.readings(self.robot.simulation.time_ms)

    @property
    def time_to_event(self) -> float | None:
        """Return real seconds until a controller must be informed that no user event has occurred; None if it
        does not wait for one."""
        return self._inputs.time_left

    def event(self) -> bytes:
        """Return the packet about a user event if the controller waits for one and it has occurred or timed
        out."""
        if self.time_to_event != 0:
            return b""
        self._inputs.end_waiting()
        return self._written(AnswerWriter(), self.robot.write_answer)

    def unasked(self) -> bytes:
        """Return a packet with queued messages while the controller waits for the end of its step."""
        return self._written(AnswerWriter(UNASKED), self.robot.write_answer)

    def quit(self) -> bytes:
        """End the simulation: return the packet for a controller that waits for the end of its step.

        A computing controller continues: its queries are answered, and the next step that it requests never
        ends.
        """
        self._is_over, self._is_open = True, False
        if self.due is None:
            return b""
        self.due = None
        return self.last_word()

    def last_word(self) -> bytes:
        """Return the packet that ends the controller, unless it was sent. Over TCP every controller needs
        it."""
        if self._is_told:
            return b""
        self._is_told = True
        codec = self.robot.codec
        code = codec.message_codes["quit"]
        return self._written(AnswerWriter(), lambda out: codec.write_message(out, 0, code, ()))

    def _end(self, request: Request) -> bytes:
        """Return the answer to a request after the end of the simulation."""
        robot = self.robot
        if self._is_told:
            return self._written(AnswerWriter(), lambda out: None)
        if request.duration or robot not in robot.simulation.robots:
            return self.last_word()
        robot.take(request)
        return self.answer()

    def restart_time(self) -> None:
        """Adjust a pending step after simulated time has jumped; its remaining duration stays the same."""
        now = self.robot.simulation.time_ms
        if self.link is not None:
            self.link.clear()
        if self.due is not None and self._asked is not None:
            self.due += now - self._asked
        self._asked = None if self._asked is None else now

    def _written(self, writer: AnswerWriter, write: Callable[[bytearray], None]) -> bytes:
        try:
            write(writer.out)
        except ProtocolError as problem:
            # Not the controller's error, so it must not be reported as one.
            raise RuntimeError(f'robot "{self.robot.name}": cannot write an answer: {problem}') from problem
        if not self.tcp:
            return writer.local()
        for tag, code, pixels in self.robot.pictures.take():
            writer.image(tag, code, pixels)
        return writer.tcp()
