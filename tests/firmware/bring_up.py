"""A robot on the table with a board, and a user at a terminal: the peers of `wbridge firmware test`.

The board is emulated in real time and reached by a pty. What hangs on its pins is modeled here, independent
of the hardware map: a motor turns by the levels of its pins, an encoder gives edges.
"""

from __future__ import annotations

import math
import os
import pty
import re
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from wbridge.wbfirmware.bench import Bench

__all__ = ["Terminal", "Wheel"]

TIMEOUT = 60.0
EDGE = 0.03
"""Shortest time (s) between edges: the emulator passes pins on in such intervals, and a hand is no faster."""
FULL_SPEED = 10.0
"""rad/s of the motor at full duty."""


class Wheel(threading.Thread):
    """A wheel with a motor and an encoder, moved by the pins of the board."""

    def __init__(self, bench: Bench, pins: dict[str, str], sign: int, counts: float) -> None:
        """
        Args:
            bench: the board.
            pins: of the H bridge (pwm, in1, in2) and of the encoder's tracks (a, b).
            sign: -1 if the motor is connected the other way round.
            counts: edges of the encoder per turn.
        """
        super().__init__(daemon=True)
        self.bench, self.pins, self.sign, self.counts = bench, pins, sign, counts
        self.angle = 0.0
        self.lock = threading.Lock()
        self.ended = threading.Event()
        self.settled = threading.Event()
        """All edges of a turn by hand were given."""
        self.turned: list[float] = []
        """Angle at the end of each motion, relative to its start."""

    def run(self) -> None:
        """Turn as long as the board runs."""
        count, last, start, moving = 0, time.monotonic(), 0.0, False
        while not self.ended.wait(0.004):
            with self.lock:
                duty = self.bench.show(self.pins["pwm"])
                levels = [self.bench.show(self.pins[one]).value for one in ("in1", "in2")]
            now = time.monotonic()
            speed = (
                self.sign * FULL_SPEED * (levels[0] - levels[1]) * (duty.value if duty.use == "pwm" else 0)
            )
            self.angle += speed * (now - last)
            last = now
            if bool(speed) != moving:
                moving = bool(speed)
                if moving:
                    start = self.angle
                else:
                    self.turned.append(self.angle - start)
            wanted = math.floor(self.angle * self.counts / (2 * math.pi) + 1e-6)
            while count != wanted:
                count += 1 if wanted > count else -1
                phase = count % 4
                self.ended.wait(EDGE)
                with self.lock:
                    self.bench.drive(self.pins["a"], phase in (1, 2))
                    self.bench.drive(self.pins["b"], phase in (2, 3))
                    self.bench.load()  # answers when the pins have their levels
                self._wait_for_interrupt()
            self.settled.set()

    def _wait_for_interrupt(self) -> None:
        """Wait until the board has seen an edge; on a busy computer, two would come at once and not count."""
        while not self.ended.wait(0.001):
            with self.lock:
                load = self.bench.load()
            if load is None or load.interrupts:
                return

    def turn_by_hand(self, angle: float) -> None:
        """Turn the wheel while its motor is off, in rad."""
        self.angle += angle
        for _ in range(2):  # the thread may have been in between
            self.settled.clear()
            assert self.settled.wait(TIMEOUT)

    def stop(self) -> None:
        """End the thread."""
        self.ended.set()
        self.join()


class Terminal:
    """A program at a pty, and what it prints."""

    def __init__(self, *words: str, cwd: Path, output: IO[bytes] | None = None) -> None:
        """`output`: a file for standard output; without it, the pty."""
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "wbridge", *words],
            stdin=slave,
            stdout=slave if output is None else output,
            stderr=slave,
            cwd=cwd,
            start_new_session=True,
            preexec_fn=_control_terminal,
        )
        os.close(slave)
        self.text = ""

    def read_until(self, *patterns: str) -> str:
        """Read until one of the patterns appears in the text after the last answer, and return it."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            for one in patterns:
                if re.search(one, self.text):
                    return one
            if not select.select([self._master], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(self._master, 65536)
            except OSError:
                data = b""
            if not data:
                raise AssertionError(f"the program ended: {self.text}")
            self.text += data.decode(errors="replace")
        raise AssertionError(f"none of {patterns} within {TIMEOUT:g} s in: {self.text}")

    def answer(self, text: str) -> None:
        """Enter a line."""
        self.text = ""
        os.write(self._master, text.encode() + b"\n")

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self.text = ""
        os.write(self._master, b"\x03")

    def finish(self) -> tuple[int, str]:
        """Return the exit code and the rest of the text."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            try:
                data = os.read(self._master, 65536)
            except OSError:
                break
            if not data:
                break
            self.text += data.decode(errors="replace")
        os.close(self._master)
        return self.process.wait(TIMEOUT), self.text

    def converse(self, replies: dict[str, Callable[[], str]], end: str) -> str:
        """Answer questions until the text `end`; return everything that was printed."""
        whole = ""
        while (found := self.read_until(end, *replies)) != end:
            whole += self.text
            self.answer(replies[found]())
        return whole + self.text


def _control_terminal() -> None:
    """Make the pty the terminal of the program, so that Ctrl-C reaches it."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
