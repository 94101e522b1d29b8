"""The controller's end of the link inside the simulator's process, with and without a log."""

from __future__ import annotations

from collections import deque

import greenlet as greenlets
from greenlet import greenlet

from wbridge.hal.protocol.errors import ProtocolError
from wbridge.wbcore.controllers.readings import Past, Readings

OF_OTHER_THREAD = (
    "inside of the simulator's process, a controller makes steps in its first thread only; "
    "run it without --inline"
)


class InlineConnection:
    """The controller's end of the link (see wbridge.hal.client.native.Link)."""

    __slots__ = ("answers", "hub", "is_open", "is_ready", "requests")

    def __init__(self, hub: greenlet) -> None:
        """
        Args:
            hub: the greenlet that runs while the controller waits.
        """
        self.hub = hub
        self.requests: list[bytes] = []
        """Requests that the simulator has not read yet."""
        self.answers: deque[bytes] = deque()
        self.is_open = True
        self.is_ready = False
        """True if the controller need not wait."""

    def send(self, packet: bytes) -> None:
        """Queue a request; the simulator reads it when the controller waits."""
        self.requests.append(packet)

    def receive(self) -> bytes:
        """Switch to the other greenlets until an answer arrives.

        Raises:
            ProtocolError: no answer will arrive.
        """
        answers = self.answers
        while not answers:
            if not self.is_open:
                raise ProtocolError("the simulator has closed the connection")
            self.wait()
        packet = answers.popleft()
        self.is_ready = bool(answers) or not self.is_open
        return packet

    def wait(self) -> None:
        """Let the other greenlets run.

        Raises:
            ProtocolError: the controller calls in a thread of its own.
        """
        try:
            self.hub.switch()
        except greenlets.error:
            raise ProtocolError(OF_OTHER_THREAD) from None

    def deliver(self, packet: bytes) -> None:
        """Store an answer of the simulator."""
        if packet:
            self.answers.append(packet)
            self.is_ready = True

    def close(self) -> None:
        """Close the link from either side."""
        self.is_open, self.is_ready = False, True


class LoggedConnection(InlineConnection):
    """A connection that notes what passes through it. While it has a past, that answers the controller in
    place of the simulator, which takes no part."""

    __slots__ = ("_past", "_readings")

    def __init__(self, hub: greenlet, readings: Readings, past: Past | None) -> None:
        """
        Args:
            hub: the greenlet that runs while the controller waits.
            readings: where everything is noted.
            past: what the controller has to go through before it takes part; None: nothing.
        """
        super().__init__(hub)
        self._readings, self._past = readings, past

    def send(self, packet: bytes) -> None:
        """Note a request, and queue it; in the past, compare it with the one at that time."""
        past = self._past
        if past is None:
            self._readings.ask(packet)
            self.requests.append(packet)
        elif not past.is_asked(packet):
            while True:  # until it is stopped: nothing that it does from here on has happened
                self.wait()

    def receive(self) -> bytes:
        """Wait for the next answer, and note it; in the past, return the one at that time.

        Raises:
            ProtocolError: no answer will arrive.
        """
        past = self._past
        if past is not None:
            packet = past.answer()
            if packet is not None:
                return packet
            self._past = None  # the present
        packet = super().receive()
        self._readings.answer(packet)
        return packet
