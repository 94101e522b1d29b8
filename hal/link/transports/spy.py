"""Prints what passes: `spy+tcp://...`. To stderr, or with `log=FILE` into a file."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from typing import TextIO

from wbridge.hal.link.errors import MessageError
from wbridge.hal.link.messages import (
    REASONS,
    Hello,
    Refusal,
    Reply,
    Request,
    TablePart,
    Token,
    Welcome,
    decode,
    encode,
)
from wbridge.hal.link.pipe import Pipe
from wbridge.hal.link.url import Url

FORM = "spy+TRANSPORT://...[?log=FILE]"
OPTIONS = {"log": str}
_TOKEN = encode(Token(b""))[:1]
"""The first byte of messages that are not shown even if they are damaged."""


def describe(data: bytes) -> str:
    """A message in one line."""
    try:
        message = decode(data)
    except MessageError as error:
        return f"{error}: {'a token' if data[:1] == _TOKEN else data.hex(' ')}"
    name = type(message).__name__
    fields = {key: value for key, value in message._asdict().items() if key not in ("entries", "data")}
    if isinstance(message, (Hello, Welcome, Refusal)):
        fields["hash"] = message.hash.hex()
    if isinstance(message, Refusal):
        fields["reason"] = f"{message.reason} ({REASONS.get(message.reason, 'unknown')})"
    text = " ".join(f"{key}={value}" for key, value in fields.items())
    if isinstance(message, (Request, Reply)):
        text += f" [{message.entries.hex(' ')}]"
    elif isinstance(message, TablePart):
        text += f" {len(message.data)} bytes"
    return f"{name} {text}"


class SpyPipe:
    """A message pipe that prints each message."""

    def __init__(self, pipe: Pipe, out: TextIO, owned: bool = False, raw: bool = False) -> None:
        """
        Args:
            pipe: the pipe to record.
            out: where to print.
            owned: close `out` with the pipe.
            raw: what passes is just bytes, no messages of the robot link.
        """
        self._pipe, self._owned = pipe, owned
        self._out: TextIO | None = out
        self._describe = _hex if raw else describe
        self.retry = pipe.retry
        self._start = time.monotonic()

    def send(self, data: bytes) -> None:
        """Send one message."""
        self._print(">", data)
        self._pipe.send(data)

    def receive(self, timeout: float) -> bytes | None:
        """The next message."""
        data = self._pipe.receive(timeout)
        if data is not None:
            self._print("<", data)
        return data

    def _print(self, mark: str, data: bytes) -> None:
        seconds = time.monotonic() - self._start
        if self._out is None:
            return
        try:
            print(f"{seconds:10.4f} {mark} {self._describe(data)}", file=self._out, flush=True)
        except OSError as error:  # a full disk is no reason to lose the robot
            self._end_log()
            with contextlib.suppress(OSError):
                print(f"spy: {error.strerror}: what passes is no longer written down", file=sys.stderr)

    def _end_log(self) -> None:
        out, self._out = self._out, None
        if out is not None and self._owned:
            with contextlib.suppress(OSError):
                out.close()

    def fileno(self) -> int:
        """Of the inner pipe."""
        return self._pipe.fileno()

    def close(self) -> None:
        """End the connection."""
        self._pipe.close()
        self._end_log()


def _hex(data: bytes) -> str:
    return data.hex(" ")


def wrap(url: Url, inner: Callable[[Url], Pipe], raw: bool = False) -> Pipe:
    """The pipe of the rest of a URL, with eyes on it."""
    options = url._replace(options={k: v for k, v in url.options.items() if k in OPTIONS})
    log = options.read_options(OPTIONS).get("log")
    pipe = inner(url.without(OPTIONS))
    if log is None:
        return SpyPipe(pipe, sys.stderr, raw=raw)
    return SpyPipe(pipe, open(log, "a", encoding="utf-8"), owned=True, raw=raw)
