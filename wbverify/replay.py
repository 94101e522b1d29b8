"""Act as the robot's end of the link: answer a board with the recorded readings of a run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wbridge.hal.link.numbering import LinkChannel, Numbering, Slot
from wbridge.wbcore.bridge.channel_commands import commands_of, function_name, sample_values
from wbridge.wbcore.devices import Device
from wbridge.wbverify.reference import BATTERY, SEND, Key, Reference, SentPacket, Values


class Replay:
    """A `wbridge.hal.link.slave.RobotSide` that replays a run to a controller.

    Whatever the controller commands, it reads what the controller on the desktop read. So a difference
    appears where it is caused, and does not grow through the world from step to step.
    """

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self.numbering = Numbering(reference.robot.table)
        self.commands: list[dict[Key, Values]] = []
        """Commands in effect during each step, as in the reference."""
        self.sent: list[list[SentPacket]] = []
        """The packets of each step."""
        self.durations: list[tuple[int, int]] = []
        """Steps of the controller: the world step with which each begins, and its length in ms."""
        self.over = False
        """True after the whole run was replayed; the next request is not answered."""
        self._state: dict[Key, Values] = {}
        self._sent_now: list[SentPacket] = []
        self._passed = range(0)

    # Called by the controller's end.

    def set(self, channel: LinkChannel, value: Any) -> None:
        """Record a command in the form of the desktop's run."""
        device = self._device(channel.tag)
        for name, values in [] if device is None else commands_of(device, channel.name, value):
            if name == SEND:
                self._sent_now.append(SentPacket(channel.tag, values[0], bytes(values[-1])))
            else:
                self._state[channel.tag, name] = values

    def set_period(self, slot: Slot, period: int) -> None:
        """Record a sampling period."""
        if slot.tag:
            self._state[slot.tag, function_name(slot.function)] = (period,)

    def step(self, elapsed: int) -> bool:
        """Advance by the world steps within a step of the controller."""
        if elapsed == 0:
            self._passed = range(0)
            return True
        begin = len(self.commands)
        self.durations.append((begin, elapsed))
        end = min(begin + max(1, round(elapsed / self.reference.step_ms)), self.reference.steps)
        self.commands += [dict(self._state)] * (end - begin)
        self.sent += [self._sent_now, *([] for _ in range(begin + 1, end))]
        self._sent_now = []
        self._passed = range(begin, end)
        self.over = end == self.reference.steps
        return not self.over

    def stop(self) -> None:
        """Nothing moves here."""

    # Sent to the controller's end.

    def read(self, channel: LinkChannel) -> None:
        """Do nothing: samples are sent as events, at the same times as on the desktop."""

    def events(self) -> Iterable[tuple[LinkChannel, Any]]:
        """Return the readings of the steps that have passed."""
        entries: list[tuple[LinkChannel | None, object]] = []
        for step in self._passed:
            for tag, message, values in self.reference.readings[step]:
                device = self._device(tag)
                if device is None:
                    entries += [(self.numbering.channel(0, BATTERY), values[0])]
                    continue
                pairs = sample_values(device, message, values)
                entries += [(self.numbering.channel(tag, name), value) for name, value in pairs]
        self._passed = range(0)
        return [(channel, value) for channel, value in entries if channel is not None]

    def time(self) -> int:
        """Simulated time in ms."""
        return round(len(self.commands) * self.reference.step_ms)

    def _device(self, tag: int) -> Device | None:
        return self.reference.robot.devices[tag - 1] if tag else None
