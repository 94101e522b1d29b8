"""The conversation with one controller, without its transport: requests in, answers out."""

from __future__ import annotations

import math
from collections.abc import Callable

from hal.protocol.dialect import R2025A, Dialect
from hal.protocol.errors import ProtocolError
from hal.protocol.packet import UNASKED, AnswerWriter, Request, RequestReader, write_answer
from wbcore.robots.inputs import Inputs
from wbcore.robots.robot import Robot

__all__ = ["ControllerExchange"]

REQUEST_LIMIT = 64 * 2**20
"""Most bytes of one request; an uploaded sound may be large."""

SLACK_MS = 1e-6
"""Times are sums of steps whose length may be no binary fraction."""


class ControllerExchange:
    """A controller that drives a robot.

    Bytes of the controller come in by `feed`, which returns what has to be sent back at once. A step is
    answered later, by `answer`, when the simulation has come to `due`.
    """

    def __init__(self, robot: Robot, *, tcp: bool = False, dialect: Dialect = R2025A) -> None:
        """
        Args:
            robot: what the controller drives.
            tcp: frame answers as over TCP.
            dialect: of the controller's library.
        """
        self.robot = robot
        self.tcp = tcp
        self.due: float | None = None
        """The time (ms) at which a step ends that the controller waits for; None: it is computing."""
        self.has_left = False
        """The controller has said good bye."""
        self._reader = RequestReader(REQUEST_LIMIT)
        self._configured = False
        self._is_open = False
        """The configure packet was written, and the simulation is not over."""
        self._asked: float | None = None
        self._usual = 0
        """The last duration (ms) that was looked at."""
        self._delay = 0
        self._is_over = self._is_told = False
        inputs = robot.part("inputs")
        assert isinstance(inputs, Inputs)
        self._inputs = inputs
        robot.takes_pictures = tcp
        robot.connect(dialect)

    def feed(self, data: bytes) -> bytes:
        """Take bytes of the controller; the answers that they need at once.

        Raises:
            ProtocolError: the bytes are no requests, or a request comes before the last one was answered.
        """
        if self._is_open and self.due is None and self._reader.is_empty:
            robot = self.robot
            duration = robot.take_routine(data)
            if duration is not None:
                self._inputs.stop_waiting()
                return self._go_on(duration)
            messages = None if self.tcp else robot.answer_question(data)
            if messages is not None:
                self._inputs.stop_waiting()
                return write_answer(0, messages)
        out = bytearray()
        for request in self._reader.feed(data):
            out += self._handle(request)
            self.robot.learn_routine(len(data), request)
        self.has_left = self.has_left or self._reader.ended
        return bytes(out)

    def _handle(self, request: Request) -> bytes:
        if self._is_over and self._configured:
            return self._end(request)
        if self.due is not None:
            raise ProtocolError("a request came before the last one was answered")
        self._inputs.stop_waiting()
        self.robot.take(request)
        if not self._configured:
            self._configured = True
            self._is_open = not self._is_over
            return self._written(AnswerWriter(), self.robot.write_configuration)
        return self._go_on(request.duration)

    def _go_on(self, duration: int) -> bytes:
        """The commands of a request are carried out; the answer, if no time shall pass."""
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
        """Say how long a step takes that does not end with one of the simulation (manual, wb_robot_step)."""
        step = self.robot.simulation.step_s * 1000
        taken = math.ceil(duration / step - SLACK_MS) * step
        if taken - duration > SLACK_MS:
            self.robot.warn(
                f"its controller asks for steps of {duration} ms; they take {taken:g} ms, "
                f"the next multiple of basicTimeStep ({step:g} ms)"
            )

    # Direct steps, without packets (see wbcore.controllers.direct_stepping).

    @property
    def is_plain(self) -> bool:
        """True when the controller computes, and its next request may be carried out without a packet."""
        if self.tcp or self._delay or not self._is_open or self.due is not None:
            return False
        return self._reader.is_empty and self.time_to_event is None

    @property
    def asked(self) -> float | None:
        """The time (ms) of the last request that let time pass; None: there was none."""
        return self._asked

    def follow(self, asked: float | None, due: float | None) -> None:
        """Requests were carried out without packets: the time (ms) of the last one, and when it is due, if it
        has not been answered."""
        self._asked, self.due = asked, due

    def is_due(self, now: float) -> bool:
        """True when the pending step has ended at this time (ms)."""
        return self.due is not None and now >= self.due - SLACK_MS

    def routine_answer(self, now: float) -> bytes | None:
        """The answer to the pending request at this time (ms), if it is one of the usual kind."""
        if self.tcp or self._delay:
            return None
        packet = self.robot.routine_packet(now)
        if packet is not None:
            self.due = None
        return packet

    def answer(self, now: float | None = None) -> bytes:
        """The answer to the pending request; the time (ms) need not be given."""
        delay, self._delay = (self._delay, 0) if self.due is not None else (0, self._delay)
        self.due = None
        if not self.tcp:
            messages = self.robot.routine_answer(now)
            if messages is not None:
                return write_answer(delay, messages)
        return self._written(AnswerWriter(delay), self.robot.write_answer)

    @property
    def time_to_event(self) -> float | None:
        """Seconds (real time) until a controller must hear that no event of the user has come; None: it does
        not wait for one."""
        return self._inputs.time_left

    def event(self) -> bytes:
        """The packet about an event of the user, if the controller waits for one and it, or the end of the
        time, has come."""
        if self.time_to_event != 0:
            return b""
        self._inputs.end_waiting()
        return self._written(AnswerWriter(), self.robot.write_answer)

    def unasked(self) -> bytes:
        """A packet with what waits, while the controller waits for the end of its step."""
        return self._written(AnswerWriter(UNASKED), self.robot.write_answer)

    def quit(self) -> bytes:
        """The simulation ends: the packet that tells a controller which waits for the end of its step.

        One that computes goes on: its questions are answered, and the step that it asks for next never
        comes.
        """
        self._is_over, self._is_open = True, False
        if self.due is None:
            return b""
        self.due = None
        return self.last_word()

    def last_word(self) -> bytes:
        """The packet that ends the controller, unless it has had it. Over TCP none may miss it."""
        if self._is_told:
            return b""
        self._is_told = True
        codec = self.robot.codec
        code = codec.message_codes["quit"]
        return self._written(AnswerWriter(), lambda out: codec.write_message(out, 0, code, ()))

    def _end(self, request: Request) -> bytes:
        """The answer to a request that comes after the end of the simulation."""
        robot = self.robot
        if self._is_told:
            return self._written(AnswerWriter(), lambda out: None)
        if request.duration or robot not in robot.simulation.robots:
            return self.last_word()
        robot.take(request)
        return self.answer()

    def restart_time(self) -> None:
        """The simulation went back, or on: a pending step ends as long after the time of now as it was asked
        for."""
        now = self.robot.simulation.time_ms
        if self.due is not None and self._asked is not None:
            self.due += now - self._asked
        self._asked = None if self._asked is None else now

    def _written(self, writer: AnswerWriter, write: Callable[[bytearray], None]) -> bytes:
        try:
            write(writer.out)
        except ProtocolError as problem:
            # Not the controller's fault, so it must not be taken for one.
            raise RuntimeError(
                f'robot "{self.robot.name}": an answer cannot be written: {problem}'
            ) from problem
        if not self.tcp:
            return writer.local()
        pictures, self.robot.pictures = self.robot.pictures, []
        for tag, code, pixels in pictures:
            writer.image(tag, code, pixels)
        return writer.tcp()
