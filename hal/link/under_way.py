"""What the controller's end keeps of a step that is not answered yet: its message, and durations."""

from __future__ import annotations

from wbridge.hal.link.pipe import Pipe

LONGEST_STEP = 0xFFFF
"""Duration of a step that fits into a message, in ms."""
SLOWER, LONGEST_PATIENCE = 1.5, 1.0
"""Factor by which the repetition interval grows with each duplicate answer, and its limit, in s."""


class Repetition:
    """The message that is under way, and when it is sent again. Times are those of the link's clock, in s."""

    def __init__(self) -> None:
        self._message = b""
        self._asked = 0.0
        """When it was sent for the first time."""
        self.due = 0.0
        """When to send it again."""
        self._patience = 0.0
        """After how many seconds it is repeated, unless the pipe says later."""

    def forget(self) -> None:
        """Begin a session, over a line of unknown speed."""
        self._patience = 0.0

    def begin(self, message: bytes, now: float) -> None:
        """Let a new message be under way, which is due now."""
        self._message = message
        self._asked = self.due = now

    def send(self, pipe: Pipe, now: float, retry: float) -> bool:
        """Send the message if it is due.

        Args:
            pipe: to the robot.
            now: the time.
            retry: after how many seconds this pipe repeats a message.

        Returns:
            Whether it was sent before.
        """
        if now < self.due:
            return False
        pipe.send(self._message)
        is_repeated = self.due > self._asked
        self.due = now + max(retry, self._patience)
        return is_repeated

    def answered(self, now: float) -> None:
        """Repeat earlier if answers come faster than expected."""
        if self._patience and self._patience > SLOWER * (now - self._asked):
            self._patience /= SLOWER

    def answered_twice(self, retry: float, watchdog_s: float) -> None:
        """Repeat later: on a slow line each needless repetition takes time from all others."""
        longest = min(LONGEST_PATIENCE, watchdog_s / 2)
        self._patience = min(SLOWER * max(self._patience, retry), longest)

    def age(self, now: float) -> float:
        """How long the message has been under way."""
        return now - self._asked


class StepTimes:
    """Durations of steps that are not answered yet, in ms."""

    def __init__(self) -> None:
        self._current = 0
        self.is_new = False
        """The current step is in no request yet."""
        self._requested = self._waiting = 0
        """Sums of steps in requests, and of steps that are in none yet."""

    @property
    def total(self) -> int:
        """Duration of all of them."""
        return self._requested + self._waiting

    def add(self, elapsed: int, has_session: bool) -> None:
        """Begin a step; without a session, those before it do not count."""
        self._current, self.is_new = elapsed, True
        self._waiting = elapsed + (self._waiting if has_session else 0)

    def restart(self) -> None:
        """The session has ended within the current step, which is the first of the next one."""
        self._waiting, self.is_new = self._current, True

    def take(self) -> int:
        """Return the duration for the next request."""
        self._requested = min(self._waiting, LONGEST_STEP)
        self._waiting, self.is_new = 0, False
        return self._requested

    def answered(self) -> None:
        """No request is under way any more."""
        self._requested = 0
