"""The robot's end of the link: a state machine without threads, sockets or clocks.

It takes messages and the time, returns answers, and calls a `RobotSide`. Simulated robots and emulated peers
use it directly; the firmware's C code has the same states.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from wbridge.hal.link.errors import MessageError
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
    REFUSED_BUSY,
    REFUSED_MESSAGE,
    REFUSED_SESSION,
    REFUSED_TABLE,
    REFUSED_VERSION,
    VERSION,
    VIRTUAL,
    Entries,
    Hello,
    ReadTable,
    Refusal,
    Reply,
    Request,
    TablePart,
    Welcome,
    decode,
    decode_entries,
    encode,
    encode_sample,
    overhead,
    split_entries,
)
from wbridge.hal.link.numbering import LinkChannel, Numbering, Slot
from wbridge.hal.link.values import REAL64, fixed_size, has_nan
from wbridge.hal.table import DeviceTable

__all__ = ["RobotSide", "Slave", "SlaveOptions"]

LIMIT = 1 << 20
CLOCK = 1 << 32
HALF_SESSIONS = 1 << 15


class RobotSide(Protocol):
    """The interface of a robot to its slave."""

    def set(self, channel: LinkChannel, value: object) -> None:
        """Take a command; called in the order in which the controller gave them, before `step`."""

    def set_period(self, slot: Slot, period: int) -> None:
        """Take a sampling period in ms; 0: off. The slave does the sampling itself."""

    def step(self, elapsed: int) -> bool:
        """Start a step of `elapsed` ms.

        Returns:
            True if the sensors can be read at once; False if only later, when `Slave.finish` is called.
        """

    def read(self, channel: LinkChannel) -> Any:
        """The value of a sensor whose sample is due, or None."""

    def events(self) -> Iterable[tuple[LinkChannel, object]]:
        """Values of channels without a sampling period since the last call."""

    def stop(self) -> None:
        """Stop all motors, which forget their commands; called when the controller disconnects or disables
        motion. The next one sends all of its own."""

    def time(self) -> int:
        """The robot's clock in ms."""


class SlaveOptions(NamedTuple):
    """Options of the robot's end."""

    build: str = "wbridge"
    """Its name, for people."""
    real: int = REAL64
    """Width of reals in bytes."""
    request_limit: int = LIMIT
    reply_limit: int = LIMIT
    """Sizes of the largest messages in bytes."""
    virtual: bool = False
    """The robot's time is simulated."""
    shows_table: bool = True
    """Send the device table on request."""
    serves_large: bool = False
    """Accept a table with channels whose values are too large for messages; such values are omitted."""


class Slave:
    """The robot's end of the link, for one controller at a time."""

    def __init__(self, table: DeviceTable, robot: RobotSide, options: SlaveOptions | None = None) -> None:
        """
        Raises:
            MessageError: the value of a channel does not fit into a message.
        """
        self.numbering, self.robot = Numbering(table), robot
        self.options = options or SlaveOptions()
        if not self.options.serves_large:
            self._check_limits()
        self._text = table.canonical().encode("ascii") if self.options.shows_table else b""
        self.session = self.client = self.sequence = self.watchdog = 0
        """Of the controller; 0: there is none."""
        self.via: object = None
        """The connection that opened the session; no other can use it."""
        self.enabled = False
        self.fault = 0
        """Number of a fault (`wbridge.hal.link.faults.Fault`) that keeps the motors off until a request
        acknowledges it; 0: none. A robot sets it when it starts."""
        self.sessions = 0
        """How many sessions have begun."""
        self.sent_away: tuple[str, int] | None = None
        """Build name of the controller that was refused last, and the reason."""
        self.unasked: str | None = None
        """Build name of the last controller whose session ended without a request."""
        self._build = ""
        self._asked = False
        self._heard: float | None = None
        """When the controller last sent a request; None: count from the next `tick`."""
        self._answer: bytes | None = None
        self._running = False
        self._staged = Entries([], [])
        self._rest: list[bytes] = []
        self._periods: dict[int, int] = {}
        self._waited: dict[int, int] = {}

    @property
    def driven(self) -> bool:
        """A controller has a session."""
        return self.session != 0

    def receive(self, data: bytes, now: float, via: object = None) -> bytes | None:
        """Take a message.

        Args:
            data: as a frame held it; damaged ones do nothing.
            now: the time in ms by any clock that never goes back.
            via: the connection by which it came, for wires that have several at once.

        Returns:
            The answer, or None if there is none (yet; see `finish`).
        """
        self.tick(now)
        try:
            message = decode(data)
        except MessageError:
            return None
        if isinstance(message, Hello):
            return self._hello(message, now, via)
        if isinstance(message, Request):
            return self._request(message, now, via)
        if isinstance(message, ReadTable):
            return self._table(message)
        return None

    def tick(self, now: float) -> None:
        """Look at the time: stop the robot when its controller has been silent for too long."""
        if self._heard is None:
            self._heard = now
        if self.session and now - self._heard > self.watchdog and not self._running:
            self.end()

    def end(self) -> None:
        """End the session and stop the robot: the controller is gone."""
        if self.session:
            self.unasked = self.unasked if self._asked else self._build
            self.session = self.sequence = 0
            self.via = None
            self.robot.stop()
            self._forget()

    def finish(self, delay: int = 0) -> bytes | None:
        """The answer to the request whose step was left running; None when its session has ended.

        Args:
            delay: by how many ms the step took too long.
        """
        if not self._running:
            return None
        self._heard = None
        return self._finish(delay)

    def _finish(self, delay: int) -> bytes:
        self._running = False
        blocks, flags = self._due()
        self._rest += blocks
        return self._reply(delay, flags)

    # Sessions.

    def _hello(self, hello: Hello, now: float, via: object) -> bytes:
        if hello.version != VERSION:
            return self._refuse(hello, REFUSED_VERSION)
        if hello.hash != self.numbering.hash:
            return self._refuse(hello, REFUSED_TABLE)
        if hello.session == 0 or hello.watchdog == 0:
            return self._refuse(hello, REFUSED_MESSAGE)
        if self.session and hello.client != self.client:
            return self._refuse(hello, REFUSED_BUSY)
        if self.session and hello.session == self.session and via == self.via:
            return self._welcome()  # the first one got lost
        if self.session and not 0 < (hello.session - self.session) % (2 * HALF_SESSIONS) < HALF_SESSIONS:
            return self._refuse(hello, REFUSED_SESSION)  # an old message that has been under way for long
        self._begin(hello, now, via)
        return self._welcome()

    def _begin(self, hello: Hello, now: float, via: object) -> None:
        self.end()
        self._forget()
        self.session, self.client, self.via = hello.session, hello.client, via
        self.watchdog = min(hello.watchdog, LONGEST_WATCHDOG)
        self.sequence, self._heard = 0, now
        self.sessions += 1
        self._build, self._asked = hello.build, False

    def _forget(self) -> None:
        """Reset to the power-up state, so that all lasting values are sent again."""
        for number in [number for number, period in self._periods.items() if period]:
            self.robot.set_period(self.numbering.slots[number], 0)
        self._periods, self._waited, self._rest = {}, {}, []
        self._staged, self._answer = Entries([], []), None
        self.enabled = self._running = False

    def _welcome(self) -> bytes:
        o = self.options
        flags = (VIRTUAL if o.virtual else 0) | self.fault << FAULT_SHIFT
        head = (VERSION, self.session, self.client, o.request_limit, o.reply_limit)
        return encode(Welcome(*head, o.real, flags, self.numbering.hash, o.build))

    def _refuse(self, message: Hello | Request, reason: int) -> bytes:
        if isinstance(message, Hello):
            self.sent_away = message.build, reason
        client = message.client if isinstance(message, Hello) else 0
        sequence = message.sequence if isinstance(message, Request) else 0
        return encode(
            Refusal(
                *(VERSION, message.session, client, sequence),
                *(reason, self.numbering.hash, self.options.build),
            )
        )

    def _table(self, message: ReadTable) -> bytes:
        room = min(self.options.reply_limit, LIMIT) - overhead(TablePart)
        part = self._text[message.offset : message.offset + room]
        return encode(TablePart(message.session, message.offset, len(self._text), part))

    # Requests.

    def _request(self, request: Request, now: float, via: object) -> bytes | None:
        if not self.session or request.session != self.session or via != self.via:
            return self._refuse(request, REFUSED_SESSION)
        self._asked = True
        if request.sequence == self.sequence:
            return None if self._running else self._answer
        if self._running or request.sequence != (self.sequence + 1) & 0xFFFF:
            return None  # an old one that has been under way for long
        entries = self._entries(request)
        if entries is None:
            return self._refuse(request, REFUSED_MESSAGE)
        self.sequence, self._heard = request.sequence, now
        self.watchdog = min(request.watchdog, LONGEST_WATCHDOG)
        self._answer = None
        if request.flags & LEAVE:
            return self._leave()
        if request.flags & CONTINUE:
            return self._reply(0, 0)
        self._staged.periods.extend(entries.periods)
        self._staged.samples.extend(entries.samples)
        if request.flags & PART:
            return self._stored(self._encoded_reply(0, 0, b""))
        return self._execute(request)

    def _entries(self, request: Request) -> Entries | None:
        """Decode the request; None if a part of it is invalid."""
        try:
            entries = decode_entries(request.entries, self.numbering, "act", self.options.real)
        except MessageError:
            return None
        wrong = request.watchdog == 0 or any(map(has_nan, (value for _, value in entries.samples)))
        return None if wrong else entries

    def _leave(self) -> bytes:
        answer = self._encoded_reply(0, 0, b"")
        self.end()
        return answer

    def _execute(self, request: Request) -> bytes | None:
        staged, self._staged = self._staged, Entries([], [])
        for slot, period in staged.periods:
            self._periods[slot.number], self._waited[slot.number] = period, 0
            self.robot.set_period(slot, period)
        if request.flags & ACKNOWLEDGE:
            self.fault = 0
        enabled = bool(request.flags & ENABLE) and not self.fault
        if self.enabled and not enabled:
            self.robot.stop()
        self.enabled = enabled
        for channel, value in staged.samples if enabled else ():
            self.robot.set(channel, value)
        for number, period in self._periods.items():
            if period:
                self._waited[number] += request.elapsed
        self._running = True
        return self._finish(0) if self.robot.step(request.elapsed) else None

    # Replies.

    def _reply(self, delay: int, flags: int) -> bytes:
        part = self._rest.pop(0) if self._rest else b""
        more = MORE if self._rest else 0
        return self._stored(self._encoded_reply(flags | more, delay, part))

    def _due(self) -> tuple[list[bytes], int]:
        """What is due as blocks of entries, and flags."""
        entries: list[bytes] = []
        for slot in self.numbering.slots:
            period = self._periods.get(slot.number, 0)
            if period and self._waited[slot.number] >= period:
                self._waited[slot.number] %= period
                channels = (self.numbering.channels[number] for number in slot.channels)
                entries += [self._sample(channel, self.robot.read(channel)) for channel in channels]
        entries += [self._sample(channel, value) for channel, value in self.robot.events()]
        room = self.options.reply_limit - overhead(Reply)
        blocks, lost = split_entries(filter(None, entries), room)
        return blocks, LOST if lost else 0

    def _sample(self, channel: LinkChannel, value: object) -> bytes:
        return b"" if value is None else encode_sample(channel, value, self.options.real)

    def _encoded_reply(self, flags: int, delay: int, entries: bytes) -> bytes:
        late, time = min(max(delay, 0), 0xFFFF), self.robot.time() % CLOCK
        flags |= LATCHED if self.fault else 0
        return encode(Reply(flags, self.session, self.sequence, late, time, entries))

    def _stored(self, answer: bytes) -> bytes:
        self._answer = answer
        return answer

    def _check_limits(self) -> None:
        limits = {
            "act": self.options.request_limit - overhead(Request),
            "sense": self.options.reply_limit - overhead(Reply),
        }
        for channel in self.numbering.channels:
            if channel.tag == 0:
                continue  # mouse, keyboard and window are of the simulation; robots send none of it
            size = (fixed_size(channel, self.options.real) or 4) + 2
            if size > limits[channel.direction]:
                raise MessageError(
                    f"{channel.label} takes {size} bytes, but messages have room for "
                    f"{limits[channel.direction]}; "
                    "allow larger ones or leave the device out"
                )
