"""The controller's end of the link: steps, repeated until they are answered; reconnection with back-off.

    master = Master(table, lambda: connect("serial:///dev/ttyACM0"))
    master.connect(5.0)
    master.set(numbering.channel(tag, "velocity"), 3.0)
    step = master.step(32, timeout=0.5)

It has no thread: all communication happens during the calls.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from wbridge.hal.installation import update_command
from wbridge.hal.link.errors import (
    ConnectionLost,
    LinkError,
    MessageError,
    Refused,
    RobotBusy,
    TableMismatch,
    WrongVersion,
)
from wbridge.hal.link.faults import FAULT_SHIFT
from wbridge.hal.link.messages import (
    ACKNOWLEDGE,
    CONTINUE,
    ENABLE,
    LATCHED,
    LEAVE,
    LONGEST_WATCHDOG,
    LOST,
    MORE,
    PART,
    REASONS,
    REFUSED_BUSY,
    REFUSED_MESSAGE,
    REFUSED_SESSION,
    REFUSED_TABLE,
    REFUSED_TOKEN,
    REFUSED_TOPIC,
    REFUSED_VERSION,
    VERSION,
    VIRTUAL,
    Hello,
    Refusal,
    Reply,
    Request,
    Welcome,
    decode,
    decode_entries,
    encode,
    overhead,
    split_entries,
)
from wbridge.hal.link.numbering import LinkChannel, Numbering, Slot
from wbridge.hal.link.outbox import Outbox
from wbridge.hal.link.pipe import Clock, Pipe
from wbridge.hal.link.under_way import LONGEST_STEP, Repetition, StepTimes
from wbridge.hal.table import DeviceTable

__all__ = ["Master", "Step"]

UNNUMBERED = -1
SHORT_WAIT, FIRST_WAIT, LONGEST_WAIT = 0.001, 0.1, 5.0
"""Seconds between attempts to connect, doubled each time. The short one applies if the robot is there."""
TRIES = 4
"""A message is sent at least this often within the watchdog time, so that losses do not stop the robot."""
SILENCE = 10.0
"""Seconds without an answer after which the connection is reopened."""
SESSIONS = 1 << 16
TOKEN_HINT = (
    "Write the robot's token before its address, as in tcps://:TOKEN@HOST:PORT; it is set where the robot's "
    "program was started"
)


class Step(NamedTuple):
    """The result of a step."""

    time: int
    """The robot's clock in ms."""
    delay: int
    """By how many ms the robot was late."""
    values: list[tuple[LinkChannel, Any]]
    """Samples and events, in their order."""
    lost: bool
    """The robot had values that did not fit into its messages."""
    behind: int = 0
    """Duration in ms of the steps that are not answered yet: the values are older by that."""


class Master:
    """The controller's end of the link to one robot."""

    def __init__(
        self,
        table: DeviceTable,
        open_pipe: Callable[[], Pipe],
        *,
        build: str = "wbridge",
        watchdog: int = 500,
        clock: Clock = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        client: int | None = None,
    ) -> None:
        """
        Args:
            table: of the robot, as the controller knows it.
            open_pipe: makes a new message pipe to the robot, or raises ConnectionLost.
            build: name of this side, for people; ASCII, at most 32 bytes count.
            watchdog: after how many ms without a request the robot shall stop, 1 to 10000.
            clock: used for timeouts by the pipes, too.
            sleep: waits some seconds of that clock.
            client: a secret number that identifies this controller; None: a random one.

        Raises:
            MessageError: the watchdog time is out of range.
        """
        if not 0 < watchdog <= LONGEST_WATCHDOG:
            raise MessageError(f"a watchdog time of {watchdog} ms; allowed: 1 to {LONGEST_WATCHDOG}")
        self.numbering = Numbering(table)
        self.build, self.watchdog = build, watchdog
        self.client = _draw(4) if client is None else client
        self.welcome: Welcome | None = None
        """The robot's answer that opened the session; None without a session."""
        self.enabled = True
        """Enable the robot's motors."""
        self.latches = self.latched = False
        """`latches`: keep the robot stopped after it ends a session; `latched`: it is; clear it to go on."""
        self.fault = 0
        """Number of the fault (`wbridge.hal.link.faults.Fault`) that the robot reported when the session
        began."""
        self.is_faulty = False
        """The robot keeps its motors off: because of this fault, until `acknowledge`, or if there is none, as
        long as a distance sensor gives no value."""
        self._acknowledges = True
        """A controller that has just been started knows that it moves the robot."""
        self.repeated = 0
        """How many messages were sent again."""
        self.sessions = 0
        """How many sessions have begun."""
        self._outbox = Outbox()
        self._open, self._clock, self._sleep = open_pipe, clock, sleep
        self._pipe: Pipe | None = None
        self._session, self._sequence = _draw(2), 0
        self._wait, self._next_try = FIRST_WAIT, 0.0
        self._opened = self._hello_due = 0.0
        """When the pipe was opened, and when to say hello by it again."""
        self._was_enabled = True
        self._requests: list[Request] = []
        """Of the current step, not yet answered; the first is under way."""
        self._sent = Repetition()
        self._times = StepTimes()
        self._values: list[tuple[LinkChannel, Any]] = []
        self._lost = False

    @property
    def connected(self) -> bool:
        """There is a session."""
        return self.welcome is not None

    @property
    def _enables(self) -> bool:
        return self.enabled and not self.latched

    @property
    def behind(self) -> int:
        """Duration in ms of the steps that are not answered yet."""
        return self._times.total

    def set(self, channel: LinkChannel, value: object) -> None:
        """Queue a command for the next step.

        Raises:
            MessageError: the value does not fit the channel, or the channel takes no commands.
        """
        self._outbox.set(channel, value)

    def set_period(self, slot: Slot, period: int) -> None:
        """Queue a sampling period in ms (0: off; at most 65535) for the next step.

        Raises:
            MessageError: the period is out of range.
        """
        self._outbox.set_period(slot, period)

    def acknowledge(self) -> None:
        """Let a robot move again after a fault."""
        self._acknowledges = True
        self._was_enabled = False  # it needs the full state

    def connect(self, timeout: float) -> None:
        """Begin a session; return at once if there is one.

        Args:
            timeout: how long to try, in s.

        Raises:
            ConnectionLost: no robot answered in time.
            Refused: a robot answered but refused this controller.
        """
        end = self._clock() + timeout
        why = ""
        while True:
            if not self.connected:
                why = self._try_connect(end)
            if self.connected:
                return
            if self._clock() >= end:
                self._drop(self._wait)
                raise ConnectionLost(f"no robot answered within {timeout:g} s{why}")
            self._pause(end)

    def step(self, elapsed: int, timeout: float) -> Step | None:
        """Make a control step: send the set values and receive those that are due.

        Args:
            elapsed: the step's duration in ms, 0 to 65535.
            timeout: maximum wait for the answer, in s.

        Returns:
            The received answer, or None. On a line whose answers take longer than a step, it is the answer to
            an earlier step (see `Step.behind`). Steps that there is no time to send are combined with the
            next one. If the connection is lost, the next call opens a new one and sends all lasting values
            again.

        Raises:
            Refused: a robot answers but does not accept this controller (any more).
            MessageError: the duration is out of range, a command is too large for the robot's messages, or
                the robot's answers are invalid.
        """
        self.begin(elapsed)
        return self.end(timeout)

    def begin(self, elapsed: int) -> None:
        """The first half of a step: send what was set, and wait for nothing.

        A program that drives many robots begins the steps of all before it ends the first one: so it waits
        for the slowest only. Arguments and errors are those of `step`.
        """
        if not 0 <= elapsed <= LONGEST_STEP:
            raise MessageError(f"a step of {elapsed} ms; allowed: 0 to {LONGEST_STEP}")
        self._times.add(elapsed, self.connected)
        if self.connected and not self._requests:
            try:
                self._compose()
                self._ask()
            except ConnectionLost:
                self._break_off(FIRST_WAIT)

    def end(self, timeout: float) -> Step | None:
        """The second half of a step: wait for its answer (see `step`)."""
        end = self._clock() + timeout
        while True:
            if not self.connected and self._clock() >= self._next_try:
                self._try_connect(end)
            if self.connected:
                try:
                    return self._step(end)
                except ConnectionLost:
                    self._break_off(FIRST_WAIT)
                except _SessionEnded:
                    self._break_off(SHORT_WAIT)
                except LinkError:
                    self._break_off(FIRST_WAIT)
                    raise
            if self._clock() >= end:
                return None
            self._pause(end)

    def _break_off(self, wait: float) -> None:
        """The session has ended within a step; a new one begins with this step."""
        self._drop(wait)
        self._times.restart()

    def leave(self, timeout: float) -> bool:
        """End the session; the robot stops.

        Returns:
            Whether the robot has said that it knows. If not, its watchdog will stop it.
        """
        try:
            if not self.connected:
                return False
            self._requests = [self._request(LEAVE, 0, b"")]
            return self._exchange(self._clock() + timeout) is not None
        except _SessionEnded:
            return True
        except LinkError:
            return False
        finally:
            self._drop(SHORT_WAIT)

    def close(self) -> None:
        """Give up the connection without a word; the robot's watchdog will stop it."""
        self._drop(SHORT_WAIT)

    def _pause(self, end: float) -> None:
        """Wait until the next attempt to connect, or some time if that comes earlier."""
        self._sleep(max(min(self._next_try, end) - self._clock(), SHORT_WAIT))

    # Sessions.

    def _drop(self, wait: float) -> None:
        """End the session; try again after a delay in s."""
        pipe, self._pipe, self.welcome = self._pipe, None, None
        self._wait = max(wait, FIRST_WAIT)
        self._next_try = self._clock() + wait
        self._requests = []
        self._times.answered()
        if pipe is not None:
            pipe.close()

    def _try_connect(self, end: float) -> str:
        """Try to begin a session until some time; why it failed, as the end of a sentence."""
        try:
            if self._pipe is None:
                self._pipe = self._open()
                self._session = self._session % (SESSIONS - 1) + 1
                self._opened, self._hello_due = self._clock(), -math.inf
            return "" if self._greet(self._pipe, end) else f": {self._why_silent()}"
        except (ConnectionLost, OSError) as error:
            wait = self._wait
            self._drop(wait)
            self._wait = min(2 * wait, LONGEST_WAIT)
            return f": {error}"
        except Refused:
            self._drop(self._wait)
            raise

    def _greet(self, pipe: Pipe, end: float) -> bool:
        """Say hello until a robot answers, or some time; the next call goes on, as lines may be slow.

        Raises:
            ConnectionLost: there has been no answer for long.
        """
        head = (VERSION, self._session, self.client, self.watchdog)
        hello = encode(Hello(*head, self.numbering.hash, self.build))
        while True:
            if self._clock() >= self._hello_due:
                self.repeated += self._hello_due > -math.inf
                pipe.send(hello)
                self._hello_due = self._clock() + self._retry(pipe)
            answer = self._await(pipe, min(end, self._hello_due), self._greeting)
            if answer is not None:
                self._begin(answer)
                return True
            if self._clock() - self._opened > SILENCE:
                raise ConnectionLost(self._why_silent())
            if self._clock() >= end:
                return False

    def _why_silent(self) -> str:
        """What is known of a robot that does not answer; a broker may know more than that."""
        return getattr(self._pipe, "why_silent", "") or "it is silent"

    def _greeting(self, message: object) -> Welcome | None:
        """The expected welcome, or None for other messages; a refusal raises its error."""
        if isinstance(message, Refusal) and message.session == self._session:
            if message.client == self.client and message.reason != REFUSED_SESSION:
                raise refusal(message, self)
        elif isinstance(message, Welcome) and message.session == self._session:
            return message if message.client == self.client and message.real in (4, 8) else None
        return None

    def _begin(self, welcome: Welcome) -> None:
        self.welcome, self._sequence, self._wait = welcome, 0, FIRST_WAIT
        self.sessions += 1
        self.fault = welcome.flags >> FAULT_SHIFT
        self.is_faulty = self.fault != 0
        self._acknowledges = self._acknowledges and self.sessions == 1
        self.latched = self.latched or (self.latches and self.sessions > 1)
        self._was_enabled = self._enables
        self._values, self._lost = [], False
        self._sent.forget()
        self._tell_all(welcome)

    def _tell_all(self, welcome: Welcome) -> None:
        """Let the next request have the full state."""
        room = welcome.request_limit - overhead(Request)
        self._outbox.begin(welcome.real, room, bool(welcome.flags & VIRTUAL))

    # Steps.

    def _step(self, end: float) -> Step | None:
        reply = None
        if self._requests:
            reply = self._finish(end)
            if reply is None:
                return None  # what was asked first goes first: the robot may have executed it
        if self._times.is_new:
            self._compose()
            reply = self._finish(end) or reply
        if reply is None:
            return None
        values, self._values = self._values, []
        lost, self._lost = self._lost, False
        return Step(reply.time, reply.delay, values, lost, self.behind)

    def _compose(self) -> None:
        """Make the messages of the steps that are in none yet."""
        assert self.welcome is not None
        elapsed = self._times.take()
        room = self.welcome.request_limit - overhead(Request)
        if self._enables and not self._was_enabled:
            self._tell_all(self.welcome)  # the robot has dropped what lasts
        self._was_enabled = self._enables
        blocks, _ = split_entries(self._outbox.entries(), room)
        enable = ENABLE if self._enables else 0
        self._requests = [self._request(PART | enable, 0, block) for block in blocks[:-1]]
        self._requests.append(self._request(enable, elapsed, blocks[-1]))

    def _request(self, flags: int, elapsed: int, entries: bytes) -> Request:
        """A request that has no number yet."""
        flags |= ACKNOWLEDGE if self._acknowledges and self.is_faulty else 0
        return Request(flags, self._session, UNNUMBERED, elapsed, self.watchdog, entries)

    def _finish(self, end: float) -> Reply | None:
        """Send all requests that wait and take the answers; the last one, None when time is up before."""
        while True:
            reply = self._exchange(end)
            if reply is None:
                return None
            self._take(reply)
            self._requests.pop(0)
            if reply.flags & MORE:
                self._requests.insert(0, self._request(CONTINUE, 0, b""))
            if not self._requests:
                self._times.answered()
                self._outbox.delivered()
                return reply

    def _exchange(self, end: float) -> Reply | None:
        """Send the first request that waits until it is answered; None when that takes too long."""
        while True:
            pipe = self._ask()
            reply: Reply | None = self._await(pipe, min(end, self._sent.due), self._answer)
            if reply is not None:
                self._sent.answered(self._clock())
                return reply
            if self._sent.age(self._clock()) > SILENCE:
                raise ConnectionLost("the robot is silent")
            if self._clock() >= end:
                return None

    def _answer(self, message: object) -> Reply | None:
        """The reply that was waited for; None for other messages; raises what a refusal means."""
        if not isinstance(message, (Reply, Refusal)) or message.session != self._session:
            return None
        if isinstance(message, Refusal) and message.reason == REFUSED_SESSION:
            raise _SessionEnded
        if message.sequence != self._sequence:
            if self._pipe is not None:
                self._sent.answered_twice(self._retry(self._pipe), self.watchdog / 1000)
            return None
        if isinstance(message, Refusal):
            raise refusal(message, self)
        return message

    def _ask(self) -> Pipe:
        """Send the first request that waits if it is time to; the pipe."""
        pipe, now = self._pipe, self._clock()
        assert pipe is not None
        if self._requests[0].sequence == UNNUMBERED:
            self._sequence = (self._sequence + 1) & 0xFFFF
            self._requests[0] = self._requests[0]._replace(sequence=self._sequence)
            self._sent.begin(encode(self._requests[0]), now)
        self.repeated += self._sent.send(pipe, now, self._retry(pipe))
        return pipe

    def _retry(self, pipe: Pipe) -> float:
        """After how many s a message is sent again."""
        return min(pipe.retry, self.watchdog / 1000 / TRIES)

    def _await(self, pipe: Pipe, end: float, wanted: Callable[[object], object]) -> Any:
        """The first matching message, or None if it does not arrive in time."""
        while True:
            data = pipe.receive(max(end - self._clock(), 0.0))
            if data is None:
                return None
            try:
                answer = wanted(decode(data))
            except MessageError:
                continue
            if answer is not None:
                return answer

    def _take(self, reply: Reply) -> None:
        assert self.welcome is not None
        entries = decode_entries(reply.entries, self.numbering, "sense", self.welcome.real)
        self._values += entries.samples
        self._lost |= bool(reply.flags & LOST)
        is_faulty = bool(reply.flags & LATCHED)
        if self.is_faulty and not is_faulty:
            self.fault, self._was_enabled = 0, False  # it has dropped what lasts
        self.is_faulty = is_faulty
        self._acknowledges = self._acknowledges and self.is_faulty


def _draw(size: int) -> int:
    """A random number of some bytes; the module `random` would double the time of the import."""
    return int.from_bytes(os.urandom(size), "little")


class _SessionEnded(Exception):
    """The robot knows nothing of this session: its watchdog has ended it, or it was switched off."""


def refusal(message: Refusal, master: Master) -> Refused:
    """What a refusal means, in words."""
    reason = message.reason
    robot, own = message.build or "the robot", master.build
    text = f'"{robot}" refuses this controller: {REASONS.get(reason, f"reason {reason}")}'
    if reason == REFUSED_TABLE:
        return TableMismatch(
            f'{text}. The table of "{robot}" is {message.hash.hex()}, that of "{own}" is '
            f"{master.numbering.hash.hex()}. Make both from one world: build and flash the robot's firmware "
            "again with `wbridge firmware build` and `wbridge firmware flash`, or start its program with the "
            "same world file"
        )
    if reason == REFUSED_VERSION:
        return WrongVersion(
            f'{text} (it speaks {message.version}, "{own}" speaks {VERSION}). Update the older side: '
            f"`{update_command()}` here, `wbridge firmware flash` on the robot"
        )
    if reason == REFUSED_BUSY:
        return RobotBusy(f"{text}. End that one, or wait until its watchdog time has passed")
    if reason == REFUSED_TOKEN:
        return Refused(f"{text}. {TOKEN_HINT}")
    if reason == REFUSED_MESSAGE:
        return Refused(f"{text}. A command holds a value that it does not allow, for example NaN")
    advice = (
        "" if reason in REASONS and reason != REFUSED_TOPIC else f". Update this side: `{update_command()}`"
    )
    return Refused(f"{text}{advice}")
