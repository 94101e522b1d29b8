"""What a controller wants its robot to know: commands and sampling periods, in the order of their setting."""

from __future__ import annotations

from typing import Any

from wbridge.hal.link.errors import MessageError
from wbridge.hal.link.messages import encode_period, encode_sample
from wbridge.hal.link.numbering import LinkChannel, Slot
from wbridge.hal.link.values import REAL64, has_nan, is_stream

UNLIMITED = 1 << 32
MOST_WAITING = 1 << 22
"""Bytes of packets and drawings that wait for a robot that does not answer."""


class Outbox:
    """Stores all lasting values, and sends those that the robot does not have yet.

    The order matters: of a motor's commands the last one counts (a position ends a force). So an unchanged
    value is left out only when nothing else was set for its device in the meantime; and never where the
    robot is simulated, as each command to a motor there wakes a body that rests.
    """

    def __init__(self) -> None:
        self._real, self._room, self._repeats = REAL64, UNLIMITED, False
        self._periods: dict[int, tuple[Slot, int]] = {}
        self._new_periods: set[int] = set()
        self._state: dict[int, tuple[LinkChannel, Any]] = {}
        """The latest value of each lasting channel, in the order of the last assignments."""
        self._new_state: dict[int, None] = {}
        self._known: dict[int, bytes] = {}
        """What the robot has, as entries by channel number."""
        self._newest: dict[int, int] = {}
        """The channel of each device that was set last, by tag."""
        self._streams: list[tuple[LinkChannel, object]] = []
        self._sent = self._waiting = 0
        """How many of them the robot has been sent, and the bytes of all."""

    def set(self, channel: LinkChannel, value: object) -> None:
        """A command.

        Raises:
            MessageError: the value does not fit the channel, it takes no commands, or too much waits.
        """
        if channel.direction != "act":
            raise MessageError(f"{channel.label} is read, not set")
        entry = encode_sample(channel, value, self._real)
        if has_nan(value):
            raise MessageError(f"{channel.label} cannot take NaN")
        if len(entry) > self._room:
            raise MessageError(self._too_large(channel))
        if is_stream(channel):
            self._add_to_streams(channel, value, len(entry))
            return
        number = channel.number
        is_told = self._known.get(number) == entry and number not in self._new_state
        if is_told and self._newest.get(channel.tag) == number and not self._repeats:
            return
        self._newest[channel.tag] = number
        self._state.pop(number, None)
        self._state[number] = (channel, value)
        self._new_state.pop(number, None)
        self._new_state[number] = None

    def _add_to_streams(self, channel: LinkChannel, value: object, size: int) -> None:
        if self._waiting + size > MOST_WAITING:
            raise MessageError(
                f"{channel.label}: {MOST_WAITING} bytes wait for the robot already; this is left out"
            )
        self._waiting += size
        self._streams.append((channel, value))

    def set_period(self, slot: Slot, period: int) -> None:
        """A sampling period in ms; 0: off.

        Raises:
            MessageError: it is out of range.
        """
        encode_period(slot, period)
        if self._periods.get(slot.number, (slot, 0))[1] != period:
            self._periods[slot.number] = (slot, period)
            self._new_periods.add(slot.number)

    def begin(self, real: int, room: int, repeats: bool) -> None:
        """Send all lasting values again to a robot without a state.

        Args:
            real: width of the robot's reals in bytes.
            room: for entries in a message, in bytes.
            repeats: also send commands that change nothing.

        Raises:
            MessageError: a command that waits is larger; it is given up.
        """
        self._real, self._room, self._repeats = real, room, repeats
        self._known, self._sent = {}, 0
        self._new_periods = {number for number, (_, period) in self._periods.items() if period}
        waiting = [*self._state.values(), *self._streams]
        too_large = [c for c, value in waiting if len(encode_sample(c, value, real)) > room]
        for channel in too_large:
            self._state.pop(channel.number, None)
        self._streams = [stream for stream in self._streams if stream[0] not in too_large]
        self._new_state = dict.fromkeys(self._state)
        if too_large:
            raise MessageError("; ".join(map(self._too_large, too_large)))

    def _too_large(self, channel: LinkChannel) -> str:
        return f"{channel.label}: a command is larger than the {self._room} bytes that this robot can take"

    def entries(self) -> list[bytes]:
        """What the robot does not know yet; it counts as known from now on."""
        periods = [encode_period(*self._periods[number]) for number in sorted(self._new_periods)]
        for number in self._new_state:
            self._known[number] = encode_sample(*self._state[number], self._real)
            periods.append(self._known[number])
        periods += [encode_sample(channel, value, self._real) for channel, value in self._streams]
        self._new_periods, self._new_state, self._sent = set(), {}, len(self._streams)
        return periods

    def delivered(self) -> None:
        """The robot has answered: what was sent need not be kept."""
        if self._sent:
            del self._streams[: self._sent]
            self._waiting = sum(len(encode_sample(*stream, self._real)) for stream in self._streams)
        self._sent = 0
