"""Questions at a terminal, while the robot goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wbridge.running.typed import Typed
from wbridge.wbfirmware.bringup.device_test import Skipped

SKIP = "s"
REFRESH = 5
"""Steps between two displays of a live value."""
CLEAR = "\r\x1b[K"


class TerminalDialog:
    """A user at a terminal; see `wbridge.wbfirmware.bringup.device_test.Dialog`."""

    def __init__(self, idle: Callable[[], None]) -> None:
        """
        Args:
            idle: takes a short time; called while the user thinks.
        """
        self._idle = idle
        self._typed = Typed()

    def say(self, text: str) -> None:
        """Print a line."""
        print(text, flush=True)

    def ask(self, text: str, answers: Mapping[str, str], live: Callable[[], str] | None = None) -> str:
        """Return the key of an answer; the user may also type its first letters.

        Raises:
            Skipped: the user skips the device.
        """
        listed = ", ".join(f"{key} {word}" for key, word in {**answers, SKIP: "skip"}.items() if key)
        while True:
            found = self._line(f"{text} ({listed}) ", live).lower()
            if found in answers:
                return found
            matching = [key for key, word in answers.items() if found and word.startswith(found)]
            if len(matching) == 1:
                return matching[0]
            if found and "skip".startswith(found):
                raise Skipped
            print(f"Found '{found}'; allowed: {listed}", flush=True)

    def number(self, text: str, live: Callable[[], str] | None = None) -> float | None:
        """Return a number of at least 0; None if the user enters nothing.

        Raises:
            Skipped: the user skips the device.
        """
        while found := self._line(f"{text} ({SKIP} skip) ", live).lower():
            if "skip".startswith(found):
                raise Skipped
            try:
                value = float(found.replace(",", "."))
            except ValueError:
                value = float("nan")
            if 0 <= value < float("inf"):
                return value
            print(f"Found '{found}'; expected a number such as 0.25", flush=True)
        return None

    def text(self, text: str) -> str:
        """Return a line; "" if the user enters nothing."""
        return self._line(text, None)

    def _line(self, text: str, live: Callable[[], str] | None) -> str:
        """Return the next line that the user enters.

        Raises:
            EOFError: the terminal was closed.
        """
        print(text, end="\n" if live else "", flush=True)
        waiting, count = b"", 0
        while True:
            self._idle()
            if live and count % REFRESH == 0:
                print(f"{CLEAR}  {live()}  ", end="", flush=True)
            count += 1
            data = self._typed.now()
            if data is None:
                raise EOFError
            waiting += data
            if b"\n" in waiting:
                return waiting.partition(b"\n")[0].decode(errors="replace").strip()
