"""A recorded run as the robot's end of the link: it answers a board with what sensors told on the desktop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hal.link.numbering import LinkChannel, Numbering, Slot
from wbcore.bridge.words import commands_of, function_name, sample_values
from wbverify.reference import BATTERY, SEND, Reference, SentPacket

if TYPE_CHECKING:
    from wbcore.devices import Device
    from wbverify.reference import Key, Values

__all__ = ["Replay"]


class Replay:
    """A `hal.link.slave.RobotSide` that lets a controller live through a run once more.

    Whatever the controller commands, it sees what the one on the desktop saw. So a difference is found where
    it arises, and does not grow from step to step by way of the world.
    """

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self.numbering = Numbering(reference.robot.table)
        self.commands: list[dict[Key, Values]] = []
        """What was in force in each step, as in the reference."""
        self.sent: list[list[SentPacket]] = []
        """The packets of each step."""
        self.durations: list[tuple[int, int]] = []
        """Steps of the controller: the step with which it begins, and its length in ms."""
        self.over = False
        """All of the run has been seen; the request for more is not answered."""
        self._state: dict[Key, Values] = {}
        self._new_sent: list[SentPacket] = []
        self._told = range(0)

    # What the controller says.

    def set(self, channel: LinkChannel, value: Any) -> None:
        """Write down a command in the words of the desktop."""
        device = self._device(channel.tag)
        for name, values in [] if device is None else commands_of(device, channel.name, value):
            if name == SEND:
                self._new_sent.append(SentPacket(channel.tag, values[0], bytes(values[-1])))
            else:
                self._state[channel.tag, name] = values

    def set_period(self, slot: Slot, period: int) -> None:
        """Write down a sampling period."""
        if slot.tag:
            self._state[slot.tag, function_name(slot.function)] = (period,)

    def step(self, elapsed: int) -> bool:
        """Let the steps pass that are in a step of the controller."""
        if elapsed == 0:
            self._told = range(0)
            return True
        begin = len(self.commands)
        self.durations.append((begin, elapsed))
        end = min(begin + max(1, round(elapsed / self.reference.step_ms)), self.reference.steps)
        self.commands += [dict(self._state)] * (end - begin)
        self.sent += [self._new_sent, *([] for _ in range(begin + 1, end))]
        self._new_sent = []
        self._told = range(begin, end)
        self.over = end == self.reference.steps
        return not self.over

    def stop(self) -> None:
        """Nothing moves here."""

    # What the controller is told.

    def read(self, channel: LinkChannel) -> None:
        """Samples come with the events, when they came on the desktop."""

    def events(self) -> Iterable[tuple[LinkChannel, Any]]:
        """What the sensors told in the steps that have passed."""
        found: list[tuple[LinkChannel | None, Any]] = []
        for step in self._told:
            for tag, message, values in self.reference.readings[step]:
                device = self._device(tag)
                if device is None:
                    found += [(self.numbering.channel(0, BATTERY), values[0])]
                    continue
                pairs = sample_values(device, message, values)
                found += [(self.numbering.channel(tag, name), value) for name, value in pairs]
        self._told = range(0)
        return [(channel, value) for channel, value in found if channel is not None]

    def time(self) -> int:
        """Simulated time in ms."""
        return round(len(self.commands) * self.reference.step_ms)

    def _device(self, tag: int) -> Device | None:
        return self.reference.robot.devices[tag - 1] if tag else None
